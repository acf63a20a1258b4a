"""OpenAI's batch API: a file of requests in, files of replies and of errors out."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from fairtrial.judge.batch import CLOCK_SKEW, BatchFound, BatchOutcome, BatchState
from fairtrial.judge.openai_model import OpenAIModel
from fairtrial.judge.sdk_model import SdkModel
from fairtrial.records import Json
from fairtrial.text import cut

_ENDPOINT: Final = "/v1/chat/completions"
_ENDED: Final = {"completed", "failed", "expired", "cancelled"}
_TAG: Final = "fairtrial"  # of the batch's metadata


class OpenAIBatches:
    """The batches of one model at OpenAI."""

    provider = "openai"
    most_requests = 50_000
    most_bytes = 190_000_000  # of the 200 MB that a file may have

    def __init__(self, model: OpenAIModel) -> None:
        """Take the model, whose client is used."""
        self.model: SdkModel[Any] = model
        self._client = model.client

    def submit(self, key: str, requests: Sequence[tuple[str, Json]]) -> str:
        """Upload the requests and make the batch, which is never tried a second time.

        Raises:
            JudgeError: It was not taken, or whether it was is not known.
        """
        lines = b"\n".join(_line(name, body) for name, body in requests)
        with self.model.failing():
            file = self._client.files.create(
                file=(f"fairtrial-{key}.jsonl", lines), purpose="batch"
            )
            # A second try would pay twice where the first was taken and its answer lost.
            once = self._client.with_options(max_retries=0)
            made = once.batches.create(
                input_file_id=file.id,
                endpoint=_ENDPOINT,
                completion_window="24h",
                metadata={_TAG: key},
            )
            return made.id

    def candidates(self, key: str, total: int, since: datetime) -> list[BatchFound]:  # noqa: ARG002 - the shape
        """Find the batch by our key, which stands in its metadata.

        Raises:
            JudgeError: It cannot be looked for.
        """
        oldest = (since - CLOCK_SKEW).timestamp()
        with self.model.failing():
            for batch in self._client.batches.list(limit=100):  # newest first
                if batch.created_at < oldest:
                    break
                if (batch.metadata or {}).get(_TAG) == key:
                    return [BatchFound(batch.id, ours=True)]
        return []

    def state(self, batch: str) -> BatchState:
        """Say how far a batch is.

        Raises:
            JudgeError: The provider does not say.
        """
        with self.model.failing():
            now = self._client.batches.retrieve(batch)
        counts = now.request_counts
        said = [error.message for error in (now.errors.data if now.errors else None) or ()]
        return BatchState(
            word=now.status,
            running=now.status not in _ENDED,
            done=counts.completed if counts else 0,
            failed=counts.failed if counts else 0,
            total=counts.total if counts else 0,
            why=cut("; ".join(filter(None, said)), 300) or None,
        )

    def outcomes(self, batch: str) -> Iterator[BatchOutcome]:
        """Give what became of the requests, those without a reply too where a file names them.

        Raises:
            JudgeError: The files cannot be had.
        """
        with self.model.failing():
            ended = self._client.batches.retrieve(batch)
        for file in (ended.output_file_id, ended.error_file_id):
            if file is None:
                continue
            with self.model.failing():
                content = self._client.files.content(file).content
            yield from map(_outcome, filter(bytes.strip, content.split(b"\n")))


def _line(name: str, body: Json) -> bytes:
    request = {"custom_id": name, "method": "POST", "url": _ENDPOINT, "body": body}
    return msgspec.json.encode(request)


def _outcome(line: bytes) -> BatchOutcome:
    try:
        row: Json = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        return BatchOutcome(name="", why="the provider sent what is no JSON object")
    name, response = str(row.get("custom_id")), row.get("response")
    if isinstance(response, dict) and response.get("status_code") == 200 and not row.get("error"):
        return BatchOutcome(name=name, body=response.get("body"))
    return BatchOutcome(name=name, why=_why(row.get("error"), response))


def _why(error: Json, response: Json) -> str:
    """Say why there is no reply: the batch's error, else what the model's server answered."""
    answered = response if isinstance(response, dict) else {}
    body = answered.get("body")
    for said in (error, body.get("error") if isinstance(body, dict) else None):
        message = said.get("message") or said.get("code") if isinstance(said, dict) else None
        if isinstance(message, str):
            return cut(" ".join(message.split()), 300)
    return f"status {cut(str(answered.get('status_code')), 20)}"
