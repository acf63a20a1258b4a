from collections.abc import Callable

import pytest

from fairtrial.cases.case_fields import CASE as FIELDS
from fairtrial.cases.case_fields import FILE
from fairtrial.cases.foreign import FOREIGN, FOREIGN_OPERATORS, OURS
from fairtrial.cases.shapes import Fields
from fairtrial.records import Case

One = Callable[[str], Case]
Load = Callable[..., object]
Problems = Callable[..., list[str]]

CHECK = "expect: {answer: {contains: yes}}"


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (f"{{input: x, {CHECK}}}", "1:3: id: missing; wanted text: a name that stays"),
        (
            f"{{id: 12, input: x, {CHECK}}}",
            "1:8: id: wanted text: a name that stays, got the number 12",
        ),
        (f"{{id: '', input: x, {CHECK}}}", "1:8: id: empty"),
        (f'{{id: "a\\nb", input: x, {CHECK}}}', "has control characters or outer spaces"),
        (f"{{id: {'x' * 201}, input: x, {CHECK}}}", "1:8: id: 201 characters; wanted at most 200"),
        (
            f"{{id: a, input: 4512, {CHECK}}}",
            "1:18: input: wanted text, got the number 4512; quote it",
        ),
        (f"{{id: a, input: true, {CHECK}}}", "1:18: input: wanted text, got true; quote it"),
        (f"{{id: a, input: [x], {CHECK}}}", "1:18: input: wanted text, got a list"),
        (f"{{id: a, tags: [1], {CHECK}}}", "1:18: tags[0]: wanted text: a tag, got the number 1"),
        (f"{{id: a, protected: yes, {CHECK}}}", "1:22: protected: wanted true or false, got 'yes'"),
        (f"{{id: a, protected: 1, {CHECK}}}", "protected: wanted true or false, got the number 1"),
        (f"{{id: a, fixtures: [x], {CHECK}}}", "fixtures: wanted a mapping of the world's fields"),
        (f"{{id: a, trials: 0, {CHECK}}}", "1:19: trials: wanted a whole number, 1 or more"),
        (f"{{id: a, trials: true, {CHECK}}}", "trials: wanted a whole number, 1 or more, got true"),
        (f"{{id: a, informs: [1], {CHECK}}}", "informs[0]: wanted a name of a check"),
        (
            "just text",
            "1:3: case: wanted a case: a mapping with id, input and expect, got 'just text'",
        ),
        (f"{{id: a, inptu: x, {CHECK}}}", "1:11: inptu: unknown field; known here: id, tags, "),
        (f"{{id: a, inptu: x, {CHECK}}}", "; did you mean input?"),
        (f"{{id: a, steps: 3, {CHECK}}}", "1:11: steps: unknown field; write limits.steps"),
        (f"{{id: a, Max-Steps: 3, {CHECK}}}", "1:11: Max-Steps: unknown field; write limits.steps"),
    ],
)
def test_each_slip_in_a_case_is_told_at_its_place(case: str, told: str, problems: Problems) -> None:
    (problem,) = problems(f"- {case}")
    assert told in problem


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        ("mission", "input"),
        ("prompt", "input"),
        ("question", "input"),
        ("query", "input"),
        ("expect_tools", "expect.tools.required"),
        ("success_contains", "expect.answer.contains"),
        ("must_not_call", "expect.tools.forbidden"),
        ("tools_required", "expect.tools.required"),
        ("max_steps", "limits.steps"),
        ("assert", "expect"),
        ("contains-any", "expect.answer.contains: [[a, b]]"),
        ("llm-rubric", "expect.rubric"),
        ("expected_output", "expect.answer.equals (the whole answer) or expect.answer.contains"),
        ("expected_tools", "expect.tools.required"),
        ("expected", "expect"),
        ("answer", "expect.answer.equals (the whole answer) or expect.answer.contains"),
        ("vars", "context"),
    ],
)
def test_names_of_other_tools_are_told_what_to_write_here(
    foreign: str, ours: str, problems: Problems
) -> None:
    (problem,) = problems(f"- {{id: a, input: x, {CHECK}, {foreign}: x}}")
    assert f"{foreign}: unknown field; " in problem
    assert f"write {ours}" in problem or f"did you mean {ours}?" in problem


def leaves(fields: Fields) -> set[str]:
    names = set(fields.table)
    for field in fields.table.values():
        if isinstance(field.shape, Fields):
            names |= leaves(field.shape)
    return names


def test_every_field_of_ours_is_known_in_the_wrong_place_too() -> None:
    known = {*OURS, *FOREIGN}
    assert (leaves(FIELDS) | set(FILE)) - known - {"max_turns"} == set()


def test_the_tables_of_foreign_names_are_in_snake_case() -> None:
    names = [*FOREIGN, *FOREIGN_OPERATORS]
    assert [name for name in names if name != name.lower() or "-" in name] == []


def test_neither_input_nor_messages_is_needed_to_grade_recordings(one: One) -> None:
    assert one(f"- {{id: a, {CHECK}}}").input is None


def test_an_empty_input_is_text(one: One) -> None:
    assert one(f"- {{id: a, input: '', {CHECK}}}").input == ""


def test_a_tag_written_twice_counts_once(one: One) -> None:
    assert one(f"- {{id: a, tags: [x, y, x], {CHECK}}}").tags == ("x", "y")


def test_context_is_any_json_and_stays_untouched(one: One) -> None:
    case = one(f"- {{id: a, context: [1, null, {{a: ~}}], {CHECK}}}")
    assert case.context == [1, None, {"a": "~"}]


def test_an_empty_list_that_asks_for_nothing_to_hold_loads(one: Callable[[str], Case]) -> None:
    case = one(f"[{{id: a, tags: [], informs: [], {CHECK}}}]")
    assert (case.tags, case.informs) == ((), ())
