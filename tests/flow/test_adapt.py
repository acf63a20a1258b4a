"""The story of adaptive trials: which are run, where they are kept, what they leave alone."""

import _thread
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock
from typing import Any
from zlib import crc32

import msgspec
import pytest

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.cases import Suite
from fairtrial.errors import StoreError
from fairtrial.flow.adapt import More, adapt_run, begun_beside, lacks_more, next_numbers
from fairtrial.flow.compare import accept_run
from fairtrial.flow.confirm import flagged_of
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.run import resume_run, run_suite
from fairtrial.flow.side import Side
from fairtrial.gate import read_baseline
from fairtrial.models import Prices
from fairtrial.records import AnswerExpectation, Case, Expectation, GateSettings, Source, Trajectory
from fairtrial.store import SavedRun, find_run
from fairtrial.trials import Bounds

Passes = Callable[[str, int], bool]


def case_of(name: str) -> Case:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(id=name, hash=f"h{name}", source=Source("a.yaml", 1), input="Hi", expect=expect)


CASES = (case_of("good"), case_of("odd"), case_of("bad"))


def always(case: str, trial: int) -> bool:
    return True


def shaky(case: str, trial: int) -> bool:
    """Good is good, odd failed once by chance, bad is bad after a first pass."""
    return case == "good" or (trial != 1 if case == "odd" else trial in {0, 1, 3})


class Situation:
    """A suite whose accepted run passed, and agents that say what was asked of them."""

    def __init__(self, root: Path, endpoints: Endpoints) -> None:
        self.root, self.endpoints = root, endpoints
        self.asked: list[tuple[str, int]] = []
        self.seeds: list[int] = []
        self._lock = Lock()
        self.baseline = root / "baseline.json"
        self.ran(always).graded.close()
        accept_run(self.saved(), self.baseline)
        self.asked.clear()

    def saved(self) -> SavedRun:
        return find_run("latest", self.root)

    def side(self, passes: Passes, **said: Any) -> Side:
        own: dict[str, Any] = {
            "root": self.root,
            "bounds": Bounds(concurrency=1),
            "prices": Prices(),
            "unseen": True,
            "k": 4,
        }

        def agent(task: ft.Task) -> object:
            with self._lock:
                self.asked.append((task.case, task.trial))
                self.seeds.append(task.seed)
            if said.get("price") is not None:
                answer = "done" if passes(task.case, task.trial) else "no"
                return Trajectory(case=task.case, answer=answer, cost=said["price"])
            return "done" if passes(task.case, task.trial) else "no"

        options = RunOptions(**own | {name: it for name, it in said.items() if name != "price"})
        return Side(name="this one", agent=callable_agent(agent, "shop:agent"), options=options)

    def ran(self, passes: Passes, **said: Any) -> Ran:
        side = self.side(passes, **said)
        suite = Suite(cases=CASES, files=(), rules=())
        return run_suite(suite, CASES, side.agent, self.endpoints, side.options)

    def adapted(self, passes: Passes, most: int | None = None, **said: Any) -> Ran:
        ran = self.ran(passes, **said)
        self.asked.clear()
        return self.more(ran, passes, most, **said)

    def resumed(self, passes: Passes) -> Ran:
        side = self.side(passes, adaptive=True)
        ran = resume_run(self.saved(), CASES, side.agent, self.endpoints, side.options)
        return self.more(ran, passes)

    def more(self, ran: Ran, passes: Passes, most: int | None = None, **said: Any) -> Ran:
        asked = More(baseline=read_baseline(self.baseline), most=most)
        ran = adapt_run(ran, CASES, self.side(passes, **said), self.endpoints, asked)
        ran.graded.close()
        return ran


@pytest.fixture
def situation(tmp_path: Path) -> Iterator[Situation]:
    with open_endpoints(live=False) as endpoints:
        yield Situation(tmp_path, endpoints)


def test_trials_go_on_counting_for_the_undecided_alone(situation: Situation) -> None:
    adaptive = situation.adapted(shaky).graded.scorecard.adaptive
    assert adaptive is not None
    told = {one.id: (one.more_passed, one.more_measured, one.worse) for one in adaptive.cases}
    assert told == {"odd": (5, 5, "unlikely"), "bad": (0, 5, "likely")}
    assert sorted(situation.asked) == [(name, 4 + at) for name in ("bad", "odd") for at in range(5)]
    assert len(set(situation.seeds)) == len(situation.seeds) - 12  # the accepted run has the same
    assert adaptive.trials == 10
    assert adaptive.everywhere == 15


def test_the_runs_own_trials_and_rates_stay(situation: Situation) -> None:
    plain = situation.ran(shaky)
    plain.graded.close()
    card = situation.adapted(shaky).graded.scorecard
    saved = situation.saved()
    assert [len(result.trials) for result in saved.results()] == [4, 4, 4]
    assert saved.scorecard == card
    assert (card.trials, card.passed) == (plain.graded.scorecard.trials, 10)
    assert card.pass_rate == plain.graded.scorecard.pass_rate
    assert card.pass_hat_k == plain.graded.scorecard.pass_hat_k


