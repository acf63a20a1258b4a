from typing import Any

import pytest

from fairtrial.errors import ToolError
from fairtrial.ports import Tools
from fairtrial.worlds import World, tool


class Desk(World):
    paid: list[float]

    @tool
    def pay(self, amount: float, note: str = "") -> dict[str, float]:
        """Pay an amount.

        Args:
            amount: In euros.
        """
        self.paid.append(amount)
        return {"total": sum(self.paid)}

    @tool
    def get(self) -> str:
        """Say hello."""
        return 'a "b"'


def test_tools_are_a_mapping_of_names_to_callables(build: Any) -> None:
    tools = build(Desk).tools
    assert list(tools) == ["pay", "get"]
    assert (len(tools), "pay" in tools, "x" in tools) == (2, True, False)
    assert tools["pay"](amount=5) == {"total": 5.0}
    assert tools["pay"](5, note="n") == {"total": 10.0}
    assert tools.pay(amount=1) == {"total": 11.0}
    assert dict(tools)["get"]() == 'a "b"'


def test_tools_have_the_shape_of_the_port(build: Any) -> None:
    world: World = build(Desk)
    tools: Tools = world.tools  # also for a type checker
    assert tools.call("pay", '{"amount": 5}') == {"total": 5.0}


def test_a_tool_tells_what_it_is(build: Any) -> None:
    pay = build(Desk).tools["pay"]
    assert (pay.name, pay.description) == ("pay", "Pay an amount.")
    assert pay.parameters["properties"]["amount"] == {"type": "number", "description": "In euros."}
    assert pay.parameters["required"] == ["amount"]
    assert repr(pay) == "<tool pay: amount, note (optional)>"


def test_schemas_come_in_every_form(build: Any) -> None:
    tools = build(Desk).tools
    assert [one["function"]["name"] for one in tools.openai] == ["pay", "get"]
    assert [one["name"] for one in tools.openai_responses] == ["pay", "get"]
    assert [one["input_schema"] for one in tools.anthropic] == [
        tools[name].parameters for name in tools
    ]
    assert tools.mcp == [tools[name].mcp for name in tools]
    assert tools.openai == [tools[name].openai for name in tools]
    assert tools.anthropic == [tools[name].anthropic for name in tools]
    assert tools.openai_responses == [tools[name].openai_responses for name in tools]


def test_a_schema_that_an_agent_changed_is_whole_in_the_next_world(build: Any) -> None:
    build(Desk).tools.openai[0]["function"]["parameters"].clear()
    build(Desk).tools["pay"].parameters.clear()
    assert build(Desk).tools["pay"].parameters["type"] == "object"


def test_a_reply_is_text_as_it_is_json_or_the_error(build: Any) -> None:
    tools = build(Desk).tools
    assert tools.reply("pay", {"amount": 5}) == '{"total":5.0}'
    assert tools.reply("get") == 'a "b"'
    assert tools.reply("pay") == (
        "pay: missing argument 'amount'. It takes amount, note (optional)"
    )
    assert (tools.reply("get").failed, tools.reply("pay").failed) == (False, True)


def test_a_tool_that_is_not_there_is_no_attribute_and_no_member(build: Any) -> None:
    tools = build(Desk).tools
    with pytest.raises(AttributeError, match="there is no tool 'pya'; the tools are: pay, get"):
        tools.pya  # noqa: B018 - the look is the test
    assert ("pya" in tools, ["pay"] in tools) == (False, False)
    assert (tools.get("pya"), tools.get("pya", 5), len(tools)) == (None, 5, 2)
    assert list(tools) == [*tools.keys()] == ["pay", "get"]
    assert tools.get("get")() == 'a "b"'
    assert "pay" in dir(tools)


@pytest.mark.parametrize("name", ["pya", "", None, ["pay"], "x" * 10**6])
def test_a_tool_that_is_not_there_fails_when_called_and_is_recorded(build: Any, name: Any) -> None:
    called, indexed = build(Desk), build(Desk)
    with pytest.raises(ToolError) as told:
        called.tools.call(name, {"amount": 5})
    with pytest.raises(ToolError) as told_too:
        indexed.tools[name](amount=5)
    assert str(told_too.value) == str(told.value)
    assert indexed.calls == called.calls
    assert len(indexed.calls) == 1


def test_what_a_tool_that_is_not_there_is_given_by_position_is_recorded(build: Any) -> None:
    world = build(Desk)
    with pytest.raises(ToolError, match="there is no tool 'pya'"):
        world.tools["pya"](5, note="n")
    assert world.calls[0].arguments == '[5, {"note": "n"}]'


def test_a_tool_that_is_not_there_has_a_name_and_no_schema(build: Any) -> None:
    missing = build(Desk).tools["pya"]
    assert (missing.name, repr(missing)) == ("pya", "<no tool: pya>")
    with pytest.raises(AttributeError, match="there is no such tool"):
        missing.parameters  # noqa: B018 - the look is the test
