"""The replies of a batch that has ended, put on file; what came to nothing is counted."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from fairtrial.errors import JudgeError
from fairtrial.flow.judge_tally import Amount
from fairtrial.judge import (
    BATCH_SHARE,
    Batches,
    BatchOutcome,
    BatchState,
    Judge,
    request_number,
)
from fairtrial.records import BatchAsk, Json, JudgeBatch, JudgeReply, KeptReply, Tokens


class Came(NamedTuple):
    """What came of one batch."""

    replies: int
    failed: Counter[str]
    """Requests without a reply, by the reason."""
    cost: Amount


def put_on_file(
    batch: JudgeBatch,
    outcomes: Iterable[BatchOutcome],
    state: BatchState,
    judge: Judge,
    api: Batches,
) -> Came:
    """Put the replies of a batch on file. Those that are there stay as they are.

    Args:
        batch: With all that was asked.
        outcomes: As the provider gives them, in any order; strangers and doubles count for nothing.
        state: How the batch ended.
        judge: Who was asked.
        api: Reads the replies.

    Raises:
        JudgeError: The outcomes cannot be had.
        StoreError: A reply cannot be kept.
    """
    cost, failed = Amount(), Counter[str]()
    left = dict(enumerate(batch.asks))
    replies = 0
    for outcome in outcomes:
        number = request_number(batch.key, outcome.name)
        ask = None if number is None else left.pop(number, None)
        if ask is None:
            continue
        reply = outcome.why or _reply(api, judge, outcome.body)
        if isinstance(reply, str):
            failed[reply] += 1
            continue
        replies += 1
        cost.add(reply.cost)
        _keep(judge, ask, reply)
    if left:
        failed[_without_result(state)] += len(left)
    return Came(replies, failed, cost)


def price_of_batch(judge: Judge, tokens: Tokens | None) -> float | None:
    """Give what tokens cost in a batch; None: not known."""
    price = None if tokens is None else judge.price(tokens)
    return None if price is None else price * BATCH_SHARE


def _reply(api: Batches, judge: Judge, body: Json) -> JudgeReply | str:
    """Give the reply at its price, or why it is none."""
    try:
        reply = api.model.read(body)
    except JudgeError as error:
        return str(error)
    return replace(reply, cost=price_of_batch(judge, reply.tokens))


def _keep(judge: Judge, ask: BatchAsk, reply: JudgeReply) -> None:
    if judge.replies.find(ask.key) is not None:
        return  # put on file before, by a process that did not come to the batch's end
    judge.replies.keep(
        KeptReply(
            key=ask.key,
            marker=ask.marker,
            reply=reply,
            case=ask.case,
            trial=ask.trial,
            item=ask.item,
        )
    )


def _without_result(state: BatchState) -> str:
    if state.why is not None:
        return f"the batch {state.word}: {state.why}"
    return "no result was given" if state.word == "completed" else f"the batch {state.word}"
