"""What is the same for every SDK."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import JudgeError
from fairtrial.judge import ModelSettings, OpenAIModel
from fairtrial.records import JudgePrompt

if TYPE_CHECKING:
    from tests.judge.conftest import Provider

PROMPT = JudgePrompt(text="Is it so?", schema={"type": "object"}, marker="m")


def test_no_key_is_said_before_anything_is_asked() -> None:
    with pytest.raises(JudgeError, match="there is no key; set OPENAI_API_KEY"):
        OpenAIModel(ModelSettings(model="m-1"), None)
    with pytest.raises(JudgeError, match="OPENAI_API_KEY holds what is no key") as caught:
        OpenAIModel(ModelSettings(model="m-1"), "sk-\u2026")
    assert "sk-" not in str(caught.value)


def test_a_key_loses_the_line_end_of_its_file(provider: "Provider") -> None:
    provider.say(provider.completion("yes"))
    asked = OpenAIModel(ModelSettings(model="m-1", base_url=provider.url), "sk-1\n")
    assert asked.reply(PROMPT).text == "yes"
    assert provider.asked[0].headers["authorization"] == "Bearer sk-1"
    asked.close()


@pytest.mark.parametrize("url", ["http://[x", "localhost:8080/v1", "ftp://host", ""])
def test_an_address_that_is_none_is_said(url: str) -> None:
    with pytest.raises(JudgeError, match=r"judge m-1: base URL .*: wanted http"):
        OpenAIModel(ModelSettings(model="m-1", base_url=url), "k")


def test_a_missing_sdk_is_said_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(JudgeError, match=r"pip install 'fairtrial\[openai\]'"):
        OpenAIModel(ModelSettings(model="m-1"), "k")


def test_many_threads_ask_one_model(provider: "Provider") -> None:
    provider.say(*[provider.completion("yes")] * 12)
    asked = OpenAIModel(ModelSettings(model="m-1", base_url=provider.url), "k")
    with ThreadPoolExecutor(6) as threads:
        replies = [*threads.map(asked.reply, [PROMPT] * 12)]
    asked.close()
    assert {reply.text for reply in replies} == {"yes"}


def test_a_reply_without_usage_has_no_price(provider: "Provider") -> None:
    said = provider.completion("yes")
    del said["usage"]
    provider.say(said)
    settings = ModelSettings(model="m-1", base_url=provider.url)
    asked = OpenAIModel(settings, None, price=lambda tokens: 1.0)
    reply = asked.reply(PROMPT)
    asked.close()
    assert (reply.tokens, reply.cost) == (None, None)


def test_a_temperature_of_none_is_not_sent() -> None:
    asked = OpenAIModel(ModelSettings(model="m-1", temperature=None), "k")
    assert "temperature" not in asked.request(PROMPT)
    assert "temperature" not in asked.described
    asked.close()
