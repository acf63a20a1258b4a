"""fairtrial run --gate: a run, and then the decision and its exit code."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

CHANGED = """
import os
def agent(task):
    return "no" if task.case in os.environ.get("BROKEN", "") else "done"
"""
BASELINE = "evals/baseline.json"


@pytest.fixture
def gated(bench: "Bench") -> "Bench":
    """A suite with a baseline."""
    bench.suite(CHANGED, *map(bench.desk.case, "ab"))
    assert bench.run().code == 0
    assert bench.desk.run("accept").code == 0
    return bench


def test_a_run_that_holds_passes(gated: "Bench") -> None:
    ran = gated.run("--gate")
    assert (ran.code, ran.last) == (0, "exit 0: pass")
    assert f"PASS: the run holds against {BASELINE}" in ran.out
    assert ran.out.count("exit ") == 1


def test_a_loss_is_stopped_with_its_name(gated: "Bench", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKEN", "b")
    before = (gated.folder / BASELINE).read_bytes()
    ran = gated.run("--gate")
    assert (ran.code, ran.last.partition(": ")[0]) == (1, "exit 1")
    assert "b " in ran.out[ran.out.index("FAIL") :]
    assert (gated.folder / BASELINE).read_bytes() == before
    assert gated.run("--gate", "a").code == 0


def test_the_same_decision_as_by_the_two_commands(
    gated: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "b")
    together = gated.run("--gate").out
    alone = gated.desk.run("gate")
    assert alone.code == 1
    assert alone.out.strip() in together


def test_without_a_baseline_the_first_is_written_and_in_ci_it_is_not(
    bench: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.suite()
    monkeypatch.setenv("CI", "true")
    ran = bench.run("--gate")
    assert (ran.code, ran.last) == (3, "exit 3: error: not measured")
    assert not (bench.folder / BASELINE).exists()
    monkeypatch.delenv("CI")
    ran = bench.run("--gate")
    assert (ran.code, "this run was written as the first" in " ".join(ran.out.split())) == (0, True)
    assert (bench.folder / BASELINE).is_file()


def test_another_baseline_may_be_named(gated: "Bench") -> None:
    assert gated.run("--gate", "--baseline", "other.json").code == 0
    assert (gated.folder / "other.json").is_file()


def test_what_was_not_measured_is_no_pass(gated: "Bench") -> None:
    gated.desk.write("agent.py", "import fairtrial as ft\ndef agent(task):\n"
                     "    raise ft.ProviderError('out')\n")  # fmt: skip
    done = gated.program("run", "--gate", "--strict")
    assert done.returncode in {1, 3}
    assert "Traceback" not in done.stderr


def test_a_case_that_is_gone_needs_allowing(gated: "Bench") -> None:
    gated.desk.cases(gated.desk.case("a"))
    assert gated.run("--gate").code == 1
    assert gated.run("--gate", "--allow-removed").code == 0


def test_a_gated_report_is_written_all_the_same(
    gated: "Bench", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "b")
    report = gated.report("--gate", code=1)
    assert report["scorecard"]["failed"] == 1


def test_quietly_the_decision_is_told_without_the_scorecard(gated: "Bench") -> None:
    ran = gated.run("--gate", "-q")
    assert ran.out == f"\nPASS: the run holds against {BASELINE}\n\nexit 0: pass\n"
