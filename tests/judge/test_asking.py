"""One judge: two asks at most, each kept, and no verdict that nobody gave."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from fairtrial.errors import JudgeError
from fairtrial.judge import Asks, Judge, Material
from fairtrial.judge.asking import Missing
from fairtrial.records import JudgePrompt, JudgeQuestion, JudgeReply, KeptReply, Tokens

QUESTION = JudgeQuestion(item="Is polite", text="Is polite")
MATERIAL = Material(case="c", trial=2, transcript="Thank you for waiting.")
PASS = json.dumps({"verdict": "PASS", "reason": "It thanks.", "evidence": "Thank you"})
FAIL = json.dumps({"verdict": "FAIL", "reason": "It waits.", "evidence": "waiting"})
CHAT = "I think that it is fine."


class Says:
    """A model that says these things, one after the other, and keeps what it was asked."""

    name = described = "says"

    def __init__(self, *replies: str | JudgeReply | JudgeError) -> None:
        self.left = list(replies)
        self.asked: list[JudgePrompt] = []

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        self.asked.append(prompt)
        said = self.left.pop(0)
        if isinstance(said, JudgeError):
            raise said
        return said if isinstance(said, JudgeReply) else JudgeReply(text=said)


class Shelf:
    """Replies in memory, and the order in which they came."""

    def __init__(self) -> None:
        self.kept: list[KeptReply] = []

    def find(self, key: str) -> KeptReply | None:
        return next((one for one in reversed(self.kept) if one.key == key), None)

    def keep(self, reply: KeptReply) -> None:
        self.kept.append(reply)


class Bench(NamedTuple):
    judge: Judge
    model: Says
    shelf: Shelf


def bench(
    *replies: str | JudgeReply | JudgeError,
    asks: Asks = "live",
    shelf: Shelf | None = None,
    price: Callable[[Tokens], float | None] = lambda _: None,
) -> Bench:
    model, shelf = Says(*replies), shelf or Shelf()
    markers = iter(range(1000))
    judge = Judge(model, shelf, asks=asks, marker=lambda: f"m4rk{next(markers)}", price=price)
    return Bench(judge, model, shelf)


def test_a_verdict_says_whose_it_is_and_of_what() -> None:
    made = bench(PASS)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.case, told.trial, told.item, told.judge) == ("c", 2, "Is polite", "says")
    assert (told.verdict, told.reason, told.evidence) == (True, "It thanks.", "Thank you")
    assert (told.mode, told.asks, told.raw, told.fault) == ("live", 1, None, None)
    assert told.fingerprint == made.judge.fingerprint
    assert told.question


def test_a_reply_is_kept_with_its_marker_and_what_people_look_for() -> None:
    made = bench(PASS)
    made.judge.ask(QUESTION, MATERIAL)
    (kept,) = made.shelf.kept
    assert (kept.case, kept.trial, kept.item) == ("c", 2, "Is polite")
    assert kept.marker == made.model.asked[0].marker
    assert kept.reply.text == PASS


def test_what_is_no_verdict_is_asked_once_more_with_the_reason_and_both_are_kept() -> None:
    made = bench(CHAT, FAIL)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.asks, told.raw) == (False, 2, None)
    first, second = made.model.asked
    assert "Your last reply" not in first.text
    assert "Your last reply was no verdict: the reply holds no JSON object" in second.text
    assert first.marker != second.marker
    assert [one.reply.text for one in made.shelf.kept] == [CHAT, FAIL]
    assert len({one.key for one in made.shelf.kept}) == 2


def test_two_replies_that_are_none_are_no_verdict_with_the_last_one_shown() -> None:
    made = bench(CHAT, "still chatting", PASS)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.fault, told.asks) == (None, "unreadable", 2)
    assert told.raw == "still chatting"
    assert len(made.model.asked) == 2


@pytest.mark.parametrize("replies", [[PASS], [FAIL], [CHAT, PASS], [CHAT, CHAT]])
@pytest.mark.parametrize("asks", ["live", "replay", "dry"])
def test_what_is_on_file_says_the_same_again_without_a_model(
    replies: list[str], asks: Asks
) -> None:
    made = bench(*replies)
    told = made.judge.ask(QUESTION, MATERIAL)
    again = bench(asks=asks, shelf=made.shelf)
    replayed = again.judge.ask(QUESTION, MATERIAL)
    assert again.model.asked == []
    assert (replayed.verdict, replayed.reason, replayed.raw) == (
        told.verdict,
        told.reason,
        told.raw,
    )
    assert (replayed.mode, replayed.asks) == ("replayed", len(replies))


@pytest.mark.parametrize("asks", ["replay", "dry"])
def test_what_is_not_on_file_is_no_verdict_and_says_the_way_out(asks: Asks) -> None:
    made = bench(PASS, asks=asks)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.fault, told.asks, told.mode) == (None, "no reply", 0, "replayed")
    assert told.reason is not None
    assert "`--judge live` asks for it" in told.reason
    assert (made.model.asked, made.shelf.kept) == ([], [])
    assert (told.cost, told.tokens, told.seconds) == (None, None, None)


def test_a_first_reply_on_file_is_read_and_only_the_second_is_asked() -> None:
    shelf = bench_kept(CHAT)
    made = bench(PASS, shelf=shelf)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.mode, told.asks) == (True, "live", 2)
    (second,) = made.model.asked
    assert "Your last reply was no verdict" in second.text


def bench_kept(*replies: str) -> Shelf:
    """Give a shelf that holds these replies to one prompt, the second of them perhaps missing."""
    made = bench(*replies, JudgeError("down"))
    made.judge.ask(QUESTION, MATERIAL)
    return made.shelf


@pytest.mark.parametrize("asks", ["replay", "dry"])
def test_a_second_ask_that_is_not_on_file_leaves_the_first_reason(asks: Asks) -> None:
    told = bench(asks=asks, shelf=bench_kept(CHAT)).judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.fault, told.asks) == (None, "unreadable", 1)
    assert told.raw == CHAT


def test_a_model_that_cannot_be_asked_gives_no_reply_and_nothing_is_kept() -> None:
    made = bench(JudgeError("503 from the provider"), PASS)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.fault, told.reason) == (None, "no reply", "503 from the provider")
    assert (told.asks, told.raw, made.shelf.kept) == (0, None, [])
    assert made.judge.ask(QUESTION, MATERIAL).verdict is True  # it is asked anew


def test_a_model_that_goes_down_between_two_asks_loses_no_reply() -> None:
    made = bench(CHAT, JudgeError("503"), PASS)
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.fault, told.reason, told.raw) == ("no reply", "503", CHAT)
    assert [one.reply.text for one in made.shelf.kept] == [CHAT]
    assert made.judge.ask(QUESTION, MATERIAL).verdict is True


def test_another_error_of_a_model_is_not_taken_for_a_verdict() -> None:
    made = bench()
    with pytest.raises(IndexError):
        made.judge.ask(QUESTION, MATERIAL)


def test_every_trial_case_and_repeat_has_a_reply_of_its_own() -> None:
    made = bench(*[PASS] * 4)
    materials = [
        MATERIAL,
        Material(case="c", trial=3, transcript=MATERIAL.transcript),
        Material(case="d", trial=2, transcript=MATERIAL.transcript),
        Material(case="c", trial=2, transcript=MATERIAL.transcript, repeat=1),
    ]
    for material in [*materials, *materials]:
        assert made.judge.ask(QUESTION, material).verdict is True
    assert len(made.model.asked) == len({one.key for one in made.shelf.kept}) == 4


def test_a_record_has_a_reply_for_each_that_it_is_held_against() -> None:
    shelf = Shelf()
    for second in ("Bless you.", "Hm.", "Hm."):
        bench(PASS, shelf=shelf).judge.ask(
            QUESTION, Material(case="c", trial=2, transcript="Thank you.", second=second)
        )
    assert len(shelf.kept) == len({one.key for one in shelf.kept}) == 2


def test_which_of_two_is_better_is_asked_with_both() -> None:
    said = json.dumps({"better": "SECOND", "reason": "It is kinder.", "evidence": "Bless you"})
    made = bench(said)
    question = JudgeQuestion(item="Which?", text="Which?", scale="order")
    material = Material(case="c", trial=0, transcript="Wait.", second="Bless you.")
    assert made.judge.ask(question, material).verdict == "SECOND"
    assert "Bless you." in made.model.asked[0].text


def test_amounts_are_of_all_asks_and_unknown_with_one_that_is() -> None:
    tokens = Tokens(input=100, output=10)
    first = JudgeReply(text=CHAT, tokens=tokens, cost=0.5, seconds=1.0)
    known = bench(first, JudgeReply(text=PASS, tokens=tokens, cost=0.25, seconds=2.0))
    told = known.judge.ask(QUESTION, MATERIAL)
    assert (told.tokens, told.cost, told.seconds) == (Tokens(input=200, output=20), 0.75, 3.0)
    unknown = bench(first, PASS).judge.ask(QUESTION, MATERIAL)
    assert (unknown.tokens, unknown.cost, unknown.seconds) == (None, None, None)


def test_what_was_on_file_is_in_no_amount_of_what_is_asked_now() -> None:
    first = JudgeReply(text=CHAT, tokens=Tokens(input=100, output=10), cost=0.5, seconds=1.0)
    shelf = Shelf()
    down = bench(first, JudgeError("down"), shelf=shelf).judge.ask(QUESTION, MATERIAL)
    assert (down.asks, down.calls, down.cost) == (1, 1, 0.5)
    second = JudgeReply(text=PASS, tokens=Tokens(input=200, output=20), cost=0.25, seconds=2.0)
    now = bench(second, shelf=shelf).judge.ask(QUESTION, MATERIAL)
    assert (now.asks, now.calls, now.cost, now.seconds) == (2, 1, 0.25, 2.0)
    assert now.tokens == Tokens(input=200, output=20)
    later = bench(shelf=shelf).judge.ask(QUESTION, MATERIAL)
    assert (later.asks, later.calls, later.cost, later.mode) == (2, 0, 0.75, "replayed")


def test_the_price_counts_only_where_the_model_gives_no_cost() -> None:
    tokens = Tokens(input=100, output=10)
    priced: list[Tokens] = []

    def price(told: Tokens) -> float:
        priced.append(told)
        return 7.0

    own = bench(JudgeReply(text=PASS, tokens=tokens, cost=0.0), price=price)
    assert own.judge.ask(QUESTION, MATERIAL).cost == 0.0
    assert priced == []
    none = bench(JudgeReply(text=PASS), price=price)
    assert none.judge.ask(QUESTION, MATERIAL).cost is None
    assert priced == []
    counted = bench(JudgeReply(text=PASS, tokens=tokens), price=price)
    assert counted.judge.ask(QUESTION, MATERIAL).cost == 7.0
    assert counted.shelf.kept[0].reply.cost == 7.0
    assert priced == [tokens]


def missing_of(judge: Judge) -> list[Missing]:
    return list(judge.missing(QUESTION, MATERIAL))


def test_what_is_missing_is_the_prompt_that_a_live_judge_would_be_asked() -> None:
    made = bench(PASS, asks="replay")
    (missing,) = missing_of(made.judge)
    assert (missing.material, missing.question) == (MATERIAL, QUESTION)
    assert made.model.asked == []
    live = bench(PASS)
    live.judge.ask(QUESTION, MATERIAL)
    assert live.shelf.kept[0].key == missing.key
    assert live.model.asked[0].text == missing.prompt.text
    assert missing_of(live.judge) == []


def test_after_a_reply_that_is_none_the_second_ask_is_missing_and_after_two_nothing() -> None:
    once = bench(asks="replay", shelf=bench_kept(CHAT))
    (missing,) = missing_of(once.judge)
    assert "Your last reply was no verdict" in missing.prompt.text
    assert missing.key == f"{once.shelf.kept[0].key}/2"
    assert missing_of(bench(asks="replay", shelf=bench_kept(CHAT, CHAT)).judge) == []


@pytest.mark.parametrize(("replies", "said"), [([PASS], True), ([CHAT, FAIL], False)])
def test_replies_that_come_from_elsewhere_speak_once_they_are_kept(
    replies: list[str], said: bool
) -> None:
    made = bench(asks="replay")
    for text in replies:
        (missing,) = missing_of(made.judge)
        kept = made.judge.keep(missing, JudgeReply(text=text))
        assert (kept.key, kept.marker, kept.case) == (missing.key, missing.prompt.marker, "c")
    assert missing_of(made.judge) == []
    told = made.judge.ask(QUESTION, MATERIAL)
    assert (told.verdict, told.mode, told.asks) == (said, "replayed", len(replies))


def test_a_kept_reply_is_read_by_the_marker_that_it_was_asked_with() -> None:
    objects = [
        {"marker": "m4rk0", "verdict": "PASS", "reason": "It thanks.", "evidence": "Thank you"},
        {"marker": "m4rk1", "verdict": "FAIL", "reason": "It waits.", "evidence": "waiting"},
    ]
    made = bench(" ".join(map(json.dumps, objects)))
    assert made.judge.ask(QUESTION, MATERIAL).verdict is True
    again = bench(asks="replay", shelf=made.shelf)
    again.judge.ask(JudgeQuestion(item="Other", text="Other"), MATERIAL)
    assert again.judge.ask(QUESTION, MATERIAL).verdict is True
