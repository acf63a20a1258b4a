"""Going on with a run from Python: what is refused, and what is only counted."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.cases import Suite
from fairtrial.errors import ProblemsError, StoreError, UsageError
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import open_endpoints
from fairtrial.flow.run import resume_run, run_suite
from fairtrial.models import Prices
from fairtrial.records import AnswerExpectation, Case, Expectation, Source, Trial
from fairtrial.store import SavedRun, find_run
from fairtrial.trials import Bounds


def case_of(name: str, hash: str = "0") -> Case:  # noqa: A002 - as the record has it
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(id=name, hash=hash, source=Source("a.yaml", 1), input="Hi", expect=expect)


CASES = [case_of("a"), case_of("b")]


class Watching:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.began_with: tuple[int, int] | None = None
        self.seen: list[tuple[str, int]] = []

    def began(self, planned: int, done: int) -> None:
        self.began_with = planned, done

    def trial(self, case: Case, trial: Trial) -> None:
        self.seen.append((case.id, trial.trial))

    def unjudged(self, trial: Trial) -> None:
        """Pass over it: nothing here has a judge."""

    def judging(self, trials: int) -> None:
        """Pass over it: nothing here has a judge."""

    def judged(self, case: Case, trial: Trial) -> None:
        """Pass over it: nothing here has a judge."""

    def tick(self) -> None:
        """Pass over the time."""


@pytest.fixture
def options(tmp_path: Path) -> RunOptions:
    return RunOptions(root=tmp_path, k=3, bounds=Bounds(concurrency=1), prices=Prices())


def done(task: ft.Task) -> str:
    return "done"


def run(options: RunOptions, agent: Callable[..., object] = done) -> Ran:
    suite = Suite(cases=tuple(CASES), files=(), rules=())
    with open_endpoints(live=False) as endpoints:
        ran = run_suite(suite, CASES, callable_agent(agent, "agent"), endpoints, options)
    ran.graded.close()
    return ran


def resume(
    options: RunOptions, cases: list[Case] = CASES, watch: Watching | None = None
) -> tuple[Ran, SavedRun]:
    saved = find_run("latest", options.root)
    with open_endpoints(live=False) as endpoints:
        agent = callable_agent(done, "agent")
        ran = resume_run(saved, cases, agent, endpoints, options, watch)
    ran.graded.close()
    return ran, saved


def cut_short(options: RunOptions, keep: int) -> None:
    """Take the last lines of a run away, and its scorecard."""
    folder = find_run("latest", options.root).folder
    assert folder is not None
    (folder / "scorecard.json").unlink()
    lines = (folder / "trials.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "trials.jsonl").write_bytes(b"".join(lines[:keep]))


@pytest.mark.parametrize("keep", [0, 1, 5])
def test_only_what_is_missing_is_run_and_all_is_counted(options: RunOptions, keep: int) -> None:
    run(options)
    cut_short(options, keep)
    watch = Watching()
    ran, saved = resume(options, watch=watch)
    assert (watch.began_with, len(watch.seen)) == ((6, keep), 6 - keep)
    assert (ran.ended.started, ran.graded.scorecard.trials) == (6 - keep, 6)
    assert [len(result.trials) for result in saved.results()] == [3, 3]


def test_a_run_that_lost_its_last_line_alone_has_no_other_trial_again(options: RunOptions) -> None:
    run(options)
    before = find_run("latest", options.root).folder
    assert before is not None
    lines = (before / "trials.jsonl").read_bytes()
    cut_short(options, 5)
    resume(options)
    after = (before / "trials.jsonl").read_bytes()
    assert after.splitlines()[:5] == lines.splitlines()[:5]


def test_a_whole_run_is_refused(options: RunOptions) -> None:
    run(options)
    with pytest.raises(UsageError, match="is whole: nothing is missing"):
        resume(options)


def test_a_run_killed_before_its_scorecard_is_finished_without_a_trial(options: RunOptions) -> None:
    run(options)
    cut_short(options, 6)
    ran, saved = resume(options)
    assert (ran.ended.started, ran.graded.scorecard.passed, saved.finished) == (0, 6, True)


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([case_of("a", "1"), case_of("b")], "since it began a changed"),
        ([case_of("a", "1"), case_of("b", "1")], "since it began a, b changed"),
        ([case_of("a")], "since it began b is gone"),
        ([], "since it began a, b are gone"),
    ],
)
def test_cases_that_are_others_are_refused_and_nothing_is_touched(
    options: RunOptions, cases: list[Case], words: str
) -> None:
    run(options)
    cut_short(options, 2)
    folder = find_run("latest", options.root).folder
    assert folder is not None
    before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    with pytest.raises(UsageError, match=words):
        resume(options, cases)
    assert before == {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_a_world_that_no_longer_fits_is_refused(options: RunOptions) -> None:
    class Other(ft.World):
        """A world that cannot be filled from nothing."""

        number: int

    run(options)
    cut_short(options, 2)
    with pytest.raises(ProblemsError):
        resume(msgspec.structs.replace(options, world=Other))


def test_a_run_that_was_not_saved_is_not_there(options: RunOptions) -> None:
    run(msgspec.structs.replace(options, save=False))
    with pytest.raises(StoreError, match="no run in"):
        resume(options)


def test_a_run_whose_agent_cannot_start_leaves_no_folder(options: RunOptions) -> None:
    def broken(task: ft.Task) -> str:
        raise ft.errors.PluginError("no such agent")

    with pytest.raises(ft.errors.PluginError):
        run(options, broken)
    assert list((options.root / ".fairtrial" / "runs").iterdir()) == []
