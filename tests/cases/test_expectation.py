from collections.abc import Callable

import pytest

from fairtrial.records import Case, RubricItem, SpanExpectation

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

CASE = "- {{id: a, input: x, expect: {}}}"


def test_a_lone_span_name_rubric_item_or_field_stands_for_a_list_of_one(one: One) -> None:
    expect = one(CASE.format("{spans: find, rubric: {item: Is polite}, unchanged: guests}")).expect
    assert expect.spans == (SpanExpectation(name="find"),)
    assert expect.rubric == (RubricItem(item="Is polite"),)
    assert expect.unchanged == ("guests",)


def test_unchanged_may_be_true_and_false_asks_for_nothing(one: One, problems: Problems) -> None:
    assert one(CASE.format("{unchanged: true}")).expect.unchanged is True
    assert "no check is asked for" in problems(CASE.format("{unchanged: false}"))[0]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[]", []),
        ("pay", ["pay"]),
        ("{name: pay}", [{"name": "pay"}]),
        ("[a, b]", ["a", "b"]),
        ("{any: [[a], []]}", {"any": [["a"], []]}),
    ],
)
def test_next_is_a_list_of_calls_or_alternatives(written: str, read: object, one: One) -> None:
    assert one(CASE.format(f"{{next: {written}}}")).expect.next == read


def test_next_may_stand_beside_other_expectations(one: One) -> None:
    assert one(CASE.format("{next: [], answer: {contains: hello}}")).expect.next == []


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("[a]", "1:29: expect: wanted a mapping {answer, tools, state, unchanged, spans, stop, "),
        ("{state: {}}", "1:37: expect.state: an empty mapping asks for nothing"),
        ("{state: [a]}", "1:37: expect.state: wanted a mapping of the world's fields, got a list"),
        ("{state: {x: {min: a}}}", "expect.state.x.min: "),
        ("{state: {x: {ignore: true}}}", "1:41: expect.state.x: every value of 'x' meets this"),
        ("{state: {x: {one_of: [{absent: true}, {present: true}]}}}", "so it is always true"),
        ("{unchanged: []}", "1:41: expect.unchanged: an empty list asks for nothing"),
        (
            "{unchanged: [1]}",
            "1:42: expect.unchanged[0]: wanted a name of a field of the world, got "
            "the number 1; quote it",
        ),
        ("{spans: []}", "1:37: expect.spans: an empty list asks for nothing"),
        ("{spans: [{kind: x}]}", "1:38: expect.spans[0].name: missing; wanted a name of a span"),
        ("{spans: [{name: x, seconds: {mx: 1, min: 0}}]}", "expect.spans[0].seconds: "),
        ("{spans: [{name: x, count: {min: 0}}]}", "1:55: expect.spans[0].count: every number of"),
        (
            "{spans: [{name: x, documents: {of: [d]}}]}",
            "1:59: expect.spans[0].documents: this says nothing; write recall or precision",
        ),
        ("{spans: [{name: x, documents: {recall: 1, of: []}}]}", "documents.of: an empty list"),
        ("{spans: [{name: x, documents: {recall: 1}}]}", "documents.of: missing"),
        (
            "{stop: answered}",
            "1:36: expect.stop: wanted one of answer, steps, budget, timeout, refused, "
            "error, got 'answered'; did you mean answer?",
        ),
        ("{rubric: []}", "1:38: expect.rubric: an empty list asks for nothing"),
        ("{rubric: [' ']}", "1:39: expect.rubric[0]: empty; wanted text: a yes/no question"),
        ("{rubric: [{gate: true}]}", "1:39: expect.rubric[0].item: missing"),
        (
            "{rubric: [5]}",
            "1:39: expect.rubric[0]: wanted text, or {item, gate}, got the number 5; quote it",
        ),
        (
            "{reference: 5, stop: answer}",
            "1:41: expect.reference: wanted text: a good answer, got the number 5; quote it",
        ),
        ("{next: {steps: 1}}", "expect.next.steps: "),
        ("{next: }", "1:36: expect.next: nothing is written here"),
        ("{state: }", "1:37: expect.state: nothing is written here"),
        (
            "{anwser: {contains: a}}",
            "1:30: expect.anwser: unknown field; known here: answer, tools, ",
        ),
        ("{anwser: {contains: a}}", "did you mean answer?"),
        ("{contains: a}", "1:30: expect.contains: unknown field; write expect.answer.contains"),
        ("{must_not_call: a}", "unknown field; write expect.tools.forbidden"),
        ("{max_steps: 3}", "unknown field; write limits.steps"),
        ("{trajectory: [a]}", "unknown field; write tools.plan"),
        ("{ground_truth: a}", "unknown field; write expect.reference"),
    ],
)
def test_each_slip_in_an_expectation_is_told_at_its_place(
    expect: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(CASE.format(expect))
    assert told in problem


LIMITS = "- {{id: a, input: x, limits: {}}}"


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ("8", "1:29: limits: wanted a mapping such as {steps: 8}, got the number 8"),
        ("{steps: -1}", "1:37: limits.steps: wanted a whole number, 0 or more, got the number -1"),
        ("{steps: true}", "1:37: limits.steps: wanted a whole number, 0 or more, got true"),
        (
            "{steps: 6.0}",
            "1:37: limits.steps: wanted a whole number, 0 or more, got the number 6.0",
        ),
        ("{steps: '6'}", "got '6'; numbers are written as in JSON, without quotes"),
        ("{cost: -0.5}", "1:36: limits.cost: wanted a number, 0 or more, got the number -0.5"),
        ("{seconds: false}", "1:39: limits.seconds: wanted a number, 0 or more, got false"),
        ("{seconds: .5}", "1:39: limits.seconds: wanted a number, 0 or more, got '.5'"),
        ("{path_factor: 0}", "1:43: limits.path_factor: wanted a number above 0, got the number 0"),
        ("{repeats: {a: -1}}", "1:43: limits.repeats.a: wanted a whole number"),
        ("{repeats: {}}", "1:39: limits.repeats: an empty mapping asks for nothing"),
        ("{tokens: }", "1:38: limits.tokens: nothing is written here"),
        ("{max_steps: 3}", "1:30: limits.max_steps: unknown field; write steps"),
        ("{timeout: 3}", "unknown field; write seconds"),
        ("{stesp: 3}", "did you mean steps?"),
    ],
)
def test_each_slip_in_the_limits_is_told_at_its_place(
    limits: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(LIMITS.format(limits))
    assert told in problem


def test_repeats_may_be_told_by_tool(one: One) -> None:
    assert one(LIMITS.format("{repeats: {get_status: 3}}")).limits.repeats == {"get_status": 3}
