"""The story of gate, accept and diff, without the command line."""

import json
from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import BaselineError, StoreError
from fairtrial.flow.compare import accept_run, candidate_of, diff_runs, gate_run
from fairtrial.records import GateSettings, Json
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def saved(desk: "Desk", **answers: list[str]) -> SavedRun:
    """Grade cases that want "done" by these answers, and open the run."""
    desk.cases(*(desk.case(name) for name in answers))
    desk.record(*(desk.recording(one, text) for one in answers for text in answers[one]))
    desk.grade()
    return find_run("latest", desk.folder)


def test_a_run_is_folded_in_suite_order(desk: "Desk") -> None:
    folded = candidate_of(saved(desk, b=["done", "no"], a=["done"]))
    assert [(case.id, case.passed, case.measured) for case in folded.cases] == [
        ("b", 1, 2),
        ("a", 1, 1),
    ]


def test_the_gate_writes_the_first_baseline_only_outside_ci_and_only_on_a_pass(
    desk: "Desk",
) -> None:
    file = desk.folder / "sub" / "b.json"
    good, bad = saved(desk, a=["done"]), saved(desk, a=[])
    settings = GateSettings()
    assert gate_run(good, file, settings, {"CI": "yes"}).exit == 3
    assert gate_run(bad, file, settings, {}).exit == 3
    assert not file.exists()
    assert gate_run(good, file, settings, {}).exit == 0
    written = file.read_bytes()
    assert gate_run(good, file, settings, {"CI": "yes"}).exit == 0
    assert gate_run(bad, file, settings, {}).exit == 3
    assert file.read_bytes() == written


def test_accepting_says_how_many_cases_were_measured(desk: "Desk") -> None:
    accepted = accept_run(saved(desk, a=["done"], b=[]), desk.folder / "b.json")
    assert accepted == (1, ("b",), (), 0)
    assert accept_run(saved(desk, a=[]), desk.folder / "new.json") == (0, ("a",), (), 3)
    assert not (desk.folder / "new.json").exists()


def test_a_baseline_that_cannot_be_written_is_said(desk: "Desk") -> None:
    run = saved(desk, a=["done"])
    with pytest.raises(BaselineError, match=r"runs\.jsonl/b\.json: cannot be written"):
        accept_run(run, desk.folder / "runs.jsonl" / "b.json")


def test_two_runs_are_compared_in_the_order_given(desk: "Desk") -> None:
    before, after = saved(desk, a=["done"], gone=["done"]), saved(desk, a=["no"], new=["done"])
    found = diff_runs(before, after)
    assert [case.id for case in found.regressions] == ["a"]
    assert [case.id for case in found.new] == ["new"]
    assert [case.id for case in found.removed] == ["gone"]


def test_a_run_without_its_files_is_said(desk: "Desk") -> None:
    run = saved(desk, a=["done"])
    (desk.runs()[0] / "scorecard.json").unlink()
    with pytest.raises(StoreError, match="cut short"):
        candidate_of(run)


# Measured noise.


def measured(desk: "Desk", **fields: Json) -> None:
    told = {
        "runs": 5,
        "cases": 1,
        "k": 2,
        "mode": "live",
        "tolerance": 0.1,
        "sampling": 0.0,
        "tolerance_of_two": 0.5,
        "tau2": 0.04,
        "mean": 1.0,
        "sd": 0.1,
        "rates": [1.0],
    }
    desk.write("tolerance.json", json.dumps(told | fields))


def test_noise_measured_beside_the_baseline_is_in_the_test_of_rates(desk: "Desk") -> None:
    names = [f"c{number}" for number in range(12)]
    desk.cases(*map(desk.case, names))
    desk.record(*(desk.recording(name, "done", model="live") for name in names for _ in "12"))
    desk.grade()
    accept_run(find_run("latest", desk.folder), desk.folder / "b.json")
    desk.record(
        *(desk.recording(name, answer, model="live") for name in names for answer in ("no", "done"))
    )
    desk.grade()
    worse = find_run("latest", desk.folder)

    def kind() -> str:
        decision = gate_run(worse, desk.folder / "b.json", GateSettings(), {})
        (reason,) = (reason for reason in decision.reasons if reason.rule == "rate")
        return reason.kind

    assert kind() == "fail"
    measured(desk)
    assert kind() == "note"
    measured(desk, k=3)  # of another number of trials a case
    assert kind() == "fail"
    desk.write("tolerance.json", "{")
    with pytest.raises(StoreError, match=r"tolerance\.json: no measured tolerance"):
        kind()


def test_a_decision_is_kept_beside_its_run_with_what_it_was_held_against(desk: "Desk") -> None:
    file = desk.folder / "b.json"
    good = saved(desk, a=["done"])
    before = good.gated
    assert before is None
    first = gate_run(good, file, GateSettings(), {})
    kept = good.gated
    assert kept is not None
    assert (kept.decision, kept.baseline, kept.file) == (first, None, str(file))
    bad = saved(desk, a=["no"])
    decision = gate_run(bad, file, GateSettings(), {})
    accept_run(bad, file)
    kept = find_run("latest", desk.folder).gated
    assert kept is not None
    assert (kept.decision, kept.decision.exit) == (decision, 1)
    assert kept.baseline is not None
    assert kept.baseline.cases["a"].passed == 1  # as it was when it was asked


def test_a_decision_that_cannot_be_kept_stands(desk: "Desk") -> None:
    run = saved(desk, a=["done"])
    assert run.folder is not None
    (run.folder / "gate.json").mkdir()
    assert gate_run(run, desk.folder / "b.json", GateSettings(), {}).exit == 0
