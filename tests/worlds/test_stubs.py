from typing import Any

import pytest

from fairtrial.errors import ToolError
from fairtrial.records import Json
from fairtrial.worlds import World, tool
from fairtrial.worlds.fitting import Misfit, said
from fairtrial.worlds.stubs import Clause, StubTool, read_stubs


def stub(*clauses: dict[str, Any]) -> StubTool:
    return StubTool("pay", [Clause(**one) for one in clauses], {})


def run(tool: StubTool, **arguments: Json) -> object:
    return tool.run(None, tool.accept(arguments))


def error(tool: StubTool, **arguments: Json) -> str:
    with pytest.raises(ToolError) as caught:
        run(tool, **arguments)
    return str(caught.value)


def test_the_first_clause_that_is_for_the_arguments_answers() -> None:
    tool = stub(
        {"when": {"to": "Ann"}, "returns": 1},
        {"when": {"amount": {"above": 100}}, "raises": "too much"},
        {"returns": 3},
    )
    assert run(tool, to="Ann", amount=500) == 1
    assert error(tool, to="Bob", amount=500) == "too much"
    assert run(tool) == 3


def test_a_clause_without_a_reply_gives_null() -> None:
    assert run(stub({})) is None


def test_arguments_that_no_clause_is_for_are_told_what_is_known() -> None:
    tool = stub(*({"when": {"to": str(number)}} for number in range(7)))
    text = error(tool, to="Zoe")
    assert text.startswith(
        'pay: no reply is written for {"to": "Zoe"}; known arguments: {"to": "0"}'
    )
    assert text.endswith('{"to": "4"}, and 2 more')


SCHEMA = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "amount": {"type": ["number", "null"]}, "any": {}},
    "required": ["to"],
}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"amount": 1}, "missing argument 'to'"),
        ({"to": 1}, "to: wanted text, got the number 1"),
        ({"to": "a", "amount": "1"}, "amount: wanted a number or null, got '1'"),
        ({"to": "a", "amount": True}, "amount: wanted a number or null, got true"),
        ({"to": "a", "amuont": 1}, "unknown argument 'amuont'; did you mean amount?"),
    ],
)
def test_arguments_are_checked_against_the_top_of_the_schema(
    arguments: dict[str, Json], text: str
) -> None:
    takes = ". It takes to, amount (optional), any (optional)"
    assert error(stub({"parameters": SCHEMA}), **arguments) == f"pay: {text}{takes}"


def test_arguments_that_fit_the_schema_pass() -> None:
    tool = stub({"parameters": SCHEMA, "returns": 1})
    assert run(tool, to="a", amount=None, any=[1]) == 1
    loose = stub({"parameters": SCHEMA | {"additionalProperties": {}}, "returns": 1})
    assert run(loose, to="a", other=1) == 1


def test_a_model_is_told_what_the_clauses_say() -> None:
    tool = stub({"returns": 1}, {"description": "Pay.", "parameters": SCHEMA})
    assert (tool.shown.description, tool.shown.parameters) == ("Pay.", SCHEMA)
    assert stub({}).shown.parameters == {"type": "object"}


def test_positions_follow_the_schema() -> None:
    tool = stub({"parameters": SCHEMA})
    assert tool.bind(("Ann", 5), {}) == {"to": "Ann", "amount": 5}
    with pytest.raises(ToolError, match="give each argument once, by its name"):
        stub({}).bind(("Ann",), {})


class Ledger(World):
    paid: list[dict[str, float]]
    by_id: dict[str, Json]
    names: set[str]


def test_rows_are_added_to_lists_mappings_and_sets(build: Any) -> None:
    appends = {"paid": {"fee": 1}, "by_id": True, "names": "Ann"}
    world = build(Ledger, tools={"pay": [{"returns": "ok", "appends": appends}]})
    assert world.tools.call("pay", {"to": "Ann"}) == "ok"
    world.tools.call("pay", {"to": "Bob"})
    state = world.state
    assert state["paid"] == [{"fee": 1.0}, {"fee": 1.0}]
    assert list(state["by_id"].values()) == [{"to": "Ann"}, {"to": "Bob"}]
    assert state["names"] == ["Ann"]
    assert [one.changed for one in world.calls] == [True, True]


def test_a_row_is_a_copy_each_time(build: Any) -> None:
    tools: Json = {"pay": [{"appends": {"paid": {"fees": []}}}]}
    for world in (build(tools=tools), build(tools=tools)):
        world.tools.call("pay")
        world.paid[0]["fees"].append(1)
        world.tools.call("pay")
        assert world.state == {"paid": [{"fees": [1]}, {"fees": []}]}


def test_rows_of_a_failing_reply_stand(build: Any, refusal: Any) -> None:
    world = build(tools={"pay": [{"raises": "down", "appends": {"paid": 1}}]})
    assert refusal(world, "pay") == "down"
    assert world.state == {"paid": [1]}


def test_arguments_that_are_no_row_are_told_to_the_agent(build: Any, refusal: Any) -> None:
    world = build(Ledger, tools={"pay": [{"appends": {"paid": True}}]})
    assert refusal(world, "pay", {"fee": "x"}) == "pay: fee: wanted a number, got 'x'"
    assert (world.state["paid"], world.failure) == ([], None)


def test_a_stub_takes_the_place_of_a_tool_of_the_class(build: Any) -> None:
    class Desk(World):
        @tool
        def pay(self, amount: float) -> str:
            return "really"

        @tool
        def pay_twice(self) -> list[str]:
            return [self.pay(1), self.pay(amount=2)]

    stubs = {"pay": [{"parameters": {"properties": {"amount": {}}}, "returns": "stub"}]}
    world = build(Desk, tools=stubs)
    assert world.pay(1) == "stub"
    assert world.tools.call("pay_twice") == ["stub", "stub"]
    assert [one.name for one in world.calls] == ["pay", "pay_twice"]


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ("x", "tools.pay: wanted a list, got 'x'"),
        ([{"retrns": 1}], "tools.pay[0].retrns: unknown field; known here: description,"),
        ([{"when": {"a": {"min": "x"}}}], "tools.pay[0].when.a.min: min: wanted a number"),
        ([{"appends": {"piad": 1}}], "tools.pay[0].appends.piad: there is no such field; known"),
        (
            [{"appends": {"total": 1}}],
            "tools.pay[0].appends.total: rows go to a list or a mapping;",
        ),
        ([{"appends": {"paid": "x"}}], "tools.pay[0].appends.paid: wanted a number, got 'x'"),
        (
            [{"parameters": {"properties": 1}}],
            "tools.pay[0].parameters.properties: wanted a mapping, got the number 1",
        ),
        (
            [{"parameters": {"required": [1]}}],
            "tools.pay[0].parameters.required[0]: wanted text, got the number 1",
        ),
    ],
)
def test_a_clause_that_does_not_fit_is_told(clause: Json, text: str) -> None:
    wrong: list[Misfit] = []
    read_stubs({"pay": clause}, {"paid": [], "total": 5}, {"paid": float}, wrong)
    assert [one[: len(text)] for one in map(said, wrong)] == [text]
