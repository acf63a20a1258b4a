from collections.abc import Callable

import pytest

from fairtrial.cases import Suite
from fairtrial.cases.rules import last_user_text, subject_of
from fairtrial.records import Case, Json, Source

Load = Callable[..., Suite]
Problems = Callable[..., list[str]]

CASES = """
cases:
  - {id: a, input: My Lawyer says no, tags: [vip], limits: {steps: 3}}
  - {id: b, context: {tier: gold}, messages: [{role: user, content: lawyer}, {role: assistant, content: x}], limits: {steps: 3}}
  - {id: c, input: hello, limits: {steps: 3}}
"""  # noqa: E501 - a case a line reads best


def numbers(suite: Suite) -> dict[str, list[int]]:
    return {case.id: [rule.number for rule in case.rules] for case in suite.cases}


@pytest.mark.parametrize(
    ("when", "held"),
    [
        ("", "abc"),
        ("when: {input: {phrase: lawyer}}, ", "ab"),
        ("when: {tags: {contains: vip}}, ", "a"),
        ("when: {context: {tier: gold}}, ", "b"),
        ("when: {messages: {length: {min: 2}}}, ", "b"),
        ("when: {not: {input: {phrase: lawyer}}}, ", "c"),
        ("when: {context: {absent: true}}, ", "ac"),
        ("when: {one_of: [{input: hello}, {tags: {contains: vip}}]}, ", "ac"),
    ],
)
def test_a_rule_holds_for_the_cases_that_its_when_matches(when: str, held: str, load: Load) -> None:
    suite = load(f"rules: [{{{when}forbidden: [sue]}}]{CASES}")
    assert {name for name, rules in numbers(suite).items() if rules} == set(held)


def test_rules_are_numbered_in_the_order_of_the_file(load: Load) -> None:
    rules = """
rules:
  - {before: {tool: waive, needs: look}}
  - {when: {input: {phrase: lawyer}}, required: escalate, forbidden: [sue]}
"""
    suite = load(rules + CASES)
    assert numbers(suite) == {"a": [1, 2], "b": [1, 2], "c": [1]}
    assert suite.cases[0].rules[1].required == ("escalate",)
    assert [(rule.source.line, rule.rule.number) for rule in suite.rules] == [(3, 1), (4, 2)]


def test_a_rule_alone_is_a_check(load: Load) -> None:
    suite = load("rules: {forbidden: sue}\ncases: [{id: a, input: x}]")
    assert len(suite.cases[0].rules) == 1


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("x", "1:9: rules[0]: wanted a mapping {when, required, forbidden, before}, got 'x'"),
        (
            "{when: {input: x}}",
            "1:9: rules[0]: this says nothing; write required, forbidden or before",
        ),
        ("{requred: [a]}", "1:10: rules[0].requred: unknown field"),
        ("{required: []}", "1:20: rules[0].required: an empty list asks for nothing"),
        ("{required: [a], when: {}}", "rules[0].when: an empty mapping matches every case"),
        (
            "{required: [a], when: x}",
            "rules[0].when: wanted a matcher on {input, messages, context, ",
        ),
        (
            "{required: [a], when: {inptu: x}}",
            "rules[0].when.inptu: unknown field; known here: input, "
            "messages, context, tags; did you mean input?",
        ),
        ("{required: [a], when: {input: {min: x}}}", "rules[0].when.input.min: "),
        ("{required: [a], when: {matches: '('}}", "rules[0].when"),
        ("{before: [{tool: a}]}", "rules[0].before[0]: needs: missing"),
        ("{forbidden: [{name: a, which: last}]}", "rules[0].forbidden[0].which: "),
    ],
)
def test_each_slip_in_a_rule_is_told_once_at_its_place(
    rule: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(f"rules: [{rule}]{CASES}")
    assert told in problem


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        (({"role": "user", "content": "a"}, {"role": "user", "content": "b"}), "b"),
        (({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}), "a"),
        (
            ({"role": "user", "content": [{"type": "text", "text": "a"}, {"text": "b"}, {}]},),
            "a\nb",
        ),
        (({"role": "assistant", "content": "a"},), None),
        (({"role": "user", "content": None}, "odd"), None),
        ((), None),
    ],
)
def test_the_last_user_text_is_found_in_every_shape(
    messages: tuple[Json, ...], text: str | None
) -> None:
    assert last_user_text(messages) == text


def test_an_input_comes_after_the_conversation_so_far() -> None:
    messages = ({"role": "user", "content": "old"},)
    case = Case(id="a", hash="", source=Source("a", 1), input="new", messages=messages)
    assert subject_of(case)["input"] == "new"
