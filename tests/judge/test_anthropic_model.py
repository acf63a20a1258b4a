"""Anthropic's SDK against a server of ours."""

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import JudgeError
from fairtrial.judge import AnthropicModel, ModelSettings
from fairtrial.judge.anthropic_model import read_message
from fairtrial.records import Completion, Json, JudgePrompt, Tokens
from fairtrial.serve import Listener, Mounted

if TYPE_CHECKING:
    from tests.judge.conftest import Provider

PROMPT = JudgePrompt(text="Is it so?", schema={"type": "object"}, marker="m")
KEY = "sk-ant-secret-123"


def model(url: str, **fields: Any) -> AnthropicModel:
    given: dict[str, Any] = {"model": "m-1", "base_url": url, "retries": 1} | fields
    settings = ModelSettings(**given)
    ticks = iter(range(100))
    return AnthropicModel(
        settings, KEY, price=lambda tokens: 0.25, clock=lambda: float(next(ticks))
    )


def test_a_prompt_is_sent_with_its_schema_and_the_reply_is_read(provider: "Provider") -> None:
    provider.say(provider.message("yes"))
    asked = model(provider.url)
    reply = asked.reply(PROMPT)
    assert (reply.text, reply.seconds, reply.cost) == ("yes", 1.0, 0.25)
    assert reply.tokens == Tokens(input=20, output=5)
    (sent,) = provider.asked
    assert sent.path == "/v1/messages"
    assert KEY in f"{sent.headers.get('x-api-key')} {sent.headers.get('authorization')}"
    assert sent.body == {
        "model": "m-1",
        "max_tokens": 8192,
        "messages": [{"role": "user", "content": "Is it so?"}],
        "temperature": 0.0,
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    }
    assert asked.described == f"anthropic m-1 at {provider.url}, temperature 0"
    asked.close()


def test_what_a_model_refuses_is_left_out_once_and_for_good(provider: "Provider") -> None:
    provider.say(
        provider.anthropic_error(400, "`temperature` is deprecated for this model."),
        provider.anthropic_error(400, "output_config: Extra inputs are not permitted"),
        *[provider.message("yes")] * 2,
    )
    asked = model(provider.url)
    assert [asked.reply(PROMPT).text for _ in range(2)] == ["yes", "yes"]
    offered = [sorted(sent.body.keys() - {"model", "messages"}) for sent in provider.asked]
    assert offered == [
        ["max_tokens", "output_config", "temperature"],
        ["max_tokens", "output_config"],
        ["max_tokens"],
        ["max_tokens"],
    ]
    asked.close()


@pytest.mark.parametrize(
    ("stop", "cut_off", "refused"),
    [
        ("max_tokens", True, False),
        ("model_context_window_exceeded", True, False),
        ("refusal", False, True),
    ],
)
def test_a_reply_that_is_cut_off_or_refused_says_so(
    provider: "Provider", stop: str, cut_off: bool, refused: bool
) -> None:
    provider.say(provider.message("I", stop))
    asked = model(provider.url, max_tokens=5)
    reply = asked.reply(PROMPT)
    assert (reply.cut_off, reply.refused) == (cut_off, refused)
    assert provider.asked[0].body["max_tokens"] == 5
    asked.close()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "refuses the key (401); set ANTHROPIC_API_KEY to one that is valid there"),
        (400, "says 400: because"),
        (529, "says 529, the provider failed: because"),
    ],
)
def test_a_refusal_is_one_line_with_the_way_out(
    provider: "Provider", status: int, words: str
) -> None:
    provider.say(*[provider.anthropic_error(status, "because", retry_after_ms="1")] * 4)
    asked = model(provider.url)
    with pytest.raises(JudgeError) as caught:
        asked.reply(PROMPT)
    asked.close()
    assert str(caught.value) == f"judge m-1: {provider.url} {words}"


def test_an_overload_is_waited_for_as_the_provider_says(provider: "Provider") -> None:
    provider.say(
        provider.anthropic_error(429, "slow down", retry_after="0.01"), provider.message("yes")
    )
    asked = model(provider.url)
    assert asked.reply(PROMPT).text == "yes"
    asked.close()


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"null"])
def test_what_is_no_message_is_no_reply(provider: "Provider", body: bytes) -> None:
    provider.say(provider.answer_of(body))
    asked = model(provider.url)
    with pytest.raises(JudgeError, match="is that the base URL"):
        asked.reply(PROMPT)
    asked.close()


def test_no_key_is_said_before_anything_is_asked() -> None:
    with pytest.raises(JudgeError, match="there is no key; set ANTHROPIC_API_KEY"):
        AnthropicModel(ModelSettings(model="m-1"), "")


class Says:
    def complete(self, request: Any) -> Completion:
        return Completion(text="yes")


def test_our_own_listener_is_asked() -> None:
    with Listener() as listener:
        asked = model(listener.mount(Mounted(model=Says())).anthropic)
        assert asked.reply(PROMPT).text == "yes"
        asked.close()


WORDS = ["content", "stop_reason", "usage", "text", "type", "input_tokens", "output_tokens"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from(WORDS), x),
    )
)
def test_any_json_is_read_or_is_none(body: Json) -> None:
    for one in (body, {"content": [body], "stop_reason": body, "usage": body}):
        read_message(one)
