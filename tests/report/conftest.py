"""Runs made by hand for the report's tests: no other room is needed to write a report."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from fairtrial.records import (
    Adaptive,
    AdaptiveCase,
    Baseline,
    CaseDifference,
    CaseOverview,
    CaseResult,
    Check,
    CheckCount,
    CheckDifference,
    CurvePoint,
    Decision,
    Gated,
    Json,
    NumberDifference,
    Overview,
    RateOverview,
    Reason,
    RunDifference,
    RunInfo,
    Scorecard,
    Selection,
    Status,
    TagCount,
    Trial,
    Verdict,
)


class Run(NamedTuple):
    """What a scorecard is written from."""

    info: RunInfo
    scorecard: Scorecard
    results: tuple[CaseResult, ...]


def check(name: str, passed: bool | None, reason: str = "as wanted", decides: bool = True) -> Check:
    score = None if passed is None else float(passed)
    return Check(name=name, passed=passed, score=score, decides=decides, reason=reason)


def trial(
    case: str,
    index: int,
    checks: Sequence[Check],
    *,
    tools: Sequence[str] = (),
    failed_calls: Sequence[int] = (),
    error: str | None = None,
    tokens: int | None = 410,
    cost: float | None = 0.0012,
) -> Trial:
    return Trial(
        case=case,
        trial=index,
        verdict=_verdict(checks, error),
        stop="answer" if error is None else "error",
        error=error,
        steps=len(tools) + 1,
        tokens=tokens,
        cost=cost,
        seconds=1.0,
        tool_errors=len(failed_calls),
        tools=tuple(tools),
        failed_calls=tuple(failed_calls),
        checks=tuple(checks),
        known_tokens=410 if tokens is None else tokens,
        known_cost=cost or 0.0,
    )


def _verdict(checks: Sequence[Check], error: str | None) -> Verdict:
    if error is not None or not checks:
        return "error"
    deciding = [one.passed for one in checks if one.decides]
    if False in deciding:
        return "failed"
    return "error" if None in deciding else "passed"


def result(
    case: str,
    trials: Sequence[Trial],
    *,
    tags: Sequence[str] = (),
    protected: bool = False,
    source: str | None = "evals/hotel.yaml:12",
) -> CaseResult:
    measured = [one for one in trials if one.verdict != "error"]
    passed = sum(one.verdict == "passed" for one in measured)
    return CaseResult(
        id=case,
        tags=tuple(tags),
        protected=protected,
        hash="0",
        status=_status(passed, len(measured)),
        pass_rate=passed / len(measured) if measured else None,
        trials=tuple(trials),
        planned=max(len(trials), 1),
        source=source,
    )


def _status(passed: int, measured: int) -> Status:
    if not measured:
        return "error"
    if passed in {0, measured}:
        return "passed" if passed else "failed"
    return "flaky"


def run_of(results: Sequence[CaseResult], *, k: int = 1, notes: Sequence[str] = ()) -> Run:
    """Sum up plainly what the real tally sums up well; only the report is under test."""
    info = RunInfo(
        id="20260305-101500-ab12",
        folder=".fairtrial/runs/20260305-101500-ab12",
        mode="none",
        variant=None,
        selection=None,
    )
    return Run(info, _scorecard(results, k, notes), tuple(results))


def _scorecard(results: Sequence[CaseResult], k: int, notes: Sequence[str]) -> Scorecard:
    trials = [one for case in results for one in case.trials]
    rates = [case.pass_rate for case in results if case.pass_rate is not None]
    rate = sum(rates) / len(rates) if rates else None
    verdicts = [one.verdict for one in trials]
    statuses = [case.status for case in results]
    stops = sorted({one.stop for one in trials})
    unsteady = ("failed", "flaky")
    return Scorecard(
        trials=len(trials),
        passed=verdicts.count("passed"),
        failed=verdicts.count("failed"),
        errors=verdicts.count("error"),
        pass_rate=rate,
        k=k,
        pass_at_k=rate,
        pass_hat_k=rate and rate / 2,
        curve={str(n): CurvePoint(pass_at=rate, pass_hat=rate, cases=len(rates)) for n in (1, k)},
        interval=None if rate is None else (0.0612, 0.7919),
        pass_at_k_interval=None if rate is None else (0.1, 1.0),
        pass_hat_k_interval=None if rate is None else (0.0, 0.5),
        statuses={s: statuses.count(s) for s in ("passed", "failed", "flaky", "error")},
        checks=_checks(trials),
        tags=_tags(results),
        protected_failed=tuple(c.id for c in results if c.protected and c.status in unsteady),
        mean_plan_score=None,
        mean_precision=None,
        mean_recall=None,
        tool_errors=sum(one.tool_errors or 0 for one in trials),
        stops={stop: sum(one.stop == stop for one in trials) for stop in stops},
        mean_steps=sum(one.steps or 0 for one in trials) / len(trials) if trials else None,
        not_measured=tuple(case.id for case in results if case.status == "error"),
        notes=tuple(notes),
        currency="USD",
        strict_pass_rate=_strict(results),
        coverage=_covered(results),
        **_amounts(trials),
    )


def _strict(results: Sequence[CaseResult]) -> float | None:
    passed = [sum(one.verdict == "passed" for one in case.trials) for case in results]
    shares = [count / max(case.planned, 1) for count, case in zip(passed, results, strict=True)]
    return sum(shares) / len(shares) if shares else None


def _covered(results: Sequence[CaseResult]) -> float | None:
    planned = sum(case.planned for case in results)
    measured = sum(one.verdict != "error" for case in results for one in case.trials)
    return measured / planned if planned else None


def _amounts(trials: Sequence[Trial]) -> dict[str, Json]:
    tokens = [one.tokens for one in trials if one.tokens is not None]
    costs = [one.cost for one in trials if one.cost is not None]
    known = len(trials) or None  # None is no length
    return {
        "mean_tokens": 410.0 if len(tokens) == known else None,
        "total_tokens": sum(one.known_tokens for one in trials),
        "mean_cost": sum(costs) / len(costs) if len(costs) == known else None,
        "total_cost": sum(costs) if costs else None,
        "unknown": {
            "steps": 0,
            "tokens": len(trials) - len(tokens),
            "cost": len(trials) - len(costs),
        },
    }


def _checks(trials: Sequence[Trial]) -> dict[str, CheckCount]:
    counts: dict[str, CheckCount] = {}
    for one in trials:
        for name in {each.name.partition("[")[0] for each in one.checks}:
            same = [each.passed for each in one.checks if each.name.partition("[")[0] == name]
            old = counts.get(name, CheckCount(passed=0, total=0))
            known = None not in same
            counts[name] = CheckCount(
                passed=old.passed + (known and all(same)), total=old.total + known
            )
    return dict(sorted(counts.items()))


def _tags(results: Sequence[CaseResult]) -> dict[str, TagCount]:
    tags: dict[str, TagCount] = {}
    for name in sorted({tag for case in results for tag in case.tags}):
        cases = [case for case in results if name in case.tags]
        rates = [case.pass_rate for case in cases if case.pass_rate is not None]
        measured = [t for case in cases for t in case.trials if t.verdict != "error"]
        tags[name] = TagCount(
            passed=sum(one.verdict == "passed" for one in measured),
            total=len(measured),
            pass_rate=sum(rates) / len(rates) if rates else None,
        )
    return tags


@pytest.fixture
def small_run() -> Run:
    """Four cases of three trials: flaky and protected, failed, passed, unmeasured."""
    finished = check("finished", True, "stopped with an answer")
    slow = check("limits.seconds", False, "4.2 seconds, at most 3 wanted", decides=False)
    plan = check("tools.plan", False, "1 of 2 planned calls was made; cancel is missing")
    planned = check("tools.plan", True, "2 of 2 planned calls were made")
    fee = check("answer.contains[no fee]", False, "not in the answer: 'H-204 is cancelled.'")
    state = check("state.cancellations", False, "cancellations[0].fee: wanted 0, got 40")
    flaky = [
        trial("a", 0, [finished, planned, slow], tools=["get_booking", "cancel"]),
        trial("a", 1, [finished, plan, slow], tools=["get_booking"], failed_calls=[0]),
        trial("a", 2, [finished, planned], tools=["get_booking", "cancel"]),
    ]
    charged = [
        trial(
            "b", n, [finished, fee, state], tools=["get_booking", "cancel", "cancel", "send_email"]
        )
        for n in range(3)
    ]
    good = [trial("c", n, [finished, planned], tools=["get_booking"]) for n in range(3)]
    down = [trial("d", n, [], error="provider: 503 upstream is busy") for n in range(3)]
    return run_of(
        [
            result("cancel-ill-guest", flaky, tags=["fee"], protected=True),
            result("cancel-late", charged, tags=["fee"], source="evals/hotel.yaml:40"),
            result("ask-opening-hours", good, tags=["info"], source="evals/hotel.yaml:60"),
            result("move-booking", down, source="evals/hotel.yaml:75"),
        ],
        k=3,
        notes=["8 of 11 trials needed to see a drop of 10 points; this run could see 40."],
    )


@pytest.fixture
def large_run() -> Run:
    """Five hundred cases of one trial, of which every forty-first fails."""
    finished = check("finished", True, "stopped with an answer")
    results = []
    for n in range(500):
        bad = n % 41 == 40
        said = check("answer.contains[booked]", not bad, "not in the answer: 'No room is free.'")
        name = f"book-room-{n:03}"
        tools = ["search"] * 5 + ["book"] if bad else ["search", "book"]
        one = trial(name, 0, [finished, said], tools=tools)
        tags = [f"hotel-{n % 30:02}", "book"]
        results.append(result(name, [one], tags=tags, source=f"evals/rooms.yaml:{3 * n + 2}"))
    return run_of(results)


@pytest.fixture
def empty_run() -> Run:
    """No case at all, as after a filter that selects nothing."""
    run = run_of([])
    chosen = Selection(tags=("no-such-tag",))
    info = RunInfo(id="r0", folder=None, mode="scripted", variant="short-prompt", selection=chosen)
    return run._replace(info=info)


@pytest.fixture
def unknown_run() -> Run:
    """Amounts that nobody knows, wholly and in part."""
    finished = check("finished", True)
    limit = check(
        "limits.cost", None, "the cost is unknown: give prices, or informs: [limits.cost]"
    )
    dark = [trial("dark", n, [finished, limit], tokens=None, cost=None) for n in range(2)]
    half = [
        trial("half", 0, [finished], tokens=None, cost=None),
        trial("half", 1, [finished], tokens=2_000_000, cost=12.5),
    ]
    return run_of([result("dark", dark), result("half", half)], k=2)


@pytest.fixture
def hostile_run() -> Run:
    """Names and reasons that would break a careless terminal."""
    reasons = ["\x1b[2J\x1b[31mowned\x07", "line\r\nFAKE  passed", "\u202egnp.exe", "w" * 100_000]
    checks = [check(f"answer.contains[{n}\x1b]0;t\x07]", False, r) for n, r in enumerate(reasons)]
    checks.append(check("answer.equals", False, "日本語のテキスト " * 40))
    checks.append(check("own.zalgo", False, "a" + "\u0301" * 500 + " \u200bhidden\u200d\ud800"))
    calls = ["\x1b[1m", "a > b", "", "道具", "x" * 500] + [f"t{n}" for n in range(5000)]
    one = trial("x", 0, checks, tools=calls, failed_calls=[1, 5001])
    return run_of(
        [
            result(
                "id\n\x1b[31m-with\u2066everything" + "ü" * 90, [one], tags=["\x9b31m", "🎉" * 80]
            ),
            result("案件" * 60, [one], source="evals/\x1b[31m" + "long/" * 30 + "a.yaml:3"),
        ],
        notes=["note\twith\x0btabs " + "\ufe0f" * 9],
    )


@pytest.fixture
def make_run() -> Callable[..., Run]:
    """What turns results into a run, for tests that bring their own."""
    return run_of


def page_with(text: str = "plain", *, cases: int = 3, gated: bool = True) -> Overview:
    """Give a run that holds the text wherever a text can come from outside."""
    names = [f"{text}{n}" for n in range(cases)]
    run = run_of(
        [result(name, [trial(name, 0, [check(text, False, text)])]) for name in names],
        notes=[text],
    )
    more = [
        AdaptiveCase(
            id=name, base_passed=3, base_measured=3, passed=1, measured=3, more_passed=1,
            more_measured=4, more_planned=5, p_worse=0.97, worse="likely",
        )
        for name in names
    ]  # fmt: skip
    card = replace(run.scorecard, adaptive=Adaptive(margin=0.1, cases=tuple(more), trials=9))
    rates = [
        RateOverview(tag=tag, cases=cases, rate=0.5, interval=(0.1, 0.9), shared=cases,
                     before=1.0, change=-0.5, change_interval=(-0.9, -0.1))
        for tag in (None, *names)
    ]  # fmt: skip
    return Overview(
        info=replace(run.info, agent=text, variant=text, git=text, suite=text),
        scorecard=replace(card, currency=text),
        gated=_gated(text, names) if gated else None,
        difference=_difference(text, names) if gated else None,
        cases=tuple(
            CaseOverview(
                id=name, source=f"{text}.yaml:{n + 1}", tags=(text,), protected=n == 0,
                informs=False, status="failed", passed=0, measured=1, planned=1, errors=0,
                reason=f"{text}: {text}",
            )
            for n, name in enumerate(names)
        ),
        rates=tuple(rates),
    )  # fmt: skip


def _gated(text: str, names: Sequence[str]) -> Gated:
    reasons = [
        Reason(rule=rule, kind=kind, case=case, tag=tag, source=f"{text}.yaml:7",
               text=f"{case or tag} passed 3 of 3, now 0 of 3; first: {text}")
        for kind in ("fail", "error", "inconclusive", "warning", "note")
        for rule, case, tag in (
            *(("case", name, None) for name in names),
            *(("rate", None, text), (text, f"x{text}", None)),
        )
    ]  # fmt: skip
    baseline = Baseline(suite=text, git=text, mode="live", k=3, cases={})
    decision = Decision(decision="fail", exit=1, spent=None, reasons=tuple(reasons))
    return Gated(decision=decision, file=text, baseline=baseline)


def _difference(text: str, names: Sequence[str]) -> RunDifference:
    checks = [CheckDifference(name=f"{text}{n}", a=(1, 1), b=(0, 1)) for n in range(6)]
    cases = tuple(
        CaseDifference(id=name, protected=True, a=(3, 3), b=(0, 3), difference=-1.0,
                       checks=tuple(checks), reason=text)
        for name in names
    )  # fmt: skip
    number = NumberDifference(name="steps", a=2.0, b=3.0, difference=1.0, cases=2)
    numbers = (number, replace(number, name="tokens"), replace(number, name="cost"))
    return RunDifference(
        regressions=cases, fixes=cases, unmeasured=cases, other_checks=cases, changed=cases,
        new=cases, removed=cases, unchanged=4, left_out=0, numbers=numbers,
    )  # fmt: skip


@pytest.fixture(scope="session")
def page() -> Callable[..., Overview]:
    """Make a run that holds a text wherever a text can come from outside."""
    return page_with
