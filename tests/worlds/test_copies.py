import dataclasses
import datetime
import decimal
import enum
from typing import Any

import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Json, NotJsonError, plain
from fairtrial.worlds.copies import all_parts, parts, snapshot


class Colour(enum.Enum):
    RED = "red"


class Word(str, enum.Enum):  # noqa: UP042 - the older way, whose str() says something else
    YES = "yes"


@dataclasses.dataclass
class Row:
    fee: float
    tags: set[str] = dataclasses.field(default_factory=set)


class Line(msgspec.Struct, omit_defaults=True, rename="camel"):
    unit_price: float = 1.0
    note: str | msgspec.UnsetType = msgspec.UNSET


class Guest(pydantic.BaseModel):
    name: str
    since: datetime.date


class Breaking:
    def model_dump(self) -> None:
        raise RuntimeError("no")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_a_copy_is_what_plain_gives(value: Json) -> None:
    assert repr(snapshot(value)) == repr(plain(value))


@pytest.mark.parametrize(
    "value",
    [
        Row(1, {"b", "a"}),
        Line(),
        Line(2.0, "x"),
        {"a": [Row(2), Line(), (1, 2)]},
        {Word.YES: Word.YES},
        Colour.RED,
        decimal.Decimal("1.50"),
        datetime.date(2026, 1, 5),
        Guest(name="Ann", since=datetime.date(2026, 1, 5)),
        "a\ud800",
        {"\ud800": 1},
        10**30,
    ],
    ids=[
        *("sets", "struct", "struct set", "nested", "enums", "colour", "decimal", "date"),
        *("pydantic", "surrogate", "surrogate key", "huge"),
    ],
)
def test_objects_are_copied_as_plain_does(value: object) -> None:
    assert snapshot(value) == plain(value)


def nested(depth: int) -> Json:
    value: Json = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [float("nan")]}, "a[0]: NaN is not a JSON number"),
        ({"a": {1: 2}}, "a: the key 1 is not text"),
        ([b"x"], "[0]: bytes is not JSON"),
        (nested(101), "nested deeper than 100"),
        (nested(5000), "nested deeper than 100"),
        ([10**5000], "cannot be written"),
        (Breaking(), "RuntimeError"),
        (object(), "object is not JSON"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_path(value: object, text: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        snapshot(value)
    assert text in str(caught.value)


def test_a_cycle_ends() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(NotJsonError):
        snapshot(value)
    assert parts(value) == b""


def test_a_copy_shares_nothing() -> None:
    value: Json = {"a": [{"b": []}]}
    copy = snapshot(value)
    copy["a"][0]["b"].append(1)
    assert value == {"a": [{"b": []}]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1, 1.5),
        (None, float("nan")),
        ("1", 1),
        ([], {}),
        ({"a": 10**30}, {"a": 10**30 + 1}),
        ({1: 2}, {"1": 2}),
        (Row(1), Row(2)),
        (
            Guest(name="A", since=datetime.date(2026, 1, 5)),
            Guest(name="B", since=datetime.date(2026, 1, 5)),
        ),
    ],
    ids=repr,
)
def test_a_change_shows_in_the_parts(before: object, after: object) -> None:
    assert parts(before) != parts(after)


def test_the_order_of_sets_and_keys_is_no_change() -> None:
    one, other = {"a": set("abcdef")}, {"a": set("fedcba")}
    assert parts(one) == parts(other)
    assert all_parts([one, 10**30]) == [parts(other), parts(10**30)]
