from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.answer import answer_questions
from fairtrial.graders.question import Asker
from fairtrial.graders.subject import Subject
from fairtrial.records import AnswerExpectation, Check, NumberExpectation, Trajectory
from fairtrial.text import normalise


def checks(answer: str | None, **fields: Any) -> list[Check]:
    subject = Subject(Trajectory(case="c", answer=answer))
    questions = answer_questions(AnswerExpectation(**fields))
    return [Asker(question, informs=False).check(subject) for question in questions]


def check(answer: str | None, **fields: Any) -> Check:
    (one,) = checks(answer, **fields)
    return one


def number(answer: str, value: float, **fields: Any) -> Check:
    return check(answer, numbers=(NumberExpectation(value=value, **fields),))


EVERYTHING = {
    "contains": (("no fee", "free"),),
    "excludes": ("sorry",),
    "numbers": (NumberExpectation(value=320), NumberExpectation(value=27.5)),
    "equals": "No fee.",
    "matches": ("C-\\d+",),
    "json": {"a": 1},
}


def test_each_expectation_is_a_check_with_its_text_in_brackets() -> None:
    assert [one.name for one in checks("x", **EVERYTHING)] == [
        "answer.contains[no fee]",
        "answer.excludes[sorry]",
        "answer.numbers[320]",
        "answer.numbers[27.5]",
        "answer.equals[No fee.]",
        "answer.matches[C-\\d+]",
        "answer.json",
    ]


def test_without_an_answer_every_check_of_it_is_false() -> None:
    for one in checks(None, **EVERYTHING):
        assert (one.passed, one.decides, one.reason) == (False, True, "there is no answer")


def test_the_text_in_brackets_is_cut_at_60_characters() -> None:
    name = check("x", excludes=("y" * 61,)).name
    assert name == f"answer.excludes[{'y' * 60}]"
    assert check("x", excludes=("y" * 60,)).name == f"answer.excludes[{'y' * 60}]"


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("There is **NO  fee**.", True),
        ("The fee was waived; it is free", True),
        ("no-fee", False),
        ("", False),
    ],
)
def test_one_of_the_alternatives_must_occur(answer: str, passed: bool) -> None:
    one = check(answer, contains=(("no fee", "free"),))
    assert one.passed is passed


def test_a_missing_phrase_is_named_with_its_alternatives() -> None:
    reason = check("x", contains=(("no fee", "free"),)).reason
    assert reason == "the answer does not say 'no fee' or 'free': 'x'"


@pytest.mark.parametrize(
    ("phrase", "answer", "passed"),
    [
        ("can't delete", "I can\u2019t delete that", True),
        ("caf\u00e9", "cafe\u0301 is open", True),
        ("10 km", "10\u00a0km away", True),
        ("STRASSE", "Stra\u00dfe", True),
        ("a.b", "axb", False),
        ("resume", "r\u00e9sum\u00e9", False),
        ("\u4f60\u597d", "\u4f60\u597d", True),
        ("\u4f60\u597d", "\u518d\u89c1", False),
    ],
)
def test_phrases_are_compared_in_one_form(phrase: str, answer: str, passed: bool) -> None:
    assert check(answer, contains=((phrase,),)).passed is passed
    assert check(answer, excludes=(phrase,)).passed is not passed


def test_an_excluded_phrase_is_shown_where_it_stands() -> None:
    one = check("Well. " * 50 + "What is your NAME again?", excludes=("your name",))
    assert one.passed is False
    assert "'your name'" in one.reason
    assert "what is your name again?" in one.reason
    assert len(one.reason) < 200


@pytest.mark.parametrize(
    "answer",
    [
        "The total is 72 clips.",
        "It is (72).",
        "**72**",
        "72!",
        "Answer: `72`;",
        "#### ,\n72",
        "=72",
    ],
)
def test_a_number_is_found_whatever_stands_around_it(answer: str) -> None:
    assert number(answer, 72).passed is True


@pytest.mark.parametrize(
    ("answer", "value", "fields", "passed"),
    [
        ("Of 100 people, 20% agreed", 20, {"percent": True}, True),
        ("Of 100 people, 20 agreed", 20, {"percent": True}, False),
        ("Of 100 people, 20% agreed", 100, {"take": "last"}, False),
        ("Of 100 people, 20% agreed", 100, {"take": "first"}, True),
        ("Of 100 people, 20% agreed", 20, {"take": "first"}, False),
        ("First $400, then \\$460", 460, {"take": "last"}, True),
        ("That is $29.00.", 29, {}, True),
        ("20%", 0.2, {}, False),
        ("It costs $5", 5, {"unit": "$"}, True),
        ("It costs \u20ac5", 5, {"unit": "$"}, False),
        ("It weighs 5 KG", 5, {"unit": "kg"}, True),
        ("1.280,00 EUR", 1280, {"locale": "de"}, True),
        ("1.280,00 EUR", 1280, {}, False),
        ("27.78 lbs", 27.8, {"tolerance": 0.02}, True),
        ("27.78 lbs", 27.8, {"tolerance": 0.01}, False),
        ("105", 100, {"percent": 5}, True),
        ("106", 100, {"percent": 5}, False),
        ("-3", 3, {}, False),
        ("0", 0, {}, True),
        ("0.0000001", 0, {}, False),
    ],
)
def test_a_number_is_as_wanted(
    answer: str, value: float, fields: dict[str, Any], passed: bool
) -> None:
    assert number(answer, value, **fields).passed is passed


