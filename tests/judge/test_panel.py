"""Judges that vote: more than half of all of them decide, and how they differed is told."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import JudgeError
from fairtrial.judge import Asks, Judge, Material, Panel
from fairtrial.records import (
    Json,
    JudgePrompt,
    JudgeQuestion,
    JudgeReply,
    JudgeVerdict,
    KeptReply,
    Said,
    Tokens,
)

MATERIAL = Material(case="c", trial=1, transcript="Thank you for waiting.")
QUESTION = JudgeQuestion(item="Is polite", text="Is polite")
SCORED = JudgeQuestion(item="tone: warm", text="warm", scale="score")
ORDER = JudgeQuestion(item="Which?", text="Which?", scale="order")


class Says:
    """A model that always says the same; None: it cannot be asked."""

    def __init__(self, name: str, said: Said, cost: float | None = 0.5) -> None:
        self.name = self.described = name
        self._said = said
        self._cost = cost

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        if self._said is None:
            raise JudgeError(f"{self.name} is down")
        fields: dict[str, Json] = {"reason": f"{self.name} says so.", "evidence": "Thank you"}
        if "score" in prompt.schema["properties"]:
            fields["score"] = self._said
        elif isinstance(self._said, str):
            fields["better"] = self._said
        else:
            fields["verdict"] = "PASS" if self._said else "FAIL"
        tokens = Tokens(input=10, output=1)
        return JudgeReply(text=json.dumps(fields), tokens=tokens, cost=self._cost, seconds=1.0)


class Shelf:
    def __init__(self) -> None:
        self.kept: dict[str, KeptReply] = {}

    def find(self, key: str) -> KeptReply | None:
        return self.kept.get(key)

    def keep(self, reply: KeptReply) -> None:
        self.kept[reply.key] = reply


def panel(*said: Said, asks: Asks = "live", shelf: Shelf | None = None) -> Panel:
    replies = shelf or Shelf()
    models = [Says("abcdefgh"[number], one) for number, one in enumerate(said)]
    return Panel([Judge(model, replies, asks=asks, marker=lambda: "m4rk") for model in models])


def voted(*said: Said, question: JudgeQuestion = QUESTION) -> JudgeVerdict:
    return panel(*said).ask(question, MATERIAL)


@pytest.mark.parametrize(
    ("said", "agreed"),
    [
        ((True, True, True), True),
        ((True, False, True), True),
        ((False, False, True), False),
        ((True, True, None), True),
        ((True, False), None),
        ((True, None), None),
        ((True, False, None), None),
        ((True, None, None), None),
        ((None, None, None), None),
        ((True, True, False, False), None),
        ((True, True, True, False), True),
    ],
)
def test_more_than_half_of_all_judges_decide(said: tuple[Said, ...], agreed: Said) -> None:
    told = voted(*said)
    assert told.verdict is agreed
    assert (told.fault is None) is (agreed is not None)


@given(st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=7))
def test_no_verdict_stands_without_more_than_half_of_all(said: list[Said]) -> None:
    told = voted(*said)
    most = [one for one, count in Counter(said).items() if 2 * count > len(said)]
    assert told.verdict is (most[0] if most else None)
    assert [vote.verdict for vote in told.votes] == said


def test_a_tie_is_told_as_a_split_and_has_no_evidence() -> None:
    told = voted(True, False)
    assert (told.fault, told.evidence) == ("split", None)
    assert told.reason == "no majority (a: PASS, b: FAIL)"


def test_where_one_had_no_reply_and_the_others_part_its_fault_is_told() -> None:
    told = voted(True, False, None)
    assert told.fault == "no reply"
    assert told.reason == "no majority (a: PASS, b: FAIL, c: no reply)"


def test_those_who_agree_speak_and_who_differs_is_named() -> None:
    alike = voted(True, True, True)
    assert (alike.reason, alike.evidence) == ("a says so.", "Thank you")
    apart = voted(False, True, True)
    assert apart.reason == "b says so. (a: FAIL, b: PASS, c: PASS)"
    silent = voted(None, True, True)
    assert silent.reason == "b says so. (a: no reply, b: PASS, c: PASS)"


@pytest.mark.parametrize(
    ("scores", "middle"),
    [
        ((1, 5, 3), 3),
        ((1, 5, 5), 5),
        ((2, 4), 2),
        ((5, 4, 1, 2), 2),
        ((4, 2, None), 2),
        ((4, None, None), None),
        ((4, None), None),
        ((1, 1, 1), 1),
    ],
)
def test_of_scores_the_middle_one_counts_and_the_lower_of_two(
    scores: tuple[int | None, ...], middle: int | None
) -> None:
    told = voted(*scores, question=SCORED)
    assert told.verdict == middle
    assert told.verdict is not True  # 1 is a score


def test_of_two_records_the_majority_says_which_is_better() -> None:
    material = Material(case="c", trial=1, transcript="Thank you.", second="Thank you!")
    assert panel("FIRST", "SECOND", "FIRST").ask(ORDER, material).verdict == "FIRST"
    told = panel("FIRST", "SECOND", "TIE").ask(ORDER, material)
    assert (told.verdict, told.reason) == (None, "no majority (a: FIRST, b: SECOND, c: TIE)")


def test_amounts_are_of_the_calls_of_all_judges() -> None:
    told = voted(True, False, True)
    assert (told.asks, told.cost, told.seconds) == (3, 1.5, 3.0)
    assert told.tokens == Tokens(input=30, output=3)
    down = voted(True, None, True)
    assert (down.asks, down.calls, down.cost, down.seconds) == (2, 2, 1.0, 2.0)


def test_what_is_on_file_of_some_judges_is_not_paid_for_again() -> None:
    shelf = Shelf()
    panel(True, False, True, shelf=shelf).ask(QUESTION, MATERIAL)
    shelf.kept.popitem()
    told = panel(None, None, True, shelf=shelf).ask(QUESTION, MATERIAL)
    assert (told.asks, told.calls, told.cost) == (3, 1, 0.5)


def test_each_vote_is_kept_with_its_reason() -> None:
    told = voted(True, None)
    assert [(vote.judge, vote.verdict, vote.reason, vote.fault) for vote in told.votes] == [
        ("a", True, "a says so.", None),
        ("b", None, "b is down", "no reply"),
    ]


def test_a_panel_is_replayed_without_its_models_and_live_where_one_is_asked() -> None:
    shelf = Shelf()
    told = panel(True, False, True, shelf=shelf).ask(QUESTION, MATERIAL)
    assert told.mode == "live"
    again = panel(None, None, None, asks="replay", shelf=shelf).ask(QUESTION, MATERIAL)
    assert (again.verdict, again.mode, again.votes) == (True, "replayed", told.votes)
    shelf.kept.popitem()
    assert panel(None, None, True, shelf=shelf).ask(QUESTION, MATERIAL).mode == "live"


def test_it_is_the_same_panel_in_any_order_and_another_with_another_judge() -> None:
    judges = panel(True, True, True).judges
    assert Panel(judges).fingerprint == Panel(judges[::-1]).fingerprint
    assert Panel(judges).fingerprint != Panel(judges[:2]).fingerprint
    assert Panel(judges).name == "a + b + c"
    told = Panel(judges).ask(QUESTION, MATERIAL)
    assert (told.judge, told.fingerprint) == ("a + b + c", Panel(judges).fingerprint)
