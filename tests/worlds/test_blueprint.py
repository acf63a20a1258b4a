import dataclasses
from typing import Any

import pydantic
import pytest

from fairtrial.errors import WorldError
from fairtrial.records import Json
from fairtrial.worlds import World, prepare, tool


class Guest(pydantic.BaseModel):
    name: str
    notes: list[str] = []


@dataclasses.dataclass
class Row:
    tags: list[str] = dataclasses.field(default_factory=list)


SHARED = {"deep": [1]}


class Desk(World):
    rows: list[Row]
    guests: dict[str, Guest]
    log: list[str] = []
    deep: dict[str, list[int]] = SHARED
    row: Row = Row(["a"])
    _seen: set[str] = set()
    cache = {"a": [1]}

    @tool
    def spoil(self, seed: list[int] = []) -> None:  # noqa: B006 - the trap that is tested
        self.rows[0].tags.append("x")
        self.guests["g"].notes.append("x")
        self.log.append("x")
        self.deep["deep"].append(2)
        self.row.tags.append("x")
        self._seen.add("x")
        self.cache["a"].append(2)
        self.context["a"].append("x")
        seed.append(1)


FIXTURES: Json = {"rows": [{"tags": ["t"]}], "guests": {"g": {"name": "Ann"}}}


def test_worlds_share_nothing_whatever_a_tool_does(case: Any) -> None:
    given = case(fixtures=FIXTURES, context={"a": []})
    blueprint = prepare(Desk, given)
    first = blueprint.build(b"1")
    before = first.state
    first.tools.call("spoil")
    second = blueprint.build(b"2")
    assert isinstance(second, Desk)
    assert first.state != before
    assert second.state == second.initial_state == first.initial_state == before
    assert (second._seen, second.cache, second.context) == (set(), {"a": [1]}, {"a": []})
    assert (Desk.log, SHARED, Desk.row, Desk._seen) == ([], {"deep": [1]}, Row(["a"]), set())
    assert given.context == {"a": []}
    assert given.fixtures == {"rows": [{"tags": ["t"]}], "guests": {"g": {"name": "Ann"}}}


def test_what_is_changed_after_prepare_changes_no_world(case: Any) -> None:
    fixtures = {"rows": [{"tags": ["t"]}]}
    blueprint = prepare(None, case(fixtures=fixtures))
    fixtures["rows"][0]["tags"].append("late")
    assert blueprint.build(b"").state == {"rows": [{"tags": ["t"]}]}


def test_all_problems_come_at_once_each_with_its_place(problems: Any) -> None:
    assert problems(
        Desk,
        fixtures={"rows": [{"tags": [1]}], "gusts": {}},
        tools={"pay": [{"appends": {"lgo": "x"}}]},
        faults={"spoli": [{"error": "x"}], "pay": [{"error": "x"}]},
        context={"a": float("nan")},
    ) == [
        "fixtures.rows[0].tags[0]: wanted text, got the number 1",
        "fixtures.gusts: World Desk has no such field; known here: rows, guests, log, deep, row; "
        "did you mean guests?",
        "tools.pay[0].appends.lgo: there is no such field; known here: rows, guests, log, "
        "deep, row; did you mean log?",
        "faults.spoli: there is no such tool; known here: spoil, pay; did you mean spoil?",
        "context: a: NaN is not a JSON number",
    ]


def test_a_stub_that_does_not_fit_is_still_known_to_faults(problems: Any) -> None:
    wrong = problems(tools={"pay": [{"retruns": 1}]}, faults={"pay": [{"error": "x"}]})
    assert [text.partition(":")[0] for text in wrong] == ["tools.pay[0].retruns"]


def test_a_start_that_is_no_json_is_told(problems: Any) -> None:
    class Odd(World):
        thing: Any = object()

    assert problems(Odd) == [
        "fixtures.thing: it starts as what JSON cannot hold: value: object is not JSON"
    ]


@pytest.mark.parametrize("world", [int, Desk.spoil, "Desk"])
def test_what_is_no_world_is_refused(case: Any, world: Any) -> None:
    with pytest.raises(
        WorldError, match=r"is no world; wanted a class derived from fairtrial.World"
    ):
        prepare(world, case())


def test_a_world_of_nothing_has_neither_tools_nor_state(case: Any) -> None:
    blueprint = prepare(None, case())
    assert (blueprint.has_tools, blueprint.has_state) == (False, False)
    world = blueprint.build(b"")
    assert (world.state, dict(world.tools), world.calls) == ({}, {}, ())


def test_a_world_with_fields_and_stubs_has_both(case: Any) -> None:
    blueprint = prepare(None, case(fixtures={"a": 1}, tools={"noon": [{"returns": 12}]}))
    assert (blueprint.has_tools, blueprint.has_state) == (True, True)


def test_fixtures_alone_may_have_any_names(build: Any) -> None:
    fixtures = {"state": 1, "calls": [2], "_fairtrial": 3, "a b": 4}
    world = build(fixtures=fixtures)
    assert world.state == world.initial_state == fixtures
    assert world.calls == ()


def test_huge_numbers_and_half_characters_in_fixtures_are_held(build: Any) -> None:
    world = build(fixtures={"big": 10**30, "half": "a\ud800"})
    assert world.state == {"big": 10**30, "half": "a\ufffd"}
