"""Rubric items as checks: the judge's verdicts, which of them decide, and what is never a pass."""

from typing import Any

import pytest

from fairtrial.graders import CaseGrader, GradingSettings, judge_questions
from fairtrial.records import (
    Case,
    Check,
    Expectation,
    JudgeVerdict,
    RubricItem,
    Source,
    Trajectory,
    Trust,
)

ANSWERED = Trajectory(case="c", answer="Get well.", steps=())
GATE = RubricItem(item="Is polite", gate=True)
TONE = {
    "criteria": [{"name": "warmth", "description": "1 cold, 5 warm"}, {"name": "clarity"}],
    "threshold": 4,
    "floor": 3,
    "gate": True,
}


def case_of(rubric: Any, **rest: Any) -> Case:
    expect = Expectation(stop="answer", rubric=rubric, **rest)
    return Case(
        id="c", hash="", source=Source("a.yaml", 1), expect=expect, rubrics={"tone": dict(TONE)}
    )


def said(item: str, verdict: Any, **rest: Any) -> dict[str, JudgeVerdict]:
    return {item: JudgeVerdict(case="c", item=item, verdict=verdict, reason="So it is.", **rest)}


def judged(
    case: Case, verdicts: dict[str, JudgeVerdict] | None, *trusted: str
) -> tuple[str, Check]:
    settings = GradingSettings(trust=Trust(trusted=frozenset(trusted)))
    trial = CaseGrader(case, settings).grade(ANSWERED, 0, verdicts)
    return trial.verdict, next(one for one in trial.checks if one.name.startswith("rubric["))


def test_without_a_judge_an_item_is_not_judged_and_does_not_decide() -> None:
    trial = CaseGrader(case_of((GATE,))).grade(ANSWERED, 0)
    check = trial.checks[-1]
    assert (trial.verdict, check.name) == ("passed", "rubric[Is polite]")
    assert (check.passed, check.decides) == (None, False)
    assert check.reason == "not judged: there was no judge in this run"


def test_a_case_of_nothing_but_a_rubric_cannot_be_measured_without_a_judge() -> None:
    case = Case(id="c", hash="", source=Source("a.yaml", 1), expect=Expectation(rubric=(GATE,)))
    trial = CaseGrader(case).grade(ANSWERED, 0)
    assert trial.verdict == "error"
    assert trial.error is not None
    assert "rubric[Is polite]" in trial.error
    assert "not judged" in trial.error


@pytest.mark.parametrize(
    ("verdict", "trusted", "comes_to"),
    [
        (True, ["Is polite"], "passed"),
        (False, ["Is polite"], "failed"),
        (None, ["Is polite"], "error"),
        (False, [], "passed"),
        (None, [], "passed"),
    ],
)
def test_an_item_decides_once_it_gates_and_is_trusted(
    verdict: bool | None, trusted: list[str], comes_to: str
) -> None:
    outcome, check = judged(case_of((GATE,)), said("Is polite", verdict), *trusted)
    assert outcome == comes_to
    assert check.passed is verdict
    assert check.decides is bool(trusted)


def test_a_trusted_item_that_does_not_gate_informs() -> None:
    outcome, check = judged(
        case_of((RubricItem(item="Is polite"),)), said("Is polite", False), "Is polite"
    )
    assert (outcome, check.passed, check.decides) == ("passed", False, False)


def test_the_reason_is_the_judges_sentence_with_its_quote() -> None:
    _, check = judged(case_of((GATE,)), said("Is polite", True, evidence="Get well."))
    assert check.reason == 'So it is. ("Get well.")'


def test_what_was_no_verdict_says_why() -> None:
    lost = {"Is polite": JudgeVerdict(case="c", verdict=None, reason="it broke", fault="cut off")}
    _, check = judged(case_of((GATE,)), lost, "Is polite")
    assert check.reason == "not judged: cut off: it broke"
    assert judged(case_of((GATE,)), {}, "Is polite")[1].reason == "not judged"


def both(warmth: Any, clarity: Any) -> dict[str, JudgeVerdict]:
    return {**said("tone: warmth", warmth), **said("tone: clarity", clarity)}


@pytest.mark.parametrize(
    ("scores", "passed", "reason"),
    [
        ((5, 3), True, "mean 4 of 5 (warmth 5, clarity 3)"),
        ((4, 3), False, "mean 3.5 of 5 (warmth 4, clarity 3); wanted a mean of 4"),
        (
            (5, 2),
            False,
            "mean 3.5 of 5 (warmth 5, clarity 2); wanted a mean of 4; "
            "below the floor of 3: clarity",
        ),
        ((5, None), None, "clarity: not judged: So it is."),
        ((5, True), None, "clarity: not judged: So it is."),
    ],
)
def test_criteria_reach_a_mean_and_each_its_floor(
    scores: tuple[Any, Any], passed: bool | None, reason: str
) -> None:
    _, check = judged(case_of("tone"), both(*scores))
    assert (check.name, check.passed, check.reason) == ("rubric[tone]", passed, reason)


def test_the_score_of_criteria_is_the_mean_from_none_to_all() -> None:
    assert judged(case_of("tone"), both(5, 5))[1].score == 1.0
    assert judged(case_of("tone"), both(1, 3))[1].score == 0.25


def test_criteria_decide_only_when_all_are_trusted() -> None:
    case = case_of("tone")
    assert judged(case, both(1, 1), "tone: warmth")[0] == "passed"
    assert judged(case, both(1, 1), "tone: warmth", "tone: clarity")[0] == "failed"


def test_a_judge_is_asked_each_item_criterion_and_goal_once() -> None:
    case = case_of((GATE, GATE, RubricItem(item="Is short")), reference="Get well soon.")
    assert [one.item for one in judge_questions(case)] == ["Is polite", "Is short"]
    assert {one.reference for one in judge_questions(case)} == {"Get well soon."}
    first, second = judge_questions(case_of("tone"))
    assert (first.item, first.text, first.scale) == (
        "tone: warmth",
        "warmth: 1 cold, 5 warm",
        "score",
    )
    assert second.text == "clarity"


def test_a_goal_is_a_yes_or_no_under_its_own_words() -> None:
    case = Case(
        id="c",
        hash="",
        source=Source("a.yaml", 1),
        expect=Expectation(rubric="done"),
        rubrics={"done": {"goal": "The guest has a refund", "gate": True}},
    )
    (question,) = judge_questions(case)
    assert question.text == "This goal is reached: The guest has a refund"
    outcome, check = judged(case, said(question.item, False), question.item)
    assert (outcome, check.name) == ("failed", "rubric[The guest has a refund]")
