from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.graders.question import ANSWER, CALLS, HOLDS, SPANS, STATE, Asker, Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.match import MatchTimeoutError
from fairtrial.records import Check, Mode, Trajectory

YES = Outcome(passed=True, reason="so")
CANNOT_TELL = Outcome(passed=None, reason="no idea")
BARE = Trajectory(case="c")


def asked(
    ask: Callable[[Subject], Outcome],
    trajectory: Trajectory = BARE,
    *,
    informs: bool = False,
    **fields: Any,
) -> Check:
    question = Question(name="q", ask=ask, holds="as wanted", **fields)
    return Asker(question, informs=informs).check(Subject(trajectory))


def test_a_plain_yes_has_the_reason_of_its_question() -> None:
    check = asked(lambda subject: HOLDS)
    assert (check.passed, check.score, check.decides, check.reason) == (
        True,
        1.0,
        True,
        "as wanted",
    )


@pytest.mark.parametrize(("passed", "score"), [(True, 1.0), (False, 0.0), (None, None)])
def test_the_score_of_a_yes_no_question_follows_from_it(
    passed: bool | None, score: float | None
) -> None:
    assert asked(lambda subject: Outcome(passed=passed, reason="")).score == score


@pytest.mark.parametrize("need", [CALLS, SPANS, STATE])
def test_what_was_not_recorded_cannot_be_told(need: Any) -> None:
    check = asked(lambda subject: HOLDS, about=need)
    assert (check.passed, check.score, check.decides) == (None, None, True)


def test_without_an_answer_a_question_about_it_is_false() -> None:
    check = asked(lambda subject: HOLDS, about=ANSWER)
    assert (check.passed, check.decides) == (False, True)


def test_an_empty_answer_is_one_and_so_are_no_calls() -> None:
    trajectory = Trajectory(case="c", answer="", steps=(), state={}, spans=())
    for need in (ANSWER, CALLS, STATE, SPANS):
        assert asked(lambda subject: HOLDS, trajectory, about=need).passed is True


def test_a_null_of_what_nobody_asked_for_does_not_decide() -> None:
    assert asked(lambda subject: CANNOT_TELL, asked=False).decides is False
    assert asked(lambda subject: CANNOT_TELL).decides is True


def test_a_no_of_what_nobody_asked_for_decides() -> None:
    check = asked(lambda subject: Outcome(passed=False, reason=""), asked=False)
    assert (check.decides, check.asked) == (True, False)


@pytest.mark.parametrize("outcome", [HOLDS, YES, CANNOT_TELL])
def test_what_informs_never_decides(outcome: Outcome) -> None:
    assert asked(lambda subject: outcome, informs=True).decides is False


@pytest.mark.parametrize("outcome", [HOLDS, YES])
def test_some_questions_only_inform_where_the_model_was_scripted(outcome: Outcome) -> None:
    modes: dict[Mode, bool] = {"scripted": False, "replayed": True, "live": True, "none": True}
    for mode, decides in modes.items():
        trajectory = Trajectory(case="c", model=mode)
        check = asked(lambda subject: outcome, trajectory, scripted_decides=False)
        assert check.decides is decides


def test_a_search_without_end_cannot_be_told() -> None:
    def ask(subject: Subject) -> Outcome:
        raise MatchTimeoutError("the pattern needs more than 1 second")

    check = asked(ask)
    assert (check.passed, check.reason) == (None, "the pattern needs more than 1 second")


def test_a_reason_is_bounded() -> None:
    assert len(asked(lambda subject: Outcome(passed=False, reason="x" * 10**6)).reason) == 2000


def test_the_same_asker_answers_two_trials_apart() -> None:
    ask = Asker(
        Question(
            name="q",
            ask=lambda subject: Outcome(passed=subject.answer == "a", reason=subject.answer or ""),
            holds="",
        ),
        informs=False,
    )
    first, second = (ask.check(Subject(Trajectory(case="c", answer=text))) for text in "ab")
    assert [(one.passed, one.reason) for one in (first, second)] == [(True, "a"), (False, "b")]
