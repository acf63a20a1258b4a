"""The judge of a run at work: what it is asked of each trial, and what becomes of its verdicts."""

import json
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fairtrial.errors import JudgeError, StoreError
from fairtrial.flow.judging import JudgeOptions, Judging, judges_of, judging_of
from fairtrial.judge import Asks, FunctionModel, Judge, Panel
from fairtrial.ports import Replies
from fairtrial.records import (
    Case,
    Expectation,
    KeptReply,
    RubricItem,
    Source,
    Step,
    ToolCall,
    Trajectory,
    TrajectoryError,
)
from fairtrial.store import Redactor, ReplyFile

POLITE, SHORT = RubricItem(item="Is polite"), RubricItem(item="Is short")
Function = Callable[[str], str]


def case_of(name: str, *items: RubricItem) -> Case:
    expect = Expectation(rubric=items)
    return Case(id=name, hash="", source=Source("a.yaml", 1), input="Hi", expect=expect)


ASKING, BOTH, SILENT = case_of("a", POLITE), case_of("b", POLITE, SHORT), case_of("c")
CASES = (ASKING, BOTH, SILENT)


def answered(case: Case, answer: str = "Well done.") -> Trajectory:
    return Trajectory(case=case.id, answer=answer)


def says(prompt: str) -> str:
    """Pass what is asked, unless the answer is rude."""
    (record,) = re.findall(r"m4rk BEGIN\n(.*?)\nm4rk END", prompt, re.DOTALL)
    said = "FAIL" if "rude" in record else "PASS"
    return json.dumps({"verdict": said, "reason": "So.", "evidence": record[-4:]})


class Asked:
    """A judge's function that keeps its prompts; safe from several threads."""

    def __init__(self, function: Function = says) -> None:
        self.prompts: list[str] = []
        self._function = function

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._function(prompt)


@pytest.fixture
def replies(tmp_path: Path) -> ReplyFile:
    return ReplyFile(tmp_path / "judge.jsonl")


def judge_of(
    function: Function, replies: Replies, asks: Asks = "live", name: str = "m:ask"
) -> Judge:
    return Judge(
        FunctionModel(function, name),
        replies,
        asks=asks,
        marker=lambda: "m4rk",
        price=lambda tokens: (tokens.input or 0) / 1000,
    )


def judging(
    function: Function,
    replies: Replies,
    asks: Asks = "live",
    *,
    concurrency: int = 4,
    redactor: Redactor | None = None,
    cases: Sequence[Case] = CASES,
) -> Judging:
    options = JudgeOptions(
        judge=judge_of(function, replies, asks), asks=asks, concurrency=concurrency
    )
    return Judging(options, cases, redactor or Redactor())


def drained(at_work: Judging) -> dict[tuple[str, int], dict[str, object]]:
    return {
        (case.id, trial): {item: one.verdict for item, one in verdicts.items()}
        for case, _, trial, verdicts in at_work.drain()
    }


def test_each_trial_comes_back_once_with_the_verdicts_of_all_its_items(replies: ReplyFile) -> None:
    asked = Asked()
    at_work = judging(asked, replies)
    for trial in range(5):
        at_work.submit(ASKING, answered(ASKING, "rude" if trial == 3 else "kind"), trial)
        at_work.submit(BOTH, answered(BOTH), trial)
    found = drained(at_work)
    assert found == {("a", trial): {"Is polite": trial != 3} for trial in range(5)} | {
        ("b", trial): {"Is polite": True, "Is short": True} for trial in range(5)
    }
    assert len(asked.prompts) == 15
    assert drained(at_work) == {}


def test_a_trial_comes_with_what_was_submitted(replies: ReplyFile) -> None:
    at_work = judging(says, replies)
    trajectory = answered(ASKING)
    at_work.submit(ASKING, trajectory, 7)
    (judged,) = at_work.drain()
    assert judged.case is ASKING
    assert judged.trajectory is trajectory
    verdict = judged.verdicts["Is polite"]
    assert (verdict.case, verdict.trial, verdict.item) == ("a", 7, "Is polite")


def test_it_may_be_filled_and_drained_again_and_again(replies: ReplyFile) -> None:
    at_work = judging(says, replies)
    for trial in range(3):
        at_work.submit(ASKING, answered(ASKING), trial)
        assert list(drained(at_work)) == [("a", trial)]
    assert at_work.use().verdicts == 3


def test_one_trial_does_not_wait_for_another(replies: ReplyFile) -> None:
    go_on = threading.Event()

    def slow_about_rude(prompt: str) -> str:
        if "rude" in prompt:
            go_on.wait(30)
        return says(prompt)

    at_work = judging(slow_about_rude, replies)
    at_work.submit(ASKING, answered(ASKING, "rude"), 0)
    at_work.submit(ASKING, answered(ASKING), 1)
    found = at_work.drain()
    assert next(found).trial == 1
    go_on.set()
    assert next(found).trial == 0


