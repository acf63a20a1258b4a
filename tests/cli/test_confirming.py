"""fairtrial gate --confirm: against a variant, and against a revision of the team's repository."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.cli.confirming import Confirm, confirm_by_itself
from fairtrial.config import find_project
from fairtrial.flow.confirm import Told
from fairtrial.records import GateSettings, Json
from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.cli.conftest import Bench
    from tests.conftest import Ran

AGENT = """
import hashlib
from pathlib import Path

RATES = {"steady": 1.0, "flaky": 0.75, "money": 1.0}

def agent(task):
    rates = RATES | task.variant.settings
    digest = hashlib.sha256(f"{task.seed}:{task.variant.name}".encode()).digest()
    return "done" if digest[0] / 256 < rates[task.case.rstrip("0123456789")] else "no"
"""

SETTINGS = """
model = "live"
trials = 5
[variants.same]
[variants.broken]
settings = {money = 0.3}
[variants.weaker]
settings = {steady = 0.4}
"""


def flaky_suite(bench: "Bench", agent: str = AGENT) -> None:
    cases = [
        bench.desk.case(f"{name}{number}", protected=name == "money")
        for name, count in (("steady", 8), ("flaky", 6), ("money", 2))
        for number in range(count)
    ]
    bench.suite(agent, *cases, settings=SETTINGS)


@pytest.fixture
def accepted(bench: "Bench") -> "Bench":
    """Give a suite with a seeded flaky agent, and what it did accepted."""
    flaky_suite(bench)
    bench.run("-q")
    assert bench.desk.run("accept").code == 0
    return bench


def gated(bench: "Bench", *options: str) -> tuple["Ran", Json]:
    ran = bench.desk.run("gate", "--json", "d.json", *options)
    return ran, bench.desk.read("d.json")


def against_none(bench: "Bench", *options: str) -> tuple["Ran", Json]:
    return gated(bench, "--confirm", "--baseline-variant", "none", *options)


def test_the_unchanged_agent_passes(accepted: "Bench") -> None:
    accepted.run("-q", "--variant", "same")
    ran, decision = against_none(accepted, "--thoroughness", "4")
    assert (ran.code, decision["decision"]) == (0, "pass")
    assert decision["spent"]["flagged"] > 0
    assert 0 < decision["spent"]["trials"] < decision["spent"]["everywhere"] / 2
    assert "fresh trials on both sides together" in " ".join(ran.out.split())


def test_a_broken_protected_case_fails_and_without_fresh_trials_it_is_open(
    accepted: "Bench",
) -> None:
    accepted.run("-q", "--variant", "broken")
    ran, decision = gated(accepted)
    assert (ran.code, decision["decision"], decision["spent"]) == (4, "inconclusive", None)
    text = " ".join(ran.out.split())
    assert "--confirm --baseline-variant NAME` with 10 to 50 on either side" in text
    ran, decision = against_none(accepted)
    assert (ran.code, decision["decision"]) == (1, "fail")
    assert decision["reasons"][0]["case"].startswith("money")
    assert decision["reasons"][0]["interval"][1] < 0


def test_weaker_cases_are_named(accepted: "Bench") -> None:
    accepted.run("-q", "--variant", "weaker")
    ran, decision = against_none(accepted)
    worse = {reason["case"] for reason in decision["reasons"] if reason["kind"] == "fail"}
    assert ran.code == 1
    assert {case for case in worse if case} <= {f"steady{number}" for number in range(8)}
    assert len(worse) > 2


def test_both_sides_can_be_looked_at_and_the_newest_run_stays_the_newest(
    accepted: "Bench",
) -> None:
    accepted.run("-q", "--variant", "broken")
    before = accepted.desk.runs()
    ran, _ = against_none(accepted)
    assert accepted.desk.runs() == before
    folders = sorted((accepted.folder / ".fairtrial" / "confirm").iterdir())
    assert [folder.name.rpartition("-")[2] for folder in folders] == ["baseline", "candidate"]
    assert f"fresh trials are in .fairtrial/confirm/{folders[0].name}" in ran.err
    shown = accepted.desk.run("diff", *folders)
    assert shown.code == 0
    assert "money" in shown.out


def test_the_same_run_confirmed_again_is_told_the_same(accepted: "Bench") -> None:
    accepted.run("-q", "--variant", "weaker")
    first, second = against_none(accepted)[1], against_none(accepted)[1]
    assert first == second


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--baseline-variant", "same"], "--baseline-variant is for confirming; add --confirm"),
        (["--max-cost", "1"], "--max-cost is for confirming; add --confirm"),
        (["--confirm"], "does not say which commit it was made from"),
        (["--confirm", "--baseline-variant", "x"], "no variant 'x'"),
        (
            ["--confirm", "--baseline-variant", "same", "--baseline-rev", "v1"],
            "name two baseline sides; keep one",
        ),
        (
            ["--confirm", "--baseline-variant", "same", "--baseline-python", "python"],
            "a variant runs as it is set",
        ),
        (["--confirm", "--baseline-rev", "v1"], "cannot be had from git"),
        (["--confirm", "--max-cost", "-1"], "--max-cost"),
    ],
)
def test_what_does_not_fit_together_is_told(
    accepted: "Bench", options: list[str], said: str
) -> None:
    accepted.run("-q", "--variant", "broken")
    ran = accepted.desk.run("gate", *options)
    assert (ran.code, said in " ".join(ran.err.split())) == (2, True), ran.err


def test_recordings_cannot_be_confirmed(bench: "Bench") -> None:
    desk = bench.desk
    desk.cases(desk.case("a", protected=True))
    desk.record(*(desk.recording("a", answer, model="live") for answer in ("done", "no")))
    desk.grade()
    ran = desk.run("gate", "--confirm", "--baseline-variant", "none")
    assert ran.code == 2
    assert "recordings were graded there" in ran.err


def test_a_case_that_changed_since_the_run_is_refused(accepted: "Bench") -> None:
    accepted.run("-q", "--variant", "broken")
    accepted.desk.cases(accepted.desk.case("money0", "other"))
    ran = accepted.desk.run("gate", "--confirm", "--baseline-variant", "none")
    assert ran.code == 2
    assert "run the suite anew" in ran.err


# Against a revision.


def git(folder: Path, *words: str) -> None:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    subprocess.run(command, check=True, capture_output=True)


OLD = AGENT.replace(
    "def agent(task):", "WORD = Path('word').read_text()\ndef agent(task):"
).replace('return "done"', "return WORD")


@pytest.fixture
def committed(bench: "Bench") -> "Bench":
    """Give a repository in which the agent was good; in the present tree it reads a worse word."""
    flaky_suite(bench, OLD)
    bench.desk.write("word", "done")
    bench.desk.write(".gitignore", ".fairtrial\n__pycache__\n")
    git(bench.folder, "init", "-q")
    git(bench.folder, "add", ".")
    git(bench.folder, "commit", "-q", "-m", "one")
    bench.program("run", "-q")
    bench.program("accept")
    worse = OLD.replace('"money": 1.0', '"money": 0.3').replace("'word'", "'worse'")
    bench.desk.write("agent.py", worse)
    bench.desk.write("worse", "done")
    bench.desk.write("word", "no")  # the old agent must read that of its own tree
    return bench


def test_the_commit_of_the_baseline_is_the_other_side_and_it_runs_in_its_own_tree(
    committed: "Bench",
) -> None:
    committed.program("run", "-q")
    done = committed.program("gate", "--confirm", "--json", "d.json")
    decision = committed.desk.read("d.json")
    assert done.returncode == 1, done.stdout + done.stderr
    fails = [reason for reason in decision["reasons"] if reason["kind"] == "fail"]
    assert {reason["case"] for reason in fails} <= {"money0", "money1"}
    texts = " ".join(reason["text"] for reason in fails)
    assert "on fresh trials revision " in texts
    assert "passed 10 of 10" in texts
    assert git_worktrees(committed.folder) == 1


def git_worktrees(folder: Path) -> int:
    command = ["git", "-C", str(folder), "worktree", "list"]
    return len(subprocess.run(command, check=True, capture_output=True).stdout.splitlines())


def test_an_interpreter_of_its_own_may_be_named(committed: "Bench") -> None:
    committed.program("run", "-q")
    said = ["gate", "--confirm", "--baseline-rev", "HEAD", "--baseline-python"]
    done = committed.program(*said, sys.executable)
    assert done.returncode == 1, done.stdout + done.stderr
    for name, words in (("no-such-python", "no such program"), ("true", "")):
        done = committed.program(*said, name)
        assert (words in done.stderr, "Traceback" in done.stderr) == (True, False)


def test_a_command_of_a_revision_runs_in_its_own_tree_too(bench: "Bench") -> None:
    command = "from pathlib import Path\nprint(Path('word').read_text())\n"
    bench.suite(command, bench.desk.case("a"), settings='model = "live"\ntrials = 5\n')
    settings = (bench.folder / "fairtrial.toml").read_text()
    settings = settings.replace('"agent:agent"', '{command = ["python", "agent.py"]}')
    bench.desk.write("fairtrial.toml", settings)
    bench.desk.write("word", "done")
    bench.desk.write(".gitignore", ".fairtrial\n")
    git(bench.folder, "init", "-q")
    git(bench.folder, "add", ".")
    git(bench.folder, "commit", "-q", "-m", "one")
    bench.program("run", "-q")
    bench.program("accept")
    bench.desk.write("word", "no")
    bench.program("run", "-q")
    done = bench.program("gate", "--confirm")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "passed 10 of 10 and this one 0 of 10" in " ".join(done.stdout.split())


def test_an_agent_at_an_address_has_no_revisions(committed: "Bench") -> None:
    settings = committed.folder / "fairtrial.toml"
    was = settings.read_text()
    committed.program("run", "-q")
    settings.write_text(was.replace('agent = "agent:agent"', 'agent = {url = "http://x"}'))
    git(committed.folder, "commit", "-q", "-a", "-m", "two")
    settings.write_text(was)
    done = committed.program("gate", "--confirm", "--baseline-rev", "HEAD")
    assert done.returncode == 2
    assert "name it as a variant" in done.stderr
    assert git_worktrees(committed.folder) == 1


# By itself, after a run.


def by_itself(bench: "Bench") -> Told | None:
    project = find_project(bench.folder)
    run = find_run("latest", bench.folder)
    return confirm_by_itself(
        project, run, bench.folder / "evals/baseline.json", GateSettings(), Confirm(quiet=True)
    )


def test_a_run_is_confirmed_by_itself_against_the_baselines_commit(committed: "Bench") -> None:
    committed.run("-q")
    told = by_itself(committed)
    assert told is not None
    assert {one.verdict for one in told.confirmation.results if one.arm == "protected"} == {"worse"}


def test_where_nobody_knows_the_other_side_nothing_is_run_by_itself(accepted: "Bench") -> None:
    accepted.run("-q", "--variant", "broken")
    assert by_itself(accepted) is None
    assert not (accepted.folder / ".fairtrial" / "confirm").exists()
