"""What a judge asks through a provider's batch API: the content of a run's `batch.json`."""

from datetime import datetime

from msgspec import Struct


class BatchAsk(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request of a batch, and where its reply goes."""

    key: str
    """What the reply is kept under."""
    marker: str
    """Of the prompt that was sent: the reply cannot be read without it."""
    case: str
    trial: int = 0
    item: str = ""


class JudgeBatch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One batch. It is written before it is sent, so that it is found again and not sent twice."""

    key: str
    """Ours: the provider keeps it with the batch or with its requests."""
    provider: str
    judge: str
    fingerprint: str
    since: datetime
    """When it was about to be sent."""
    asks: tuple[BatchAsk, ...] = ()
    """By their number, which names them at the provider; none once the replies are on file."""
    id: str | None = None
    """The provider's; None: whether it was sent is not known."""
    ended: str | None = None
    """How, in the provider's word, once its replies are on file."""
    replies: int = 0
    failed: int = 0
    """Requests without a reply: they can be asked again."""
    cost: float | None = None
    """Of the replies, in the suite's currency; None: not known."""


class JudgeBatches(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All batches of a run, oldest first.

    >>> JudgeBatches().open()
    ()
    """

    batches: tuple[JudgeBatch, ...] = ()
    format: int = 1

    def open(self) -> tuple[JudgeBatch, ...]:
        """Give those whose replies are not on file yet."""
        return tuple(batch for batch in self.batches if batch.ended is None)

    def with_batch(self, batch: JudgeBatch) -> "JudgeBatches":
        """Give all of them with one added, or put in the place of that with the same key."""
        others = [one for one in self.batches if one.key != batch.key]
        return JudgeBatches(batches=(*others, batch), format=self.format)

    def without(self, key: str) -> "JudgeBatches":
        """Give all of them but one."""
        left = tuple(one for one in self.batches if one.key != key)
        return JudgeBatches(batches=left, format=self.format)


class BatchedUse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What asking a judge in batches came to."""

    judge: str
    missing: int
    """Replies that a verdict still lacks."""
    wanted_tokens: int = 0
    """Of the missing ones, estimated, input and output."""
    wanted_cost: float | None = None
    """Of them in batches, estimated; None: the price is not known."""
    waiting: int = 0
    """Requests of batches that have not ended."""
    asked: int = 0
    """Requests that were sent now, the first of each judge one by one."""
    replies: int = 0
    """Replies that were put on file now."""
    cost: float | None = None
    """Of these; None: not known, and without any."""
    failed: dict[str, int] = {}
    """Requests that came to nothing, by what the provider says."""
