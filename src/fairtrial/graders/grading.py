"""One case compiled into questions, and a trial graded by asking them all."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from fairtrial.graders.own import own_checks
from fairtrial.graders.question import Asker, Question
from fairtrial.graders.questions import known_tools, questions_of
from fairtrial.graders.subject import Subject
from fairtrial.graders.tools import described
from fairtrial.match import Call, Matcher, MatchTimeoutError
from fairtrial.ports import Grader
from fairtrial.records import (
    Case,
    Check,
    JudgeVerdict,
    Trajectory,
    TrajectoryError,
    Trial,
    Trust,
    Verdict,
)
from fairtrial.text import cut


class GradingSettings(NamedTuple):
    """What a suite says about grading, besides its cases."""

    graders: tuple[Grader, ...] = ()
    tool_error: Matcher | None = None
    """Which results count as errors, besides what the tool layer said."""
    currency: str = "USD"
    trust: Trust | None = None
    """Which rubric items the judge may decide; None: there is no judge."""


Verdicts: TypeAlias = Mapping[str, JudgeVerdict]
"""What the judge says of one trial, by item."""


class _Judged(NamedTuple):
    """The checks of a trial and what they come to."""

    checks: tuple[Check, ...]  # held here, so that no other check can get their identity
    verdict: Verdict
    why: str | None


_KEPT = 64  # combinations of checks, for each case, that are kept for trials that come out alike
_TOLD = 3  # failed calls of a trial that are shown with what they said
_LONGEST_ERROR = 1000  # characters of what broke the trial

PLAIN = GradingSettings()
"""What a suite that says nothing about grading says."""


class _Alike:
    """What the cases of a suite have in common: questions, and what the answers come to."""

    __slots__ = ("_askers", "_judged", "cases")

    def __init__(self) -> None:
        self.cases = 0
        self._askers: dict[tuple[Question, str, bool], Asker] = {}
        self._judged: dict[tuple[int, ...], _Judged] = {}  # by the identity of the checks

    def asker(self, question: Question, name: str, *, informs: bool) -> Asker:
        """Give what asks a question under a name; where cases share the question, they share it."""
        asker = self._askers.get((question, name, informs))
        if asker is None:
            named = question if name == question.name else replace(question, name=name)
            asker = self._askers[question, name, informs] = Asker(named, informs=informs)
        return asker

    def judged(self, checks: list[Check]) -> _Judged:
        """Give what checks come to. Trials that come out alike share one tuple of checks."""
        key = tuple(map(id, checks))
        judged = self._judged.get(key)
        if judged is None:
            if len(self._judged) >= _KEPT * self.cases:
                self._judged.clear()
            judged = self._judged[key] = _Judged(tuple(checks), *_verdict(checks))
        return judged


class CaseGrader:
    """A case, ready to grade trials. Pure: the same trajectory always gets the same trial.

    >>> from fairtrial.records import Expectation, AnswerExpectation, Source
    >>> expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    >>> case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect)
    >>> trial = CaseGrader(case).grade(Trajectory(case="c", answer="All done."), 0)
    >>> trial.verdict, [check.name for check in trial.checks]
    ('passed', ['finished', 'answer.contains[done]', 'tools.repeats', 'text_tool_call'])
    """

    def __init__(
        self, case: Case, settings: GradingSettings = PLAIN, alike: _Alike | None = None
    ) -> None:
        """Compile the case.

        Args:
            case: The case.
            settings: What the suite says about grading.
            alike: What it shares with the other cases of its suite, as `Graders` has it.

        Raises:
            fairtrial.match.MatcherError: A matcher, pattern or plan that cannot be; cases from
                files were checked when they were loaded.
        """
        self.case = case
        self._settings = settings
        self._alike = alike or _Alike()
        self._alike.cases += 1
        informs = () if isinstance(case.informs, bool) else case.informs
        self._informs = frozenset(informs)
        self._decision = case.expect.next is not UNSET
        self._names: dict[str, int] = {}
        self._checks = [
            self._asker(question).check_all for question in questions_of(case, settings.trust)
        ]
        self._latest: tuple[list[Check], _Judged] = ([], _Judged((), *_verdict(())))

    def _asker(self, question: Question) -> Asker:
        name = _numbered(question.name, self._names)
        informs = self._informing(question.name, name)
        return self._alike.asker(question, name, informs=informs)

    def _informing(self, bare: str, name: str) -> bool:
        """Say whether `informs` names a check: in full, without brackets and number, or its grader.

        Args:
            bare: Its name without ` #2`.
            name: Its full name.
        """
        if not self._informs:
            return False
        kind = bare.partition("[")[0]
        return bool({name, kind, kind.partition(".")[0]} & self._informs)

    def grade(self, trajectory: Trajectory, trial: int, verdicts: Verdicts | None = None) -> Trial:
        """Grade one trial.

        Args:
            trajectory: What the agent did.
            trial: The trial's number, from 0.
            verdicts: What the judge says of it; None: nothing was judged.
        """
        subject = self._opened(trajectory, trial, verdicts)
        if not isinstance(subject, Subject):
            return subject
        checks = [check_all((subject,))[0] for check_all in self._checks]
        return self._settled(subject, trial, checks)

    def grade_all(
        self,
        trials: Sequence[tuple[Trajectory, int]],
        verdicts: Mapping[int, Verdicts] = MappingProxyType({}),
    ) -> list[Trial]:
        """Grade trials, each with its number, as `grade` does, in a third less time.

        Each question is asked of all of them before the next one, so a processor that has learned
        the way through it needs it again at once. All of them are held.

        Args:
            trials: Each with its number.
            verdicts: What the judge says of them, by number.
        """
        said = verdicts.get
        opened = [self._opened(trajectory, number, said(number)) for trajectory, number in trials]
        subjects = [one for one in opened if isinstance(one, Subject)]
        columns = [check_all(subjects) for check_all in self._checks]
        answers = zip(*columns, strict=True)
        return [
            self._settled(one, number, list(next(answers))) if isinstance(one, Subject) else one
            for one, (_, number) in zip(opened, trials, strict=True)
        ]

    def _opened(
        self, trajectory: Trajectory, trial: int, verdicts: Verdicts | None
    ) -> Subject | Trial:
        """Give what is to be asked, or the trial where nothing can be."""
        settings, decision = self._settings, self._decision
        try:
            subject = Subject(
                trajectory,
                decision=decision,
                tool_error=settings.tool_error,
                currency=settings.currency,
                known=self._known_tools,
                verdicts=verdicts,
            )
        except MatchTimeoutError as timeout:
            subject = Subject(trajectory, decision=decision, currency=settings.currency)
            return _trial(subject, trial, "error", (), f"tool_error: {timeout}")
        error = trajectory.error
        if error is not None and error.kind != "agent":
            return _trial(subject, trial, "error", (), _broken(error))
        return subject

    def _known_tools(self) -> frozenset[str]:
        return known_tools(self.case)

    def _settled(self, subject: Subject, trial: int, checks: list[Check]) -> Trial:
        """Give the trial of which all was asked."""
        trajectory = subject.trajectory
        if self._settings.graders:
            checks += self._own_checks(trajectory)
            judged = _Judged(tuple(checks), *_verdict(checks))
        else:
            judged = self._judged(checks)
        why = judged.why
        if why is None and trajectory.error is not None:
            why = _broken(trajectory.error)
        return _trial(subject, trial, judged.verdict, judged.checks, why)

    def _judged(self, checks: list[Check]) -> _Judged:
        if checks == self._latest[0]:  # most often the very same ones, which is seen at once
            return self._latest[1]
        judged = self._alike.judged(checks)
        self._latest = (checks, judged)
        return judged

    def _own_checks(self, trajectory: Trajectory) -> Iterator[Check]:
        """Run the team's graders; their checks are numbered and inform like all others."""
        names = self._names.copy()
        for own in self._settings.graders:
            for check in own_checks(own, self.case, trajectory):
                name = _numbered(check.name, names)
                decides = check.decides and not self._informing(check.name, name)
                yield replace(check, name=name, decides=decides)


