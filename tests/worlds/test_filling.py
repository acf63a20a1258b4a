import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Json
from fairtrial.worlds import World
from fairtrial.worlds.fields import describe
from fairtrial.worlds.filling import fill, fill_alone, plain_fixtures, row_kinds
from fairtrial.worlds.fitting import Misfit, said


@dataclasses.dataclass
class Booking:
    guest: str
    price: float = 0.0


class Hotel(World):
    bookings: dict[str, Booking]
    guests: list[str]
    today: str


def told(**fixtures: Json) -> list[str]:
    wrong: list[Misfit] = []
    fill(describe(Hotel), fixtures, wrong)
    return [said(one) for one in wrong]


def test_a_field_without_fixture_and_start_is_missing() -> None:
    assert told() == ["fixtures: `today` is missing: World Hotel needs it, or give it a default"]


def test_an_unknown_fixture_is_told_with_the_nearest() -> None:
    assert told(today="x", bokings={}) == [
        "fixtures.bokings: World Hotel has no such field; known here: bookings, guests, today; "
        "did you mean bookings?"
    ]


def test_mistakes_of_all_fields_and_items_are_told() -> None:
    wrong = told(bookings={"a": {"guest": 1}, "b": {"price": "x"}}, guests=[1, "x", 2], today=5)
    assert [text.partition(": ")[0] for text in wrong] == [
        "fixtures.bookings.a.guest",
        "fixtures.bookings.b.guest",
        "fixtures.bookings.b.price",
        "fixtures.guests[0]",
        "fixtures.guests[2]",
        "fixtures.today",
    ]


def test_a_thousand_mistakes_of_a_field_are_counted() -> None:
    wrong = told(today="x", guests=list(range(1000)))
    assert len(wrong) == 21
    assert wrong[-1] == "fixtures.guests: and 980 more"


def test_what_is_no_json_is_told_with_its_place() -> None:
    wrong: list[Misfit] = []
    assert plain_fixtures({"a": {"b": float("nan")}, "c": 1}, wrong) == {"c": 1}
    assert said(wrong[0]) == "fixtures.a: b: NaN is not a JSON number"


def test_a_world_of_fixtures_alone_has_the_fields_that_stubs_add_to() -> None:
    stubs: Any = {
        "pay": [{"appends": {"paid": 1, "rows": 2}}, {"returns": 1}],
        "odd": "x",
        "one": {"appends": {"more": 1}},
        "bad": [{"appends": 5}, 5],
    }
    filling = fill_alone({"rows": [1]}, stubs)
    assert filling.names == ("rows", "paid", "more")
    assert filling.held() == {"rows": [1], "paid": [], "more": []}


def test_rows_have_the_type_of_their_container() -> None:
    assert row_kinds(describe(Hotel)) == {"bookings": Booking, "guests": str}


ROWS = st.dictionaries(
    st.text(),
    st.builds(
        lambda guest, price: {"guest": guest, "price": price},
        st.text(),
        st.integers(-(2**53), 2**53),
    ),
    max_size=4,
)


@given(ROWS, st.lists(st.text(), max_size=4), st.text())
def test_fixtures_come_out_as_they_went_in(rows: Json, guests: Json, today: str) -> None:
    fixtures = plain_fixtures({"bookings": rows, "guests": guests, "today": today}, [])
    held = fill(describe(Hotel), fixtures, []).held()
    assert plain_fixtures(held, []) == fixtures


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_fixtures_alone_come_out_as_they_went_in(fixtures: dict[str, Json]) -> None:
    written = plain_fixtures(fixtures, [])
    assert repr(fill_alone(written, {}).held()) == repr(written)
