"""One case compiled into questions, and a trial graded by asking them all."""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from fairtrial.graders.answer import answer_questions
from fairtrial.graders.finished import finished_question, printed_call_question
from fairtrial.graders.limits import limit_questions
from fairtrial.graders.own import own_checks
from fairtrial.graders.planned import next_question, plan_question
from fairtrial.graders.question import Asker, Question
from fairtrial.graders.repeats import repeats_question
from fairtrial.graders.rubric import rubric_questions
from fairtrial.graders.spans import span_questions
from fairtrial.graders.state import state_questions
from fairtrial.graders.subject import Subject
from fairtrial.graders.tools import (
    before_question,
    calls_needed,
    described,
    forbidden_question,
    only_question,
    required_questions,
)
from fairtrial.match import (
    Call,
    CallPattern,
    Matcher,
    MatchTimeoutError,
    Plan,
    compile_before,
    compile_next,
    compile_pattern,
    compile_plan,
)
from fairtrial.ports import Grader
from fairtrial.records import (
    Case,
    Check,
    Rule,
    ToolsExpectation,
    Trajectory,
    TrajectoryError,
    Trial,
    Verdict,
)
from fairtrial.text import cut


class GradingSettings(NamedTuple):
    """What a suite says about grading, besides its cases."""

    graders: tuple[Grader, ...] = ()
    tool_error: Matcher | None = None
    """Which results count as errors, besides what the tool layer said."""
    currency: str = "USD"


class _Judged(NamedTuple):
    """The checks of a trial and what they come to."""

    checks: tuple[Check, ...]  # held here, so that no other check can get their identity
    verdict: Verdict
    why: str | None


_KEPT = 64  # combinations of checks that are kept for trials that come out alike
_TOLD = 3  # failed calls of a trial that are shown with what they said
_LONGEST_ERROR = 1000  # characters of what broke the trial

PLAIN = GradingSettings()
"""What a suite that says nothing about grading says."""


class CaseGrader:
    """A case, ready to grade trials. Pure: the same trajectory always gets the same trial.

    >>> from fairtrial.records import Expectation, AnswerExpectation, Source
    >>> expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    >>> case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect)
    >>> trial = CaseGrader(case).grade(Trajectory(case="c", answer="All done."), 0)
    >>> trial.verdict, [check.name for check in trial.checks]
    ('passed', ['finished', 'answer.contains[done]', 'tools.repeats', 'text_tool_call'])
    """

    def __init__(self, case: Case, settings: GradingSettings = PLAIN) -> None:
        """Compile the case.

        Raises:
            fairtrial.match.MatcherError: A matcher, pattern or plan that cannot be; cases from
                files were checked when they were loaded.
        """
        self.case = case
        self._settings = settings
        informs = () if isinstance(case.informs, bool) else case.informs
        self._informs = frozenset(informs)
        names: dict[str, int] = {}
        self._decision = case.expect.next is not UNSET
        self._checks = [
            Asker(
                replace(question, name=name) if name != question.name else question,
                informs=self._informing(question.name, name),
            ).check_all
            for question in _questions(case)
            for name in [_numbered(question.name, names)]
        ]
        self._names = names
        self._kept: dict[tuple[int, ...], _Judged] = {}  # by the identity of the checks
        self._latest: tuple[list[Check], _Judged] = ([], _Judged((), *_verdict(())))

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

    def grade(self, trajectory: Trajectory, trial: int) -> Trial:
        """Grade one trial.

        Args:
            trajectory: What the agent did.
            trial: The trial's number, from 0.
        """
        subject = self._opened(trajectory, trial)
        if not isinstance(subject, Subject):
            return subject
        checks = [check_all((subject,))[0] for check_all in self._checks]
        return self._settled(subject, trial, checks)

    def grade_all(self, trials: Sequence[tuple[Trajectory, int]]) -> list[Trial]:
        """Grade trials, each with its number, as `grade` does, in a third less time.

        Each question is asked of all of them before the next one, so a processor that has learned
        the way through it needs it again at once. All of them are held.
        """
        opened = [self._opened(trajectory, number) for trajectory, number in trials]
        subjects = [one for one in opened if isinstance(one, Subject)]
        columns = [check_all(subjects) for check_all in self._checks]
        answers = zip(*columns, strict=True)
        return [
            self._settled(one, number, list(next(answers))) if isinstance(one, Subject) else one
            for one, (_, number) in zip(opened, trials, strict=True)
        ]

    def _opened(self, trajectory: Trajectory, trial: int) -> Subject | Trial:
        """Give what is to be asked, or the trial where nothing can be."""
        settings, decision = self._settings, self._decision
        try:
            subject = Subject(
                trajectory,
                decision=decision,
                tool_error=settings.tool_error,
                currency=settings.currency,
            )
        except MatchTimeoutError as timeout:
            subject = Subject(trajectory, decision=decision, currency=settings.currency)
            return _trial(subject, trial, "error", (), f"tool_error: {timeout}")
        error = trajectory.error
        if error is not None and error.kind != "agent":
            return _trial(subject, trial, "error", (), _broken(error))
        return subject

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
        """Give what the checks come to. Trials that come out alike share one tuple of checks."""
        if checks == self._latest[0]:  # most often the very same ones, which is seen at once
            return self._latest[1]
        key = tuple(map(id, checks))
        judged = self._kept.get(key)
        if judged is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            judged = self._kept[key] = _Judged(tuple(checks), *_verdict(checks))
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


