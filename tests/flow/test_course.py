"""One pass over the trials: their order, what is counted and spent, and what the reader is told."""

import _thread
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.errors import PluginError, StoreError
from fairtrial.flow import course
from fairtrial.flow.course import Course, Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.lost import lost_of, with_lost
from fairtrial.flow.run import prepare_worlds
from fairtrial.models import Prices
from fairtrial.ports import Agent
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    RunInfo,
    Source,
    Tokens,
    Trajectory,
    Trial,
)
from fairtrial.store import RunWriter
from fairtrial.trials import Bounds

ONE_BY_ONE = Bounds(concurrency=1, timeout=30, backoff=0)


@dataclass
class Watching:
    """Remembers what it was told."""

    began_with: tuple[int, int] | None = None
    trials: list[Trial] = field(default_factory=list)
    on_trial: Callable[[], None] | None = None

    def began(self, planned: int, done: int) -> None:
        self.began_with = planned, done

    def trial(self, case: Case, trial: Trial) -> None:
        self.trials.append(trial)
        if self.on_trial is not None:
            self.on_trial()

    def unjudged(self, trial: Trial) -> None: ...
    def judging(self, trials: int) -> None: ...
    def judged(self, case: Case, trial: Trial) -> None: ...

    def tick(self) -> None:
        """Pass over the time."""

    @property
    def seen(self) -> list[tuple[str, int]]:
        """The trials by case and number."""
        return [(trial.case, trial.trial) for trial in self.trials]


@dataclass
class Track:
    """A course laid out for some cases, each with a number of trials."""

    writer: RunWriter
    course: Course
    cases: Sequence[Case]
    endpoints: Endpoints

    def run(self, agent: Callable[..., object] | Agent, watch: Watching | None = None) -> Ran:
        """Run an agent to the end of the course."""
        system = callable_agent(agent, "agent")
        worlds = prepare_worlds(None, self.cases)
        with self.writer:
            return self.course.run(system, self.endpoints, worlds, watch)


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    """Give an offline run's listener."""
    with open_endpoints(live=False) as opened:
        yield opened


def case_of(name: str) -> Case:
    expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    return Case(id=name, hash="0", source=Source("a.yaml", 1), input="Hi", expect=expect)


def laid_out(
    endpoints: Endpoints, planned: dict[str, int], *, folder: Path | None = None, **options: Any
) -> Track:
    cases = [case_of(name) for name in planned]
    kept = None if folder is None else str(folder)
    info = RunInfo(id="r1", folder=kept, mode="none", variant=None, selection=None)
    said: dict[str, Any] = {"root": Path(), "bounds": ONE_BY_ONE, "prices": Prices()}
    writer = RunWriter.start(info, cases, folder=folder, planned=planned)
    return Track(
        writer, Course(writer, cases, planned, RunOptions(**said | options)), cases, endpoints
    )


def done(task: ft.Task) -> str:
    return "done"


def told(tokens: Tokens | None = None, **fields: Any) -> Callable[[ft.Task], Trajectory]:
    """Give an agent that says what it used."""
    said: dict[str, Any] = {"answer": "done", "tokens": tokens} | fields

    def agent(task: ft.Task) -> Trajectory:
        return Trajectory(case=task.case, **said)

    return agent


# In which order.


def test_the_first_trial_of_every_case_comes_before_the_second_of_any(
    endpoints: Endpoints,
) -> None:
    watch = Watching()
    laid_out(endpoints, {"a": 1, "b": 3, "c": 2}).run(done, watch)
    assert watch.began_with == (6, 0)
    assert watch.seen == [("a", 0), ("b", 0), ("c", 0), ("b", 1), ("c", 1), ("b", 2)]


def test_what_is_there_already_is_counted_and_not_run(endpoints: Endpoints) -> None:
    before = Watching()
    laid_out(endpoints, {"a": 1}).run(lambda task: "no", before)
    track = laid_out(endpoints, {"a": 2, "b": 1})
    track.writer.add(before.trials[0], b'{"case":"a"}')
    track.course.count(before.trials[0])
    watch = Watching()
    ran = track.run(done, watch)
    assert (watch.began_with, watch.seen) == ((3, 1), [("b", 0), ("a", 1)])
    assert (ran.graded.scorecard.passed, ran.graded.scorecard.failed) == (2, 1)
    assert (track.course.done, ran.graded.exit) == (3, 1)


def test_no_case_at_all_is_a_run_that_measured_nothing(endpoints: Endpoints) -> None:
    ran = laid_out(endpoints, {}).run(done)
    assert (ran.graded.scorecard.trials, ran.graded.scorecard.k) == (0, 0)


