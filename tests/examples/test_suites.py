"""Every example suite does what its README says."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SUITES = sorted(folder.parent.name for folder in EXAMPLES.glob("*/evals"))

Program = Callable[..., subprocess.CompletedProcess[str]]
every_suite = pytest.mark.parametrize("suite", SUITES, indirect=True)


def graded(fairtrial: Program, suite: Path, recordings: str) -> dict[str, object]:
    """Grade recordings in a suite's folder and give the report with the exit code in it."""
    done = fairtrial(suite, "grade", "--recordings", recordings, "--json", "run.json", "--quiet")
    assert done.stderr == ""
    report: dict[str, object] = json.loads((suite / "run.json").read_text(encoding="utf-8"))
    return {**report, "exit": done.returncode}


def statuses(report: dict[str, object]) -> dict[str, str]:
    cases = report["cases"]
    assert isinstance(cases, list)
    return {case["id"]: case["status"] for case in cases}


def failing(report: dict[str, object]) -> set[str]:
    """Give the names, without brackets, of all checks that failed in any trial and decide."""
    cases = report["cases"]
    assert isinstance(cases, list)
    checks = [check for case in cases for trial in case["trials"] for check in trial["checks"]]
    failed = [one for one in checks if one["passed"] is False and one["decides"]]
    return {one["name"].partition("[")[0] for one in failed}


def decided(fairtrial: Program, suite: Path) -> tuple[int, dict[str, list[str | None]]]:
    """Run the gate on the report; give its exit code, and by rule what each fail is about."""
    done = fairtrial(suite, "gate", "run.json", "--json", "decision.json")
    decision = json.loads((suite / "decision.json").read_text(encoding="utf-8"))
    about: dict[str, list[str | None]] = {}
    for reason in decision["reasons"]:
        if reason["kind"] == "fail":
            about.setdefault(reason["rule"], []).append(reason["case"] or reason["tag"])
    assert decision["exit"] == done.returncode
    return done.returncode, about


def test_there_are_suites_to_test() -> None:
    assert SUITES == ["operations", "shop", "support", "travel"]


@every_suite
def test_the_recorded_agent_passes_every_trial(suite: Path, fairtrial: Program) -> None:
    report = graded(fairtrial, suite, "recordings.jsonl")
    assert set(statuses(report).values()) == {"passed"}
    assert report["exit"] == 0


@every_suite
def test_every_case_has_three_trials(suite: Path, fairtrial: Program) -> None:
    cases = graded(fairtrial, suite, "recordings.jsonl")["cases"]
    assert isinstance(cases, list)
    assert {len(case["trials"]) for case in cases} == {3}


@every_suite
def test_the_recorded_agent_holds_against_its_baseline(suite: Path, fairtrial: Program) -> None:
    graded(fairtrial, suite, "recordings.jsonl")
    assert decided(fairtrial, suite) == (0, {})


@every_suite
def test_the_baseline_is_what_accepting_the_recordings_gives(
    suite: Path, fairtrial: Program
) -> None:
    graded(fairtrial, suite, "recordings.jsonl")
    assert fairtrial(suite, "accept", "run.json", "--baseline", "new.json").returncode == 0
    old, new = (
        (suite / name).read_text(encoding="utf-8").splitlines()
        for name in ("evals/baseline.json", "new.json")
    )
    varying = ('  "git": ', '  "suite": ')  # where it was made, which is for people
    assert [line for line in new if not line.startswith(varying)] == [
        line for line in old if not line.startswith(varying)
    ]


@pytest.mark.parametrize("suite", ["shop"], indirect=True)
def test_the_guessing_order_desk_is_blocked_though_its_answers_are_right(
    suite: Path, fairtrial: Program
) -> None:
    report = graded(fairtrial, suite, "candidate.jsonl")
    assert report["exit"] == 1
    assert [name for name, status in statuses(report).items() if status == "passed"] == [
        "unknown-order"
    ]
    assert failing(report) == {"tools.required", "tools.plan"}
    assert decided(fairtrial, suite) == (
        1,
        {
            "protected": ["parcel-on-its-way", "do-not-email-me"],
            "case": ["parcel-delayed", "wrong-tool-and-recovery", "right-for-the-wrong-reason"],
            "rate": ["privacy", "recovery", None, "status", "bad-news"],
        },
    )


@pytest.mark.parametrize("suite", ["operations"], indirect=True)
def test_the_cheaper_shop_floor_agent_is_blocked_by_its_one_protected_case(
    suite: Path, fairtrial: Program
) -> None:
    before = graded(fairtrial, suite, "recordings.jsonl")["scorecard"]
    report = graded(fairtrial, suite, "candidate.jsonl")
    after = report["scorecard"]
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after["total_tokens"] < before["total_tokens"]
    assert after["mean_plan_score"] > before["mean_plan_score"]
    assert [name for name, status in statuses(report).items() if status != "passed"] == [
        "hoist-limit"
    ]
    assert decided(fairtrial, suite) == (
        1,
        {"protected": ["hoist-limit"], "rate": ["safety", None]},
    )


@pytest.mark.parametrize("suite", ["support"], indirect=True)
def test_a_second_payment_fails_the_case_whatever_was_said(suite: Path, fairtrial: Program) -> None:
    lines = (suite / "recordings.jsonl").read_text(encoding="utf-8").splitlines()
    name = "lost-reply-is-not-a-second-payment"
    trials = [json.loads(line) for line in lines]
    for trial in trials:
        if trial["case"] == name:
            trial["state"]["payments"] *= 2
    changed = suite / "paid-twice.jsonl"
    changed.write_text("".join(f"{json.dumps(one)}\n" for one in trials), encoding="utf-8")
    report = graded(fairtrial, suite, "paid-twice.jsonl")
    assert [case for case, status in statuses(report).items() if status == "failed"] == [name]
    assert failing(report) == {"state.payments"}


@pytest.mark.parametrize("suite", ["travel"], indirect=True)
def test_the_slow_booking_is_shown_and_fails_nothing(suite: Path, fairtrial: Program) -> None:
    scorecard = graded(fairtrial, suite, "recordings.jsonl")["scorecard"]
    assert isinstance(scorecard, dict)
    assert scorecard["checks"]["limits.seconds"] == {"passed": 17, "total": 18}
    assert scorecard["failed"] == 0
