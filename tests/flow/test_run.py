"""The story of run: what is planned and checked before anything runs, and what is kept of it."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.cases import CaseFile, Suite
from fairtrial.errors import PluginError, ProblemsError, StoreError
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.run import plan_trials, prepare_worlds, run_suite
from fairtrial.models import Prices
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    Json,
    Selection,
    Source,
    Variant,
)
from fairtrial.store import Recording, SavedRun, find_run
from fairtrial.trials import Bounds
from fairtrial.version import __version__


class Shop(ft.World):
    """Prices by name."""

    prices: dict[str, float] = {}

    @ft.tool
    def price(self, name: str) -> float:
        """Look up a price."""
        return self.prices[name]


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    """Give an offline run's listener."""
    with open_endpoints(live=False) as opened:
        yield opened


def case_of(name: str, line: int = 1, **fields: Any) -> Case:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(
        id=name, hash="0", source=Source("a.yaml", line), input="Hi", expect=expect, **fields
    )


def ran(
    endpoints: Endpoints,
    root: Path,
    agent: Callable[..., object],
    *cases: Case,
    files: tuple[CaseFile, ...] = (),
    **options: Any,
) -> Ran:
    suite = Suite(cases=cases, files=files, rules=())
    said: dict[str, Any] = {"root": root, "bounds": Bounds(concurrency=1), "prices": Prices()}
    system = callable_agent(agent, "shop:agent")
    ran = run_suite(suite, cases, system, endpoints, RunOptions(**said | options))
    ran.graded.close()
    return ran


def done(task: ft.Task) -> str:
    return "done"


# Planned.


@pytest.mark.parametrize(
    ("k", "planned"), [(None, {"own": 4, "other": 2}), (7, {"own": 7, "other": 7})]
)
def test_k_beats_the_cases_own_number_and_that_beats_the_settings(
    k: int | None, planned: dict[str, int]
) -> None:
    cases = [case_of("own", trials=4), case_of("other")]
    assert plan_trials(cases, trials=2, k=k) == planned


# Checked.


def test_what_fits_gives_each_case_the_worlds_of_its_own_fixtures() -> None:
    cases = [case_of("a", fixtures={"prices": {"tea": 2}}), case_of("b")]
    worlds = prepare_worlds(Shop, cases)
    assert [worlds[name].build(b"seed").state for name in "ab"] == [
        {"prices": {"tea": 2.0}},
        {"prices": {}},
    ]


def test_cases_that_say_nothing_of_their_world_share_a_blueprint_and_no_world() -> None:
    cases = [case_of("a"), case_of("b", fixtures={}), case_of("c", context=0)]
    worlds = prepare_worlds(None, cases)
    assert worlds["a"] is worlds["b"]
    assert worlds["c"].build(b"seed").context == 0
    one, other = (worlds[name].build(b"seed") for name in "ab")
    assert one is not other
    assert one.context == {}


def test_all_that_does_not_fit_is_told_at_once_each_with_its_case() -> None:
    cases = [
        case_of("a", 3, fixtures={"prices": {"tea": "much"}, "pries": {}}),
        case_of("fine", 5),
        case_of("b", 7, faults={"pay": [{"error": "down"}]}),
    ]
    with pytest.raises(ProblemsError) as told:
        prepare_worlds(Shop, cases)
    starts = ("a.yaml:3: case a: fixtures.pri",) * 2 + ("a.yaml:7: case b: faults.pay: ",)
    for problem, start in zip(told.value.problems, starts, strict=True):
        assert problem.startswith(start)
    assert "fine" not in str(told.value)


@pytest.mark.parametrize(
    ("count", "others"), [(1, ""), (2, " (and 1 more case)"), (30, " (and 29 more cases)")]
)
def test_one_mistake_that_stands_in_the_defaults_is_told_once(count: int, others: str) -> None:
    fixtures: dict[str, Json] = {"prices": {"tea": "much"}}
    cases = [case_of(f"c{number}", fixtures=fixtures) for number in range(count)]
    with pytest.raises(ProblemsError) as told:
        prepare_worlds(Shop, cases)
    (problem,) = told.value.problems
    assert problem.startswith(f"a.yaml:1: case c0{others}: fixtures.prices.tea: ")