@pytest.mark.parametrize(
    ("counts", "k"), [([3], 3), ([1, 2], 1), ([5, 1, 2], 2), ([1, 2, 4, 4], 2)]
)
def test_k_is_the_lower_median_of_what_was_planned(
    endpoints: Endpoints, counts: list[int], k: int
) -> None:
    planned = {f"c{number}": count for number, count in enumerate(counts)}
    assert laid_out(endpoints, planned).run(done).graded.scorecard.k == k


# What is spent.


def test_what_trials_cost_by_themselves_is_summed_and_stands_before_any_price(
    endpoints: Endpoints,
) -> None:
    agent = told(Tokens(input=1_000_000, output=0), cost=0.25)
    prices = Prices({"m": {"input": 9, "output": 9}}, library=False)
    ran = laid_out(endpoints, {"a": 2}, model="m", prices=prices).run(agent)
    assert (ran.spent, ran.graded.scorecard.total_cost) == (0.5, 0.5)


def test_tokens_cost_what_the_table_says_for_the_model_of_the_run(endpoints: Endpoints) -> None:
    table = {"m": {"input": 2.0, "output": 10.0}, "other": {"input": 0.0, "output": 0.0}}
    agent = told(Tokens(input=500_000, output=100_000))
    prices = Prices(table, library=False)
    ran = laid_out(endpoints, {"a": 1, "b": 1}, model="m", prices=prices).run(agent)
    assert (ran.spent, ran.graded.scorecard.mean_cost) == (4.0, 2.0)
    free = laid_out(endpoints, {"a": 1}, model="other", prices=prices).run(agent)
    assert free.spent == 0.0


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        (None, Tokens(input=1, output=1)),
        ("unknown", Tokens(input=1, output=1)),
        ("m", Tokens(input=1)),
        ("m", Tokens(input=1, output=1, estimated=True)),
        ("m", None),
    ],
)
def test_a_cost_that_nobody_knows_is_unknown_and_not_nothing(
    endpoints: Endpoints, model: str | None, tokens: Tokens | None
) -> None:
    prices = Prices({"m": {"input": 1, "output": 1}}, library=False)
    ran = laid_out(endpoints, {"a": 1}, model=model, prices=prices).run(told(tokens))
    assert ran.spent is None
    assert ran.graded.scorecard.unknown["cost"] == 1


# What was not run, and why.


def missing(ran: Ran) -> str:
    """Give the one sentence about what was not run, which stands in the notes and the record."""
    (lost,) = lost_of(ran.graded.info)
    assert ran.graded.scorecard.notes[0] == lost
    assert ran.graded.exit == 3
    return lost


def test_a_run_that_came_to_its_end_lost_nothing(endpoints: Endpoints) -> None:
    track = laid_out(endpoints, {"a": 1})
    track.writer.info = with_lost(track.writer.info, ["of an earlier attempt"])
    ran = track.run(done)
    assert (lost_of(ran.graded.info), ran.graded.scorecard.notes) == ((), ())
    assert (ran.ended.stopped, ran.graded.exit) == (None, 0)