def test_transcripts_are_a_run_folder_within_the_runs(situation: Situation) -> None:
    situation.adapted(shaky)
    folder = situation.saved().folder
    assert folder is not None
    extra = SavedRun.read_folder(folder / "extra")
    assert extra.info.id == f"{folder.name}-extra"
    assert {trial.trial for trial in extra.trials()} == {4, 5, 6, 7, 8}
    assert extra.scorecard.trials == 10
    assert extra.info.selection is not None
    assert extra.info.selection.ids == ("odd", "bad")


def test_the_baseline_that_is_accepted_holds_the_planned_trials(situation: Situation) -> None:
    situation.adapted(shaky)
    accept_run(situation.saved(), situation.baseline)
    assert {case.measured for case in read_baseline(situation.baseline).cases.values()} == {4}


def test_confirming_goes_on_behind_the_further_trials(situation: Situation) -> None:
    situation.adapted(shaky)
    flagged = flagged_of(situation.saved(), situation.baseline, GateSettings(), CASES)
    assert flagged.first == {"bad": 9}


def test_where_nothing_fell_nothing_is_run_and_no_folder_is_made(situation: Situation) -> None:
    adaptive = situation.adapted(always).graded.scorecard.adaptive
    assert adaptive is not None
    assert (adaptive.trials, adaptive.ended) == (0, "no case looks worse than the baseline")
    folder = situation.saved().folder
    assert folder is not None
    assert not (folder / "extra").exists()
    assert situation.asked == []


def test_nothing_is_kept_of_a_run_that_is_not_saved(situation: Situation) -> None:
    before = sorted(situation.root.rglob("*"))
    ran = situation.adapted(shaky, save=False)
    assert ran.graded.scorecard.adaptive is not None
    assert ran.graded.scorecard.adaptive.trials == 10
    assert sorted(situation.root.rglob("*")) == before


def test_as_many_as_allowed_and_no_more(situation: Situation) -> None:
    adaptive = situation.adapted(shaky, most=7).graded.scorecard.adaptive
    assert adaptive is not None
    assert adaptive.trials == len(situation.asked) == 7


def test_what_they_cost_is_told_and_counts_against_the_cap(situation: Situation) -> None:
    ran = situation.adapted(shaky, price=0.25)
    assert ran.graded.scorecard.adaptive is not None
    assert ran.graded.scorecard.adaptive.cost == pytest.approx(2.5)
    assert ran.spent == pytest.approx((12 + 10) * 0.25)
    capped = situation.adapted(shaky, price=0.25, bounds=Bounds(concurrency=1, max_cost=4.0))
    told = capped.graded.scorecard.adaptive
    assert told is not None
    assert told.ended is not None
    assert "--max-cost" in told.ended
    assert not told.whole
    assert capped.spent is not None
    assert capped.spent <= 4.0
    assert told.trials == len(situation.asked) == 4
    for cap in (3.1, 3.24, 4.3):  # what is left is less than a trial costs
        capped = situation.adapted(shaky, price=0.25, bounds=Bounds(concurrency=2, max_cost=cap))
        assert capped.spent is not None
        assert capped.spent <= cap
    assert capped.ended.stopped is None  # what was planned is whole


def test_the_time_of_the_run_is_theirs_too(situation: Situation) -> None:
    ran = situation.ran(shaky, bounds=Bounds(concurrency=1, run_timeout=1e-9))
    assert ran.ended.stopped in {None, "run timeout"}
    if ran.ended.stopped is None:
        ran = situation.more(ran, shaky, bounds=Bounds(concurrency=1, run_timeout=1e-9))
        assert ran.graded.scorecard.adaptive is not None
        assert not ran.graded.scorecard.adaptive.whole
    ran.graded.close()


def test_trials_that_fail_to_be_measured_are_counted_apart(situation: Situation) -> None:
    def broken(case: str, trial: int) -> bool:
        if trial >= 4:
            raise ft.ProviderError("out")
        return shaky(case, trial)

    adaptive = situation.adapted(broken, 40, bounds=Bounds(concurrency=1, retries=0))
    told = adaptive.graded.scorecard.adaptive
    assert told is not None
    more = {one.id: (one.more_measured, one.more_planned) for one in told.cases}
    assert more == {"odd": (0, 5), "bad": (0, 5)}
    assert (told.whole, told.ended) == (False, "nothing that was run last could be measured")


def test_after_an_outage_they_go_on_with_the_next_trials(situation: Situation) -> None:
    def out(case: str, trial: int) -> bool:
        if trial >= 4:
            raise ft.ProviderError("out")
        return shaky(case, trial)

    situation.adapted(out, bounds=Bounds(concurrency=1, retries=0))
    situation.asked.clear()
    told = situation.resumed(shaky).graded.scorecard.adaptive
    assert told is not None
    assert situation.asked
    assert {trial for _, trial in situation.asked} <= set(range(9, 30))
    assert sum(one.more_measured for one in told.cases) == len(situation.asked) == 2
    assert (told.whole, told.trials) == (True, 12)  # those of the outage are spent


