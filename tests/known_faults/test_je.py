"""Errors and denominators: what was not measured is counted, and never makes a rate better."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

INFRA = {"kind": "provider", "message": "503"}


def results(desk: "Desk", out: str, **trials: str) -> None:
    """Grade trials: p passes, f fails, e is an error."""
    desk.cases(*(desk.case(name) for name in trials))
    desk.record(
        *(
            desk.recording(name, error=INFRA)
            if one == "e"
            else desk.recording(name, "done" if one == "p" else "no")
            for name, row in trials.items()
            for one in row
        )
    )
    desk.grade(out=out)


def test_turning_a_failure_into_an_error_never_makes_a_gate_green(desk: "Desk") -> None:
    """BL-28."""
    results(desk, "a.json", x="p", y="f")
    results(desk, "b.json", x="p", y="e")
    desk.run("accept", "a.json")
    a, b = desk.read("a.json")["scorecard"], desk.read("b.json")["scorecard"]
    assert (a["pass_rate"], b["pass_rate"], b["errors"], b["not_measured"]) == (0.5, 1.0, 1, ["y"])
    assert desk.run("gate", "a.json").code == 0
    assert desk.run("gate", "b.json").code == 3
    assert "1 error" in desk.run("report", "b.json").out


@pytest.mark.parametrize("shape", ["pfff", "ffff"])
def test_no_number_of_errors_beats_a_failure(desk: "Desk", shape: str) -> None:
    """BL-28."""
    results(desk, "a.json", x=shape)
    desk.run("accept", "a.json")
    for errors in range(1, 5):
        results(desk, "b.json", x=shape[:-errors] + "e" * errors)
        assert desk.run("gate", "b.json").code != 0


def test_one_surviving_trial_is_no_bare_100_percent(desk: "Desk") -> None:
    """BL-29."""
    results(desk, "out.json", t1="peee", t2="eeee")
    report = desk.read("out.json")
    assert [(one["id"], one["planned"], one["status"]) for one in report["cases"]] == [
        ("t1", 4, "passed"),
        ("t2", 4, "error"),
    ]
    card = report["scorecard"]
    assert (card["trials"], card["passed"], card["errors"]) == (8, 1, 7)
    assert (card["curve"]["1"]["cases"], card["pass^k"]) == (1, None)
    assert desk.grade().code == 3
    assert desk.run("gate", "out.json").code == 3
    assert (card["pass_rate"], card["strict_pass_rate"], card["coverage"]) == (1.0, 0.125, 0.125)


def test_the_rate_with_errors_as_failures_and_the_coverage_stand_beside_the_rate(
    desk: "Desk",
) -> None:
    """BL-28."""
    results(desk, "b.json", x="p", y="e")
    card = desk.read("b.json")["scorecard"]
    assert (card["pass_rate"], card["strict_pass_rate"], card["coverage"]) == (1.0, 0.5, 0.5)
    out = " ".join(desk.run("report", "b.json").out.split())
    assert "measured 50 % of the planned trials" in out
    assert "with the others counted as failed the pass rate is 50 %" in out
