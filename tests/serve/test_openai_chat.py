"""Chat Completions, as OpenAI's own SDK reads them."""

import asyncio
import json
from typing import TYPE_CHECKING, Any

import openai
import pytest

from fairtrial.records import Step, Tokens, ToolCall

if TYPE_CHECKING:
    from tests.serve.conftest import Stage

ASKED: list[Any] = [{"role": "user", "content": "Cancel H-204"}]
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("look", "cancel")
]


def test_a_reply_is_what_the_model_said(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Done.", tokens=Tokens(input=30, output=2)))
    made = stage.openai(shown.at).chat.completions.create(model="gpt-x", messages=ASKED)
    assert made.model_dump(exclude_unset=True) == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_735_689_600,
        "model": "gpt-x",
        "service_tier": "default",
        "system_fingerprint": None,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "logprobs": None,
                "message": {
                    "role": "assistant",
                    "content": "Done.",
                    "refusal": None,
                    "annotations": [],
                },
            }
        ],
        "usage": {
            "prompt_tokens": 30,
            "completion_tokens": 2,
            "total_tokens": 32,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        },
    }


def test_a_reply_without_words_or_calls_is_empty_text(stage: "Stage") -> None:
    shown = stage.trial(stage.says())
    made = stage.openai(shown.at).chat.completions.create(model="m", messages=ASKED)
    assert made.choices[0].message.content == ""


def test_parallel_calls_come_with_ids_of_their_own(stage: "Stage") -> None:
    calls = stage.call("look", '{"id": "H-204"}'), stage.call("cancel", '{"id": "H-204"')
    shown = stage.trial(stage.says(None, *calls))
    client = stage.openai(shown.at)
    choice = client.chat.completions.create(model="m", messages=ASKED, tools=TOOLS).choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
    got = choice.message.to_dict()["tool_calls"]
    assert got == [
        {
            "id": "call_1",
            "type": "function",
            "function": {"name": "look", "arguments": '{"id": "H-204"}'},
        },
        {
            "id": "call_2",
            "type": "function",
            "function": {"name": "cancel", "arguments": '{"id": "H-204"'},
        },
    ]
    assert shown.mounted.steps[0].calls == (
        ToolCall(name="look", arguments={"id": "H-204"}, id="call_1"),
        ToolCall(name="cancel", arguments='{"id": "H-204"', id="call_2"),
    )


def test_a_tool_loop_goes_to_its_end(stage: "Stage") -> None:
    shown = stage.trial(
        stage.says("Let me look.", stage.call("look", '{"id": 1}')),
        stage.says(None, stage.call("cancel")),
        "It is cancelled.",
    )
    client = stage.openai(shown.at)
    messages, last = list(ASKED), None
    while last is None:
        message = (
            client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
            .choices[0]
            .message
        )
        if not message.tool_calls:
            last = message
            break
        messages.append(message.to_dict())
        messages += [
            {"role": "tool", "tool_call_id": one.id, "content": "{}"} for one in message.tool_calls
        ]
    assert last.content == "It is cancelled."
    steps = [(one.text, [x.id for x in one.calls]) for one in shown.mounted.steps]
    assert steps == [("Let me look.", ["call_1"]), (None, ["call_2"]), ("It is cancelled.", [])]
    assert shown.model.asked[2].body["messages"][-1]["tool_call_id"] == "call_2"


def test_the_model_is_told_what_was_offered(stage: "Stage") -> None:
    shown = stage.trial("a", "b")
    stage.chat(shown, tools=[*TOOLS, {"type": "custom", "custom": {"name": "sql"}}, 3, {}])
    stage.chat(shown, functions=[{"name": "old"}])
    assert [one.tools for one in shown.model.asked] == [("look", "cancel", "sql"), ("old",)]
    assert shown.model.asked[0].api == "openai-chat"
    assert shown.model.asked[0].model == "m"


def test_a_refusal_stands_where_a_refusal_belongs(stage: "Stage") -> None:
    shown = stage.trial(stage.says(refusal="I will not."))
    made = stage.openai(shown.at).chat.completions.create(model="m", messages=ASKED)
    message = made.choices[0].message
    assert (message.refusal, message.content) == ("I will not.", None)
    assert made.choices[0].finish_reason == "stop"
    assert shown.mounted.steps[0].text == "I will not."


def test_a_stream_joins_to_the_same_reply(stage: "Stage") -> None:
    calls = stage.call("look", '{"id": "H-204", "n": 1}'), stage.call("cancel", "")
    shown = stage.trial(stage.says("Let me look.", *calls))
    client = stage.openai(shown.at)
    with client.chat.completions.stream(model="m", messages=ASKED, tools=TOOLS) as stream:
        events = [one.type for one in stream]
        made = stream.get_final_completion()
    assert events.count("content.delta") > 1
    assert events.count("tool_calls.function.arguments.delta") > 2
    message = made.choices[0].message
    assert (message.content, made.choices[0].finish_reason) == ("Let me look.", "tool_calls")
    assert [(x.id, x.function.name, x.function.arguments) for x in message.tool_calls or ()] == [
        ("call_1", "look", '{"id": "H-204", "n": 1}'),
        ("call_2", "cancel", ""),
    ]