def _broken(error: TrajectoryError) -> str:
    return f"{error.kind}: {cut(error.message, _LONGEST_ERROR)}"


def _numbered(name: str, names: dict[str, int]) -> str:
    """Tell checks of one name apart: the second is `name #2`. Keeps count in `names`."""
    count = names[name] = names.get(name, 0) + 1
    return name if count == 1 else f"{name} #{count}"


def _questions(case: Case) -> Iterator[Question]:
    expect, tools = case.expect, case.expect.tools or ToolsExpectation()
    plan = None if tools.plan is UNSET else compile_plan(tools.plan)
    yield finished_question(expect.stop)
    if expect.next is not UNSET:
        yield next_question(compile_next(expect.next))
    if expect.answer is not None:
        yield from answer_questions(expect.answer)
    yield from _tool_questions(tools, plan, case)
    for rule in case.rules:
        place = f"[rule {rule.number}]"
        yield from required_questions(rule.required, place)
        if rule.forbidden:
            yield forbidden_question(rule.forbidden, place)
        if rule.before:
            yield before_question(rule.before, place)
    yield repeats_question(case.limits)
    yield from state_questions(case)
    yield from span_questions(expect.spans)
    yield from limit_questions(case.limits, _shortest(case, plan))
    yield printed_call_question(functools.cache(lambda: _known_tools(case, plan)))
    yield from rubric_questions(expect.rubric)


def _tool_questions(tools: ToolsExpectation, plan: Plan | None, case: Case) -> Iterator[Question]:
    yield from required_questions(tools.required)
    if tools.forbidden:
        yield forbidden_question(tools.forbidden)
    if tools.before:
        yield before_question(tools.before)
    if plan is not None:
        yield plan_question(plan)
    if tools.only:
        required = [*tools.required, *(spec for rule in case.rules for spec in rule.required)]
        yield only_question(required, lambda calls: _planned(plan, calls))


def _planned(plan: Plan | None, calls: list[Call]) -> Sequence[CallPattern]:
    return () if plan is None else plan.align(calls).items


def _shortest(case: Case, plan: Plan | None) -> int | None:
    """Give the calls of the shortest right path; None where the case names none."""
    if plan is not None:
        return plan.shortest
    tools = case.expect.tools
    if tools is None or not tools.required:
        return None
    return calls_needed(tools.required, *(rule.required for rule in case.rules))


def _known_tools(case: Case, plan: Plan | None) -> frozenset[str]:
    """Give the tools that the case names anywhere."""
    names = {*(case.tools or ()), *(case.faults or ()), *(() if plan is None else plan.tools())}
    if case.expect.next is not UNSET:
        names |= compile_next(case.expect.next).tools()
    if isinstance(case.limits.repeats, dict):
        names |= case.limits.repeats.keys()
    parts: list[ToolsExpectation | Rule] = [case.expect.tools or ToolsExpectation(), *case.rules]
    for part in parts:
        for spec in (*part.required, *part.forbidden):
            names.add(compile_pattern(spec, which=True).name)
        for spec in part.before:
            rule = compile_before(spec)
            names |= {rule.tool.name, rule.needs.name}
    return frozenset(names)


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