class Graders:
    """The graders of a suite's cases, each made when its first trial comes.

    What cases ask alike is compiled once, and trials that come out alike share their checks.

    >>> from fairtrial.records import Source
    >>> graders = Graders()
    >>> case = Case(id="c", hash="0", source=Source("a.yaml", 1))
    >>> graders.of(case) is graders.of(case)
    True
    """

    def __init__(self, settings: GradingSettings = PLAIN) -> None:
        """Start with none; `settings` are what the suite says about grading."""
        self._settings = settings
        self._alike = _Alike()
        self._graders: dict[str, CaseGrader] = {}

    def of(self, case: Case) -> CaseGrader:
        """Give the grader of a case; ids differ.

        Raises:
            fairtrial.match.MatcherError: As for `CaseGrader`.
        """
        grader = self._graders.get(case.id)
        if grader is None:
            grader = CaseGrader(case, self._settings, self._alike)
            self._graders[case.id] = grader
        return grader


def _broken(error: TrajectoryError) -> str:
    return f"{error.kind}: {cut(error.message, _LONGEST_ERROR)}"


def _numbered(name: str, names: dict[str, int]) -> str:
    """Tell checks of one name apart: the second is `name #2`. Keeps count in `names`."""
    count = names[name] = names.get(name, 0) + 1
    return name if count == 1 else f"{name} #{count}"


