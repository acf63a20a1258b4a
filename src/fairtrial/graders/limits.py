"""What a trial may use: steps, calls, tokens, money, time, and calls in proportion to the plan."""

import functools
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from fairtrial.graders.question import HOLDS, SHARED, Outcome, Question
from fairtrial.graders.subject import Amount, Subject
from fairtrial.records import Limits

_HOW = {
    "steps": "record `steps`",
    "tool_calls": "record `steps` with their calls",
    "tokens": "record `tokens` on the trajectory or on every step",
    "cost": "record `cost` in the suite's currency",
    "seconds": "record `seconds` on the trajectory or on every step",
    "path_factor": "record `steps` with their calls",
}


def limit_questions(limits: Limits, shortest: int | None) -> Iterator[Question]:
    """Give a question for each limit that the case sets.

    Args:
        limits: The case's limits; `repeats` and `retries` belong to `tools.repeats`.
        shortest: Calls of the shortest right path; None where the case names none.

    >>> from fairtrial.records import Trajectory
    >>> question = next(limit_questions(Limits(cost=0.05), None))
    >>> question.name, question.ask(Subject(Trajectory(case="c", cost=0.07))).reason
    ('limits.cost', '0.07, at most 0.05 wanted')
    """
    if limits.steps is not None:
        yield _question("steps", limits.steps, _steps)
    if limits.tool_calls is not None:
        yield _question("tool_calls", limits.tool_calls, _calls)
    if limits.tokens is not None:
        yield _question("tokens", limits.tokens, _tokens, scripted_decides=False)
    if limits.cost is not None:
        yield _question("cost", limits.cost, Subject.cost, scripted_decides=False)
    if limits.seconds is not None:
        yield _question("seconds", limits.seconds, Subject.seconds, scripted_decides=False)
    if limits.path_factor is not None and shortest is not None:
        most = limits.path_factor * shortest
        yield _question("path_factor", most, _calls)


def _steps(subject: Subject) -> Amount:
    count = subject.step_count()
    if count is not None:
        return Amount(count, 0)
    note = "they were inferred from the world's calls" if subject.trajectory.inferred else ""
    return Amount(0, 1, note=note)


def _tokens(subject: Subject) -> Amount:
    return replace(subject.tokens(), note=subject.token_note())


def _calls(subject: Subject) -> Amount:
    return Amount(0, 1) if subject.calls is None else Amount(len(subject.calls), 0)


@functools.lru_cache(SHARED)
def _question(
    name: str,
    most: float,
    amount_of: Callable[[Subject], Amount],
    *,
    scripted_decides: bool = True,
) -> Question:
    def ask(subject: Subject) -> Outcome:
        amount = amount_of(subject)
        if amount.known > most:
            least = "at least " if amount.unknown else ""
            return Outcome(
                passed=False, reason=f"{least}{_said(amount)}, at most {most:.15g} wanted"
            )
        if amount.unknown:
            return Outcome(passed=None, reason=_unknown(name, amount))
        if amount.estimated or amount.note:
            return Outcome(passed=True, reason=f"{_said(amount)}, at most {most:.15g} wanted")
        return HOLDS

    return Question(
        name=f"limits.{name}",
        ask=ask,
        holds=f"at most {most:.15g}",
        scripted_decides=scripted_decides,
    )


def _said(amount: Amount) -> str:
    notes = [note for note in ("estimated" if amount.estimated else "", amount.note) if note]
    return f"{amount.known:.15g}" + (f" ({'; '.join(notes)})" if notes else "")


def _unknown(name: str, amount: Amount) -> str:
    why = f": {amount.note}" if amount.note else ""
    parts = f" in {amount.unknown} parts" if amount.unknown > 1 else ""
    return (
        f"the amount is unknown{parts}{why}; {_HOW[name]}, "
        f"or let it only inform with `informs: [limits.{name}]`"
    )
