"""Anthropic's batch API: requests in, a stream of results out."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fairtrial.judge.anthropic_model import AnthropicModel
from fairtrial.judge.batch import (
    CLOCK_SKEW,
    BatchFound,
    BatchOutcome,
    BatchState,
    request_number,
)
from fairtrial.judge.sdk_model import SdkModel
from fairtrial.records import Json
from fairtrial.text import cut

if TYPE_CHECKING:
    from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse


class AnthropicBatches:
    """The batches of one model at Anthropic."""

    provider = "anthropic"
    most_requests = 100_000
    most_bytes = 240_000_000  # of the 256 MB that a batch may have

    def __init__(self, model: AnthropicModel) -> None:
        """Take the model, whose client is used."""
        self.model: SdkModel[Any] = model
        self._batches = model.client.messages.batches
        # A second try would pay twice where the first was taken and its answer lost.
        self._once = model.client.with_options(max_retries=0).messages.batches

    def submit(self, key: str, requests: Sequence[tuple[str, Json]]) -> str:  # noqa: ARG002 - the shape
        """Make the batch, which is never tried a second time.

        Raises:
            JudgeError: It was not taken, or whether it was is not known.
        """
        with self.model.failing():
            made = self._once.create(
                requests=[{"custom_id": name, "params": body} for name, body in requests]
            )
            return made.id

    def candidates(self, key: str, total: int, since: datetime) -> list[BatchFound]:
        """Find batches of that time and size. Whose they are shows in their results.

        Raises:
            JudgeError: They cannot be looked for.
        """
        found: list[BatchFound] = []
        with self.model.failing():
            for batch in self._batches.list(limit=100):  # newest first
                if batch.created_at < since - CLOCK_SKEW:
                    break
                if _total(batch) == total:
                    found.append(BatchFound(batch.id, self._is_ours(batch, key)))
        return found

    def state(self, batch: str) -> BatchState:
        """Say how far a batch is.

        Raises:
            JudgeError: The provider does not say.
        """
        with self.model.failing():
            now = self._batches.retrieve(batch)
        counts = now.request_counts
        return BatchState(
            word=_word(now),
            running=now.processing_status != "ended",
            done=counts.succeeded,
            failed=counts.errored + counts.canceled + counts.expired,
            total=_total(now),
        )

    def outcomes(self, batch: str) -> Iterator[BatchOutcome]:
        """Give what became of the requests.

        Raises:
            JudgeError: The results cannot be had.
        """
        with self.model.failing():
            yield from map(_outcome, self._batches.results(batch))

    def _is_ours(self, batch: "MessageBatch", key: str) -> bool | None:
        if batch.processing_status != "ended":
            return None
        if batch.results_url is None:
            return False  # it is so old that its results are gone
        first = next(iter(self._batches.results(batch.id)), None)
        return first is not None and request_number(key, first.custom_id) is not None


def _total(batch: "MessageBatch") -> int:
    counts = batch.request_counts
    return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired


def _word(batch: "MessageBatch") -> str:
    """Give how it goes. The provider says `ended` however it ended."""
    counts = batch.request_counts
    if batch.processing_status != "ended":
        return batch.processing_status
    if counts.canceled:
        return "cancelled"
    return "expired" if counts.expired else "completed"


def _outcome(row: "MessageBatchIndividualResponse") -> BatchOutcome:
    result = row.result
    if result.type == "succeeded":
        return BatchOutcome(name=row.custom_id, body=result.message.to_dict())
    if result.type == "errored":
        said = " ".join(result.error.error.message.split())
        return BatchOutcome(name=row.custom_id, why=cut(said, 300))
    why = {"canceled": "the batch was cancelled", "expired": "the batch expired"}
    return BatchOutcome(name=row.custom_id, why=why.get(result.type, result.type))
