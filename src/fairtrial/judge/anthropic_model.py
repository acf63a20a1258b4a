"""A model at Anthropic, or at anybody who speaks its Messages."""

from types import ModuleType
from typing import TYPE_CHECKING

from fairtrial.judge.offers import Offer
from fairtrial.judge.reply_parts import joined_text, told_tokens
from fairtrial.judge.sdk_model import SdkModel
from fairtrial.records import Json, JudgePrompt, JudgeReply, clean_text

if TYPE_CHECKING:
    from anthropic import Anthropic

_MOST_TOKENS = (
    8_192  # the API wants a bound; a model that thinks first needs room, a verdict little
)
_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicModel(SdkModel["Anthropic"]):
    """Asks Anthropic, or a server that speaks its Messages, by the `anthropic` SDK."""

    provider = "anthropic"
    _key_variable = "ANTHROPIC_API_KEY"

    def _made(self, sdk: ModuleType, api_key: str) -> "Anthropic":
        settings = self._settings
        client: Anthropic = sdk.Anthropic(
            api_key=api_key,
            base_url=settings.base_url,
            timeout=settings.timeout,
            max_retries=settings.retries,
        )
        return client

    def _body(self, prompt: JudgePrompt, offered: frozenset[Offer]) -> dict[str, Json]:
        body: dict[str, Json] = {
            "model": self.name,
            "max_tokens": self._settings.max_tokens or _MOST_TOKENS,
            "messages": [{"role": "user", "content": prompt.text}],
        }
        if "schema" in offered:
            body["output_config"] = {"format": {"type": "json_schema", "schema": prompt.schema}}
        return body

    def _send(self, body: dict[str, Json]) -> bytes:
        # The SDK no longer knows some of what older models and other servers still take.
        known = {name: body[name] for name in ("model", "max_tokens", "messages")}
        more = {name: value for name, value in body.items() if name not in known}
        send = self.client.messages.with_raw_response.create
        content: bytes = send(**known, extra_body=more).read()
        return content

    def _read(self, body: Json) -> JudgeReply | None:
        return read_message(body)


def read_message(body: Json) -> JudgeReply | None:
    """Read a message of the model; None where it is none.

    >>> content = [{"type": "text", "text": "I "}]
    >>> reply = read_message({"content": content, "stop_reason": "max_tokens"})
    >>> reply.text, reply.cut_off
    ('I ', True)
    """
    if not isinstance(body, dict) or not isinstance(content := body.get("content"), list):
        return None
    ended = body.get("stop_reason")
    return JudgeReply(
        text=clean_text(joined_text(content)),
        cut_off=ended in ("max_tokens", "model_context_window_exceeded"),  # may be any JSON
        refused=ended == "refusal",
        tokens=told_tokens(body.get("usage"), _READ, "output_tokens"),
    )
