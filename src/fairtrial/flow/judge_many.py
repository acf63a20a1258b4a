"""Many questions put to a judge at once, each of them once, and what that took."""

import contextlib
import queue
from collections.abc import Iterable
from threading import Thread

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.flow.judge_tally import JudgeTally
from fairtrial.flow.judging import AnyJudge
from fairtrial.judge import Ask, Asks, Panel
from fairtrial.records import JudgeUse, JudgeVerdict, Trust

_GLANCE = 0.2  # seconds between two looks for Ctrl-C


class Wanted(Struct, frozen=True, kw_only=True):
    """Replies that are not on file: what asking for them would take."""

    calls: int
    """First asks; a reply that cannot be read is asked for once more."""
    tokens: int | None
    """Estimated, input and output."""
    cost: float | None
    """Estimated; None: the price is not known."""


def wanted_of(judge: AnyJudge, asks: Iterable[Ask]) -> Wanted:
    """Count the replies that are not on file."""
    tally = _empty_tally()
    judges = judge.judges if isinstance(judge, Panel) else (judge,)
    for ask in dict.fromkeys(asks):
        for one in judges:
            for missing in one.missing(ask.question, ask.material):
                tally.want(missing.prompt, one)
    use = tally.use(judge.name, judge.fingerprint, "dry")
    return Wanted(calls=use.wanted_calls or 0, tokens=use.wanted_tokens, cost=use.wanted_cost)


def _empty_tally() -> JudgeTally:
    """Give a tally of amounts: what is asked here is no item of a suite."""
    return JudgeTally([], {}, Trust(), None)


def verdicts_of(
    judge: AnyJudge, asks: Iterable[Ask], *, live: bool, concurrency: int
) -> dict[Ask, JudgeVerdict]:
    """Put each question to the judge once.

    A live judge is asked in daemon threads, so that one that hangs holds up no exit.

    Args:
        judge: The judge.
        asks: What it is asked.
        live: It may ask its model; else what is on file is there at once.
        concurrency: Questions at once.

    Raises:
        StoreError: A reply cannot be kept.
    """
    each = [*dict.fromkeys(asks)]
    if not live:
        return {ask: judge.ask(ask.question, ask.material) for ask in each}
    work: queue.SimpleQueue[Ask | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Ask, JudgeVerdict] | BaseException] = queue.SimpleQueue()
    for ask in each:
        work.put(ask)
    crew = min(concurrency, len(each))
    for _ in range(crew):
        work.put(None)
        Thread(target=_work, args=(judge, work, done), name="fairtrial-judge", daemon=True).start()
    found: dict[Ask, JudgeVerdict] = {}
    try:
        while len(found) < len(each):
            ask, verdict = _next(done)
            found[ask] = verdict
    except BaseException:
        _clear(work, crew)  # nothing more is paid for
        raise
    return found


def _work(
    judge: AnyJudge,
    work: "queue.SimpleQueue[Ask | None]",
    done: "queue.SimpleQueue[tuple[Ask, JudgeVerdict] | BaseException]",
) -> None:
    while (ask := work.get()) is not None:
        try:
            done.put((ask, judge.ask(ask.question, ask.material)))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            done.put(error)


def _next(
    done: "queue.SimpleQueue[tuple[Ask, JudgeVerdict] | BaseException]",
) -> tuple[Ask, JudgeVerdict]:
    """Give the next verdict.

    Raises:
        BaseException: What none could be made of, such as a reply that cannot be kept.
    """
    while True:
        try:
            got = done.get(timeout=_GLANCE)
        except queue.Empty:
            continue
        if isinstance(got, BaseException):
            raise got
        return got


def _clear(work: "queue.SimpleQueue[Ask | None]", crew: int) -> None:
    """Take away what is still to be asked, and send everybody home."""
    with contextlib.suppress(queue.Empty):
        while True:
            work.get_nowait()
    for _ in range(crew):
        work.put(None)


def use_of(
    judge: AnyJudge, asks: Asks, verdicts: Iterable[JudgeVerdict], wanted: Wanted
) -> JudgeUse:
    """Sum up what the judge was used for, and what was not on file."""
    tally = _empty_tally()
    tally.add(verdicts)
    return replace(
        tally.use(judge.name, judge.fingerprint, asks),
        wanted_calls=wanted.calls,
        wanted_tokens=wanted.tokens,
        wanted_cost=wanted.cost,
    )
