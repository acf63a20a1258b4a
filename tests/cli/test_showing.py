"""A graded run in the terminal, and the words for each exit code."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias

import pytest

from fairtrial.cases import load_suite
from fairtrial.cli.showing import meaning, show_graded
from fairtrial.flow.grade import GradeOptions, grade_recordings
from fairtrial.flow.graded import GradedRun
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

Graded: TypeAlias = Callable[..., GradedRun]


@pytest.fixture
def graded(desk: "Desk") -> Iterator[Graded]:
    """Give a function that grades recordings, rows and broken lines, on some cases."""
    with ExitStack() as stack:

        def grade(*rows: Json, cases: tuple[Json, ...] = ()) -> GradedRun:
            suite = load_suite([desk.cases(*cases)])
            options = GradeOptions(root=desk.folder, save=False)
            return stack.enter_context(grade_recordings(suite, desk.record(*rows), options))

        yield grade


def failing(name: str = "greet") -> Json:
    return {"case": name, "answer": "no", "steps": []}


def not_measured(name: str = "greet") -> Json:
    return {"case": name, "error": {"kind": "provider", "message": "down"}, "stop": "error"}


# What an exit code means.


@pytest.mark.parametrize("code", [2, 130])
def test_what_ends_a_command_before_its_verdict_is_said_whatever_the_run(
    graded: Graded, desk: "Desk", code: int
) -> None:
    words = {2: "the report could not be written", 130: "interrupted"}
    assert meaning(graded(desk.recording()), code) == words[code]
    assert meaning(graded(failing()), code) == words[code]


def test_0_is_all_measured_and_passed(graded: Graded, desk: "Desk") -> None:
    run = graded(desk.recording())
    assert meaning(run, run.exit) == "everything was measured and passed"


def test_0_may_leave_out_what_only_informs(graded: Graded, desk: "Desk") -> None:
    cases = (desk.case("a"), desk.case("b", informs=True))
    for row in (failing("b"), not_measured("b")):
        run = graded(desk.recording("a"), row, cases=cases)
        assert (run.exit, meaning(run, run.exit)) == (0, "all that decides passed")


def test_0_with_failures_says_that_they_are_allowed(graded: Graded) -> None:
    assert meaning(graded(failing()), 0) == "trials failed, and that is allowed here"


def test_1_is_a_trial_that_failed(graded: Graded) -> None:
    run = graded(failing())
    assert (run.exit, meaning(run, run.exit)) == (1, "a trial failed")


def test_3_is_nothing_measured(graded: Graded) -> None:
    run = graded(not_measured())
    assert (run.exit, meaning(run, run.exit)) == (3, "nothing was measured")


def test_3_is_nothing_that_decides(graded: Graded, desk: "Desk") -> None:
    run = graded(desk.recording(), cases=(desk.case(informs=True),))
    assert (run.exit, meaning(run, run.exit)) == (3, "nothing decides: all cases only inform")


def test_3_is_something_not_measured(graded: Graded, desk: "Desk") -> None:
    cases = (desk.case("a"), desk.case("b"))
    for rows in ([not_measured("b")], []):
        run = graded(desk.recording("a"), *rows, cases=cases)
        assert (run.exit, meaning(run, run.exit)) == (3, "something could not be measured")


def test_3_is_something_lost_on_the_way(graded: Graded, desk: "Desk") -> None:
    run = graded(desk.recording(), "{")
    words = "not all that was recorded could be graded"
    assert (run.exit, meaning(run, run.exit)) == (3, words)


# What is shown.


def test_the_last_line_is_the_exit_code_with_its_meaning(
    graded: Graded, desk: "Desk", capsys: pytest.CaptureFixture[str]
) -> None:
    show_graded(graded(desk.recording()), 0, verbose=False, quiet=False)
    out = capsys.readouterr().out
    assert "pass rate" in out
    assert out.endswith("\nexit 0: everything was measured and passed\n")


@pytest.mark.parametrize("quiet", [False, True])
def test_where_another_verdict_follows_no_exit_code_is_said(
    graded: Graded, desk: "Desk", capsys: pytest.CaptureFixture[str], quiet: bool
) -> None:
    show_graded(graded(desk.recording()), None, verbose=False, quiet=quiet)
    out = capsys.readouterr().out
    assert "exit" not in out
    assert (out == "") == quiet


def test_quiet_leaves_the_last_line_and_says_what_must_be_known_beside_it(
    graded: Graded, desk: "Desk", capsys: pytest.CaptureFixture[str]
) -> None:
    run = graded(desk.recording(), "{")
    show_graded(run, run.exit, verbose=False, quiet=True)
    printed = capsys.readouterr()
    assert printed.out == "exit 3: not all that was recorded could be graded\n"
    assert run.scorecard.notes
    assert all(note in printed.err for note in run.scorecard.notes)


def test_lines_that_could_not_be_read_are_named_and_the_many_more_counted(
    graded: Graded, desk: "Desk", capsys: pytest.CaptureFixture[str]
) -> None:
    show_graded(graded(desk.recording(), *["{"] * 23), 3, verbose=False, quiet=False)
    lines = capsys.readouterr().err.splitlines()
    assert "runs.jsonl:2: the line ends before its JSON does" in lines[0]
    assert "fairtrial: and 3 more lines that could not be read" in lines