def _verdict(checks: Sequence[Check]) -> tuple[Verdict, str | None]:
    """Apply the first rule that fits: failed, cannot tell, nothing decided, else passed."""
    unknown: Check | None = None
    decided = False
    for check in checks:
        if not check.decides:
            continue
        if check.passed is False:
            return "failed", None
        if check.passed is None:
            unknown = unknown or check
        elif check.asked is not False:
            decided = True
    if unknown is not None:
        return "error", f"{unknown.name}: {unknown.reason}"
    if not decided:
        return "error", _undecided(checks)
    return "passed", None


def _undecided(checks: Sequence[Check]) -> str:
    silent = [check for check in checks if check.asked is not False and not check.decides]
    if not silent:
        return "no check was asked for"
    first = silent[0]
    more = f" and {len(silent) - 1} more" if len(silent) > 1 else ""
    reason = first.reason if first.passed is None else "it only informs here"
    return f"no check that was asked for decides: {cut(first.name, 80)}{more}: {reason}"


def _trial(
    subject: Subject, number: int, verdict: Verdict, checks: tuple[Check, ...], error: str | None
) -> Trial:
    calls, failing = subject.calls, subject.failing
    failed = [call for call in failing if call.reached] if failing else failing
    tokens, cost, seconds = subject.tokens(), subject.cost(), subject.seconds()
    known_tokens = int(tokens.known)
    # Python hands 15 keywords over as they are; with more it makes a dict, in four times the time.
    trial = Trial(
        case=subject.trajectory.case,
        trial=number,
        verdict=verdict,
        stop=subject.stop,
        error=error,
        steps=subject.step_count(),
        tokens=None if tokens.unknown else known_tokens,
        cost=None if cost.unknown else cost.known,
        seconds=None if seconds.unknown else seconds.known,
        tool_errors=None if calls is None else len(failed),
        tools=subject.names,
        failed_calls=tuple([call.index for call in failed]) if failed else (),
        checks=checks,
        known_tokens=known_tokens,
        known_cost=cost.known,
    )
    rest = _rest(subject, failed)
    return replace(trial, **rest) if rest else trial


def _rest(subject: Subject, failed: list[Call]) -> dict[str, object]:
    """Give the fields of a trial that are not as they are in most."""
    rest: dict[str, object] = {}
    model, note = subject.trajectory.model, subject.token_note()
    if model != "none":
        rest["model"] = model
    if subject.tokens().estimated:
        rest["estimated"] = True
    if note:
        rest["note"] = note
    if failed:
        rest["failures"] = tuple(map(_said, failed[:_TOLD]))
    if len(failed) < len(subject.failing):
        rest["unrun"] = tuple([call.index for call in subject.failing if not call.reached])
    return rest


def _said(call: Call) -> str:
    return f"{described(call)}: {cut(call.source.error or 'its result counts as an error', 300)}"
