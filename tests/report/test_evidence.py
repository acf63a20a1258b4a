"""What stands under a case that did not simply pass."""

from collections.abc import Sequence

from msgspec.structs import replace

from fairtrial.records import CaseResult, Check, Trial
from fairtrial.report import CaseView, Style
from fairtrial.report.evidence import evidence_lines

WIDE = Style(width=200)


def check(name: str, passed: bool | None, reason: str = "why", decides: bool = True) -> Check:
    return Check(name=name, passed=passed, score=None, decides=decides, reason=reason)


def failed(index: int, checks: Sequence[Check]) -> Trial:
    return Trial(
        case="c1",
        trial=index,
        verdict="failed",
        stop="answer",
        error=None,
        steps=1,
        tokens=None,
        cost=None,
        seconds=None,
        tool_errors=0,
        tools=("pay",),
        failed_calls=(),
        checks=tuple(checks),
    )


def result(*trials: Trial, source: str | None = "a.yaml:3", protected: bool = False) -> CaseResult:
    return CaseResult(
        id="c1",
        tags=(),
        protected=protected,
        hash="0",
        status="failed",
        pass_rate=0.0,
        trials=trials,
        planned=len(trials),
        source=source,
    )


def evidence(case: CaseResult, style: Style = WIDE, *, verbose: bool = False) -> list[str]:
    return [line.strip() for line in evidence_lines(CaseView.of(case), style, verbose=verbose)]


def test_failed_comes_before_untold_before_informing() -> None:
    checks = [
        check("limits.cost", False, decides=False),
        check("state.rows", None),
        check("tools.plan", False),
        check("finished", True),
        check("rubric[polite]", None, decides=False),
    ]
    assert evidence(result(failed(0, checks))) == [
        "a.yaml:3",
        "calls: pay",
        "failed tools.plan: why",
        "cannot tell state.rows: why",
        "(informs) failed limits.cost: why",
    ]


def test_trials_with_the_same_failure_are_counted_with_the_commonest_reason() -> None:
    trials = [failed(n, [check("tools.plan", False, reason)]) for n, reason in enumerate("abb")]
    assert evidence(result(*trials))[-1] == "failed tools.plan in 3 of 3 trials, 1 other reason: b"


def test_equal_names_in_one_trial_count_as_one_trial() -> None:
    twice = failed(0, [check("tools.plan", False), check("tools.plan", False)])
    lines = evidence(result(twice, failed(1, [])))
    assert lines[-1] == "failed tools.plan in 1 of 2 trials: why"


def test_many_checks_are_counted_and_shown_on_request() -> None:
    case = result(failed(0, [check(f"answer.contains[{n}]", False) for n in range(20)]))
    assert evidence(case)[-1] == "and 12 more checks (show with --verbose)"
    assert sum("answer.contains" in line for line in evidence(case, verbose=True)) == 20


def test_the_path_is_that_of_the_first_trial_that_did_not_pass() -> None:
    good = replace(failed(0, []), verdict="passed", tools=("look",))
    assert "trial 1: pay" in evidence(result(good, failed(1, [])))


def test_unknown_steps_are_not_no_calls() -> None:
    dark = replace(failed(0, []), steps=None, tools=())
    none = replace(failed(0, []), steps=1, tools=())
    assert "calls: steps unknown" in evidence(result(dark))
    assert "calls: no tool calls" in evidence(result(none))


def test_the_place_is_never_cut_and_protection_is_said_beside_or_below() -> None:
    case = result(failed(0, []), protected=True)
    assert evidence(case)[0] == "a.yaml:3 (protected)"
    place = "deep/" * 30 + "a.yaml:3"
    lines = evidence(replace(case, source=place), Style(width=40))
    assert lines[:2] == [place, "protected"]


def test_an_unmeasured_trial_says_why() -> None:
    down = replace(failed(0, []), verdict="error", error="provider: 503", tools=())
    assert evidence(result(down, failed(1, []))) == [
        "a.yaml:3",
        "1 of 2 planned trials measured, 1 error",
        "not measured in 1 of 2 trials: provider: 503",
    ]


def test_a_reason_of_many_lines_is_cut_and_longer_on_request() -> None:
    case = result(failed(0, [check("tools.plan", False, "word " * 100)]))
    assert len(evidence(case, Style(width=40))) == 7
    assert len(evidence(case, Style(width=40), verbose=True)) > 15
