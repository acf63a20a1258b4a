"""What a case is to pytest."""

import pytest

from fairtrial.pytest_plugin.told import Kind, of_case
from fairtrial.records import CaseResult, Check, Status, Trial, Verdict
from fairtrial.report import PLAIN


def trial(number: int, verdict: Verdict) -> Trial:
    check = Check(
        name="tools.plan",
        passed={"passed": True, "failed": False}.get(verdict),
        reason="::error::no",
    )
    return Trial(
        case="c",
        trial=number,
        verdict=verdict,
        stop="answer",
        error="the model is away" if verdict == "error" else None,
        steps=1,
        tokens=None,
        cost=None,
        seconds=None,
        tool_errors=0,
        tools=(),
        failed_calls=(),
        checks=(check,),
    )


def result(*verdicts: Verdict, planned: int | None = None, informs: bool = False) -> CaseResult:
    status: Status = "failed"
    return CaseResult(
        id="c",
        tags=(),
        protected=False,
        hash="0",
        status=status,
        pass_rate=None,
        trials=tuple(trial(number, verdict) for number, verdict in enumerate(verdicts)),
        planned=len(verdicts) if planned is None else planned,
        informs=informs,
    )


def test_only_a_case_whose_trials_were_all_run_and_passed_has_passed() -> None:
    assert of_case(result("passed", "passed"), None, PLAIN) is None
    assert of_case(result("passed", planned=2), "time", PLAIN) is not None


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        (result("passed", "failed"), "failed"),
        (result("failed", "error"), "error"),
        (result("passed", "error"), "error"),
        (result("failed", planned=2), "error"),
        (result(planned=2), "error"),
        (result("failed", informs=True), "informs"),
        (result("error", informs=True), "informs"),
    ],
)
def test_an_error_beats_a_failure_as_in_the_exit_code(case: CaseResult, kind: Kind) -> None:
    told = of_case(case, "the time was up", PLAIN)
    assert told is not None
    assert told.kind == kind


def test_what_was_not_run_is_said_with_the_reason() -> None:
    told = of_case(result("passed", planned=3), "the time was up", PLAIN)
    assert told is not None
    assert "2 of 3 planned trials were not run: the time was up" in str(told).splitlines()


def test_no_line_is_a_command_to_a_build() -> None:
    told = of_case(result("failed"), None, PLAIN)
    assert told is not None
    assert not any(line.lstrip().startswith("::") for line in str(told).splitlines())
    assert "::error::no" in told.headline
    assert told.headline.startswith("tools.plan")