@pytest.mark.parametrize("asks", ["replay", "dry", "live"])
def test_what_is_on_file_is_asked_of_nobody(replies: ReplyFile, asks: Asks) -> None:
    first = judging(says, replies)
    again_asked = Asked()
    again = judging(again_asked, ReplyFile(replies.path), asks)
    for at_work in (first, again):
        at_work.submit(BOTH, answered(BOTH), 0)
    assert drained(first) == drained(again)
    assert again_asked.prompts == []
    use = again.use()
    assert (use.asks, use.calls, use.replayed, use.verdicts) == (asks, 0, 2, 2)


def test_by_file_alone_what_is_not_there_is_no_verdict(replies: ReplyFile) -> None:
    asked = Asked()
    at_work = judging(asked, replies, "replay")
    at_work.submit(BOTH, answered(BOTH), 0)
    assert drained(at_work) == {("b", 0): {"Is polite": None, "Is short": None}}
    assert at_work.use().faults == {"no reply": 2}
    assert asked.prompts == []


def test_trials_come_from_file_in_the_order_in_which_they_went_in(replies: ReplyFile) -> None:
    at_work = judging(says, replies, "replay")
    for trial in (4, 2, 9):
        at_work.submit(ASKING, answered(ASKING), trial)
    assert [trial for _, trial in drained(at_work)] == [4, 2, 9]


def test_a_model_that_is_down_makes_no_verdict_and_ends_nothing(replies: ReplyFile) -> None:
    def down(_: str) -> str:
        raise JudgeError("503")

    at_work = judging(down, replies)
    at_work.submit(BOTH, answered(BOTH), 0)
    assert drained(at_work) == {("b", 0): {"Is polite": None, "Is short": None}}
    assert at_work.use().faults == {"no reply": 2}


class Full:
    """A place for replies that has no room."""

    def find(self, key: str) -> None:
        """Nothing is there."""

    def keep(self, reply: KeptReply) -> None:
        raise StoreError("judge.jsonl: no space left")


def test_an_error_in_a_thread_is_raised_where_it_is_waited_for() -> None:
    at_work = judging(says, Full())
    at_work.submit(ASKING, answered(ASKING), 0)
    with pytest.raises(StoreError, match="no space left"):
        list(at_work.drain())


def test_ctrl_c_in_a_tick_comes_through_and_nothing_more_is_asked(replies: ReplyFile) -> None:
    go_on = threading.Event()

    def stuck(prompt: str) -> str:
        go_on.wait(30)
        return says(prompt)

    asked = Asked(stuck)

    def leave() -> None:
        raise KeyboardInterrupt

    at_work = judging(asked, replies, concurrency=1)
    for trial in range(20):
        at_work.submit(ASKING, answered(ASKING), trial)
    with pytest.raises(KeyboardInterrupt):
        list(at_work.drain(leave))
    at_work.give_up()
    go_on.set()
    assert drained(at_work) == {}
    assert len(asked.prompts) <= 1


def test_who_leaves_halfway_has_nothing_more_asked(replies: ReplyFile) -> None:
    go_on = threading.Event()

    def stuck_after_one(prompt: str) -> str:
        if len(asked.prompts) > 1:
            go_on.wait(30)
        return says(prompt)

    asked = Asked(stuck_after_one)
    at_work = judging(asked, replies, concurrency=1)
    for trial in range(20):
        at_work.submit(ASKING, answered(ASKING), trial)
    found = at_work.drain()
    assert next(found).trial == 0
    found.close()  # type: ignore[attr-defined]  # it is a generator
    go_on.set()
    assert len(asked.prompts) <= 2


@pytest.mark.parametrize("asks", ["live", "replay"])
def test_given_up_it_asks_nothing_of_what_was_submitted(replies: ReplyFile, asks: Asks) -> None:
    asked = Asked()
    at_work = judging(asked, replies, asks)
    at_work.submit(ASKING, answered(ASKING), 0)
    at_work.give_up()
    assert drained(at_work) == {}
    assert (asked.prompts, at_work.use().verdicts) == ([], 0)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (None, True),
        ("agent", True),
        ("provider", False),
        ("user", False),
        ("script", False),
        ("world", False),
    ],
)
def test_a_trial_that_could_not_be_measured_is_not_judged(
    replies: ReplyFile, kind: str | None, wanted: bool
) -> None:
    error = None if kind is None else TrajectoryError(kind=kind, message="x")  # type: ignore[arg-type]  # each of them
    at_work = judging(says, replies)
    assert at_work.wants(ASKING, Trajectory(case="a", error=error)) is wanted
    assert at_work.wants(SILENT, Trajectory(case="c", error=error)) is False


def test_only_cases_that_ask_a_judge_something_ask_it(replies: ReplyFile) -> None:
    at_work = judging(says, replies)
    assert [at_work.asks(case) for case in CASES] == [True, True, False]
    options = JudgeOptions(judge=judge_of(says, replies), asks="live")
    assert judging_of(options, [SILENT], Redactor()) is None
    assert judging_of(None, CASES, Redactor()) is None
    assert judging_of(options, CASES, Redactor()) is not None


