from collections.abc import Callable

import pytest

from fairtrial.records import Case, NumberExpectation

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

CASE = "- {{id: a, input: x, expect: {{answer: {}}}}}"


def test_a_lone_phrase_number_or_pattern_stands_for_a_list_of_one(one: One) -> None:
    lone = one(CASE.format("{contains: yes, excludes: no, numbers: 5, matches: 'C-[0-9]'}"))
    listed = one(
        CASE.format("{contains: [yes], excludes: [no], numbers: [5], matches: ['C-[0-9]']}")
    )
    assert lone.expect == listed.expect
    assert lone.hash == listed.hash
    assert lone.expect.answer is not None
    assert lone.expect.answer.contains == (("yes",),)


def test_an_inner_list_is_any_of(one: One) -> None:
    answer = one(CASE.format("{contains: [a b c, [no fee, fee waived]]}")).expect.answer
    assert answer is not None
    assert answer.contains == (("a b c",), ("no fee", "fee waived"))


def test_a_number_takes_all_its_settings(one: One) -> None:
    written = "{value: 27.78, tolerance: 0.01, percent: true, unit: lbs, locale: de, take: last}"
    answer = one(CASE.format(f"{{numbers: [{written}, -3]}}")).expect.answer
    assert answer is not None
    assert answer.numbers == (
        NumberExpectation(
            value=27.78, tolerance=0.01, percent=True, unit="lbs", locale="de", take="last"
        ),
        NumberExpectation(value=-3),
    )


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "text",
            "1:38: expect.answer: wanted a mapping such as {equals: the whole answer} or "
            "{contains: [a phrase]}, got 'text'",
        ),
        ("{contains: []}", "1:49: expect.answer.contains: an empty list asks for nothing"),
        ("{contains: ''}", "1:49: expect.answer.contains: empty; wanted a phrase"),
        ("{contains: ['  ']}", "1:50: expect.answer.contains[0]: empty; wanted a phrase"),
        (
            '{contains: ["\\u200b"]}',
            "1:50: expect.answer.contains[0]: '\\u200b' is empty once normalised",
        ),
        ("{contains: [[]]}", "1:50: expect.answer.contains[0]: an empty any-of list is never met"),
        (
            "{contains: [a, 4512]}",
            "1:53: expect.answer.contains[1]: wanted a phrase, got the number 4512; quote it",
        ),
        (
            "{contains: [[a, true]]}",
            "1:54: expect.answer.contains[0][1]: wanted a phrase, got true; quote it",
        ),
        ("{contains: {a: b}}", "1:49: expect.answer.contains: wanted a phrase, or a list of which"),
        ("{contains: [[[a]]]}", "1:51: expect.answer.contains[0][0]: wanted a phrase, got a list"),
        ("{excludes: [[a]]}", "1:50: expect.answer.excludes[0]: wanted a phrase, got a list"),
        ("{excludes: []}", "1:49: expect.answer.excludes: an empty list asks for nothing"),
        (
            '{excludes: ["\\xad "]}',
            "1:50: expect.answer.excludes[0]: '\\xad ' is empty once normalised",
        ),
        (
            "{equals: 5}",
            "1:47: expect.answer.equals: wanted text: the whole answer, got the number 5; quote it",
        ),
        ("{equals: ''}", "1:47: expect.answer.equals: empty"),
        ("{numbers: []}", "1:48: expect.answer.numbers: an empty list asks for nothing"),
        (
            "{numbers: '320'}",
            "1:48: expect.answer.numbers: wanted a number, or {value, tolerance, ",
        ),
        ("{numbers: 1_000}", "got '1_000'; numbers are written as in JSON, without quotes"),
        ("{numbers: [true]}", "1:49: expect.answer.numbers[0]: wanted a number, or {value,"),
        (
            "{numbers: [{tolerance: 1}]}",
            "1:49: expect.answer.numbers[0].value: missing; wanted a number",
        ),
        (
            "{numbers: {value: 1, tolerance: -1}}",
            "1:70: expect.answer.numbers.tolerance: wanted a number, 0 or more, got the number -1",
        ),
        (
            "{numbers: {value: 1, tolerance: 1, percent: 2}}",
            "1:82: expect.answer.numbers.percent: "
            "tolerance and a number of percent exclude each other",
        ),
        (
            "{numbers: {value: 1, percent: false}}",
            "1:68: expect.answer.numbers.percent: false says nothing",
        ),
        ("{numbers: {value: 1, locale: dee}}", "1:67: expect.answer.numbers.locale: wanted one of"),
        ("{numbers: {value: 1, locale: dee}}", "got 'dee'; did you mean de?"),
        ("{numbers: {value: 1, take: firts}}", "got 'firts'; did you mean first?"),
        ("{matches: '('}", '1:48: expect.answer.matches: matches: "(" is no regular expression'),
        (
            "{matches: ['a*']}",
            "1:49: expect.answer.matches[0]: the pattern 'a*' matches every text",
        ),
        ("{matches: ['']}", "1:49: expect.answer.matches[0]: empty"),
        ("{json: {min: 1, fee: 2}}", "1:45: expect.answer.json: 'min' is an operator and 'fee' is"),
        ("{json: {fee: {min: a}}}", "expect.answer.json.fee.min: "),
        ("{contians: a}", "1:39: expect.answer.contians: unknown field; known here: contains, "),
        ("{contians: a}", "did you mean contains?"),
        (
            "{contains-any: [a]}",
            "1:39: expect.answer.contains-any: unknown field; write contains: "
            "[[a, b]] (an inner list is any-of)",
        ),
        ("{icontains: a}", "expect.answer.icontains: unknown field; write contains (letter case"),
        ("{not-contains: a}", "unknown field; write excludes"),
        ("{regex: a}", "unknown field; write matches"),
        ("{llm-rubric: a}", "unknown field; write expect.rubric"),
        ("{contains: }", "1:49: expect.answer.contains: nothing is written here"),
    ],
)
def test_each_slip_in_an_answer_is_told_at_its_place(
    answer: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(CASE.format(answer))
    assert told in problem


@pytest.mark.parametrize(
    "pattern", ["^$", "^(?!.*refund)", "(?<!x)y|^(?!x)", "C-\\d+", ".", "\\S", "^.+$"]
)
def test_a_pattern_that_some_answer_fails_is_no_mistake(pattern: str, one: One) -> None:
    answer = one(CASE.format(f"{{matches: '{pattern}'}}")).expect.answer
    assert answer is not None
    assert answer.matches == (pattern,)


@pytest.mark.parametrize("pattern", [".*", "a*", "(?:x)?", "", "x|", "^", "$", "\\b|", "[^a]*"])
def test_a_pattern_that_every_answer_meets_is_a_mistake(pattern: str, problems: Problems) -> None:
    (problem,) = problems(CASE.format(f"{{matches: ['{pattern}']}}"))
    assert "expect.answer.matches[0]" in problem


def test_values_are_never_templates(one: One) -> None:
    text = "Use {{ user }} {% if x %} {# .cls } {criterion} {0} %s ${HOME} \\1"
    case = one(f"- {{id: a, input: '{text}', expect: {{answer: {{contains: '{text}'}}}}}}")
    assert case.input == text
    assert case.expect.answer is not None
    assert case.expect.answer.contains == ((text,),)
