"""Messages, as Anthropic's own SDK reads them."""

import asyncio
from typing import TYPE_CHECKING, Any

import anthropic
import pytest

from fairtrial.records import Tokens, ToolCall

if TYPE_CHECKING:
    from tests.serve.conftest import Reply, Shown, Stage

ASKED: list[Any] = [{"role": "user", "content": "Cancel H-204"}]
TOOLS: list[Any] = [{"name": "look", "input_schema": {"type": "object"}}]
ASK: dict[str, Any] = {"model": "claude-x", "max_tokens": 100, "messages": ASKED}


def ask(stage: "Stage", shown: "Shown", **fields: Any) -> "Reply":
    return stage.ask(f"{shown.at.anthropic}/v1/messages", ASK | fields)


def test_a_reply_is_what_the_model_said(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Done.", tokens=Tokens(input=30, output=2)))
    made = stage.anthropic(shown.at).messages.create(**ASK)
    assert made.model_dump(exclude_unset=True) == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [{"type": "text", "text": "Done."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": 30,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 2,
            "service_tier": "standard",
        },
    }


def test_a_reply_without_words_or_calls_has_no_content(stage: "Stage") -> None:
    made = stage.anthropic(stage.trial(stage.says()).at).messages.create(**ASK)
    assert (made.content, made.stop_reason) == ([], "end_turn")


def test_calls_are_blocks_after_the_words(stage: "Stage") -> None:
    calls = stage.call("look", '{"id": 1}'), stage.call("look", "")
    shown = stage.trial(stage.says("Wait.", *calls))
    made = stage.anthropic(shown.at).messages.create(**ASK, tools=TOOLS)
    assert made.stop_reason == "tool_use"
    assert [block.to_dict() for block in made.content] == [
        {"type": "text", "text": "Wait."},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"id": 1}},
        {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}},
    ]
    assert shown.mounted.steps[0].calls == (
        ToolCall(name="look", arguments={"id": 1}, id="toolu_1"),
        ToolCall(name="look", arguments="", id="toolu_2"),
    )
    assert shown.model.asked[0].tools == ("look",)
    assert shown.model.asked[0].api == "anthropic"


def test_a_tool_loop_goes_to_its_end(stage: "Stage") -> None:
    shown = stage.trial(stage.says(None, stage.call("look")), "It is cancelled.")
    client = stage.anthropic(shown.at)
    first = client.messages.create(**ASK, tools=TOOLS)
    result = {"type": "tool_result", "tool_use_id": first.content[0].to_dict()["id"]}
    told = [*ASKED, {"role": "assistant", "content": first.content}]
    told.append({"role": "user", "content": [result]})
    second = client.messages.create(**ASK | {"messages": told})
    assert second.content[0].to_dict() == {"type": "text", "text": "It is cancelled."}
    assert len(shown.mounted.steps) == 2


@pytest.mark.parametrize("raw", ['{"id": ', "[1]", "oops", "null"])
def test_malformed_arguments_come_under_a_key_that_says_so(stage: "Stage", raw: str) -> None:
    shown = stage.trial(stage.says(None, stage.call("look", raw)))
    made = stage.anthropic(shown.at).messages.create(**ASK)
    assert made.content[0].to_dict()["input"] == {"INVALID_JSON": raw}
    assert shown.mounted.steps[0].calls[0].arguments == raw


def test_malformed_arguments_are_streamed_as_they_are(stage: "Stage") -> None:
    shown = stage.trial(stage.says(None, stage.call("look", '{"id": oops')))
    with stage.anthropic(shown.at).messages.create(**ASK, stream=True) as stream:
        deltas = [one.delta.to_dict() for one in stream if one.type == "content_block_delta"]
    assert "".join(str(one["partial_json"]) for one in deltas) == '{"id": oops'


def test_a_stream_holds_every_event_in_order(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Hi", stage.call("look", "{}")))
    reply = ask(stage, shown, stream=True)
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    names = [x[7:] for x in reply.body.decode().splitlines() if x.startswith("event: ")]
    assert names == [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        *["content_block_delta"] * 3,
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_a_stream_joins_to_the_same_reply(stage: "Stage") -> None:
    calls = stage.call("look", '{"id": "H-204"}'), stage.call("look", "{}")
    told = Tokens(input=30, output=9)
    shown = stage.trial(stage.says("Let me look.", *calls, tokens=told))
    with stage.anthropic(shown.at).messages.stream(**ASK) as stream:
        made = stream.get_final_message()
    assert [block.to_dict() for block in made.content] == [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"id": "H-204"}},
        {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}},
    ]
    assert (made.stop_reason, made.usage.input_tokens, made.usage.output_tokens) == (
        "tool_use",
        30,
        9,
    )


def test_a_refusal_is_a_stop_reason_with_its_words(stage: "Stage") -> None:
    shown = stage.trial(*[stage.says(refusal="I will not.")] * 2)
    client = stage.anthropic(shown.at)
    with client.messages.stream(**ASK) as stream:
        streamed = stream.get_final_message()
    for made in (client.messages.create(**ASK), streamed):
        assert made.stop_reason == "refusal"
        assert made.stop_details is not None
        assert made.stop_details.explanation == "I will not."
        assert made.content[0].to_dict() == {"type": "text", "text": "I will not."}


def test_tokens_are_counted_without_the_model(stage: "Stage") -> None:
    shown = stage.trial()
    client = stage.anthropic(shown.at)
    short = client.messages.count_tokens(model="m", messages=ASKED)
    long: Any = [{"role": "user", "content": "word " * 800}]
    assert client.messages.count_tokens(model="m", messages=long).input_tokens > 1000
    assert 0 < short.input_tokens < 30
    assert not shown.model.asked
    assert not shown.mounted.steps


def test_counting_tokens_wants_messages(stage: "Stage") -> None:
    url = f"{stage.trial().at.anthropic}/v1/messages/count_tokens"
    reply = stage.ask(url, {"model": "m"})
    assert (reply.status, reply.json["error"]["type"]) == (400, "invalid_request_error")


def test_a_request_without_messages_is_refused(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    reply = ask(stage, shown, messages=[])
    assert (reply.status, reply.json["type"]) == (400, "error")
    assert shown.model.asked == []


def test_the_asynchronous_client_is_served_alike(stage: "Stage") -> None:
    shown = stage.trial("one", "two")

    async def both() -> list[Any]:
        settings: Any = {"base_url": shown.at.anthropic, "api_key": "k"}
        async with anthropic.AsyncAnthropic(**settings) as client:
            made = await client.messages.create(**ASK)
            async with client.messages.stream(**ASK) as stream:
                final = await stream.get_final_message()
            return [one.content[0].to_dict()["text"] for one in (made, final)]

    assert asyncio.run(both()) == ["one", "two"]
