"""Many questions put to a judge at once, each of them once, and what that took."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.flow.judge_crew import AnyJudge, ask_all
from fairtrial.flow.judge_tally import JudgeTally
from fairtrial.judge import Ask, Asks, Panel
from fairtrial.records import JudgeUse, JudgeVerdict, Trust


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
    return dict(ask_all(judge, each, concurrency=concurrency))


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
