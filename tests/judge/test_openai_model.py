"""OpenAI's SDK against a server of ours."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import JudgeError
from fairtrial.judge import Judge, ModelSettings, OpenAIModel
from fairtrial.judge.asking import Material
from fairtrial.judge.openai_model import read_completion
from fairtrial.records import Completion, Json, JudgePrompt, JudgeQuestion, KeptReply, Tokens
from fairtrial.serve import Listener, Mounted

if TYPE_CHECKING:
    from tests.judge.conftest import Provider

PROMPT = JudgePrompt(text="Is it so?", schema={"type": "object"}, marker="m")
KEY = "sk-secret-123"


def model(url: str, **fields: Any) -> OpenAIModel:
    price = fields.pop("price", None)
    given: dict[str, Any] = {"model": "m-1", "base_url": url, "retries": 1} | fields
    settings = ModelSettings(**given)
    ticks = iter(range(100))
    return OpenAIModel(settings, KEY, price=price, clock=lambda: float(next(ticks)))


def refusal(asked: OpenAIModel) -> str:
    """Give the words of the error, which never hold the key."""
    with pytest.raises(JudgeError) as caught:
        asked.reply(PROMPT)
    asked.close()
    assert KEY not in f"{caught.value!r} {asked!r} {asked.described}"
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_prompt_is_sent_with_its_schema_and_the_reply_is_read(provider: "Provider") -> None:
    provider.say(provider.completion('{"verdict": "PASS"}'))
    asked = model(f"{provider.url}/v1", max_tokens=400, price=lambda tokens: 0.25)
    reply = asked.reply(PROMPT)
    assert (reply.text, reply.seconds, reply.cost) == ('{"verdict": "PASS"}', 1.0, 0.25)
    assert (reply.tokens, reply.cut_off, reply.refused) == (
        Tokens(input=20, output=5),
        False,
        False,
    )
    (sent,) = provider.asked
    assert (sent.path, sent.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert sent.body == {
        "model": "m-1",
        "messages": [{"role": "user", "content": "Is it so?"}],
        "temperature": 0.0,
        "max_completion_tokens": 400,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": {"type": "object"}},
        },
    }
    assert asked.described == (
        f"openai m-1 at {provider.url}/v1, temperature 0, at most 400 tokens"
    )
    asked.close()


def test_what_a_provider_refuses_is_left_out_once_and_for_good(provider: "Provider") -> None:
    words = "Unsupported value: 'temperature' does not support 0 with this model."
    provider.say(
        provider.openai_error(400, "This response_format type is unavailable now"),
        provider.openai_error(400, words, "temperature"),
        *[provider.completion("yes")] * 2,
    )
    asked = model(provider.url)
    assert [asked.reply(PROMPT).text for _ in range(2)] == ["yes", "yes"]
    offered = [sorted(sent.body.keys() - {"model", "messages"}) for sent in provider.asked]
    assert offered == [["response_format", "temperature"], ["temperature"], [], []]
    assert "response_format" not in asked.request(PROMPT)
    asked.close()


@pytest.mark.parametrize(
    ("said", "cut_off", "refused", "text"),
    [
        (("{", "length"), True, False, "{"),
        (("", "content_filter"), False, True, ""),
        ((None, "stop", "I will not."), False, True, "I will not."),
    ],
)
def test_a_reply_that_is_cut_off_or_refused_says_so(
    provider: "Provider", said: tuple[Any, ...], cut_off: bool, refused: bool, text: str
) -> None:
    provider.say(provider.completion(*said[:2], refusal=said[2] if len(said) > 2 else None))
    asked = model(provider.url)
    reply = asked.reply(PROMPT)
    assert (reply.cut_off, reply.refused, reply.text) == (cut_off, refused, text)
    asked.close()


def test_an_overload_is_waited_for_as_the_provider_says(provider: "Provider") -> None:
    provider.say(
        provider.openai_error(429, "slow down", retry_after="0.01"), provider.completion("yes")
    )
    asked = model(provider.url)
    assert asked.reply(PROMPT).text == "yes"
    assert len(provider.asked) == 2
    asked.close()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "refuses the key (401); set OPENAI_API_KEY to one that is valid there"),
        (403, "says 403, the key in OPENAI_API_KEY may not do this: because [key] is it"),
        (404, "says 404, it knows no such model or path: because [key] is it"),
        (400, "says 400: because [key] is it"),
        (429, "says 429, too many requests or no money left: because"),
        (500, "says 500, the provider failed: because [key] is it"),
    ],
)
def test_a_refusal_is_one_line_with_the_way_out(
    provider: "Provider", status: int, words: str
) -> None:
    error = provider.openai_error(status, f"because\n{KEY} is it", retry_after_ms="1")
    provider.say(*[error] * 4)
    said = refusal(model(f"{provider.url}/v1"))
    assert said.startswith(f"judge m-1: {provider.url}/v1 {words}")


def test_another_variable_for_the_key_is_named(provider: "Provider") -> None:
    provider.say(provider.openai_error(401, "no"))
    assert "set GROQ_KEY to" in refusal(model(provider.url, key_variable="GROQ_KEY"))


@pytest.mark.parametrize(
    "body", [b"<html>hello</html>", b"[" * 100_000, b"\xff", b"{}", b'{"choices": [7]}', b"null"]
)
def test_what_is_no_completion_is_no_reply(provider: "Provider", body: bytes) -> None:
    provider.say(provider.answer_of(body))
    assert "is that the base URL?" in refusal(model(provider.url))


def test_a_reply_that_breaks_off_is_no_reply(provider: "Provider") -> None:
    provider.say(*[provider.answer_of(provider.completion("yes"), cut=True)] * 2)
    assert f"no connection to {provider.url}" in refusal(model(provider.url, retries=0))


def test_a_server_that_is_not_there_is_named_without_its_secrets() -> None:
    said = refusal(model("http://me:pass@127.0.0.1:9/v1?key=pass", retries=0))
    assert said.startswith("judge m-1: no connection to http://127.0.0.1:9/v1")
    assert said.endswith("is that the base URL, and does it run?")
    assert "pass" not in said


class Says:
    """A scripted model that passes everything."""

    def complete(self, request: Any) -> Completion:
        said = {"verdict": "PASS", "reason": "It thanks.", "evidence": "Thank you"}
        return Completion(text=json.dumps(said))


class Nothing:
    def find(self, key: str) -> KeptReply | None:
        return None

    def keep(self, reply: KeptReply) -> None:
        pass


def test_a_judge_asks_our_own_listener() -> None:
    with Listener() as listener:
        asked = model(listener.mount(Mounted(model=Says())).openai)
        judge = Judge(asked, Nothing(), asks="live", marker=lambda: "m4rk")
        question = JudgeQuestion(item="Is polite", text="Is polite")
        material = Material(case="c", trial=0, transcript="Thank you for waiting.")
        verdict = judge.ask(question, material)
        asked.close()
    assert (verdict.verdict, verdict.asks, verdict.mode) == (True, 1, "live")
    assert verdict.tokens is not None


WORDS = ["choices", "message", "content", "refusal", "finish_reason", "usage", "text", "type"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from(WORDS), x),
    )
)
def test_any_json_is_read_or_is_none(body: Json) -> None:
    for one in (body, {"choices": [{"message": body, "finish_reason": body}], "usage": body}):
        read_completion(one)
