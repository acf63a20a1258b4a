"""The story of confirming: which trials are run, with what, and what they come to."""

import _thread
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock
from typing import Any

import msgspec
import pytest

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.cases import Suite
from fairtrial.errors import UsageError
from fairtrial.flow.compare import accept_run, gate_run
from fairtrial.flow.confirm import Flagged, Told, confirm_flagged, flagged_of
from fairtrial.flow.course import RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.run import run_suite
from fairtrial.flow.side import Side
from fairtrial.models import Prices
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    GateSettings,
    Source,
    Trajectory,
    Variant,
)
from fairtrial.store import SavedRun, find_run
from fairtrial.trials import Bounds


class Flock:
    """Agents that answer by the number of the trial, and what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, str, int, int]] = []
        self._lock = Lock()

    def agent(self, name: str, passes: Callable[[str, int], bool]) -> Callable[[ft.Task], object]:
        def agent(task: ft.Task) -> object:
            with self._lock:
                self.asked.append((name, task.case, task.trial, task.seed))
            return "done" if passes(task.case, task.trial) else "no"

        return agent


def always(case: str, trial: int) -> bool:
    return True


def never(case: str, trial: int) -> bool:
    return False


def case_of(name: str, **fields: Any) -> Case:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(
        id=name, hash=f"h{name}", source=Source("a.yaml", 1), input="Hi", expect=expect, **fields
    )


CASES = (case_of("good"), case_of("bad", protected=True), case_of("odd"))


class Situation:
    """A suite whose accepted run passed, and one to confirm in which `bad` and `odd` fail."""

    def __init__(self, root: Path, endpoints: Endpoints) -> None:
        self.root, self.endpoints, self.flock = root, endpoints, Flock()
        self.baseline = root / "baseline.json"
        accept_run(self.run(always), self.baseline)
        self.saved = self.run(lambda case, trial: case == "good" or trial == 1)
        self.flock.asked.clear()

    def options(self, **said: Any) -> RunOptions:
        own: dict[str, Any] = {
            "root": self.root,
            "bounds": Bounds(concurrency=1),
            "prices": Prices(),
            "unseen": True,
            "k": 3,
        }
        return RunOptions(**own | said)

    def run(self, passes: Callable[[str, int], bool]) -> SavedRun:
        agent = callable_agent(self.flock.agent("run", passes), "shop:agent")
        suite = Suite(cases=CASES, files=(), rules=())
        ran = run_suite(suite, CASES, agent, self.endpoints, self.options())
        ran.graded.close()
        return find_run("latest", self.root)

    def flagged(self) -> Flagged:
        return flagged_of(self.saved, self.baseline, GateSettings(), CASES)

    def side(self, name: str, passes: Callable[[str, int], bool], **options: Any) -> Side:
        agent = callable_agent(self.flock.agent(name, passes), name)
        said = {"variant": Variant(name=name)} | options
        return Side(name=f"variant {name}", agent=agent, options=self.options(**said))

    def told(
        self,
        base: Callable[[str, int], bool] = always,
        now: Callable[[str, int], bool] = never,
        **options: Any,
    ) -> Told:
        return confirm_flagged(
            self.flagged(),
            self.side("old", base, **options),
            self.side("new", now, **options),
            self.endpoints,
        )


@pytest.fixture
def situation(tmp_path: Path) -> Iterator[Situation]:
    """Give a suite to confirm."""
    with open_endpoints(live=False) as endpoints:
        yield Situation(tmp_path, endpoints)


def test_only_flagged_cases_are_run_and_on_both_sides_alike(situation: Situation) -> None:
    told = situation.told()
    assert [(one.case, one.verdict) for one in told.confirmation.results] == [
        ("bad", "worse"),
        ("odd", "worse"),
    ]
    sides = [
        {(case, trial, seed) for name, case, trial, seed in situation.flock.asked if name == side}
        for side in ("old", "new")
    ]
    assert sides[0] == sides[1]
    assert {case for case, _, _ in sides[0]} == {"bad", "odd"}
    assert told.confirmation.trials == len(situation.flock.asked) == 40


def test_trial_numbers_go_on_so_that_no_seed_is_had_again(situation: Situation) -> None:
    situation.told()
    numbers = {trial for _, case, trial, _ in situation.flock.asked if case == "bad"}
    assert numbers == set(range(3, 13))
    assert situation.flagged().first == {"bad": 3, "odd": 3}


def test_sides_take_turns(situation: Situation) -> None:
    situation.told()
    names = [name for name, *_ in situation.flock.asked]
    pairs = list(zip(names[::2], names[1::2], strict=True))
    assert set(pairs) == {("old", "new"), ("new", "old")}


def test_what_is_not_told_goes_on_to_the_next_looks(situation: Situation) -> None:
    told = situation.told(now=lambda case, trial: case == "bad" or trial % 9 != 0)
    (bad, odd) = told.confirmation.results
    assert (bad.verdict, bad.planned, odd.verdict, odd.planned) == ("cleared", 25, "open", 50)
    assert told.confirmation.trials == 2 * (25 + 50)


def test_each_side_is_a_saved_run_of_its_own_and_the_newest_run_stays(
    situation: Situation,
) -> None:
    told = situation.told()
    runs = [SavedRun.read_folder(folder) for folder in told.folders]
    assert [run.info.variant for run in runs] == ["old", "new"]
    assert [run.scorecard.passed for run in runs] == [20, 0]
    assert [run.scorecard.k for run in runs] == [10, 10]
    assert {len(result.trials) for run in runs for result in run.results()} == {10}
    assert find_run("latest", situation.root).info.id == situation.saved.info.id


def test_the_decision_reads_what_was_told(situation: Situation) -> None:
    settings = GateSettings()
    before = gate_run(situation.saved, situation.baseline, settings, {})
    assert before.decision == "inconclusive"
    worse = situation.told().confirmation
    decision = gate_run(situation.saved, situation.baseline, settings, {}, worse)
    assert (decision.decision, decision.exit) == ("fail", 1)
    assert decision.spent is not None
    assert decision.spent["trials"] == 40
    fine = situation.told(now=always).confirmation
    assert gate_run(situation.saved, situation.baseline, settings, {}, fine).decision == "pass"


def test_nothing_is_run_where_nothing_is_flagged(situation: Situation) -> None:
    situation.saved = situation.run(always)
    situation.flock.asked.clear()
    told = situation.told()
    assert (told.confirmation.results, told.folders, situation.flock.asked) == ((), (), [])
    assert not (situation.root / ".fairtrial" / "confirm").exists()


def test_trials_that_cannot_be_measured_are_no_failures(situation: Situation) -> None:
    def down(case: str, trial: int) -> bool:
        raise ft.ProviderError("no")

    told = situation.told(now=down, bounds=Bounds(concurrency=1, retries=0))
    assert {one.verdict for one in told.confirmation.results} == {"open"}
    assert {one.fresh.measured for one in told.confirmation.results} == {0}
    decision = gate_run(situation.saved, situation.baseline, GateSettings(), {}, told.confirmation)
    assert decision.decision == "inconclusive"


def test_an_unknown_price_under_a_cap_ends_it_with_a_word(situation: Situation) -> None:
    told = situation.told(bounds=Bounds(concurrency=1, max_cost=1.0))
    assert told.confirmation.stopped is not None
    assert "cost is not known" in told.confirmation.stopped
    assert {one.verdict for one in told.confirmation.results} == {"open"}
    assert len(situation.flock.asked) < 40


def test_money_is_that_of_both_sides_and_what_was_not_reached_is_open(
    situation: Situation,
) -> None:
    def paid(passes: bool) -> Callable[[ft.Task], object]:
        def agent(task: ft.Task) -> object:
            situation.flock.asked.append(("", task.case, task.trial, task.seed))
            return Trajectory(case=task.case, answer="done" if passes else "no", cost=0.1)

        return agent

    options = situation.options(bounds=Bounds(concurrency=1, max_cost=2.55))
    sides = [
        Side(name=name, agent=callable_agent(paid(passes), name), options=options)
        for name, passes in (("old", True), ("new", False))
    ]
    told = confirm_flagged(situation.flagged(), sides[0], sides[1], situation.endpoints)
    assert told.confirmation.stopped is not None
    assert "--max-cost" in told.confirmation.stopped
    assert told.confirmation.cost == pytest.approx(2.5)
    assert len(situation.flock.asked) == 25


def test_an_interrupt_keeps_what_was_run(situation: Situation) -> None:
    forever = Event()

    def interrupted(case: str, trial: int) -> bool:
        if len(situation.flock.asked) == 7:
            _thread.interrupt_main()
            forever.wait()
        return True

    told = situation.told(base=interrupted, now=interrupted)
    forever.set()
    assert told.interrupted
    assert told.confirmation.stopped == "it was interrupted"
    assert [SavedRun.read_folder(folder).scorecard.trials for folder in told.folders] in (
        [3, 3],
        [2, 4],
        [4, 2],
    )


@pytest.mark.parametrize("hash_now", [None, "other"])
def test_a_flagged_case_that_changed_or_went_is_refused(
    situation: Situation, hash_now: str | None
) -> None:
    cases = [case for case in CASES if case.id != "odd"]
    if hash_now is not None:
        cases.append(msgspec.structs.replace(CASES[2], hash=hash_now))
    with pytest.raises(UsageError, match="odd changed or went from the files; run the suite anew"):
        flagged_of(situation.saved, situation.baseline, GateSettings(), cases)
