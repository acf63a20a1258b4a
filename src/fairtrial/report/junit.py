"""JUnit XML, as Jenkins, GitLab and their like read it: a case a test case, the gate one too."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal, NamedTuple, TypeAlias

from fairtrial.records import CaseOverview, CaseResult, Gated, Overview, Reason, Trial
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.measure import seen
from fairtrial.report.place import place_of

Ending: TypeAlias = Literal["passed", "failure", "error", "skipped"]
"""How a test case ends. `error`: it could not be measured; `skipped`: it does not decide."""

_MOST_TRIALS, _MOST_CHECKS, _MOST_REASONS = 20, 8, 100
_LONGEST = 1000

_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}


class _Ended(NamedTuple):
    ending: Ending
    message: str


def junit_lines(overview: Overview, results: Iterable[CaseResult]) -> Iterator[str]:
    """Give a run as JUnit XML, line by line, while its cases are being read.

    Where the gate decided, a case is a failure or an error exactly where the gate says so, and one
    whose failing the gate lets be is skipped and says why; so no failure and no error is what exit
    code 0 is. Where nobody asked the gate a case is a failure where a trial failed.

    Args:
        overview: The run.
        results: Its cases with their trials, in the same order, read once.

    >>> from fairtrial.records import RateOverview, RunInfo, Scorecard
    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> none = dict.fromkeys(Scorecard.__struct_fields__)
    >>> page = Overview(
    ...     info=info, scorecard=Scorecard(**none), gated=None, difference=None, cases=(),
    ...     rates=(),
    ... )
    >>> for line in junit_lines(page, []): print(line[:64])
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="fairtrial" tests="0" failures="0" errors="0" s
    <testsuite name="fairtrial" tests="0" failures="0" errors="0" sk
    <properties>
    <property name="run" value="r1"/>
    <property name="mode" value="none"/>
    </properties>
    </testsuite>
    </testsuites>
    """
    told = _told(overview.gated)
    ended = {case.id: _ended(case, told) for case in overview.cases}
    gate = None if overview.gated is None else _gate(overview.gated)
    counts = Counter(one.ending for one in ended.values())
    if gate is not None:
        counts[gate.ending] += 1
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    numbers = _attributes(
        tests=counts.total(),
        failures=counts["failure"],
        errors=counts["error"],
        skipped=counts["skipped"],
    )
    yield f'<testsuites name="fairtrial"{numbers}>'
    started = overview.info.started
    when = "" if started is None else _attributes(timestamp=started[:19])
    yield f"<testsuite{_attributes(name=overview.info.suite or 'fairtrial')}{numbers}{when}>"
    yield from _properties(overview)
    cases = {case.id: case for case in overview.cases}
    for result in results:
        if result.id in cases:
            yield from _case(cases[result.id], result.trials, ended[result.id])
    if overview.gated is not None and gate is not None:
        yield from _test(_attributes(name="gate", classname="fairtrial"), gate, _said(overview))
    yield "</testsuite>"
    yield "</testsuites>"


def _told(gated: Gated | None) -> Mapping[str, list[Reason]] | None:
    """Give the gate's reasons by case, worst first; None where nobody asked it."""
    if gated is None:
        return None
    told: dict[str, list[Reason]] = {}
    for reason in gated.decision.reasons:
        if reason.case is not None:
            told.setdefault(reason.case, []).append(reason)
    return told


def _ended(case: CaseOverview, told: Mapping[str, list[Reason]] | None) -> _Ended:
    """Say how a case ends, and why in a sentence."""
    if told is None:
        return _Ended(_alone(case), _passed(case))
    reasons = told.get(case.id, [])
    kinds = {reason.kind for reason in reasons}
    why = reasons[0].text if reasons else f"{_passed(case)}; the gate lets it be"
    if "fail" in kinds:
        return _Ended("failure", why)
    if not case.measured and not case.errors:
        return _Ended("skipped", why)
    if "error" in kinds:
        return _Ended("error", why)
    return _Ended("passed" if case.status == "passed" else "skipped", why)


def _alone(case: CaseOverview) -> Ending:
    """Say how a case ends where there is no gate to say it."""
    if not case.measured and not case.errors:
        return "skipped"
    whole = case.measured >= case.planned and not case.errors
    if case.informs and not (case.status == "passed" and whole):
        return "skipped"
    if case.status in {"failed", "flaky"}:
        return "failure"
    return "passed" if whole and case.status == "passed" else "error"


def _passed(case: CaseOverview) -> str:
    informs = "only informs: " if case.informs else ""
    if not case.measured:
        ran = "no trial could be measured" if case.errors else "not run"
        return f"{informs}{ran}" + (f": {case.reason}" if case.reason else "")
    text = f"{informs}passed {case.passed:,} of {case.measured:,}"
    missing = case.planned - case.measured
    if missing > 0:
        text += f", {missing:,} not measured"
    return text + (f"; first: {case.reason}" if case.reason else "")


