"""The trials of a run that a judge is asked about."""

from typing import TYPE_CHECKING

from fairtrial.cases import load_suite
from fairtrial.flow.measured import measured_trials
from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_measured_trials_come_with_their_case_where_it_is_known(desk: "Desk") -> None:
    desk.cases(desk.case("a"), desk.case("b"), desk.case("c"))
    error = {"kind": "provider", "message": "503"}
    desk.record(desk.recording("a"), {"case": "b", "error": error}, desk.recording("c"))
    desk.graded()
    run = find_run("latest", desk.folder)
    known = [case for case in load_suite([desk.folder / "cases.json"]).cases if case.id == "a"]
    told = [
        (trial.case, case.input, trajectory.answer)
        for trial, case, trajectory in measured_trials(run, known)
    ]
    assert told == [("a", "Hello?", "All done."), ("c", None, "All done.")]
