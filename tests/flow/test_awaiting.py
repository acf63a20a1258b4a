"""Trials on their way to the judge: nothing that was run is lost on it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.agents import callable_agent
from fairtrial.cases import Suite
from fairtrial.errors import StoreError
from fairtrial.flow.awaiting import awaiting_of
from fairtrial.flow.course import Ran, RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.judging import JudgeOptions
from fairtrial.flow.run import resume_run, run_suite
from fairtrial.graders import CaseGrader, GradingSettings
from fairtrial.judge import FunctionModel, Judge
from fairtrial.models import Prices
from fairtrial.records import Case, Expectation, RubricItem, RunInfo, Source, Trajectory
from fairtrial.store import ReplyFile, RunWriter, SavedRun

REPLY = '{"marker": "m4rk", "reason": "So.", "evidence": "done", "verdict": "FAIL"}'


@pytest.fixture(scope="module")
def endpoints() -> Iterator[Endpoints]:
    with open_endpoints(live=False) as opened:
        yield opened


def case_of(name: str) -> Case:
    expect = Expectation(stop="answer", rubric=(RubricItem(item="Is polite", gate=True),))
    return Case(id=name, hash="", source=Source("a.yaml", 1), input="Hi", expect=expect)


SUITE = Suite(cases=(case_of("a"), case_of("b")), files=(), rules=())


def options_of(folder: Path, ask: Callable[[str], str], replies: Any = None) -> RunOptions:
    kept = replies or ReplyFile(folder / "judge.jsonl")
    judge = Judge(FunctionModel(ask, "m:ask"), kept, asks="live", marker=lambda: "m4rk")
    return RunOptions(
        root=folder, k=2, prices=Prices(), judge=JudgeOptions(judge=judge, asks="live")
    )


def agent(task: Any) -> str:
    return "done"


def run(endpoints: Endpoints, options: RunOptions) -> Ran:
    return run_suite(SUITE, SUITE.cases, callable_agent(agent, "a"), endpoints, options)


def rubric_of(folder: Path) -> list[bool | None]:
    results = SavedRun.read_folder(folder).results()
    return [trial.checks[-1].passed for result in results for trial in result.trials]


def saved(root: Path) -> Path:
    (folder,) = (root / ".fairtrial" / "runs").iterdir()
    return folder


def test_trials_come_back_with_the_judges_word_in_them(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    with run(endpoints, options_of(tmp_path, lambda _: REPLY)).graded as graded:
        assert graded.scorecard.judge is not None
        assert graded.scorecard.judge.verdicts == 4
    assert rubric_of(saved(tmp_path)) == [False] * 4


class Full:
    """A place for replies that has no room."""

    def find(self, key: str) -> None:
        """Nothing is there."""

    def keep(self, reply: object) -> None:
        raise StoreError("judge.jsonl: a judge's reply cannot be kept: No space left on device")


def test_a_reply_that_cannot_be_kept_ends_the_run_and_loses_no_trial(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match="cannot be kept: No space left"):
        run(endpoints, options_of(tmp_path, lambda _: REPLY, Full()))
    run_before = SavedRun.read_folder(saved(tmp_path))
    assert [len(result.trials) for result in run_before.results()] == [2, 2]
    system = callable_agent(agent, "a")
    options = options_of(tmp_path, lambda _: REPLY)
    resume_run(run_before, SUITE.cases, system, endpoints, options).graded.close()
    assert rubric_of(saved(tmp_path)) == [False] * 4


def test_ctrl_c_while_the_judge_is_asked_keeps_the_trials_as_they_are(
    endpoints: Endpoints, tmp_path: Path
) -> None:
    class Leaving:
        def began(self, planned: int, done: int) -> None:
            """Wait."""

        def trial(self, case: object, trial: object) -> None:
            """Wait."""

        def unjudged(self, trial: object) -> None:
            """Wait."""

        def judging(self, trials: int) -> None:
            """Wait."""

        def judged(self, case: object, trial: object) -> None:
            raise KeyboardInterrupt

        def tick(self) -> None:
            """Wait."""

    options = options_of(tmp_path, lambda _: REPLY)
    system = callable_agent(agent, "a")
    ran = run_suite(SUITE, SUITE.cases, system, endpoints, options, Leaving())
    with ran.graded as graded:
        assert ran.ended.stopped == "interrupted"
        assert "3 trials were not judged: the run was interrupted" in graded.scorecard.notes[0]
        assert graded.exit == 3
    assert sorted(rubric_of(saved(tmp_path)), key=str) == [False, None, None, None]


def test_what_was_left_is_not_asked_about_in_a_later_round(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return REPLY

    options = options_of(tmp_path, ask)
    assert options.judge is not None
    case, trajectory = case_of("a"), Trajectory(case="a", answer="done", steps=())
    info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    with RunWriter.start(info, [case]) as writer:
        awaiting = awaiting_of(options.judge, [case], GradingSettings(), writer)
        assert awaiting is not None
        trial = CaseGrader(case).grade(trajectory, 0)
        writer.add(trial)
        awaiting.add(case, trial, trajectory)
        assert (awaiting.leave(), len(awaiting)) == ([trial], 0)
        assert list(awaiting.judged(lambda: None)) == []
    assert asked == []
