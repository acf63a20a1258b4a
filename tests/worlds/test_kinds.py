import dataclasses
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NewType, TypedDict

import msgspec
import pytest

from fairtrial.worlds.kinds import Kind, arms, bare, container, empty, record, unreadable

Cents = NewType("Cents", int)


@dataclasses.dataclass
class Row:
    fee: float
    rows: "list[Row]" = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=0, init=False)


class Half(TypedDict, total=False):
    a: typing.Required[int]
    b: str


class Line(msgspec.Struct, rename={"unit": "per"}):
    unit: str
    note: str = ""


class Tagged(msgspec.Struct, tag=True):
    a: int


class Plain:
    pass


@dataclasses.dataclass
class Left:
    a: int


@dataclasses.dataclass
class Right:
    b: int


def test_a_type_is_bared_of_what_is_only_said_about_it() -> None:
    assert bare(Annotated[Cents, "x"]) is int
    assert bare(typing.Required[Annotated[str, "x"]]) is str


def test_null_is_no_arm() -> None:
    assert arms(int | str | None) == ([int, str], True)


@pytest.mark.parametrize(
    ("kind", "items"),
    [
        (dict, (True, Any)),
        (Mapping[str, int], (True, int)),
        (set[str], (False, str)),
        (Sequence[int], (False, int)),
        (tuple[int, ...], (False, int)),
        (tuple[int, str], (False, None)),
        (str, (False, None)),
    ],
)
def test_containers_are_known_with_their_items(kind: Kind, items: tuple[bool, Kind]) -> None:
    assert container(kind) == items


def test_the_fields_of_records_are_known_by_their_name_in_json() -> None:
    assert record(Row) == {"fee": (float, True), "rows": (list[Row], False)}
    half = record(Half) or {}
    assert (half["a"][1], half["b"][1]) == (True, False)
    assert record(Line) == {"per": (str, True), "note": (str, False)}
    assert record(Tagged) is None
    assert record(int) is None


@pytest.mark.parametrize(
    ("kind", "start"),
    [
        (dict, {}),
        (list[int], []),
        (set, set()),
        (tuple[int, ...], ()),
        (Annotated[list[int], "x"], []),
        (int | None, None),
        (dict[str, int] | None, None),
        (Mapping[str, int], {}),
        (Sequence[int], []),
    ],
)
def test_a_container_starts_empty_and_what_may_be_null_starts_so(kind: Kind, start: object) -> None:
    assert empty(kind) == start
    assert type(empty(kind)) is type(start)


@pytest.mark.parametrize("kind", [int, str, Row, Any, tuple[int, str], int | str])
def test_other_types_have_no_start(kind: Kind) -> None:
    with pytest.raises(ValueError, match="no container"):
        empty(kind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (dict[str, list[Plain]], "Plain is no JSON type, dataclass, TypedDict"),
        (Left | Right, "may not contain more than one dataclass"),
        (dict[int, str], "text as its keys"),
        (list[dict[Literal[1], int]], "text as its keys"),
    ],
)
def test_a_type_that_no_json_can_fill_is_refused(kind: Kind, text: str) -> None:
    assert text in unreadable(kind, state=True)[0]


@pytest.mark.parametrize("kind", [Row, Line, Tagged, Half, Any, dict[Literal["a"], int], object])
def test_other_types_can_be_filled(kind: Kind) -> None:
    assert unreadable(kind, state=True) == []


def test_the_argument_of_a_tool_may_have_any_keys() -> None:
    assert unreadable(dict[int, str], state=False) == []
