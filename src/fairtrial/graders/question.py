"""The shape that every grader gives its checks: a named question that is asked of a subject."""

import functools
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import bounded
from fairtrial.match import Call, MatchTimeoutError
from fairtrial.records import Check, Pairing


class PlanScore(NamedTuple):
    """What a plan's check keeps besides yes and no."""

    score: float
    precision: float
    recall: float
    extra: int
    alignment: tuple[Pairing, ...]


class Outcome(NamedTuple):
    """The answer to one question: yes, no, or cannot tell, and why."""

    passed: bool | None
    reason: str
    plan: PlanScore | None = None
    score: float | None = None
    """0 to 1, where it is more than a yes or no."""
    calls: tuple[int, ...] = ()
    """Indexes of the calls that decided."""
    steps: tuple[int, ...] = ()
    """Indexes of the steps that decided, where it was not a call of theirs."""


_PLACES = 20  # of one check; a reason names fewer


def decided_by(calls: Iterable[Call]) -> tuple[int, ...]:
    """Give the indexes of the calls that decided, the first of them.

    >>> from fairtrial.records import ToolCall
    >>> decided_by([Call.of(3, 1, ToolCall(name="pay"))])
    (3,)
    """
    return tuple(dict.fromkeys(call.index for call in islice(calls, _PLACES)))


HOLDS = Outcome(passed=True, reason="")
"""Yes, and there is nothing to add to the question's own `holds`: that check is made only once."""


class Need(NamedTuple):
    """What a question is about; where the trial lacks it, the answer is known without asking."""

    field: str
    """Attribute of the subject; None there is the lack."""
    lacking: Outcome


ANSWER = Need("answer", Outcome(passed=False, reason="there is no answer"))
CALLS = Need(
    "calls", Outcome(passed=None, reason="the steps were not recorded, so the calls are not known")
)
SPANS = Need("spans", Outcome(passed=None, reason="the spans were not recorded"))
STATE = Need(
    "state",
    Outcome(
        passed=None,
        reason="the final state was not recorded; record `state`, or name this check in `informs`",
    ),
)


class Question(Struct, frozen=True, kw_only=True, eq=False):
    """One check of a case, compiled: its name, how it is asked, and what its answer means.

    Cases that ask alike have the very same one, which then is asked by one `Asker`.
    """

    name: str
    ask: Callable[[Subject], Outcome]
    holds: str
    """The reason of a plain yes."""
    about: Need | None = None
    asked: bool = True
    """False for what every case has without asking; such a null does not stop a verdict."""
    decides: bool = True
    scripted_decides: bool = True
    """False: informs where the model was scripted, since the script then set the amount."""


SHARED: Final = 2_000
"""Questions of one kind that are kept for the cases that will ask the same."""

_KEPT = 64  # answers of one question that are kept for trials that come out alike


class Asker:
    """A question with its settled part: whether it decides, and its ready-made yes."""

    __slots__ = (
        "_about", "_ask", "_decides", "_holds", "_latest", "_made", "_scored", "_scripted_decides",
        "_yes", "asked", "name",
    )  # fmt: skip

    def __init__(self, question: Question, *, informs: bool) -> None:
        """Settle the question; `informs` takes its say in the verdict away."""
        self.name = question.name
        self.asked = question.asked
        self._ask = question.ask
        self._about = question.about
        self._decides = question.decides and not informs
        self._scripted_decides = self._decides and question.scripted_decides
        self._made: dict[tuple[Outcome, bool], Check] = {}
        self._scored: dict[tuple[int, bool], tuple[Outcome, Check]] = {}  # by identity
        self._holds = question.holds
        self._yes: list[Check | None] = [None, None]  # made when first needed; second: scripted
        self._latest: tuple[Outcome | None, bool, Check | None] = (None, False, None)

    def check(self, subject: Subject) -> Check:
        """Ask the question of one trial."""
        (check,) = self.check_all((subject,))
        return check

    def check_all(self, subjects: Iterable[Subject]) -> list[Check]:
        """Ask the question of several trials; most come out as the one before."""
        ask, about = self._ask, self._about
        field, lacking = ("", None) if about is None else about
        latest, scripted, check = self._latest
        checks: list[Check] = []
        for subject in subjects:
            if lacking is not None and getattr(subject, field) is None:
                outcome = lacking
            else:
                try:
                    outcome = ask(subject)
                except MatchTimeoutError as error:
                    outcome = Outcome(passed=None, reason=str(error))
            if check is None or outcome is not latest or subject.scripted is not scripted:
                latest, scripted = outcome, subject.scripted
                check = self._answered(outcome, scripted=scripted)
            checks.append(check)
        self._latest = latest, scripted, check
        return checks

    def _answered(self, outcome: Outcome, *, scripted: bool) -> Check:
        if outcome is HOLDS:
            yes = self._yes[scripted]
            if yes is not None:
                return yes
            outcome = Outcome(passed=True, reason=self._holds)
        decides = self._scripted_decides if scripted else self._decides
        if outcome.passed is None and not self.asked:
            decides = False
        if outcome.plan is None:
            return self._shared(outcome, decides=decides, scripted=scripted)
        # A plan keeps its outcomes, and an alignment takes long to hash.
        known = self._scored.get((id(outcome), decides))
        if known is None:
            if len(self._scored) >= _KEPT:
                self._scored.clear()
            made = self._shared(outcome, decides=decides, scripted=scripted)
            known = self._scored[id(outcome), decides] = (outcome, made)
        return known[1]

    def _shared(self, outcome: Outcome, *, decides: bool, scripted: bool) -> Check:
        """Give the check of an outcome; equal ones share it, as trials come out in a few ways."""
        key = (outcome, decides)
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
            made = self._made[key] = self._check(outcome, decides=decides)
            if outcome.reason is self._holds:
                self._yes[scripted] = made
        return made

    def _check(self, outcome: Outcome, *, decides: bool) -> Check:
        asked: bool | UnsetType = UNSET if self.asked else False
        plan, reason = outcome.plan, bounded(outcome.reason)
        calls, steps = outcome.calls or UNSET, outcome.steps or UNSET
        if plan is None and outcome.passed and outcome.score is None:
            return _passed(self.name, reason, decides=decides, asked=asked)
        if plan is None:
            score = outcome.score
            if score is None and outcome.passed is not None:
                score = 0.0
            return Check(
                name=self.name,
                passed=outcome.passed,
                score=score,
                decides=decides,
                reason=reason,
                asked=asked,
                calls=calls,
                steps=steps,
            )
        return Check(
            name=self.name,
            passed=outcome.passed,
            score=plan.score,
            decides=decides,
            reason=reason,
            asked=asked,
            precision=plan.precision,
            recall=plan.recall,
            extra=plan.extra,
            alignment=plan.alignment,
            calls=calls,
        )


@functools.lru_cache(SHARED)
def _passed(name: str, reason: str, *, decides: bool, asked: bool | UnsetType) -> Check:
    """Give the check of a yes: most of a suite's are equal, whichever question they answer."""
    return Check(name=name, passed=True, score=1.0, decides=decides, reason=reason, asked=asked)
