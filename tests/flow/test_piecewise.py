"""A run case by case."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairtrial.agents import callable_agent
from fairtrial.cases import Suite
from fairtrial.flow.course import RunOptions
from fairtrial.flow.endpoints import open_endpoints
from fairtrial.flow.piecewise import Piecewise
from fairtrial.flow.run import prepare_worlds
from fairtrial.models import Prices
from fairtrial.records import AnswerExpectation, Case, Expectation, Source, Task, Trajectory
from fairtrial.store import find_run
from fairtrial.trials import Bounds


def case(name: str) -> Case:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(id=name, hash="0", source=Source("a.yaml", 1), input="done", expect=expect)


A, B, C = map(case, "abc")


@contextmanager
def begun(
    root: Path, agent: Callable[[Task], object], bounds: Bounds | None = None, *, save: bool = True
) -> Iterator[Piecewise]:
    suite = Suite(cases=(A, B, C), files=())
    options = RunOptions(
        root=root, prices=Prices(), k=2, save=save, bounds=bounds or Bounds(timeout=20.0)
    )
    with open_endpoints(live=False) as endpoints:
        worlds = prepare_worlds(None, suite.cases)
        yield Piecewise.begin(suite, callable_agent(agent, "a"), endpoints, worlds, options)


def test_cases_are_run_when_they_are_asked_for_and_never_twice(tmp_path: Path) -> None:
    seen: list[str] = []

    def agent(task: Task) -> str:
        seen.append(task.case)
        return "done" if task.case == "b" else "no"

    with begun(tmp_path, agent) as pieces:
        pieces.run_cases([B])
        pieces.run_cases([A, B])
        pieces.run_cases([B])
        assert seen.count("b") == seen.count("a") == 2
        assert "c" not in seen
        assert [trial.verdict for trial in pieces.result(B).trials] == ["passed"] * 2
        assert pieces.result(C).trials == ()
        graded, _ = pieces.end()
    assert graded is not None
    graded.close()
    saved = find_run("latest", tmp_path)
    assert saved.scorecard.statuses == {"passed": 1, "failed": 1, "flaky": 0, "error": 1}
    assert saved.scorecard.notes[0].startswith("2 trials of 6 planned were not run: ")
    assert graded.exit == 3


def test_of_nothing_no_folder_is_left(tmp_path: Path) -> None:
    with begun(tmp_path, lambda task: "done") as pieces:
        assert pieces.end() == (None, ())
    assert list((tmp_path / ".fairtrial" / "runs").glob("*")) == []


@pytest.mark.parametrize(("cap", "run"), [(1.0, 2), (0.25, 1), (1.5, 3)])
def test_the_money_is_for_all_cases_together(tmp_path: Path, cap: float, run: int) -> None:
    def agent(task: Task) -> Trajectory:
        return Trajectory(case=task.case, answer="done", cost=0.5, model="live")

    bounds = Bounds(timeout=20.0, max_cost=cap, concurrency=1)
    with begun(tmp_path, agent, bounds, save=False) as pieces:
        for one in (A, B, C):
            pieces.run_cases([one])
        assert pieces.done == run
        assert pieces.stopped == "max cost"
        graded, _ = pieces.end()
    assert graded is not None
    graded.close()


def test_the_time_is_for_all_cases_together(tmp_path: Path) -> None:
    bounds = Bounds(timeout=20.0, run_timeout=1e-9)
    with begun(tmp_path, lambda task: "done", bounds, save=False) as pieces:
        pieces.run_cases([A])
        pieces.run_cases([B])
        assert pieces.stopped == "run timeout"
        assert pieces.result(C).trials == ()
        graded, _ = pieces.end()
    assert graded is None or graded.scorecard.notes
    if graded is not None:
        graded.close()
