"""A graded run: its cases read back from the disk, whole or as the terminal shows them."""

from typing import TYPE_CHECKING

from fairtrial.cases import Suite, load_suite
from fairtrial.flow.grade import GradeOptions, grade_recordings
from fairtrial.flow.graded import mode_of
from fairtrial.report import PLAIN, scorecard_lines

if TYPE_CHECKING:
    from tests.conftest import Desk


def suite_of(desk: "Desk", *names: str) -> Suite:
    """Write and load cases that want "done"."""
    return load_suite([desk.cases(*(desk.case(name) for name in names))])


def test_a_graded_run_gives_its_cases_from_the_disk(desk: "Desk") -> None:
    suite = suite_of(desk, "a", "b")
    path = desk.record(desk.recording("b"), desk.recording("b", "no"))
    for save in (True, False):
        with grade_recordings(suite, path, GradeOptions(root=desk.folder, save=save)) as run:
            assert [(one.id, len(one.trials)) for one in run.results()] == [("a", 0), ("b", 2)]
            assert [(one.id, len(one.trials)) for one in run.results()] == [("a", 0), ("b", 2)]
            assert (run.exit, run.decides, run.unread.total) == (3, True, 0)


def test_the_views_of_a_run_show_what_its_trials_do(desk: "Desk") -> None:
    suite = suite_of(desk, "a", "b")
    odd = {"cost": -1.0}
    path = desk.record(
        desk.recording("a"),
        desk.recording("a", "no"),
        desk.recording("b"),
        desk.recording("b", **odd),
    )
    with grade_recordings(suite, path, GradeOptions(root=desk.folder)) as run:
        whole = scorecard_lines(run.info, run.scorecard, run.results(), PLAIN, verbose=True)
        views = scorecard_lines(run.info, run.scorecard, run.views(), PLAIN, verbose=True)
        assert list(views) == list(whole)


def test_the_mode_is_that_of_the_liveliest_trial() -> None:
    assert mode_of({"none", "live", "scripted"}) == "live"
    assert mode_of(()) == "none"
