from datetime import UTC, datetime
from typing import Any, cast

import pytest

from fairtrial.errors import JudgeError
from fairtrial.flow.batch_replies import put_on_file
from fairtrial.judge import Batches, BatchOutcome, BatchState, Judge, request_name
from fairtrial.records import (
    BatchAsk,
    JudgeBatch,
    JudgePrompt,
    JudgeReply,
    KeptReply,
    Tokens,
)

KEY = "ab" * 16
DONE = BatchState(word="completed", running=False)
BATCH = JudgeBatch(
    key=KEY,
    provider="openai",
    judge="m",
    fingerprint="f",
    since=datetime(2026, 11, 30, tzinfo=UTC),
    asks=tuple(BatchAsk(key=f"p{n}", marker=f"m{n}", case="c", trial=n) for n in range(3)),
)


class Model:
    name = described = "m"

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        raise AssertionError

    def read(self, body: Any) -> JudgeReply:
        if body == "unreadable":
            raise JudgeError("no reply of a model")
        return JudgeReply(text=body, tokens=Tokens(input=1, output=1))


class Api:
    model = Model()


class Kept(dict[str, KeptReply]):
    def find(self, key: str) -> KeptReply | None:
        return self.get(key)

    def keep(self, reply: KeptReply) -> None:
        assert reply.key not in self
        self[reply.key] = reply


def outcome(number: int, **fields: Any) -> BatchOutcome:
    return BatchOutcome(name=request_name(KEY, number), **fields)


def put(kept: Kept, *outcomes: BatchOutcome, state: BatchState = DONE) -> Any:
    judge = Judge(Model(), kept, asks="live", marker=lambda: "m", price=lambda tokens: 0.5)
    return put_on_file(BATCH, outcomes, state, judge, cast("Batches", Api()))


def test_replies_in_any_order_are_kept_where_they_were_asked_for() -> None:
    kept = Kept()
    came = put(kept, *(outcome(number, body=f"r{number}") for number in (2, 0, 1)))
    assert (came.replies, came.cost.total, came.failed) == (3, 0.75, {})
    assert {
        key: (one.marker, one.trial, one.reply.text, one.reply.cost) for key, one in kept.items()
    } == {f"p{n}": (f"m{n}", n, f"r{n}", 0.25) for n in range(3)}


def test_strangers_and_doubles_count_for_nothing() -> None:
    kept = Kept()
    stranger = BatchOutcome(name=request_name("cd" * 16, 0), body="evil")
    far = outcome(99, body="evil")
    came = put(kept, stranger, far, outcome(0, body="a"), outcome(0, body="evil"))
    assert (came.replies, kept["p0"].reply.text) == (1, "a")
    assert came.failed == {"no result was given": 2}


def test_what_is_on_file_stays_as_it_is() -> None:
    kept = Kept()
    put(kept, outcome(0, body="a"))
    came = put(kept, outcome(0, body="b"), outcome(1, body="c"))
    assert (came.replies, kept["p0"].reply.text, len(kept)) == (2, "a", 2)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (BatchState(word="expired", running=False), "the batch expired"),
        (BatchState(word="cancelled", running=False), "the batch cancelled"),
        (BatchState(word="failed", running=False, why="too long"), "the batch failed: too long"),
    ],
)
def test_a_batch_that_ended_early_says_so(state: BatchState, why: str) -> None:
    came = put(Kept(), outcome(0, body="a"), outcome(1, body="unreadable"), state=state)
    assert came.replies == 1
    assert came.failed == {"no reply of a model": 1, why: 1}
