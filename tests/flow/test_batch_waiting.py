from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from fairtrial.flow.batch_waiting import BatchMeans, ended, look_for
from fairtrial.judge import Batches, BatchFound, BatchState
from fairtrial.records import JudgeBatch

THEN = datetime(2026, 11, 30, tzinfo=UTC)
BATCH = JudgeBatch(key="k", provider="openai", judge="m", fingerprint="f", since=THEN)


class Script:
    """A provider that says one thing after the other, the last again and again."""

    provider = "openai"

    def __init__(self, *said: Any) -> None:
        self._said = [*said]

    def _next(self) -> Any:
        return self._said.pop(0) if len(self._said) > 1 else self._said[0]

    def candidates(self, key: str, total: int, since: datetime) -> Sequence[BatchFound]:
        return cast("Sequence[BatchFound]", self._next())

    def state(self, batch: str) -> BatchState:
        return cast("BatchState", self._next())


class Outside:
    """Means whose clock goes on by what is slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.said: list[str] = []
        self.means = BatchMeans(
            say=self.said.append,
            show=lambda use: None,
            sleep=self.slept.append,
            now=lambda: THEN + timedelta(seconds=sum(self.slept)),
            new_key=lambda: "k",
            every=5.0,
        )


def look(outside: Outside, *said: Any, wait: bool = True) -> tuple[str | None, bool]:
    return look_for(BATCH, cast("Batches", Script(*said)), outside.means, wait=wait)


def running(done: int) -> BatchState:
    return BatchState(word="in_progress", running=True, done=done, total=9)


def test_a_batch_that_is_ours_is_found() -> None:
    assert look(Outside(), [BatchFound("b1", ours=False), BatchFound("b2", ours=True)]) == (
        "b2",
        True,
    )


def test_a_list_that_is_behind_is_looked_at_again() -> None:
    outside = Outside()
    assert look(outside, [], [], [BatchFound("b", ours=True)]) == ("b", True)
    assert outside.slept == [2.0, 3.0]
    assert look(Outside(), []) == (None, True)


def test_a_batch_that_may_be_ours_is_waited_for_until_that_shows() -> None:
    outside = Outside()
    unsure = [BatchFound("b", ours=None)]
    assert look(outside, *[unsure] * 5, [BatchFound("b", ours=True)]) == ("b", True)
    assert outside.slept == [2.0, 3.0, 4.5, 5.0, 5.0]
    assert outside.said == ["openai: whether b is ours shows when it has ended"]
    assert look(Outside(), *[unsure] * 5, [BatchFound("b", ours=False)]) == (None, True)
    assert look(Outside(), unsure, wait=False) == (None, False)


def test_a_batch_is_waited_for_and_each_change_is_said_once() -> None:
    outside = Outside()
    over = BatchState(word="expired", running=False, done=5, failed=4, total=9)
    api = cast("Batches", Script(running(0), running(0), running(3), over))
    assert ended("b", api, outside.means, wait=True) == over
    assert outside.said == [
        "openai b: in_progress, 0 of 9 done",
        "openai b: in_progress, 3 of 9 done",
        "openai b: expired, 5 of 9 done, 4 failed",
    ]


def test_a_batch_that_is_not_waited_for_is_looked_at_once() -> None:
    outside = Outside()
    assert ended("b", cast("Batches", Script(running(1))), outside.means, wait=False) is None
    assert outside.slept == []
