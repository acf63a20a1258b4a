"""Every example suite does what its README says."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LIVE = "dice"
"""The suite of an agent that is not always right: no scripts, no recordings."""

JUDGED = "complaints"
"""The suite of letters that a judge reads: no agent, recordings alone."""

SUITES = sorted(
    folder.parent.name
    for folder in EXAMPLES.glob("*/evals")
    if folder.parent.name not in {LIVE, JUDGED}
)

Done = subprocess.CompletedProcess[str]
Program = Callable[..., Done]
every_suite = pytest.mark.parametrize("suite", SUITES, indirect=True)
every_run = pytest.mark.parametrize("ran", SUITES, indirect=True)


def graded(fairtrial: Program, suite: Path, recordings: str) -> dict[str, object]:
    """Grade recordings in a suite's folder and give the report with the exit code in it."""
    return report(fairtrial, suite, "grade", "--recordings", recordings)


def report(fairtrial: Program, suite: Path, *arguments: str) -> dict[str, object]:
    """Run a command that reports in a suite's folder; give the report, the exit code in it."""
    return reported(suite, fairtrial(suite, *arguments, "--json", "run.json", "--quiet"))


def reported(suite: Path, done: Done) -> dict[str, object]:
    assert done.returncode in {0, 1}, done.stderr
    said: dict[str, object] = json.loads((suite / "run.json").read_text(encoding="utf-8"))
    return {**said, "exit": done.returncode}


def statuses(report: dict[str, object]) -> dict[str, str]:
    cases = report["cases"]
    assert isinstance(cases, list)
    return {case["id"]: case["status"] for case in cases}


def verdicts_of(report: dict[str, object]) -> dict[str, list[object]]:
    """Give by case, for each trial, its verdict, its checks and the tools that it called."""
    cases = report["cases"]
    assert isinstance(cases, list)
    return {
        case["id"]: [
            (
                trial["verdict"],
                trial["tools"],
                [(check["name"], check["passed"]) for check in trial["checks"]],
            )
            for trial in case["trials"]
        ]
        for case in cases
    }


def mode_of(report: dict[str, object]) -> object:
    run = report["run"]
    assert isinstance(run, dict)
    return run["mode"]


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


@every_run
def test_the_agent_passes_three_trials_a_case_offline(ran: tuple[Path, Done]) -> None:
    run = reported(*ran)
    assert set(statuses(run).values()) == {"passed"}
    assert {len(verdicts) for verdicts in verdicts_of(run).values()} == {3}
    assert (run["exit"], mode_of(run)) == (0, "scripted")


@every_run
def test_the_run_holds_against_its_baseline(ran: tuple[Path, Done], fairtrial: Program) -> None:
    assert decided(fairtrial, ran[0]) == (0, {})


@every_run
def test_the_baseline_is_what_accepting_the_run_gives(
    ran: tuple[Path, Done], fairtrial: Program
) -> None:
    suite, _ = ran
    assert fairtrial(suite, "accept", "run.json", "--baseline", "new.json").returncode == 0
    old, new = (
        (suite / name).read_text(encoding="utf-8").splitlines()
        for name in ("evals/baseline.json", "new.json")
    )
    varying = ('  "git": ', '  "suite": ')  # where it was made, which is for people
    assert [line for line in new if not line.startswith(varying)] == [
        line for line in old if not line.startswith(varying)
    ]


@every_suite
def test_the_recorded_agent_passes_three_trials_a_case(suite: Path, fairtrial: Program) -> None:
    run = graded(fairtrial, suite, "recordings.jsonl")
    assert set(statuses(run).values()) == {"passed"}
    assert {len(verdicts) for verdicts in verdicts_of(run).values()} == {3}
    assert run["exit"] == 0


@every_suite
def test_the_recorded_agent_holds_against_its_baseline(suite: Path, fairtrial: Program) -> None:
    graded(fairtrial, suite, "recordings.jsonl")
    assert decided(fairtrial, suite) == (0, {})


BLOCKED = {
    "protected": ["parcel-on-its-way", "do-not-email-me"],
    "case": ["parcel-delayed", "wrong-tool-and-recovery", "right-for-the-wrong-reason"],
    "rate": ["privacy", "recovery", None, "status", "bad-news"],
}


@pytest.mark.parametrize("suite", ["shop"], indirect=True)
@pytest.mark.parametrize(
    "command",
    [("run", "--variant", "no-carrier"), ("grade", "--recordings", "candidate.jsonl")],
    ids=["run", "recorded"],
)
def test_the_guessing_order_desk_is_blocked_though_its_answers_are_right(
    suite: Path, fairtrial: Program, command: tuple[str, ...]
) -> None:
    run = report(fairtrial, suite, *command)
    assert run["exit"] == 1
    assert [name for name, status in statuses(run).items() if status == "passed"] == [
        "unknown-order"
    ]
    assert failing(run) == {"tools.required", "tools.plan"}
    assert decided(fairtrial, suite) == (1, BLOCKED)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("ran", ["shop"], indirect=True)
def test_the_agent_in_another_language_gets_the_same_verdicts(
    ran: tuple[Path, Done], fairtrial: Program
) -> None:
    before = reported(*ran)
    after = report(fairtrial, ran[0], "run", "--variant", "node")
    assert verdicts_of(after) == verdicts_of(before)
    assert mode_of(after) == "scripted"


