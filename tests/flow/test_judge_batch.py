"""What is refused before anything is asked; the whole way is in tests/cli/test_judge_batch.py."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.cases import load_suite
from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.batch_waiting import BatchMeans
from fairtrial.flow.judge_batch import has_open_batches, judge_in_batches
from fairtrial.flow.judging import JudgeOptions
from fairtrial.judge import Judge
from fairtrial.records import JudgePrompt, JudgeReply, KeptReply
from fairtrial.store import Redactor, SavedRun

if TYPE_CHECKING:
    from tests.conftest import Desk


class OnFile:
    """A model whose replies are on file, where there is none."""

    name = described = "m"

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        raise AssertionError

    def find(self, key: str) -> KeptReply | None:
        return None

    def keep(self, reply: KeptReply) -> None:
        raise AssertionError


def asked(desk: "Desk", *, run: SavedRun, **expect: object) -> int:
    desk.cases(
        {"id": "greet", "input": "Hello?", "expect": {"answer": {"contains": ["done"]}} | expect}
    )
    judge = Judge(OnFile(), OnFile(), asks="dry", marker=lambda: "m4rk", price=lambda tokens: 2.0)
    options = JudgeOptions(judge=judge, asks="dry")
    means = BatchMeans(
        say=lambda line: None,
        show=lambda use: None,
        sleep=lambda seconds: None,
        now=lambda: pytest.fail("no clock is needed"),
        new_key=lambda: "k",
    )
    suite = load_suite([desk.folder / "cases.json"])
    judging = judge_in_batches(suite, run, options, Redactor(), means)
    with judging.file:
        use = judging.go(submit=False, wait=True)
    assert use.wanted_cost == use.missing  # half the price of each
    return use.missing


@pytest.fixture
def run(desk: "Desk") -> SavedRun:
    desk.cases()
    desk.record(*[desk.recording()] * 3)
    desk.graded()
    return SavedRun.read_folder(desk.runs()[0])


def test_each_item_of_each_trial_is_missing_once(desk: "Desk", run: SavedRun) -> None:
    assert asked(desk, run=run, rubric=["Is polite", "Is short"]) == 6
    assert not has_open_batches(run)


def test_a_suite_that_asks_no_judge_anything_is_told_so(desk: "Desk", run: SavedRun) -> None:
    with pytest.raises(UsageError, match="no case asks a judge anything"):
        asked(desk, run=run)


def test_a_run_without_its_folder_cannot_be_judged(desk: "Desk", run: SavedRun) -> None:
    gone = SavedRun(run.info, None, None, None)
    with pytest.raises(StoreError, match="the run's folder is gone"):
        asked(desk, run=gone, rubric=["Is polite"])
    assert not has_open_batches(gone)
