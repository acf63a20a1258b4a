import dataclasses
import datetime
import decimal
import enum
import json
import math
import uuid
from collections import ChainMap, OrderedDict, UserDict
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import (
    MAX_DEPTH,
    Json,
    NotJsonError,
    ToolCall,
    clean_text,
    plain,
    too_deep,
)

ANY_TEXT = st.text(st.characters(), max_size=10)  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(ANY_TEXT.map(clean_text), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


class Colour(enum.StrEnum):
    RED = "red"


class Loud(str, enum.Enum):  # noqa: UP042 - its str() is not its value
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Fee:
    amount: decimal.Decimal
    lines: tuple[int, ...] = ()


class Model:
    def __init__(self, dumped: Any) -> None:
        self.dumped = dumped

    def model_dump(self) -> Any:
        return self.dumped


def test_json_is_kept_as_it_is() -> None:
    value = {"a": [1, 2.5, True, None, "x"], "b": {}}
    assert plain(value) == value
    assert [type(item) for item in plain(value)["a"]] == [int, float, bool, type(None), str]


@given(VALUES)
def test_what_is_made_plain_is_strict_json_and_stays_so(value: Json) -> None:
    made = plain(value)
    assert plain(made) == made
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert msgspec.json.decode(msgspec.json.encode(made)) == made


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ((1, (2,)), [1, [2]]),
        (Point(1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({(2, 1), (1, 2)}), [[1, 2], [2, 1]]),
        (Colour.RED, "red"),
        ({Loud.RED: Loud.RED}, {"red": "red"}),
        (Fee(decimal.Decimal("1.50"), (1,)), {"amount": 1.5, "lines": [1]}),
        (ToolCall(name="a", arguments={}), None),
        (Model({"a": {1}}), {"a": [1]}),
        (PurePosixPath("/a/b"), "/a/b"),
        (datetime.date(2026, 3, 5), "2026-03-05"),
        (datetime.time(9, 30), "09:30:00"),
        (datetime.datetime(2026, 3, 5, tzinfo=datetime.UTC), "2026-03-05T00:00:00+00:00"),
        (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (OrderedDict(a=1), {"a": 1}),
        (UserDict(a=1), {"a": 1}),
        (ChainMap({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
    ],
)
def test_what_python_has_besides_becomes_json(value: object, made: Json) -> None:
    if isinstance(value, ToolCall):
        assert "result" not in plain(value)
        assert plain(value)["name"] == "a"
    else:
        assert plain(value) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [("320", 320), ("320.00", 320), ("1.50", 1.5), ("-0", 0), ("1E+5", 100_000), ("1E+40", 1e40)],
)
def test_a_decimal_is_a_whole_number_where_it_is_one(text: str, made: float) -> None:
    value = plain(decimal.Decimal(text))
    assert value == made
    assert type(value) is type(made)


NESTED: list[Any] = []
NESTED.append(NESTED)
GIVES_ITSELF = Model(None)
GIVES_ITSELF.dumped = GIVES_ITSELF


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": [0, math.nan]}, "a[1]: NaN is not a JSON number"),
        (math.inf, "value: infinity is not a JSON number"),
        (decimal.Decimal("sNaN"), "value: NaN"),
        (decimal.Decimal("1E+400"), "value: infinity"),
        ({"a": {"b": b"x"}}, "a.b: bytes is not JSON"),
        ({"a": {1: 2}}, "a: the key 1 is not text"),
        ({(b"x" * 10**6): 2}, "value: the key b'xxx"),
        (object(), "value: object is not JSON"),
        (int, "value: type is not JSON"),
        (Fee, "value: type is not JSON"),
        (datetime.timedelta(1), "value: timedelta is not JSON"),
        ({"n": 10**5000}, "n: a whole number of 16610 bits cannot be written"),
        (NESTED, "nested deeper than 100 (or a cycle)"),
        (GIVES_ITSELF, "nested deeper than 100 (or a cycle)"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_json_cannot_hold_is_refused_with_its_path(value: object, said: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        plain(value)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_path_is_told_in_short() -> None:
    with pytest.raises(NotJsonError) as caught:
        plain({"k\ud800" * 10**6: [b"x"]})
    assert len(str(caught.value)) < 300
    assert str(caught.value).encode()


def test_a_copy_shares_nothing() -> None:
    inner: list[Json] = [1]
    made = plain({"a": inner, "b": inner})
    inner.append(2)
    made["a"].append(3)
    assert made == {"a": [1, 3], "b": [1]}


def nested(depth: int) -> Json:
    value: Json = 1
    for _ in range(depth):
        value = [value]
    return value


def test_a_hundred_levels_are_plain_and_one_more_is_not() -> None:
    assert plain(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    with pytest.raises(NotJsonError):
        plain(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("limit", [0, 1, 5, MAX_DEPTH])
def test_depth_counts_lists_and_mappings(limit: int) -> None:
    assert too_deep(nested(limit), limit) is False
    assert too_deep(nested(limit + 1), limit) is True
    assert too_deep({"a": nested(limit)}, limit) is True


def test_no_depth_is_too_much_to_be_told() -> None:
    assert too_deep(nested(100_000)) is True
    assert too_deep(NESTED) is True


def test_shared_parts_take_no_longer_than_others() -> None:
    value: Json = []
    for _ in range(90):
        value = [value, value]
    assert too_deep(value) is False
    assert too_deep(value, 80) is True


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\ud800", "\ufffd"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ufeffa\ud800", "\ufeffa\ufffd"),
        ("\x00\x1b[31m", "\x00\x1b[31m"),
    ],
)
def test_half_a_character_is_replaced(text: str, made: str) -> None:
    assert clean_text(text) == made


@given(ANY_TEXT)
def test_clean_text_can_be_encoded_and_clean_text_is_kept(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode()
    assert clean_text(cleaned) == cleaned
    assert type(cleaned) is str


def test_a_text_of_another_class_becomes_plain_text() -> None:
    made = clean_text(Loud.RED)
    assert made == "red"
    assert type(made) is str


def test_lists_that_hold_each_other_many_times_over_are_refused_and_not_copied_for_ever() -> None:
    value: object = 1
    for _ in range(60):
        value = [value, value]
    with pytest.raises(NotJsonError, match="more than 1,000,000 values"):
        plain(value)
