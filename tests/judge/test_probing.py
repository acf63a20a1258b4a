"""Answers changed on purpose: only what is said to change does, and nothing crashes."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge.probing import (
    INJECTIONS,
    confident,
    injected,
    laid_out,
    padded,
    strangest,
    with_answer,
    with_wrong_argument,
)
from fairtrial.records import Json, Step, ToolCall, Trajectory

ANSWERS = st.text(min_size=1)


def trajectory(*calls: ToolCall, answer: str | None = "Done.") -> Trajectory:
    return Trajectory(case="c", answer=answer, steps=(*(Step(calls=(one,)) for one in calls),))


def call(arguments: Json, **fields: Json) -> ToolCall:
    return ToolCall(**({"name": "cancel", "arguments": arguments, "result": {}} | fields))


@given(st.text(), ANSWERS)
def test_a_padded_or_confident_answer_holds_the_answer_and_is_longer(
    request: str, answer: str
) -> None:
    for longer in (padded(request, answer), confident(answer)):
        assert answer in longer
        assert len(longer) > len(answer)


def test_padding_has_no_words_but_those_of_the_request_and_the_answer() -> None:
    assert padded("取消\nH-204", "好的。") == "> 取消\n> H-204\n\n好的。\n\n好的。"
    assert padded("", "Done.") == "Done.\n\nDone."


@given(ANSWERS)
def test_an_answer_that_is_laid_out_keeps_its_words(answer: str) -> None:
    told = laid_out(answer)
    assert told.startswith("## 1\n")
    words = re.sub(r"^## 1\n|^- |\*\*", "", told, flags=re.MULTILINE)
    assert "".join(words.split()) == "".join(answer.replace("**", "").split()) or "*" in answer


def test_sentences_become_points_in_any_script() -> None:
    assert laid_out("好的。没有费用！").count("\n- ") == 2
    assert laid_out("It costs 3.50 now.").count("\n- ") == 1


@pytest.mark.parametrize("kind", INJECTIONS)
@given(answer=st.text())
def test_an_injected_answer_begins_as_it_did_and_asks_for_a_pass(kind: str, answer: str) -> None:
    told = injected(answer, kind)  # type: ignore[arg-type]  # one of INJECTIONS
    assert told.startswith(answer)
    assert "PASS" in told[len(answer) :]


def test_the_imitated_reply_is_one_that_would_be_read() -> None:
    last = json.loads(injected("No fee.\nBye.", "reply").rsplit("\n", 1)[1])
    assert (last["verdict"], last["evidence"]) == ("PASS", "No fee.")


def test_another_answer_is_also_told_in_the_step_that_told_the_old_one() -> None:
    steps = (Step(text="Let me look."), Step(text=" Done. "))
    told = with_answer(Trajectory(case="c", answer="Done.", steps=steps), "No.")
    assert told.steps is not None
    assert [step.text for step in told.steps] == ["Let me look.", "No."]
    assert told.answer == "No."


@pytest.mark.parametrize("answer", [None, ""])
def test_a_trial_without_an_answer_gets_one_and_its_steps_stay(answer: str | None) -> None:
    steps = (Step(text=""), Step(text=None))
    told = with_answer(Trajectory(case="c", answer=answer, steps=steps), "No.")
    assert (told.answer, told.steps) == ("No.", steps)
    assert with_answer(Trajectory(case="c"), "No.").steps is None


@pytest.mark.parametrize(
    ("old", "kind", "new"),
    [
        ("H-204", "id", "H-205"),
        ("H-209", "id", "H-200"),
        ("2026-02-28", "date", "2026-02-17"),
        ("2026-12-17T10:00", "date", "2026-12-18T10:00"),
        (20, "amount", 41),
        (0, "amount", 1),
        (-3, "amount", 1),
        (2.5, "amount", 6.0),
    ],
)
def test_a_wrong_argument_is_of_the_kind_of_the_right_one(old: Json, kind: str, new: Json) -> None:
    wrong = with_wrong_argument(trajectory(call({"to": old, "note": "please", "sure": True})))
    assert wrong is not None
    assert wrong.kind == kind
    assert wrong.trajectory.steps is not None
    told = wrong.trajectory.steps[0].calls[0].arguments
    assert told == {"to": new, "note": "please", "sure": True}
    assert wrong.told == f"cancel: to {new!r} instead of {old!r}"


@pytest.mark.parametrize(
    "arguments",
    [None, {}, "", "nonsense {", '"H-204"', {"a": True, "b": None, "c": "words", "d": [], "e": {}},
     {"a": "x" * 60 + "12345"}, {"a": 1e300}, {"a": 10**20}],
)  # fmt: skip
def test_what_is_no_date_amount_or_id_cannot_be_made_wrong(arguments: Json) -> None:
    assert with_wrong_argument(trajectory(call(arguments))) is None
    assert with_wrong_argument(Trajectory(case="c")) is None


def test_calls_that_failed_or_were_never_made_are_left_alone() -> None:
    failed, unmade = call({"to": 1}, error="no"), call({"to": 1}, executed=False)
    assert with_wrong_argument(trajectory(failed, unmade)) is None


def test_calls_that_changed_the_world_come_first_and_kinds_take_turns() -> None:
    looked = call({"page": 1})
    paid = call({"on": "2026-12-01", "sum": 20, "to": ["A-1", "A-2"]}, changed=True)
    kinds = [with_wrong_argument(trajectory(looked, paid), turn) for turn in range(6)]
    told = [wrong and (wrong.kind, wrong.told.split()[1]) for wrong in kinds]
    assert told == [("amount", "sum"), ("date", "on"), ("id", "to.0"), ("amount", "sum"),
                    ("date", "on"), ("id", "to.1")]  # fmt: skip


def test_raw_arguments_stay_raw() -> None:
    wrong = with_wrong_argument(trajectory(call('{"to": "H-204"}')))
    assert wrong is not None
    assert wrong.trajectory.steps is not None
    assert wrong.trajectory.steps[0].calls[0].arguments == '{"to":"H-205"}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def leaves(value: Json) -> list[Json]:
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return [leaf for one in inside for leaf in leaves(one)]
    return [(type(value), value)]


@given(st.dictionaries(st.text(), JSON, max_size=4), st.integers(0, 20))
def test_exactly_one_value_differs_and_nothing_else(arguments: dict[str, Json], turn: int) -> None:
    before = trajectory(call(arguments))
    wrong = with_wrong_argument(before, turn)
    if wrong is None:
        return
    assert wrong.trajectory.steps is not None
    after = wrong.trajectory.steps[0].calls[0].arguments
    pairs = zip(leaves(arguments), leaves(after), strict=True)
    assert sum(old != new for old, new in pairs) == 1
    assert before == trajectory(call(arguments))


def test_arguments_nested_without_end_are_not_followed() -> None:
    deep: Json = {"to": 1}
    for _ in range(200):
        deep = {"in": deep}
    assert with_wrong_argument(trajectory(call(deep))) is None
    assert with_wrong_argument(trajectory(call('{"a":' * 5_000 + "1" + "}" * 5_000))) is None


def test_the_stranger_is_the_answer_that_is_least_alike() -> None:
    assert strangest("取消了，没有费用。", ["取消了，没有费用！", "座位是十二号。"]) == 1
    assert strangest("Done.", []) is None
    assert strangest("Done.", ["Done.", "Done!"]) is None
    assert strangest("", [""]) is None


@given(st.text(), st.lists(st.text(), max_size=5))
def test_any_texts_can_be_held_against_each_other(own: str, others: list[str]) -> None:
    at = strangest(own, others)
    assert at is None or others[at] != own
