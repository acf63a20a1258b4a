"""Responses, as OpenAI's own SDK reads them."""

import asyncio
from typing import TYPE_CHECKING, Any

import openai
import pytest

from fairtrial.records import ToolCall

if TYPE_CHECKING:
    from tests.serve.conftest import Reply, Shown, Stage

TOOLS: list[Any] = [{"type": "function", "name": "look", "parameters": {}, "strict": False}]


def ask(stage: "Stage", shown: "Shown", **fields: Any) -> "Reply":
    return stage.ask(f"{shown.at.openai}/responses", {"model": "m", "input": "Hi"} | fields)


def test_a_reply_is_what_the_model_said(stage: "Stage") -> None:
    shown = stage.trial("Done.")
    made = stage.openai(shown.at).responses.create(model="gpt-x", input="Hi", temperature=0.5)
    assert (made.id, made.status, made.output_text) == ("resp_1", "completed", "Done.")
    assert (made.model, made.temperature, made.tool_choice) == ("gpt-x", 0.5, "auto")
    assert made.to_dict()["output"] == [
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [
                {"type": "output_text", "text": "Done.", "annotations": [], "logprobs": []}
            ],
        }
    ]
    assert made.usage is not None
    assert made.usage.total_tokens == made.usage.input_tokens + made.usage.output_tokens > 0


def test_a_reply_without_words_or_calls_is_an_empty_message(stage: "Stage") -> None:
    shown = stage.trial(stage.says())
    made = stage.openai(shown.at).responses.create(model="m", input="Hi")
    assert (len(made.output), made.output_text) == (1, "")


def test_calls_follow_the_words_and_are_kept_with_their_call_ids(stage: "Stage") -> None:
    calls = stage.call("look", '{"id": 1}'), stage.call("look", "oops")
    shown = stage.trial(stage.says("Wait.", *calls))
    made = stage.openai(shown.at).responses.create(model="m", input="Hi", tools=TOOLS)
    assert [item.type for item in made.output] == ["message", "function_call", "function_call"]
    assert made.output[2].to_dict() == {
        "id": "fc_2",
        "type": "function_call",
        "status": "completed",
        "call_id": "call_2",
        "name": "look",
        "arguments": "oops",
    }
    assert shown.mounted.steps[0].calls == (
        ToolCall(name="look", arguments={"id": 1}, id="call_1"),
        ToolCall(name="look", arguments="oops", id="call_2"),
    )
    assert shown.model.asked[0].tools == ("look",)


def test_a_tool_loop_goes_on_from_the_previous_response(stage: "Stage") -> None:
    shown = stage.trial(stage.says(None, stage.call("look")), "Done.")
    client = stage.openai(shown.at)
    first = client.responses.create(model="m", input="Hi", tools=TOOLS)
    assert first.output[0].type == "function_call"
    output: Any = {"type": "function_call_output", "output": "1"}
    output["call_id"] = first.output[0].call_id
    second = client.responses.create(model="m", input=[output], previous_response_id=first.id)
    assert (second.output_text, second.previous_response_id) == ("Done.", "resp_1")


@pytest.mark.parametrize("previous", ["resp_9", 7, ["resp_1"], {}])
def test_a_response_that_this_trial_was_not_given_cannot_be_continued(
    stage: "Stage", previous: Any
) -> None:
    shown = stage.trial("a", "b")
    ask(stage, shown)
    reply = ask(stage, shown, previous_response_id=previous)
    assert (reply.status, reply.json["error"]["code"]) == (400, "previous_response_not_found")
    assert len(shown.model.asked) == 1


def test_a_response_that_was_not_stored_cannot_be_continued(stage: "Stage") -> None:
    shown = stage.trial("a", "b")
    ask(stage, shown, store=False)
    assert ask(stage, shown, previous_response_id="resp_1").status == 400


def test_a_refusal_is_a_part_of_its_own(stage: "Stage") -> None:
    shown = stage.trial(*[stage.says(refusal="I will not.")] * 2)
    client = stage.openai(shown.at)
    made = client.responses.create(model="m", input="Hi")
    item: Any = made.output[0].to_dict()
    assert item["content"] == [{"type": "refusal", "refusal": "I will not."}]
    with client.responses.create(model="m", input="Hi", stream=True) as stream:
        events = list(stream)
    pieces = [one.delta for one in events if one.type == "response.refusal.delta"]
    assert "".join(pieces) == "I will not."
    assert "response.refusal.done" in [one.type for one in events]


def test_a_stream_holds_every_event_in_order(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Hi", stage.call("look", "{}")))
    client = stage.openai(shown.at)
    with client.responses.create(model="m", input="Hi", stream=True) as stream:
        events = list(stream)
    assert [one.type for one in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [one.sequence_number for one in events] == list(range(15))


def test_what_begins_in_a_stream_is_empty_and_in_progress(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Hi", stage.call("look", "{}")))
    client = stage.openai(shown.at)
    with client.responses.create(model="m", input="Hi", stream=True) as stream:
        events: list[Any] = [one.to_dict() for one in stream]
    begun = [x["item"] for x in events if x["type"] == "response.output_item.added"]
    assert [(x.get("content"), x.get("arguments"), x["status"]) for x in begun] == [
        ([], None, "in_progress"),
        (None, "", "in_progress"),
    ]
    assert events[0]["response"]["output"] == []
    assert events[0]["response"]["usage"] is None


def test_a_stream_joins_to_the_same_reply(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Let me look.", stage.call("look", '{"id": "H-204"}')))
    client = stage.openai(shown.at)
    with client.responses.stream(model="m", input="Hi", tools=TOOLS) as stream:
        for _ in stream:
            pass
        made = stream.get_final_response()
    assert made.output_text == "Let me look."
    assert made.output[1].to_dict()["arguments"] == '{"id": "H-204"}'


def test_the_asynchronous_client_is_served_alike(stage: "Stage") -> None:
    shown = stage.trial("one", "two")

    async def both() -> tuple[str, str]:
        async with openai.AsyncOpenAI(base_url=shown.at.openai, api_key="k") as client:
            made = await client.responses.create(model="m", input="Hi")
            async with client.responses.stream(model="m", input="Hi") as stream:
                final = await stream.get_final_response()
            return made.output_text, final.output_text

    assert asyncio.run(both()) == ("one", "two")


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"input": None}, "input"),
        ({"input": 7}, "input"),
        ({"background": True}, "background"),
        ({"stream": 1}, "stream"),
    ],
)
def test_a_request_that_cannot_be_answered_is_refused(
    stage: "Stage", fields: dict[str, Any], param: str
) -> None:
    shown = stage.trial("Hi")
    reply = ask(stage, shown, **fields)
    assert (reply.status, reply.json["error"]["param"]) == (400, param)
    assert shown.model.asked == []