def test_secrets_are_in_no_prompt_and_on_no_file(replies: ReplyFile) -> None:
    secret, other = "hunter2-very-secret", "p4ssw0rd-of-the-shop"
    call = ToolCall(name="pay", arguments={"note": secret, "password": other}, result=f"<{secret}>")
    trajectory = Trajectory(
        case="a", answer=f"Done, {secret} and {other}.", steps=(Step(calls=(call,)),)
    )
    asked = Asked()
    at_work = judging(asked, replies, redactor=Redactor([secret]))
    at_work.submit(ASKING, trajectory, 0)
    (judged,) = at_work.drain()
    (prompt,) = asked.prompts
    assert secret not in prompt
    assert other not in prompt
    assert "Done, [redacted] and [redacted]." in prompt
    assert judged.trajectory is trajectory  # what graders see is as it was
    assert secret.encode() not in replies.path.read_bytes()


def test_with_its_secrets_out_a_trial_is_found_on_file_again(replies: ReplyFile) -> None:
    redactor = Redactor(["hunter2-very-secret"])
    at_work = judging(says, replies, redactor=redactor)
    at_work.submit(ASKING, answered(ASKING, "hunter2-very-secret"), 0)
    drained(at_work)
    again = judging(says, replies, "replay")
    again.submit(ASKING, answered(ASKING, "[redacted]"), 0)
    assert drained(again) == {("a", 0): {"Is polite": True}}


def test_a_dry_run_counts_what_a_live_one_would_ask_and_what_it_would_cost(
    replies: ReplyFile,
) -> None:
    live = judging(says, replies)
    live.submit(ASKING, answered(ASKING), 0)
    drained(live)
    asked = Asked()
    dry = judging(asked, replies, "dry")
    for trial in range(3):
        dry.submit(ASKING, answered(ASKING), trial)
    drained(dry)
    use = dry.use()
    assert asked.prompts == []
    assert (use.asks, use.wanted_calls, use.calls) == ("dry", 2, 0)
    assert use.wanted_tokens is not None
    assert use.wanted_cost is not None
    assert 0 < use.wanted_cost < use.wanted_tokens / 1000


def panel_of(replies: Replies, asks: Asks, *names: str) -> Panel:
    return Panel([judge_of(says, replies, asks, name) for name in names])


def test_a_dry_run_counts_each_judge_of_a_panel_that_has_no_reply(replies: ReplyFile) -> None:
    live = JudgeOptions(judge=panel_of(replies, "live", "m:a"), asks="live")
    first = Judging(live, CASES, Redactor())
    first.submit(ASKING, answered(ASKING), 0)
    drained(first)
    options = JudgeOptions(judge=panel_of(replies, "dry", "m:a", "m:b", "m:c"), asks="dry")
    dry = Judging(options, CASES, Redactor())
    dry.submit(ASKING, answered(ASKING), 0)
    drained(dry)
    assert dry.use().wanted_calls == 2
    missing = list(dry.missing(ASKING, answered(ASKING), 0))
    assert [judge.name for judge, _ in missing] == ["m:b", "m:c"]


def test_a_live_panel_has_one_verdict_with_a_vote_of_each(replies: ReplyFile) -> None:
    options = JudgeOptions(judge=panel_of(replies, "live", "m:a", "m:b", "m:c"), asks="live")
    at_work = Judging(options, CASES, Redactor())
    at_work.submit(ASKING, answered(ASKING), 0)
    (judged,) = at_work.drain()
    verdict = judged.verdicts["Is polite"]
    assert (verdict.verdict, verdict.asks, len(verdict.votes)) == (True, 3, 3)
    assert (at_work.use().verdicts, at_work.use().calls) == (1, 3)


def test_the_judges_of_a_panel_are_its_judges_and_one_is_itself(replies: ReplyFile) -> None:
    judge = judge_of(says, replies)
    assert judges_of(judge) == (judge,)
    panel = panel_of(replies, "live", "m:a", "m:b")
    assert judges_of(panel) == panel.judges


def test_what_is_missing_is_told_without_asking_and_kept_from_elsewhere(
    replies: ReplyFile,
) -> None:
    asked = Asked()
    at_work = judging(asked, replies, "replay")
    missing = list(at_work.missing(BOTH, answered(BOTH), 3))
    assert [one.question.item for _, one in missing] == ["Is polite", "Is short"]
    assert {(one.material.case, one.material.trial) for _, one in missing} == {("b", 3)}
    for judge, one in missing:
        judge.keep(one, FunctionModel(says, "m:ask").reply(one.prompt))
    assert list(at_work.missing(BOTH, answered(BOTH), 3)) == []
    assert asked.prompts == []


def test_asked_again_for_its_noise_it_has_replies_of_its_own(replies: ReplyFile) -> None:
    asked = Asked()
    for repeat in (0, 1, 1):
        judge = judge_of(asked, replies)
        options = JudgeOptions(judge=judge, asks="live", repeat=repeat)
        at_work = Judging(options, CASES, Redactor())
        at_work.submit(ASKING, answered(ASKING), 0)
        assert drained(at_work) == {("a", 0): {"Is polite": True}}
    assert len(asked.prompts) == 2
