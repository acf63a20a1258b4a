"""The task as JSON, and a program's output read."""

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents import task_json
from fairtrial.agents.wire import encoded, is_more_than_an_answer, read_output
from fairtrial.records import Json, Limits, Variant

if TYPE_CHECKING:
    from tests.agents.conftest import Shop, TaskMaker


def test_the_task_holds_all_that_an_agent_elsewhere_needs(
    make_task: "TaskMaker", shop: "Shop"
) -> None:
    task = make_task(
        tools=shop,
        context={"guest": "g7"},
        limits=Limits(steps=6),
        variant=Variant(name="short", settings={"prompt": "p"}),
        tools_url="http://127.0.0.1:9/t/k/tools",
        token="k",
    )
    assert json.loads(task_json(task)) == {
        "case": "c1",
        "input": "Hi",
        "messages": [{"role": "user", "content": "Hi"}],
        "context": {"guest": "g7"},
        "tools": {"openai": shop.openai, "anthropic": shop.anthropic, "mcp": shop.mcp},
        "model": {
            "base_url": "http://127.0.0.1:9/t/k/openai/v1",
            "anthropic_base_url": "http://127.0.0.1:9/t/k/anthropic",
            "api_key": "k1",
            "anthropic_api_key": None,
            "name": None,
        },
        "variant": {"name": "short", "settings": {"prompt": "p"}},
        "trial": 2,
        "limits": {"steps": 6},
        "seed": 7,
        "tools_url": "http://127.0.0.1:9/t/k/tools",
    }


def test_without_a_world_there_are_no_tools(make_task: "TaskMaker") -> None:
    told = json.loads(task_json(make_task()))
    assert told["tools"] == {"openai": [], "anthropic": [], "mcp": []}
    assert told["tools_url"] is None


def test_lone_surrogates_do_not_stop_it(make_task: "TaskMaker") -> None:
    assert json.loads(task_json(make_task(input="a\ud800")))["input"] == "a\ufffd"
    assert encoded({"a\ud800": ["\udfff"]}) == '{"a\ufffd":["\ufffd"]}'.encode()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Done.", "Done."),
        ("Done.\n", "Done."),
        ("Done.\r\n", "Done."),
        ("Done.\n\n", "Done.\n"),
        ("  Done.", "  Done."),
        ("", ""),
        ("\n", ""),
        ('{"answer": "Done."}\n', {"answer": "Done."}),
        ('  {"steps": []}', {"steps": []}),
        ('{"stop": "refused"}', {"stop": "refused"}),
        ('{"state": {}}', {"state": {}}),
        ('{"error": null}', {"error": None}),
        ('{"messages": []}', {"messages": []}),
        ('{"messages": "none"}', '{"messages": "none"}'),
        ('{"refund": 5}\n', '{"refund": 5}'),
        ('[{"role": "user"}]', [{"role": "user"}]),
        ("[]", "[]"),
        ("[1, 2]", "[1, 2]"),
        ('[{"a": 1}, 2]', '[{"a": 1}, 2]'),
        ('"text"', '"text"'),
        ("null", "null"),
        ('{"answer": ', '{"answer": '),
        ("[" * 100_000, "[" * 100_000),
        ('{"answer": "\\ud800"}', '{"answer": "\\ud800"}'),
    ],
)
def test_output_is_a_trajectory_messages_or_the_answer(text: str, value: Json) -> None:
    assert read_output(text) == value


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    read = read_output(text)
    assert isinstance(read, str) or is_more_than_an_answer(read)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x)))
def test_any_json_is_messages_or_kept_as_text(value: Json) -> None:
    text = json.dumps(value)
    assert read_output(text) == (value if is_more_than_an_answer(value) else text)