def test_where_the_folder_is_gone_numbers_go_on_behind_the_planned_trials(
    situation: Situation,
) -> None:
    def one_out(case: str, trial: int) -> bool:
        if (case, trial) == ("bad", 0):
            raise ft.ProviderError("out")
        return shaky(case, trial)

    ran = situation.ran(one_out, bounds=Bounds(concurrency=1, retries=0))
    ran = situation.more(ran, shaky)
    last = max(trial for case, trial in situation.asked if case == "bad")
    saved = situation.saved()
    assert saved.folder is not None
    shutil.rmtree(saved.folder / "extra")
    assert next_numbers(saved)["bad"] > last


def test_what_was_cut_short_goes_on_and_nothing_is_run_twice(situation: Situation) -> None:
    stop, there = Event(), Event()

    def stopped(case: str, trial: int) -> bool:
        if (case, trial) == ("bad", 6) and not stop.is_set():
            stop.set()
            _thread.interrupt_main()
            there.wait(5)
        return shaky(case, trial)

    ran = situation.adapted(stopped)
    there.set()
    assert ran.ended.stopped == "interrupted"
    cut_short = ran.graded.scorecard.adaptive
    assert cut_short is not None
    assert (cut_short.whole, 0 < cut_short.trials < 10) == (False, True)
    saved = situation.saved()
    assert lacks_more(saved)
    done = set(situation.asked) - {("bad", 6)}
    situation.asked.clear()
    told = situation.resumed(shaky).graded.scorecard.adaptive
    assert told is not None
    assert (told.whole, told.trials, told.cost) == (True, 10, None)
    assert set(situation.asked) & done == set()
    assert {one.id: one.worse for one in told.cases} == {"odd": "unlikely", "bad": "likely"}
    assert not lacks_more(situation.saved())


def test_confirming_runs_no_trial_that_was_run_before_the_cut(situation: Situation) -> None:
    later = Event()  # most of the round has been run by then, and its first trial has not

    def stopped(case: str, trial: int) -> bool:
        if (case, trial) == ("bad", 5):
            later.wait(30)
            _thread.interrupt_main()
            Event().wait(5)
        if (case, trial) == ("bad", 9):
            later.set()
        return shaky(case, trial)

    situation.adapted(stopped, bounds=Bounds(concurrency=4))
    ran = max(trial for case, trial in situation.asked if case == "bad")
    saved = situation.saved()
    flagged = flagged_of(saved, situation.baseline, GateSettings(), CASES)
    assert flagged.first["bad"] >= ran  # the one that was cut off may be had anew
    assert saved.folder is not None
    file = saved.folder / "scorecard.json"
    card = msgspec.json.decode(file.read_bytes())
    file.write_bytes(msgspec.json.encode(card | {"adaptive": None}))  # as `kill -9` leaves it
    assert next_numbers(saved)["bad"] == flagged.first["bad"]


def test_they_go_on_beside_the_baseline_that_they_were_begun_beside(situation: Situation) -> None:
    before = begun_beside(situation.saved())
    assert before is None
    situation.adapted(shaky, most=7)
    accepted = read_baseline(situation.baseline)
    accept_run(situation.saved(), situation.baseline)
    assert read_baseline(situation.baseline) != accepted
    assert begun_beside(situation.saved()) == accepted


@pytest.mark.parametrize("lost", [["run.json"], ["cases.jsonl", "trials.jsonl"], ["baseline.json"]])
def test_what_was_begun_without_a_trial_is_begun_anew_and_else_refused(
    situation: Situation, lost: list[str]
) -> None:
    ran = situation.adapted(shaky)
    folder = situation.saved().folder
    assert folder is not None
    for name in lost:
        (folder / "extra" / name).unlink()
    if "trials.jsonl" not in lost:
        with pytest.raises(StoreError, match=rf"no {lost[0]}.*take the folder away"):
            situation.resumed(shaky)
        return
    again = situation.resumed(shaky).graded.scorecard.adaptive
    assert again == ran.graded.scorecard.adaptive
    assert again is not None
    assert again.trials == 10


@pytest.mark.parametrize("concurrency", [1, 50])
def test_what_is_run_does_not_hang_on_timing(situation: Situation, concurrency: int) -> None:
    def chance(case: str, trial: int) -> bool:
        return case == "good" or crc32(f"{case}{trial}".encode()) % 10 < 7

    adaptive = situation.adapted(chance, bounds=Bounds(concurrency=concurrency))
    told = adaptive.graded.scorecard.adaptive
    assert told is not None
    more = [(one.id, one.more_passed, one.more_planned) for one in told.cases]
    assert more == [("odd", 4, 7), ("bad", 1, 5)]
