from collections.abc import Callable

import pytest

from fairtrial.cases import Suite
from fairtrial.records import Case

One = Callable[[str], Case]
Load = Callable[..., Suite]
Problems = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (
            "expect: {answer: {contains: 'No  fee at all', excludes: no fee}}",
            "1:49: expect.answer.contains[0]: whatever holds 'No  fee at all' holds 'no fee' too",
        ),
        (
            "expect: {answer: {equals: All done, contains: [all, fee]}}",
            "1:73: expect.answer.contains[1]: the answer that equals asks for does not hold 'fee'",
        ),
        (
            "expect: {answer: {equals: All done, excludes: DONE}}",
            "1:67: expect.answer.excludes[0]: the answer that equals asks for holds 'DONE'",
        ),
        (
            "expect: {tools: {required: [a, {name: b, args: {x: 1}}], forbidden: b}}",
            "1:52: expect.tools.required[1]: 'b' is required and forbidden",
        ),
        (
            "expect: {tools: {plan: [a, {any_order: [b, c]}], forbidden: [{name: c}]}}",
            "1:44: expect.tools.plan: 'c' is planned and forbidden",
        ),
        (
            "expect: {tools: {plan: [], required: a}}",
            "1:44: expect.tools.plan: an empty plan expects no call",
        ),
        (
            "expect: {tools: {required: [a, a, b]}}, limits: {tool_calls: 2}",
            "1:82: limits.tool_calls: at most 2 calls, and what is required or planned takes 3",
        ),
        (
            "expect: {tools: {plan: [a, {any_order: [b, c]}]}}, limits: {tool_calls: 2}",
            "limits.tool_calls: at most 2 calls, and what is required or planned takes 3",
        ),
        (
            "expect: {tools: {before: {tool: a, needs: a}}}",
            "1:46: expect.tools.before[0]: 'a' needs itself, so no first call is right",
        ),
        ("tags: [x]", "1:3: expect: no check is asked for, so nothing could fail"),
        ("expect: {}", "1:29: expect: no check is asked for"),
        ("expect: {reference: Well done}", "1:29: expect: no check is asked for"),
        ("limits: {path_factor: 2}", "expect: no check is asked for (path_factor needs a plan"),
        (
            "expect: {answer: {contains: yes}}, informs: [limits.secnds]",
            "1:66: informs[0]: the case has no check 'limits.secnds'",
        ),
        (
            "expect: {answer: {contains: yes}}, informs: [answer.contians]",
            "did you mean answer.contains?",
        ),
        (
            "expect: {answer: {contains: yes}}, informs: answer",
            "1:65: informs: every check that the case asks for only informs",
        ),
        (
            "limits: {seconds: 5, cost: 1}, informs: [limits]",
            "informs: every check that the case asks",
        ),
    ],
)
def test_each_contradiction_is_told_at_its_place(case: str, told: str, problems: Problems) -> None:
    (problem,) = problems(f"- {{id: a, input: x, {case}}}")
    assert told in problem


@pytest.mark.parametrize(
    "case",
    [
        "expect: {answer: {contains: [[no fee, free]], excludes: no fee}}",
        "expect: {answer: {contains: fee, excludes: no fee}}",
        "expect: {tools: {required: a, forbidden: {name: a, args: {x: 1}}}}",
        "expect: {tools: {plan: {any: [[a], [b]]}, forbidden: a}}",
        "expect: {tools: {plan: {min_score: 0.5, steps: [a, b]}, forbidden: a}}",
        "expect: {tools: {required: [{name: a, which: first, args: {x: 1}}, a]}}, "
        "limits: {tool_calls: 1}",
        "expect: {tools: {before: {tool: a, needs: {name: a, ok: true}}}}",
        "expect: {stop: refused}",
        "expect: {rubric: [Is polite]}",
        "limits: {repeats: 0}",
        "expect: {answer: {contains: yes}}, informs: true",
        "expect: {answer: {contains: yes}}, informs: [finished]",
        "expect: {answer: {contains: yes, excludes: no}}, informs: answer.excludes",
    ],
)
def test_what_some_trial_can_meet_is_no_contradiction(case: str, one: One) -> None:
    assert one(f"- {{id: a, input: x, {case}}}").id == "a"


def test_a_rule_that_forbids_what_a_case_requires_is_told_in_the_case(problems: Problems) -> None:
    text = """
rules: [{forbidden: sue}]
cases:
  - {id: a, input: x, expect: {tools: {required: sue}}}
"""
    assert problems(text) == [
        "suite.yaml:4:50: expect.tools.required[0]: 'sue' is required and forbidden by rule 1"
    ]


def test_informs_of_the_defaults_may_name_checks_that_only_some_cases_have(load: Load) -> None:
    text = """
defaults: {informs: [limits.cost]}
cases:
  - {id: a, input: x, expect: {answer: {contains: yes}}}
  - {id: b, input: x, expect: {answer: {contains: yes}}, limits: {cost: 1}}
"""
    assert len(load(text).cases) == 2


def test_informs_of_the_defaults_that_name_no_check_of_any_case_are_told_once(
    problems: Problems,
) -> None:
    text = """
defaults: {informs: [limits.csot]}
cases:
  - {id: a, input: x, limits: {cost: 1}}
  - {id: b, input: x, limits: {cost: 1}}
"""
    (problem,) = problems(text)
    assert problem.startswith("suite.yaml:2:22: defaults.informs[0]: no case of the file has this")


def test_contradictions_are_told_beside_other_mistakes(problems: Problems) -> None:
    text = "- {id: a, inptu: x, expect: {tools: {required: a, forbidden: a}}}"
    assert len(problems(text)) == 2