def test_the_chunks_of_a_stream_are_those_of_the_provider(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Hi", stage.call("f", "{}")))
    reply = stage.chat(shown, stream=True, stream_options={"include_usage": True})
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    lines = reply.body.decode().split("\n\n")
    assert lines[-2:] == ["data: [DONE]", ""]
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]
    deltas = [one["choices"][0]["delta"] for one in chunks[:-1]]
    named = {"name": "f", "arguments": ""}
    assert deltas == [
        {"role": "assistant", "content": "", "refusal": None},
        {"content": "H"},
        {"content": "i"},
        {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": named}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]},
        {},
    ]
    reasons = [one["choices"][0]["finish_reason"] for one in chunks[:-1]]
    assert reasons == [None] * 6 + ["tool_calls"]
    assert [one["usage"] for one in chunks[:-1]] == [None] * 7
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["completion_tokens"]) == ([], 2)
    assert {one["object"] for one in chunks} == {"chat.completion.chunk"}


def test_usage_is_streamed_only_where_it_was_asked_for(stage: "Stage") -> None:
    shown = stage.trial("Hi", "Hi")
    assert b"usage" not in stage.chat(shown, stream=True).body
    assert b"usage" not in stage.chat(shown, stream=True, stream_options=7).body


def test_a_streamed_refusal_comes_in_pieces(stage: "Stage") -> None:
    shown = stage.trial(stage.says(refusal="I will not."))
    client = stage.openai(shown.at)
    with client.chat.completions.create(model="m", messages=ASKED, stream=True) as stream:
        deltas = [one.choices[0].delta for one in stream]
    assert "".join(one.refusal or "" for one in deltas) == "I will not."
    assert not any(one.content for one in deltas)


def test_tools_offered_as_functions_are_called_as_functions(stage: "Stage") -> None:
    shown = stage.trial(*[stage.says(None, stage.call("old", "{}"))] * 2)
    offered: Any = [{"name": "old"}]
    client = stage.openai(shown.at)
    choice = client.chat.completions.create(model="m", messages=ASKED, functions=offered).choices[0]
    assert choice.finish_reason == "function_call"
    assert choice.message.to_dict()["function_call"] == {"name": "old", "arguments": "{}"}
    streamed = stage.chat(shown, functions=offered, stream=True).body
    assert b'"function_call":{"name":"old","arguments":""}' in streamed


def test_functions_cannot_be_called_in_parallel(stage: "Stage") -> None:
    shown = stage.trial(stage.says(None, stage.call("a"), stage.call("b")))
    reply = stage.chat(shown, functions=[{"name": "a"}, {"name": "b"}])
    assert (reply.status, reply.json["error"]["code"]) == (400, "fairtrial_script")
    assert shown.mounted.steps == []
    assert "offer them as `tools`" in shown.mounted.refusals[0]


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "Hi"}, "messages"),
        ({"n": 2}, "n"),
        ({"n": [1]}, "n"),
        ({"model": 7}, "model"),
        ({"stream": "yes"}, "stream"),
        ({"tools": {}}, "tools"),
    ],
)
def test_a_request_that_the_provider_would_refuse_is_refused(
    stage: "Stage", fields: dict[str, Any], param: str
) -> None:
    shown = stage.trial("Hi")
    reply = stage.chat(shown, **fields)
    assert (reply.status, reply.json["error"]["param"]) == (400, param)
    assert reply.json["error"]["type"] == "invalid_request_error"
    assert not shown.model.asked
    assert not shown.mounted.refusals


def test_fields_that_nobody_knows_are_fine(stage: "Stage") -> None:
    assert stage.chat(stage.trial("Hi"), n=1, wild={"a": [1]}).status == 200


def test_the_version_may_be_left_out(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    client = stage.openai(shown.at, base_url=shown.at.openai.removesuffix("/v1"))
    made = client.chat.completions.create(model="m", messages=ASKED)
    assert made.choices[0].message.content == "Hi"


def test_the_asynchronous_client_is_served_alike(stage: "Stage") -> None:
    shown = stage.trial("one", stage.says("two"), "three")

    async def ask() -> tuple[str | None, str]:
        async with openai.AsyncOpenAI(base_url=shown.at.openai, api_key="k") as client:
            made = await client.chat.completions.create(model="m", messages=ASKED)
            stream = await client.chat.completions.create(model="m", messages=ASKED, stream=True)
            async with stream:
                parts = [x.choices[0].delta.content or "" async for x in stream if x.choices]
            return made.choices[0].message.content, "".join(parts)

    assert asyncio.run(ask()) == ("one", "two")


def test_a_streamed_completion_is_a_step_like_any_other(stage: "Stage") -> None:
    told = Tokens(input=5, output=1)
    shown = stage.trial(*[stage.says("Hi", tokens=told)] * 2)
    stage.chat(shown)
    stage.chat(shown, stream=True)
    first, second = shown.mounted.steps
    assert first.seconds is not None
    assert first.seconds >= 0
    assert [Step(text=x.text, tokens=x.tokens) for x in (first, second)] == [
        Step(text="Hi", tokens=told)
    ] * 2