@pytest.mark.parametrize("suite", ["operations"], indirect=True)
def test_the_cheaper_shop_floor_agent_is_blocked_by_its_one_protected_case(
    suite: Path, fairtrial: Program
) -> None:
    before = graded(fairtrial, suite, "recordings.jsonl")["scorecard"]
    run = graded(fairtrial, suite, "candidate.jsonl")
    after = run["scorecard"]
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert after["total_tokens"] < before["total_tokens"]
    assert after["mean_plan_score"] > before["mean_plan_score"]
    assert [name for name, status in statuses(run).items() if status != "passed"] == ["hoist-limit"]
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
    run = graded(fairtrial, suite, "paid-twice.jsonl")
    assert [case for case, status in statuses(run).items() if status == "failed"] == [name]
    assert failing(run) == {"state.payments"}


@pytest.mark.parametrize("suite", ["support"], indirect=True)
def test_the_hasty_billing_desk_pays_twice_and_is_blocked(suite: Path, fairtrial: Program) -> None:
    run = report(fairtrial, suite, "run", "--variant", "hasty")
    assert {name for name, status in statuses(run).items() if status == "failed"} == {
        "lost-reply-is-not-a-second-payment",
        "paid-though-the-reply-was-lost",
    }
    assert {"state.payments", "state.wallet"} <= failing(run)
    assert decided(fairtrial, suite)[1]["protected"] == ["paid-though-the-reply-was-lost"]


@pytest.mark.parametrize("suite", ["travel"], indirect=True)
def test_the_slow_booking_is_shown_and_fails_nothing(suite: Path, fairtrial: Program) -> None:
    scorecard = graded(fairtrial, suite, "recordings.jsonl")["scorecard"]
    assert isinstance(scorecard, dict)
    assert scorecard["checks"]["limits.seconds"] == {"passed": 20, "total": 21}
    assert scorecard["failed"] == 0


@pytest.mark.parametrize("ran", [LIVE], indirect=True)
def test_an_agent_that_is_not_always_right_holds_against_its_baseline(
    ran: tuple[Path, Done], fairtrial: Program
) -> None:
    run = reported(*ran)
    assert (mode_of(run), run["exit"]) == ("live", 1)
    assert {"passed", "flaky"} == set(statuses(run).values())
    assert decided(fairtrial, ran[0]) == (0, {})


@pytest.mark.parametrize("suite", [LIVE], indirect=True)
def test_a_change_that_makes_it_hasty_is_confirmed_and_one_that_rewords_it_passes(
    suite: Path, fairtrial: Program
) -> None:
    confirm = ("gate", "--confirm", "--baseline-variant", "none", "--json", "decision.json")
    for variant, alone, confirmed in (("reworded", 0, 0), ("hasty", 4, 1)):
        assert fairtrial(suite, "run", "--variant", variant, "--quiet").returncode == 1
        assert fairtrial(suite, "gate").returncode == alone
        assert fairtrial(suite, *confirm).returncode == confirmed
    reasons = json.loads((suite / "decision.json").read_text(encoding="utf-8"))["reasons"]
    failed = {reason["case"] for reason in reasons if reason["kind"] == "fail"}
    assert failed == {"money-0", "money-1"}


SORRY = "Says sorry for what went wrong"
HONEST = "Names no amount of money that no tool returned"


def judged_items(run: dict[str, object]) -> dict[str, tuple[bool, bool]]:
    """Give by item whether it decides, and whether it was judged at all."""
    scorecard = run["scorecard"]
    assert isinstance(scorecard, dict)
    return {
        item["item"]: (item["decides"], item["judged"] > 0) for item in scorecard["judge"]["items"]
    }


@pytest.mark.parametrize("suite", [JUDGED], indirect=True)
def test_letters_are_judged_by_replay_and_an_item_decides_once_it_is_calibrated(
    suite: Path, fairtrial: Program
) -> None:
    run = graded(fairtrial, suite, "letters.jsonl")
    assert judged_items(run) == {SORRY: (True, True), HONEST: (False, True)}
    assert (run["exit"], failing(run)) == (1, {"rubric"})
    (suite / "evals" / "calibration.json").unlink()
    run = graded(fairtrial, suite, "letters.jsonl")
    assert judged_items(run) == {SORRY: (False, True), HONEST: (False, True)}
    assert (run["exit"], failing(run)) == (0, set())


@pytest.mark.parametrize("suite", [JUDGED], indirect=True)
def test_the_calibration_is_what_calibrating_gives(suite: Path, fairtrial: Program) -> None:
    assert graded(fairtrial, suite, "letters.jsonl")["exit"] == 1
    (verdicts,) = suite.glob(".fairtrial/runs/*/verdicts.jsonl")
    told = fairtrial(
        suite,
        *("judge", "calibrate", "--labels", "evals/labels.jsonl"),
        *("--verdicts", str(verdicts), "--json", "new.json"),
    )
    assert told.returncode == 0
    old, new = (
        json.loads((suite / name).read_text(encoding="utf-8"))
        for name in ("evals/calibration.json", "new.json")
    )
    assert new == old
    assert [item["trusted"] for item in new["items"]] == [True, False]