def test_what_does_not_fit_stops_the_run_before_a_folder_is_made(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    def agent(task: ft.Task) -> str:
        raise AssertionError("nothing may run")

    with pytest.raises(ProblemsError):
        ran(endpoints, tmp_path, agent, case_of("a", fixtures={"x": 1}), world=Shop)
    assert [*tmp_path.iterdir()] == []


# Kept.


def test_a_saved_run_is_read_back_as_it_was_made(endpoints: Endpoints, tmp_path: Path) -> None:
    files = (CaseFile(name="a.yaml", path="a.yaml", cases=2), CaseFile(name="b", path="b", cases=0))
    selection = Selection(tags=("money",))
    made = ran(
        endpoints, tmp_path, done, case_of("a"), case_of("b", trials=2),
        files=files, variant=Variant(name="terse"), seed=7, selection=selection, trials=3,
        recorded={"agent": "shop:agent"},
    )  # fmt: skip
    saved = find_run("latest", tmp_path)
    info = saved.info
    assert (info.suite, info.agent, info.seed, info.variant) == (
        "a.yaml, b",
        "shop:agent",
        7,
        "terse",
    )
    assert (info.selection, info.settings, info.mode) == (
        selection,
        {"agent": "shop:agent"},
        "none",
    )
    assert (info.version, info.git, info.folder) == (__version__, None, str(saved.folder))
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", info.started or "")
    assert saved.scorecard == made.graded.scorecard
    assert [(one.id, one.planned, len(one.trials)) for one in saved.results()] == [
        ("a", 3, 3),
        ("b", 2, 2),
    ]


def test_a_run_that_is_not_saved_leaves_nothing_and_gives_all(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    suite = Suite(cases=(case_of("a"),), files=(), rules=())
    options = RunOptions(root=tmp_path, save=False, k=2, prices=Prices())
    made = run_suite(suite, suite.cases, callable_agent(done, "a"), endpoints, options)
    with made.graded as graded:
        (result,) = graded.results()
        graded.write_json(tmp_path / "out.json")
    assert (graded.info.folder, len(result.trials)) == (None, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert SavedRun.read_report(tmp_path / "out.json", tmp_path).scorecard == graded.scorecard


def test_only_the_chosen_cases_are_run(endpoints: Endpoints, tmp_path: Path) -> None:
    suite = Suite(cases=(case_of("a"), case_of("b")), files=(), rules=())
    options = RunOptions(root=tmp_path, prices=Prices())
    made = run_suite(suite, suite.cases[1:], callable_agent(done, "a"), endpoints, options)
    made.graded.close()
    assert [result.id for result in find_run("latest", tmp_path).results()] == ["b"]


def test_every_trial_is_on_disk_before_anybody_is_told_of_it(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    there: list[int] = []

    class Looking:
        def began(self, planned: int, done: int) -> None:
            """Wait for the first."""

        def trial(self, case: Case, trial: ft.records.Trial) -> None:
            (file,) = tmp_path.glob(".fairtrial/runs/*/trials.jsonl")
            there.append(len(file.read_bytes().splitlines()))

        def unjudged(self, trial: ft.records.Trial) -> None:
            """Pass over it: nothing here has a judge."""

        def judging(self, trials: int) -> None:
            """Pass over it: nothing here has a judge."""

        def judged(self, case: Case, trial: ft.records.Trial) -> None:
            """Pass over it: nothing here has a judge."""

        def tick(self) -> None:
            """Pass over the time."""

    suite = Suite(cases=(case_of("a"),), files=(), rules=())
    options = RunOptions(root=tmp_path, k=3, bounds=Bounds(concurrency=1), prices=Prices())
    system = callable_agent(done, "a")
    run_suite(suite, suite.cases, system, endpoints, options, Looking()).graded.close()
    assert there == [1, 2, 3]


def test_a_secret_of_the_environment_reaches_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    secret = os.environ["OPENAI_API_KEY"]

    def agent(task: ft.Task) -> str:
        return f"done with {secret}"

    with open_endpoints(live=False) as endpoints:
        ran(endpoints, tmp_path, agent, case_of("a"), recorded={"variant_settings": {"k": secret}})
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert [path for path in files if secret in path.read_text(encoding="utf-8")] == []


def test_a_run_that_broke_before_its_first_trial_leaves_no_folder(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    def agent(task: ft.Task) -> str:
        raise PluginError("agent: no such program")

    with pytest.raises(PluginError):
        ran(endpoints, tmp_path, agent, case_of("a"), trials=3)
    assert [*tmp_path.rglob("run.json")] == []


def test_a_run_that_broke_later_keeps_what_it_has(endpoints: Endpoints, tmp_path: Path) -> None:
    def agent(task: ft.Task) -> str:
        if task.trial == 2:
            raise PluginError("agent: the program is gone")
        return "done"

    with pytest.raises(PluginError):
        ran(endpoints, tmp_path, agent, case_of("a"), trials=3)
    saved = find_run("latest", tmp_path)
    (result,) = saved.results()
    assert (len(result.trials), saved.finished) == (2, False)


def test_a_place_where_no_run_can_be_kept_is_told_before_anything_runs(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    def agent(task: ft.Task) -> str:
        raise AssertionError("nothing may run")

    (tmp_path / ".fairtrial").write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError):
        ran(endpoints, tmp_path, agent, case_of("a"))


def test_the_same_seed_gives_the_same_trials_whoever_runs_them(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    def agent(task: ft.Task) -> str:
        return f"done {task.seed} {task.world.new_id()}"

    def trials(root: Path, **options: Any) -> list[str]:
        ran(endpoints, root, agent, case_of("a"), case_of("b"), world=Shop, trials=3, **options)
        read = [*find_run("latest", root).trajectories()]
        return sorted(str(one.trajectory.answer) for one in read if isinstance(one, Recording))

    same = trials(tmp_path / "x", bounds=Bounds(concurrency=1))
    assert len(set(same)) == 6
    assert trials(tmp_path / "y", bounds=Bounds(concurrency=4)) == same
    assert trials(tmp_path / "z", seed=1) != same
