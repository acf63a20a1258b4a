"""What one pass over the trials of a case keeps."""

import msgspec

from fairtrial.gate import summarise
from fairtrial.records import CaseResult, Check, Trial, Verdict


def trial(verdict: Verdict = "passed", *checks: Check, **fields: object) -> Trial:
    known = {
        "case": "c1",
        "trial": 0,
        "verdict": verdict,
        "stop": "answer",
        "error": None,
        "steps": 2,
        "tokens": 100,
        "cost": 0.5,
        "seconds": None,
        "tool_errors": 0,
        "tools": (),
        "failed_calls": (),
        "checks": checks,
    }
    return msgspec.convert(known | fields, Trial)


def check(name: str, passed: bool | None, *, decides: bool = True, reason: str = "why") -> Check:
    score = None if passed is None else float(passed)
    return Check(name=name, passed=passed, score=score, decides=decides, reason=reason)


def case(*trials: Trial, planned: int = 0) -> CaseResult:
    return CaseResult(
        id="c1",
        tags=("fee",),
        protected=True,
        hash="h",
        status="flaky",
        pass_rate=None,
        trials=trials,
        planned=planned,
        source="a.yaml:3",
    )


def test_trials_are_counted_by_verdict() -> None:
    outcome = summarise(case(trial(), trial("failed"), trial("error"), planned=5))
    assert (outcome.passed, outcome.failed, outcome.errors) == (1, 1, 1)
    assert (outcome.measured, outcome.planned, outcome.unmeasured) == (2, 5, 3)


def test_more_trials_than_planned_are_all_planned() -> None:
    assert summarise(case(trial(), trial(), planned=1)).unmeasured == 0


def test_checks_of_one_name_count_as_one_that_passes_when_all_do() -> None:
    both = [check("answer.contains[a]", True), check("answer.contains[b]", False)]
    all_pass = [check("answer.contains[a]", True), check("answer.contains[b]", True)]
    outcome = summarise(case(trial("failed", *both), trial("passed", *all_pass)))
    assert outcome.checks == {"answer.contains": (1, 2)}


def test_a_trial_with_a_null_check_is_left_out_of_that_name() -> None:
    known, unknown = check("limits.cost", True), check("limits.cost", None)
    outcome = summarise(case(trial("passed", known), trial("error", unknown)))
    assert outcome.checks == {"limits.cost": (1, 1)}


def test_a_bracket_in_a_phrase_does_not_lengthen_the_name() -> None:
    assert summarise(case(trial("passed", check("a.b[x [y]] #2", True)))).checks == {"a.b": (1, 1)}


def test_names_with_a_check_that_does_not_decide_inform() -> None:
    checks = [check("finished", True), check("limits.seconds", True, decides=False)]
    assert summarise(case(trial("passed", *checks))).informing == ("limits.seconds",)


def test_means_are_over_measured_trials() -> None:
    outcome = summarise(case(trial(steps=2), trial(steps=3), trial("error", steps=99)))
    assert (outcome.steps, outcome.tokens, outcome.cost) == (2.5, 100.0, 0.5)


def test_one_unknown_amount_makes_the_mean_unknown() -> None:
    outcome = summarise(case(trial(cost=None), trial(cost=1.0)))
    assert (outcome.cost, outcome.tokens) == (None, 100.0)


def test_nothing_measured_has_no_means() -> None:
    outcome = summarise(case(trial("error"), planned=2))
    assert (outcome.steps, outcome.rate, outcome.strict_rate) == (None, None, 0.0)


def test_estimated_tokens_are_unknown() -> None:
    assert summarise(case(trial(), trial(estimated=True))).tokens is None


def test_a_count_beyond_floats_is_unknown() -> None:
    huge = msgspec.structs.replace(trial(), tokens=10**400)
    assert summarise(case(huge)).tokens is None


def test_the_reason_is_the_first_failed_deciding_check_of_the_first_failed_trial() -> None:
    checks = [check("a", False, decides=False), check("b", True), check("c[x]", False, reason="no")]
    outcome = summarise(case(trial(), trial("error", error="429"), trial("failed", *checks)))
    assert outcome.reason == "c[x]: no"


def test_where_no_trial_failed_the_reason_is_the_first_error() -> None:
    outcome = summarise(case(trial(), trial("error", error="503 upstream")))
    assert outcome.reason == "503 upstream"
    assert summarise(case(trial("error", check("c", None, reason="no state")))).reason == (
        "c: no state"
    )


def test_a_passed_case_has_no_reason() -> None:
    assert summarise(case(trial())).reason is None


def test_one_live_trial_is_seen() -> None:
    assert summarise(case(trial(), trial(model="live"))).live
    assert not summarise(case(trial(model="scripted"))).live
