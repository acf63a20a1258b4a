"""Many questions to a judge at once: each verdict as it comes, and nothing asked in vain."""

import threading
from collections.abc import Callable

import pytest

from fairtrial.errors import StoreError
from fairtrial.flow.judge_crew import ask_all
from fairtrial.judge import Ask, FunctionModel, Judge, Material
from fairtrial.records import JudgeQuestion, KeptReply

REPLY = '{"reason": "So.", "evidence": "record", "verdict": "PASS"}'
QUESTION = JudgeQuestion(item="Is polite", text="Is polite")


class Nowhere:
    """A place for replies that keeps none."""

    def find(self, key: str) -> None:
        """Nothing is there."""

    def keep(self, reply: KeptReply) -> None:
        """Forget it."""


class Full(Nowhere):
    def keep(self, reply: KeptReply) -> None:
        raise StoreError("no space left")


def asks(count: int) -> list[Ask]:
    return [
        Ask(
            question=QUESTION,
            material=Material(case="c", trial=number, transcript=f"record {number}"),
        )
        for number in range(count)
    ]


def judge_of(ask: Callable[[str], str], replies: Nowhere | None = None) -> Judge:
    kept = replies or Nowhere()
    return Judge(FunctionModel(ask, "m:ask"), kept, asks="live", marker=lambda: "m4rk")


def test_every_question_gets_its_verdict_once() -> None:
    found = dict(ask_all(judge_of(lambda _: REPLY), asks(20), concurrency=4))
    assert sorted(ask.material.trial for ask in found) == list(range(20))
    assert {verdict.verdict for verdict in found.values()} == {True}
    assert all(ask.material.trial == verdict.trial for ask, verdict in found.items())


def test_so_many_are_asked_at_once_and_no_more() -> None:
    together = threading.Barrier(3)  # is passed only by three at once

    def ask(_: str) -> str:
        together.wait(30)
        return REPLY

    found = list(ask_all(judge_of(ask), asks(6), concurrency=3))
    assert len(found) == 6


def test_what_cannot_be_kept_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(StoreError, match="no space left"):
        list(ask_all(judge_of(lambda _: REPLY, Full()), asks(3), concurrency=2))


def test_closed_before_its_end_it_asks_nothing_more() -> None:
    asked: list[str] = []
    go_on = threading.Event()

    def ask(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > 1:
            go_on.wait(30)
        return REPLY

    found = ask_all(judge_of(ask), asks(50), concurrency=1)
    next(found)
    found.close()
    go_on.set()
    assert len(asked) <= 2


def test_it_ticks_while_nothing_comes() -> None:
    ticked = threading.Event()

    def ask(_: str) -> str:
        ticked.wait(30)
        return REPLY

    assert len(list(ask_all(judge_of(ask), asks(1), concurrency=1, tick=ticked.set))) == 1


def test_ctrl_c_in_a_tick_comes_through() -> None:
    def leave() -> None:
        raise KeyboardInterrupt

    stay = threading.Event()

    def ask(_: str) -> str:
        stay.wait(30)
        return REPLY

    with pytest.raises(KeyboardInterrupt):
        list(ask_all(judge_of(ask), asks(1), concurrency=1, tick=leave))
    stay.set()
