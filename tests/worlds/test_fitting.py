import dataclasses
import datetime
import decimal
import enum
import uuid
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Json
from fairtrial.worlds.fitting import from_json, misfits, read, said, wanted
from fairtrial.worlds.kinds import Kind


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Row:
    guest: str
    price: float = 0.0

    def __post_init__(self) -> None:
        if self.price < 0:
            raise ValueError("a price below 0")


class Guest(pydantic.BaseModel):
    name: str
    since: datetime.date


class Typed(TypedDict):
    a: int


def told(value: Json, kind: Kind) -> list[str]:
    return [said(one) for one in misfits(value, kind, ("f",))]


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("abc", float, "f: wanted a number, got 'abc'"),
        (True, float, "f: wanted a number, got true"),
        ("1", int, "f: wanted a whole number, got '1'"),
        (1, str, "f: wanted text, got the number 1"),
        (1, bool, "f: wanted true or false, got the number 1"),
        (None, dict, "f: wanted a mapping, got null"),
        ({}, list[int], "f: wanted a list, got a mapping"),
        ([1], set[str], "f[0]: wanted text, got the number 1"),
        ("x", int | None, "f: wanted a whole number or null, got 'x'"),
        (1.5, int | str, "f: wanted a whole number or text, got the number 1.5"),
        ("x", Literal["a", "b"], "f: wanted one of 'a', 'b', got 'x'"),
        ("x", Colour, "f: wanted one of 'red', 'blue', got 'x'"),
        ("x", datetime.date, "f: wanted a date such as '2026-01-05', got 'x'"),
        ("x", datetime.datetime, "f: wanted an instant such as '2026-01-05T09:00:00Z', got 'x'"),
        ("x", uuid.UUID, "f: wanted a UUID, got 'x'"),
        ("x", decimal.Decimal, "f: wanted a number, got 'x'"),
        (
            -1,
            Annotated[int, msgspec.Meta(ge=0)],
            "f: wanted a whole number >= 0, got the number -1",
        ),
        (
            [],
            Annotated[list[int], msgspec.Meta(min_length=1)],
            "f: wanted array of length >= 1, got a list",
        ),
        ({"guest": "g", "price": -1}, Row, "f: a price below 0, got a mapping"),
        ({"price": 1}, Row, "f.guest: missing; wanted text"),
        ([], Row, "f: wanted a mapping {guest, price}, got a list"),
        (
            {"guest": "g", "prize": 1},
            Row,
            "f.prize: unknown field; known here: guest, price; did you mean price?",
        ),
        ({"a": 1, "b": 1}, Typed, "f.b: unknown field; known here: a"),
        (
            {"name": 1, "since": "2026-01-05"},
            Guest,
            "f.name: Input should be a valid string, got the number 1",
        ),
        ([1, 2], tuple[int, str], "f: wanted text at [1], got a list"),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_its_place(
    value: Json, kind: Kind, text: str
) -> None:
    assert told(value, kind) == [text]


def test_every_item_is_told() -> None:
    rows = {"a": {"guest": 1}, "b": {"guest": "g", "price": "x"}, "c": [], "d": {"guest": "g"}}
    assert [text.partition(":")[0] for text in told(rows, dict[str, Row])] == [
        "f.a.guest",
        "f.b.price",
        "f.c",
    ]


def test_each_mistake_of_a_pydantic_model_is_told() -> None:
    assert len(told([{"name": 1, "since": "x"}], list[Guest])) == 2


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, float),
        ("2026-01-05", datetime.date),
        ("red", Colour),
        (1.5, decimal.Decimal),
        (None, Row | None),
        ({"x": {"any": [1]}}, Any),
        ({"1": 2}, dict[int, int]),
        ({"name": "Ann", "since": "2026-01-05"}, Guest),
    ],
)
def test_what_fits_is_not_told(value: Json, kind: Kind) -> None:
    assert told(value, kind) == []


def test_a_pydantic_model_is_made_without_coercion() -> None:
    assert read({"name": "Ann", "since": "2026-01-05"}, Guest) == Guest(
        name="Ann", since=datetime.date(2026, 1, 5)
    )
    with pytest.raises(msgspec.ValidationError):
        read({"name": 5, "since": "2026-01-05"}, Guest)


def test_a_class_with_model_validate_alone_is_made_by_it() -> None:
    class Own:
        @classmethod
        def model_validate(cls, value: Json) -> Json:
            return ("made", value)

    assert from_json(Own, {"a": 1}) == ("made", {"a": 1})


def test_what_is_wanted_is_said_in_a_few_words() -> None:
    assert wanted(Row) == "a mapping {guest, price}"
    assert wanted(Guest) == "a value"
    assert wanted(int | str | None) == "a whole number or text or null"


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["guest", "price", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(ANY_JSON, st.sampled_from([Row, list[Row], dict[str, Row | None], set[str], int | str]))
def test_something_is_told_whenever_it_does_not_fit(value: Json, kind: Kind) -> None:
    try:
        read(value, kind)
    except (msgspec.ValidationError, TypeError):
        fits = False
    else:
        fits = True
    assert fits or told(value, kind)