def test_an_interrupted_run_says_how_many_are_missing_and_how_to_go_on(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    forever = Event()

    def agent(task: ft.Task) -> str:
        if task.trial == 1:
            _thread.interrupt_main()
            forever.wait()
        return "done"

    track = laid_out(endpoints, {"a": 4}, folder=tmp_path / "r1")
    ran = track.run(agent)
    forever.set()
    assert (ran.ended.stopped, track.course.done) == ("interrupted", 1)
    assert missing(ran) == (
        "3 trials of 4 planned were not run: the run was interrupted; `fairtrial run --resume r1` "
        "goes on"
    )


def test_a_run_whose_time_is_up_says_so_and_names_no_run_where_none_is_saved(
    endpoints: Endpoints,
) -> None:
    forever = Event()

    def agent(task: ft.Task) -> str:
        if task.trial == 1:
            forever.wait()
        return "done"

    bounds = Bounds(concurrency=1, timeout=30, run_timeout=0.3)
    ran = laid_out(endpoints, {"a": 2}, bounds=bounds).run(agent)
    forever.set()
    assert (
        missing(ran) == "1 trial of 2 planned were not run: the run's time was up (--run-timeout)"
    )


def test_a_run_spends_no_more_than_it_may(endpoints: Endpoints) -> None:
    bounds = Bounds(concurrency=4, timeout=30, max_cost=1.0)
    track = laid_out(endpoints, {"a": 9}, bounds=bounds, unseen=True)
    ran = track.run(told(cost=0.3))
    assert (track.course.done, ran.ended.stopped) == (3, "max cost")
    assert ran.spent == pytest.approx(0.9)
    assert "6 trials of 9 planned were not run: the next trial could have passed" in missing(ran)


def test_where_real_money_is_spent_without_a_price_no_cap_can_be_kept(
    endpoints: Endpoints,
) -> None:
    bounds = Bounds(concurrency=1, timeout=30, max_cost=1.0)
    ran = laid_out(endpoints, {"a": 3}, bounds=bounds, unseen=True).run(done)
    assert ran.ended.stopped == "unknown price"
    assert "give the model's price under [prices]" in missing(ran)


def test_where_nobody_is_paid_a_cap_needs_no_price(endpoints: Endpoints) -> None:
    bounds = Bounds(concurrency=1, timeout=30, max_cost=1.0)
    ran = laid_out(endpoints, {"a": 3}, bounds=bounds).run(done)
    assert (ran.ended.stopped, ran.spent, ran.graded.scorecard.passed) == (None, None, 3)


# What the reader must know.


def test_requests_that_belong_to_no_trial_are_told(endpoints: Endpoints) -> None:
    def agent(task: ft.Task) -> str:
        url = f"{endpoints.listener.nowhere.openai}/chat/completions"
        httpx2.post(url, json={"model": "m", "messages": []}, trust_env=False)
        return "done"

    (note,) = laid_out(endpoints, {"a": 2}).run(agent).graded.scorecard.notes
    assert note.startswith("2 model requests came from no trial and were refused: the agent made")


@pytest.mark.parametrize(("failures", "trials"), [(1, "1 trial"), (2, "2 trials")])
def test_trials_that_were_tried_again_are_told(
    endpoints: Endpoints, failures: int, trials: str
) -> None:
    down = [*range(failures)]

    def agent(task: ft.Task) -> str:
        if task.trial in down:
            down.remove(task.trial)
            raise ft.ProviderError("overloaded")
        return "done"

    bounds = Bounds(concurrency=1, timeout=30, backoff=0)
    ran = laid_out(endpoints, {"a": 3}, bounds=bounds, unseen=True).run(agent)
    assert ran.graded.scorecard.passed == 3
    assert ran.graded.scorecard.notes == (
        f"{trials} took more than one attempt, because the provider failed",
    )


def test_what_the_agent_did_wrong_itself_is_not_tried_again(endpoints: Endpoints) -> None:
    def agent(task: ft.Task) -> str:
        raise KeyError("x")

    own = laid_out(endpoints, {"b": 1}, unseen=True).run(agent)
    assert (own.graded.scorecard.failed, own.graded.scorecard.notes) == (1, ())


def test_an_agent_that_holds_up_its_event_loop_is_told(
    endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "_LONG_HOLD", 0.1)
    hold = Event()

    async def agent(task: ft.Task) -> str:
        hold.wait(0.4)
        return "done"

    (note,) = (
        laid_out(endpoints, {"a": 1}, bounds=Bounds(timeout=30)).run(agent).graded.scorecard.notes
    )
    assert note.startswith("the agent blocked its event loop for 0.")
    alone = laid_out(endpoints, {"a": 1}).run(agent)
    assert alone.graded.scorecard.notes == ()  # there was nobody to be held up


# What breaks.


def test_an_agent_that_cannot_be_started_ends_the_run_with_its_words(
    endpoints: Endpoints,
) -> None:
    def agent(task: ft.Task) -> str:
        raise PluginError("agent: no such program")

    track = laid_out(endpoints, {"a": 5})
    with pytest.raises(PluginError, match="no such program"):
        track.run(agent)
    assert track.course.done == 0


def test_a_world_that_cannot_be_built_after_all_is_not_measured(endpoints: Endpoints) -> None:
    class Broken:
        """Stands where a blueprint does whose class fails though the fixtures fit it."""

        has_tools = has_state = True
        tools = ()

        def build(self, seed: bytes, before_call: object) -> ft.World:
            raise RuntimeError("the default cannot be made")

    track = laid_out(endpoints, {"a": 1})
    worlds: Any = {"a": Broken()}
    ran = track.course.run(callable_agent(done, "agent"), endpoints, worlds, None)
    with ran.graded as graded:
        ((result,),) = [list(graded.results())]
        (trial,) = result.trials
    assert trial.verdict == "error"
    assert "RuntimeError: the default cannot be made" in (trial.error or "")


def test_a_folder_that_is_taken_away_during_the_run_is_told(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    folder = tmp_path / "r1"
    track = laid_out(endpoints, {"a": 1}, folder=folder)
    with pytest.raises(StoreError, match="the run's folder was taken away"):
        track.run(done, Watching(on_trial=lambda: shutil.rmtree(folder)))


def test_what_the_watch_raises_ends_the_run(endpoints: Endpoints) -> None:
    def leave() -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        laid_out(endpoints, {"a": 5}).run(done, Watching(on_trial=leave))
