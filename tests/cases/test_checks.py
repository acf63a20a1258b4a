from collections.abc import Callable

import pytest

from fairtrial.cases import ALWAYS_CHECKED, asked_checks, named_by
from fairtrial.graders import CaseGrader
from fairtrial.records import Case, Trajectory

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

EVERYTHING = """
rules:
  - {required: [{name: a, args: {x: 1}}], forbidden: b, before: {tool: a, needs: c}}
cases:
  - id: all
    input: x
    expect:
      answer:
        contains: [one, [two, three], one]
        excludes: [four]
        numbers: [320, 27.50, 1e3, {value: 320, take: first}]
        equals: "one two"
        matches: ['C-\\d+', 'C-\\d+']
        json: {a: 1}
      tools:
        required: [{name: a, result: {y: 1}}]
        forbidden: d
        before: {tool: a, needs: c}
        plan: [a]
        only: true
      state: {exactly: {rows: [], count: 3}}
      unchanged: true
      spans: [find, find]
      stop: answer
      rubric: [Is polite, "A very long question that goes on and on, far beyond sixty characters?"]
      next: [a]
    limits: {steps: 1, tool_calls: 2, tokens: 3, cost: 4, seconds: 5, repeats: 0, path_factor: 2}
"""


def test_the_names_are_those_that_graders_give(one: One) -> None:
    case = one(EVERYTHING)
    trial = CaseGrader(case).grade(Trajectory(case="all", answer="x", steps=()), 0)
    graded = [check.name for check in trial.checks if check.name != "text_tool_call"]
    assert sorted(asked_checks(case)) == sorted(graded)


@pytest.mark.parametrize(
    ("rubric", "names"),
    [
        ("[Is kind, Is short]", ("rubric[Is kind]", "rubric[Is short]")),
        ("Is kind to all", ("rubric[Is kind to all]",)),
        ("items", ("rubric[Is kind]", "rubric[Is short]")),
        ("goal", ("rubric[The guest is calm]",)),
        ("criteria", ("rubric[criteria]",)),
        ("all", ("rubric[Is kind]", "rubric[The guest is calm]", "rubric[all]")),
        ("shown", ("rubric[Is kind]",)),
    ],
)
def test_the_names_of_every_kind_of_rubric_are_those_that_graders_give(
    rubric: str, names: tuple[str, ...], one: One
) -> None:
    case = one(f"""
rubrics:
  items: [Is kind, {{item: Is short, gate: true}}]
  goal: {{goal: The guest is calm}}
  criteria: {{criteria: [warmth, clarity]}}
  all: {{criteria: {{warmth: 1 cold}}, items: [Is kind], goal: The guest is calm, gate: true}}
  shown: {{items: Is kind, reference: Get well soon., examples: {{answer: a, verdict: PASS}}}}
cases: [{{id: c, input: x, expect: {{rubric: {rubric}}}}}]
""")
    trial = CaseGrader(case).grade(Trajectory(case="c", answer="x", steps=()), 0)
    graded = tuple(check.name for check in trial.checks if check.name.startswith("rubric"))
    assert asked_checks(case) == graded == names


def test_checks_of_one_name_are_numbered(one: One) -> None:
    names = asked_checks(one(EVERYTHING))
    assert "answer.contains[one] #2" in names
    assert "answer.numbers[320] #2" in names
    assert "spans[find] #2" in names


def test_path_factor_is_no_check_without_a_plan_or_required_calls(one: One) -> None:
    text = "- {id: a, input: x, expect: {answer: {contains: yes}}, limits: {path_factor: 2}}"
    assert asked_checks(one(text)) == ("answer.contains[yes]",)


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("answer", True),
        ("answer.contains", True),
        ("answer.contains[no fee]", True),
        ("answer.contains[no", False),
        ("answer.excludes", False),
        ("ans", False),
        ("", False),
    ],
)
def test_an_entry_names_a_check_in_full_without_brackets_or_by_grader(
    entry: str, names: bool
) -> None:
    assert named_by(entry, "answer.contains[no fee]") is names


def test_what_is_always_checked_may_be_named_by_informs(one: One) -> None:
    text = "- {{id: a, input: x, expect: {{answer: {{contains: yes}}}}, informs: [{}]}}"
    assert one(text.format(", ".join(ALWAYS_CHECKED))).informs == ALWAYS_CHECKED
