"""A model at OpenAI, or at anybody who speaks its Chat Completions."""

from types import ModuleType
from typing import TYPE_CHECKING

from fairtrial.judge.offers import Offer
from fairtrial.judge.reply_parts import joined_text, told_tokens
from fairtrial.judge.sdk_model import SdkModel
from fairtrial.records import Json, JudgePrompt, JudgeReply, clean_text

if TYPE_CHECKING:
    from openai import OpenAI


class OpenAIModel(SdkModel["OpenAI"]):
    """Asks OpenAI, or a server that speaks its Chat Completions, by the `openai` SDK."""

    provider = "openai"
    _key_variable = "OPENAI_API_KEY"

    def _made(self, sdk: ModuleType, api_key: str) -> "OpenAI":
        settings = self._settings
        client: OpenAI = sdk.OpenAI(
            api_key=api_key,
            base_url=settings.base_url,
            timeout=settings.timeout,
            max_retries=settings.retries,
        )
        return client

    def _body(self, prompt: JudgePrompt, offered: frozenset[Offer]) -> dict[str, Json]:
        body: dict[str, Json] = {
            "model": self.name,
            "messages": [{"role": "user", "content": prompt.text}],
        }
        if self._settings.max_tokens is not None:
            body["max_completion_tokens"] = self._settings.max_tokens
        if "schema" in offered:
            schema = {"name": "verdict", "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _send(self, body: dict[str, Json]) -> bytes:
        return self.client.chat.completions.with_raw_response.create(**body).content

    def _read(self, body: Json) -> JudgeReply | None:
        return read_completion(body)


def read_completion(body: Json) -> JudgeReply | None:
    """Read a chat completion; None where it is none.

    >>> message = {"content": None, "refusal": "I will not."}
    >>> reply = read_completion({"choices": [{"message": message, "finish_reason": "stop"}]})
    >>> reply.text, reply.refused
    ('I will not.', True)
    """
    if not isinstance(body, dict):
        return None
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(message := choice.get("message"), dict):
        return None
    refusal, ended = message.get("refusal"), choice.get("finish_reason")
    said = joined_text(message.get("content"))
    if not said and isinstance(refusal, str):
        said = refusal
    return JudgeReply(
        text=clean_text(said),
        cut_off=ended == "length",
        refused=bool(refusal) or ended == "content_filter",
        tokens=told_tokens(body.get("usage"), ("prompt_tokens",), "completion_tokens"),
    )