def test_a_plain_number_is_exact() -> None:
    assert number("0.30000000000000004", 0.3).passed is True
    assert number("0.300001", 0.3).passed is False


def test_the_reason_says_which_token_was_graded() -> None:
    assert number("It is 5 or $1,280.00", 1280).reason == "graded '$1,280.00'"
    assert number("It is 5 or $1,279.00", 1280).reason == (
        "wanted 1280, the nearest number is '$1,279.00'"
    )
    assert number("20% of 7", 3, take="last").reason == "wanted 3, the last number is '7'"


def test_no_number_at_all_is_said() -> None:
    one = number("none", 5, unit="kg", tolerance=0.5)
    assert (one.passed, one.reason) == (False, "no number in the answer, wanted 5 kg within 0.5")


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e308])
def test_a_number_that_no_float_holds_is_only_not_found(value: float) -> None:
    for fields in ({}, {"tolerance": 10**400}, {"percent": 10}):
        one = number("It is 5 or 1e300.", value, **fields)
        assert len(one.name) < 90
        assert "nearest number" in one.reason or one.passed


@pytest.mark.parametrize(
    ("answer", "passed"),
    [("**No**  FEE.", True), ("No fee. Bye", False), ("", False)],
)
def test_equals_is_about_the_whole_answer_after_normalisation(answer: str, passed: bool) -> None:
    assert check(answer, equals="No fee.").passed is passed


@pytest.mark.parametrize(
    ("answer", "passed"), [("code C-1234.", True), ("**C**-1234", False), ("c-1234", False)]
)
def test_a_pattern_is_searched_in_the_raw_answer(answer: str, passed: bool) -> None:
    assert check(answer, matches=("C-\\d{4}",)).passed is passed


def test_a_pattern_that_takes_for_ever_cannot_be_told() -> None:
    one = check("a" * 5000 + "b", matches=("(a|aa)+$",))
    assert one.passed is None
    assert "needs more than" in one.reason


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ('{"refund": 5}', True),
        (' \n{"refund": 5, "more": [1]}\n', True),
        ('Here:\n```json\n{"refund": 5}\n```\nBye', True),
        ('```\r\n{"refund": 5}\r\n```', True),
        ('~~~\n{"refund": 5}\n~~~', True),
        ('{"refund": 4}', False),
        ('I refund {"refund": 5}', False),
        ('```\n{"refund": 5}\n```\n```\n{"refund": 5}\n```', False),
        ("```\nno\n```", False),
        ('{"refund": NaN}', False),
        ("", False),
    ],
)
def test_the_answer_or_its_one_block_is_json(answer: str, passed: bool) -> None:
    assert check(answer, json={"refund": {"min": 5}}).passed is passed


def test_a_wrong_part_of_the_json_is_named() -> None:
    assert check('{"refund": 4}', json={"refund": {"min": 5}}).reason == (
        "refund: wanted at least 5, got 4"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "[" * 100_000,
        '{"a":' * 5000,
        '"\ud800"',
        "\ud800",
        "9" * 5000,
        "1e999",
        "```\n" + "[" * 5000,
    ],
)
def test_no_json_is_too_odd_to_be_graded(answer: str) -> None:
    for one in checks(answer, **EVERYTHING):
        assert one.passed in (True, False)
        assert len(one.reason) < 500


def test_a_huge_answer_makes_short_reasons() -> None:
    for one in checks("sorry 5 " * 100_000, **EVERYTHING):
        assert one.passed is False
        assert len(one.reason) < 500


@given(
    st.text(st.sampled_from("aB_*`~ \t\n.\u00e4"), max_size=12),
    st.lists(st.text(st.sampled_from("ab_* ."), min_size=1, max_size=4), min_size=1, max_size=3),
)
def test_a_phrase_is_found_exactly_where_it_is_in_the_normalised_answer(
    answer: str, phrases: list[str]
) -> None:
    wanted = AnswerExpectation(contains=(tuple(phrases),))
    (question,) = answer_questions(wanted)
    found = question.ask(Subject(Trajectory(case="c", answer=answer))).passed
    assert found is any(normalise(phrase) in normalise(answer) for phrase in phrases)