def _case(case: CaseOverview, trials: Sequence[Trial], ended: _Ended) -> Iterator[str]:
    file, line = place_of(case.source)
    named = _attributes(name=case.id, classname=_class_of(file))
    if file is not None:
        named += _attributes(file=file) + ("" if line is None else _attributes(line=line))
    seconds = [trial.seconds for trial in trials if trial.seconds is not None]
    if seconds:
        named += f' time="{sum(seconds):.3f}"'
    yield from _test(named, ended, list(_trials(trials)))


def _class_of(file: str | None) -> str:
    """Give what readers group by: the case file, with dots."""
    if file is None:
        return "fairtrial"
    path = PurePosixPath(file)
    parts = [part for part in path.with_suffix("").parts if part.strip("/.")]
    return ".".join(parts) or "fairtrial"


def _test(named: str, ended: _Ended, said: Sequence[str]) -> Iterator[str]:
    """Give one test case: what did not pass has its words inside, the rest in `system-out`."""
    ending, message = ended
    if ending == "passed" and not said:
        yield f"<testcase{named}/>"
        return
    yield f"<testcase{named}>"
    if ending in {"failure", "error"}:
        kind = "failed" if ending == "failure" else "not measured"
        yield (
            f"<{ending}{_attributes(message=message, type=kind)}>"
            + "\n".join(map(_xml, said or [message]))
            + f"</{ending}>"
        )
    else:
        if ending == "skipped":
            yield f"<skipped{_attributes(message=message)}/>"
        if said:
            yield "<system-out>" + "\n".join(map(_xml, said)) + "</system-out>"
    yield "</testcase>"


def _trials(trials: Sequence[Trial]) -> Iterator[str]:
    """Give each trial that did not pass with its checks, cut; nothing where all passed."""
    bad = [trial for trial in trials if trial.verdict != "passed"]
    for trial in bad[:_MOST_TRIALS]:
        what = "failed" if trial.verdict == "failed" else "not measured"
        yield f"trial {trial.trial}: {what}" + (f": {trial.error}" if trial.error else "")
        checks = [check for check in trial.checks if check.decides and check.passed is not True]
        for check in checks[:_MOST_CHECKS]:
            word = "failed" if check.passed is False else "cannot tell"
            yield f"  {word} {check.name}: {check.reason}"
        if len(checks) > _MOST_CHECKS:
            yield f"  and {counted(len(checks) - _MOST_CHECKS, 'more check')}"
    if len(bad) > _MOST_TRIALS:
        yield f"and {counted(len(bad) - _MOST_TRIALS, 'more trial')} that did not pass"


def _gate(gated: Gated) -> _Ended:
    decision = gated.decision
    against = "without a baseline" if gated.baseline is None else f"against {gated.file}"
    message = f"{decision.decision} {against}"
    reasons = [reason for reason in decision.reasons if reason.kind in {"fail", "error"}]
    if reasons:
        message += f": {counted(len(reasons), 'reason')}; first: {reasons[0].text}"
    if decision.decision == "fail":
        return _Ended("failure", message)
    if decision.exit:
        return _Ended("error", message)
    return _Ended("passed" if decision.decision == "pass" else "skipped", message)


def _said(overview: Overview) -> list[str]:
    reasons = () if overview.gated is None else overview.gated.decision.reasons
    said = [f"{reason.kind} [{reason.rule}] {reason.text}" for reason in reasons[:_MOST_REASONS]]
    if len(reasons) > _MOST_REASONS:
        said.append(f"and {counted(len(reasons) - _MOST_REASONS, 'more reason')}")
    return said


def _properties(overview: Overview) -> Iterator[str]:
    info, whole = overview.info, overview.rates[0] if overview.rates else None
    known = {
        "run": info.id,
        "mode": info.mode,
        "agent": info.agent,
        "variant": info.variant,
        "commit": info.git,
        "seed": None if info.seed is None else str(info.seed),
        "pass rate": None
        if whole is None or whole.rate is None
        else f"{percent(whole.rate)} {interval(whole.interval)}".rstrip(" "),
    }
    yield "<properties>"
    for name, value in known.items():
        if value is not None:
            yield f"<property{_attributes(name=name, value=value)}/>"
    yield "</properties>"


def _attributes(**values: str | int) -> str:
    return "".join(f' {name}="{_xml(str(value))}"' for name, value in values.items())


def _xml(text: str) -> str:
    """Give a text on one line as XML can hold it: what cannot be seen in it is escaped."""
    return seen(text, most=_LONGEST).translate(_ESCAPES)
