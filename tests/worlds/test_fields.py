from __future__ import annotations

import dataclasses
import datetime
import threading
from typing import Any, ClassVar

import msgspec
import pytest

from fairtrial.errors import WorldError
from fairtrial.worlds import World, tool
from fairtrial.worlds.fields import MISSING, describe, maker


class Base(World):
    starts_at = "2026-03-01T00:00:00Z"
    LIMIT: ClassVar[dict[str, int]] = {"a": 1}
    _cache: dict[str, int] = {}
    prices = {"a": [1]}
    later: dict[str, Later]
    number: int
    today: datetime.date = datetime.date(2026, 1, 1)


class Hotel(Base):
    rows: list[Later] = msgspec.field(default_factory=list)
    made: list[int] = dataclasses.field(default_factory=lambda: [1])
    fixed: int = dataclasses.field(default=5)
    number: int = 7

    @tool
    def look(self, row: Later) -> None:
        """Look."""


@dataclasses.dataclass
class Later:
    fee: float


@dataclasses.dataclass
class Decorated(World):
    rows: list[int] = dataclasses.field(default_factory=lambda: [1])


def test_annotated_names_are_fields_own_and_inherited() -> None:
    fields = describe(Hotel).fields
    assert list(fields) == ["later", "number", "today", "rows", "made", "fixed"]
    assert fields["later"].kind == dict[str, Later]


def test_fields_start_as_their_default_says() -> None:
    starts = {name: field.start for name, field in describe(Hotel).fields.items()}
    assert starts == {
        "later": {},
        "number": 7,
        "today": datetime.date(2026, 1, 1),
        "rows": [],
        "made": [1],
        "fixed": 5,
    }
    assert describe(Base).fields["number"].start is MISSING


def test_the_factories_of_a_class_that_dataclass_decorated_are_found() -> None:
    assert describe(Decorated).fields["rows"].start == [1]


def test_what_could_be_changed_beside_the_fields_is_known_and_constants_are_not() -> None:
    assert describe(Hotel).besides == {"_cache": {}, "prices": {"a": [1]}}


def test_the_clock_starts_where_the_class_says() -> None:
    assert describe(Hotel).starts == datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)


def test_tools_are_read_with_types_from_below() -> None:
    assert describe(Hotel).tools["look"].accept({"row": {"fee": 1}}) == {"row": Later(1.0)}


def test_a_class_is_looked_at_once() -> None:
    assert describe(Hotel) is describe(Hotel)


class Lost(World):
    rows: dict[str, Nowhere]  # type: ignore[name-defined]  # noqa: F821 - that is the test


class Odd(World):
    starts_at = "noon"
    rows: dict[int, str]
    thing: complex

    @tool
    def look(self, row: complex) -> None: ...

    @tool
    def find(self, row: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821 - that is the test


def told(world: type[World]) -> list[str]:
    with pytest.raises(WorldError) as caught:
        describe(world)  # type: ignore[arg-type]  # a class can be hashed, whatever mypy says
    return list(caught.value.problems)


class Locked(World):
    lock: object = threading.Lock()
    locks: list[Any] = dataclasses.field(default_factory=lambda: [threading.Lock()])
    cache = {"lock": threading.Lock()}
    shared: ClassVar[object] = threading.Lock()
    _plain = threading.Lock()


def test_a_default_that_cannot_be_copied_is_told_with_the_way_out() -> None:
    problems = told(Locked)
    assert problems[0] == (
        "World Locked: field lock: its default cannot be copied for each trial (cannot pickle "
        "'_thread.lock' object); make it in the tool that needs it, or annotate it as ClassVar, "
        "which all trials share"
    )
    assert [text.split(": ")[1] for text in problems] == [
        "field lock",
        "field locks",
        "field cache",
    ]


def test_a_type_that_cannot_be_found_is_told() -> None:
    assert told(Lost)[0].startswith(
        "World Lost: a field's type cannot be read: name 'Nowhere' is not defined"
    )


def test_all_that_is_wrong_with_a_class_is_told() -> None:
    starts = [
        "World Odd: field rows: a mapping in a world has text as its keys",
        "World Odd: field thing: complex is no JSON type",
        "World Odd: tool look: parameter row: complex is no JSON type",
        "World Odd: tool find: a parameter's type cannot be read: name 'Nowhere'",
        "World Odd: starts_at: wanted an instant such as",
    ]
    assert [text[: len(start)] for text, start in zip(told(Odd), starts, strict=True)] == starts


@pytest.mark.parametrize("start", [None, 5, "x", (1, "a"), datetime.date(2026, 1, 1)])
def test_what_never_changes_is_shared(start: object) -> None:
    assert maker(start) is None


@pytest.mark.parametrize("start", [[], {}, set(), [1], {"a": []}, ([],), Later(1)])
def test_what_can_change_is_made_anew(start: Any) -> None:
    make = maker(start)
    assert make is not None
    assert make() == start
    assert make() is not make()
