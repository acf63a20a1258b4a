"""Many questions to a judge: each once, many at once, and nothing after one went wrong."""

import json
import threading

import pytest

from fairtrial.errors import StoreError
from fairtrial.flow.judge_many import use_of, verdicts_of, wanted_of
from fairtrial.judge import Ask, Judge, Material, Panel
from fairtrial.records import JudgePrompt, JudgeQuestion, JudgeReply, KeptReply, Tokens

QUESTION = JudgeQuestion(item="Is polite", text="Is polite")
SAID = json.dumps({"verdict": "PASS", "reason": "It is.", "evidence": "thanks"})


def ask(trial: int) -> Ask:
    return Ask(question=QUESTION, material=Material(case="c", trial=trial, transcript="thanks"))


class Replies:
    """Replies in memory, on a disk that can be full."""

    def __init__(self, *, full: bool = False) -> None:
        self.kept: dict[str, KeptReply] = {}
        self.full = full

    def find(self, key: str) -> KeptReply | None:
        return self.kept.get(key)

    def keep(self, reply: KeptReply) -> None:
        if self.full:
            raise StoreError("the disk is full")
        self.kept[reply.key] = reply


class Model:
    """Says PASS, once so many ask at the same time."""

    name = described = "scripted"

    def __init__(self, together: int = 1) -> None:
        self.barrier = threading.Barrier(together, timeout=20)
        self.calls = 0
        self.lock = threading.Lock()

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        with self.lock:
            self.calls += 1
        self.barrier.wait()
        return JudgeReply(text=SAID, tokens=Tokens(input=10, output=2), cost=0.5)


def judge_of(model: Model, replies: Replies | None = None) -> Judge:
    return Judge(model, replies or Replies(), asks="live", marker=lambda: "m4rk")


def test_each_question_is_asked_once_and_as_many_at_once_as_allowed() -> None:
    model = Model(together=3)
    asks = [ask(n) for n in (0, 1, 2, 0, 1, 2)]
    said = verdicts_of(judge_of(model), asks, live=True, concurrency=3)
    assert (model.calls, {*said}) == (3, {*asks})
    assert all(one.verdict is True for one in said.values())


def test_nothing_to_ask_is_no_call() -> None:
    assert verdicts_of(judge_of(Model()), [], live=True, concurrency=8) == {}


def test_a_reply_that_cannot_be_kept_ends_it_and_little_more_is_paid_for() -> None:
    model = Model()
    with pytest.raises(StoreError, match="full"):
        verdicts_of(
            judge_of(model, Replies(full=True)),
            [ask(n) for n in range(500)],
            live=True,
            concurrency=1,
        )
    assert model.calls < 500


def test_what_is_wanted_is_counted_with_every_judge_of_a_panel() -> None:
    replies = Replies()
    one, other = judge_of(Model(), replies), judge_of(Model())
    one.ask(QUESTION, ask(0).material)
    panel = Panel([one, other])
    wanted = wanted_of(panel, [ask(0), ask(1), ask(1)])
    assert wanted.calls == 3
    assert wanted.tokens is not None
    assert wanted.tokens > 3 * 200
    assert wanted.cost is None
    assert wanted_of(one, [ask(0)]).calls == 0


def test_what_was_used_tells_calls_apart_from_replies_on_file() -> None:
    judge = judge_of(Model())
    judge.ask(QUESTION, ask(0).material)
    asks = [ask(0), ask(1)]
    wanted = wanted_of(judge, asks)
    said = verdicts_of(judge, asks, live=True, concurrency=1)
    use = use_of(judge, "live", said.values(), wanted)
    assert (use.verdicts, use.calls, use.replayed, use.wanted_calls) == (2, 1, 1, 1)
    assert (use.tokens, use.cost, use.items) == (12, 0.5, ())
