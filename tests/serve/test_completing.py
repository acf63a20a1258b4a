from typing import TYPE_CHECKING, Any

import anthropic
import openai
import pytest

from fairtrial.errors import ScriptError, TrialOverError
from fairtrial.records import Tokens

if TYPE_CHECKING:
    from tests.serve.conftest import Stage

ASKED: list[Any] = [{"role": "user", "content": "Hi"}]


def test_an_sdk_gets_past_two_overloads_by_its_own_retries(stage: "Stage") -> None:
    overload = stage.says(status=429)
    shown = stage.trial(*[overload, overload, stage.says("Hi")] * 2)
    client = stage.openai(shown.at, max_retries=2)
    made = client.chat.completions.create(model="m", messages=ASKED)
    assert made.choices[0].message.content == "Hi"
    other = stage.anthropic(shown.at, max_retries=2)
    other.messages.create(model="m", max_tokens=9, messages=ASKED)
    assert [one.text for one in shown.mounted.steps] == ["Hi", "Hi"]
    assert len(shown.model.asked) == 6
    assert shown.mounted.refusals == []


def test_a_request_that_the_script_does_not_answer_is_refused_once(stage: "Stage") -> None:
    shown = stage.trial(ScriptError("step 3: no step left"))
    client = stage.openai(shown.at, max_retries=2)
    with pytest.raises(openai.BadRequestError, match="no step left") as caught:
        client.chat.completions.create(model="m", messages=ASKED)
    assert caught.value.code == "fairtrial_script"
    assert shown.mounted.refusals == ["step 3: no step left"]
    assert shown.mounted.steps == []


def test_without_a_model_the_words_say_what_to_do(stage: "Stage") -> None:
    shown = stage.trial(model=None)
    client = stage.anthropic(shown.at, max_retries=2)
    with pytest.raises(anthropic.BadRequestError, match="fairtrial_no_model") as caught:
        client.messages.create(model="m", max_tokens=9, messages=ASKED)
    assert "the case has no script" in str(caught.value)
    assert len(shown.mounted.refusals) == 1
    assert "--live" in shown.mounted.refusals[0]


def test_a_trial_that_is_over_makes_no_completion(stage: "Stage") -> None:
    def over() -> None:
        raise TrialOverError("the trial had its 8 steps")

    shown = stage.trial("Hi", before_completion=over)
    reply = stage.chat(shown)
    assert (reply.status, reply.json["error"]["code"]) == (400, "fairtrial_trial_over")
    assert reply.json["error"]["message"] == "the trial had its 8 steps"
    assert not shown.model.asked
    assert not shown.mounted.steps
    assert not shown.mounted.refusals


def test_before_each_completion_it_is_asked_whether_there_may_be_one(stage: "Stage") -> None:
    asked: list[int] = []
    shown = stage.trial("a", "b", before_completion=lambda: asked.append(1))
    stage.chat(shown)
    stage.chat(shown, messages=[])
    stage.chat(shown)
    assert len(asked) == 2


def test_a_model_that_breaks_is_told_and_is_not_the_agents_fault(stage: "Stage") -> None:
    shown = stage.trial(ZeroDivisionError("oops\ud800"), SystemExit(3))
    for words in ("ZeroDivisionError: oops", "SystemExit: 3"):
        reply = stage.chat(shown)
        assert (reply.status, reply.json["error"]["code"]) == (500, "fairtrial_failure")
        assert words in reply.json["error"]["message"]
        assert reply.headers["x-should-retry"] == "false"
        assert b"Traceback" not in reply.body
    assert len(shown.mounted.refusals) == 2


@pytest.mark.parametrize("status", [0, 200, 399, 600, 10**30])
def test_a_status_that_is_no_error_is_the_scripts_mistake(stage: "Stage", status: int) -> None:
    reply = stage.chat(stage.trial(stage.says(status=status)))
    assert (reply.status, reply.json["error"]["code"]) == (400, "fairtrial_script")


def test_tokens_that_the_script_tells_are_kept_as_told(stage: "Stage") -> None:
    shown = stage.trial(stage.says("Hi", tokens=Tokens(input=7, output=0)))
    assert stage.chat(shown).json["usage"]["total_tokens"] == 7
    assert shown.mounted.steps[0].tokens == Tokens(input=7, output=0)


@pytest.mark.parametrize("told", [None, Tokens(), Tokens(input=7), Tokens(output=7)])
def test_tokens_that_are_not_told_are_estimated_and_marked(
    stage: "Stage", told: Tokens | None
) -> None:
    shown = stage.trial(stage.says("word " * 8, stage.call("tool", "{}"), tokens=told))
    usage = stage.chat(shown).json["usage"]
    tokens = shown.mounted.steps[0].tokens
    assert tokens is not None
    assert tokens.estimated
    assert (tokens.input, tokens.output) == (usage["prompt_tokens"], usage["completion_tokens"])
    assert tokens.input == (told.input if told and told.input else tokens.input)
    assert tokens.output == (7 if told and told.output else 12)  # 46 characters


def test_ids_are_the_same_in_every_trial(stage: "Stage") -> None:
    replies = stage.says(None, stage.call("a")), stage.says(None, stage.call("b"))
    bodies = []
    for _ in range(2):
        shown = stage.trial(*replies)
        bodies.append([stage.chat(shown).body, stage.chat(shown).body])
    assert bodies[0] == bodies[1]
    assert b'"call_2"' in bodies[0][1]


def test_what_utf_8_cannot_hold_is_mended_on_the_wire_and_in_the_step(stage: "Stage") -> None:
    call = stage.call("a\ud800", '{"x": "\ud800"}')
    shown = stage.trial(stage.says("b\ud800", call))
    message = stage.chat(shown).json["choices"][0]["message"]
    assert message["content"] == shown.mounted.steps[0].text == "b\ufffd"
    assert shown.mounted.steps[0].calls[0].name == "a\ufffd"
    assert shown.mounted.steps[0].calls[0].arguments == {"x": "\ufffd"}


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"a":' * 101 + "1" + "}" * 101, '{"a": NaN}', "1"])
def test_arguments_that_are_no_honest_object_are_kept_raw(stage: "Stage", raw: str) -> None:
    shown = stage.trial(*[stage.says(None, stage.call("a", raw))] * 2)
    assert stage.chat(shown).status == 200
    body = {"messages": ASKED}
    assert stage.ask(f"{shown.at.anthropic}/v1/messages", body).status == 200
    assert [one.calls[0].arguments for one in shown.mounted.steps] == [raw, raw]
