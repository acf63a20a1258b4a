import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.cases import Suite, lint_suite, load_suite
from fairtrial.cases.case_fields import CASE, FILE, WHEN
from fairtrial.cases.shapes import Fields
from fairtrial.errors import ProblemsError
from fairtrial.match import OPERATORS
from fairtrial.records import Json, RubricItem

Load = Callable[..., Suite]
Problems = Callable[..., list[str]]


def test_a_shared_rubric_of_items_takes_the_place_of_its_name(load: Load) -> None:
    text = """
rubrics:
  polite: [Is polite, {item: Is kind, gate: true}]
  strict: {items: [Is short], gate: true}
cases:
  - {id: a, input: x, expect: {rubric: polite}}
  - {id: b, input: x, expect: {rubric: strict}}
"""
    first, second = load(text).cases
    assert first.expect.rubric == (
        RubricItem(item="Is polite"),
        RubricItem(item="Is kind", gate=True),
    )
    assert second.expect.rubric == (RubricItem(item="Is short", gate=True),)
    assert first.rubrics is None


def test_a_shared_rubric_of_criteria_stays_a_name(load: Load) -> None:
    text = """
rubrics: {tone: {criteria: [{name: warmth}], threshold: 4, items: [Is kind]}, other: [x y]}
cases: [{id: a, input: x, expect: {rubric: tone}}]
"""
    (case,) = load(text).cases
    assert case.expect.rubric == "tone"
    assert case.rubrics == {
        "tone": {
            "items": [{"item": "Is kind"}],
            "criteria": [{"name": "warmth"}],
            "threshold": 4,
        }
    }


def test_a_lone_sentence_is_an_item_and_a_lone_word_is_a_name(
    load: Load, problems: Problems
) -> None:
    (case,) = load("- {id: a, input: x, expect: {rubric: Says sorry to the guest}}").cases
    assert case.expect.rubric == (RubricItem(item="Says sorry to the guest"),)
    (problem,) = problems("- {id: a, input: x, expect: {rubric: polite}}")
    assert "expect.rubric: no shared rubric 'polite': neither under rubrics" in problem


@pytest.mark.parametrize(
    ("rubrics", "told"),
    [
        ("[x]", "1:10: rubrics: wanted a mapping of names to rubrics, got a list"),
        ("{polite: []}", "1:19: rubrics.polite: an empty list asks for nothing"),
        ("{polite: {}}", "1:19: rubrics.polite: this says nothing; write items, criteria or goal"),
        ("{polite: {item: x, gat: true}}", "1:29: rubrics.polite.gat: unknown field"),
        ("{polite: {items: [x], treshold: 3}}", "did you mean threshold?"),
    ],
)
def test_each_slip_in_a_shared_rubric_is_told_once(
    rubrics: str, told: str, problems: Problems
) -> None:
    cases = "cases: [{id: a, limits: {steps: 1}}]"
    (problem,) = problems(f"rubrics: {rubrics}\n{cases}")
    assert told in problem


def test_a_misspelt_name_of_a_rubric_is_told_with_the_nearest(problems: Problems) -> None:
    text = "rubrics: {good tone: [x]}\ncases: [{id: a, input: x, expect: {rubric: god tone}}]"
    (problem,) = problems(text)
    assert "2:44: expect.rubric: no shared rubric 'god tone'" in problem
    assert problem.endswith("did you mean good tone?")


def test_the_stub_tools_of_the_file_and_of_the_case_meet(load: Load) -> None:
    text = """
tools: {look: {returns: 1}, pay: {raises: down}}
cases:
  - {id: a, limits: {steps: 1}, tools: {pay: [{when: {x: 1}, returns: 2}]}}
  - {id: b, limits: {steps: 1}}
"""
    first, second = load(text).cases
    assert first.tools == {"look": [{"returns": 1}], "pay": [{"when": {"x": 1}, "returns": 2}]}
    assert second.tools == {"look": [{"returns": 1}], "pay": [{"raises": "down"}]}


def test_sections_that_are_left_empty_are_as_if_not_written(load: Load) -> None:
    text = "defaults:\nrules:\nrubrics:\ntools:\ncases:\n  - {id: a, limits: {steps: 1}}\n"
    assert len(load(text).cases) == 1


def leaves(fields: Fields) -> set[str]:
    names = set(fields.table)
    for field in fields.table.values():
        if isinstance(field.shape, Fields):
            names |= leaves(field.shape)
    return names


WORDS = [
    *leaves(CASE), *FILE, *OPERATORS, *WHEN, "name", "args", "result", "ok", "which", "any_order",
    "steps", "any", "tool", "needs", "same", "item", "role", "content", "value", "x", "", "<<",
]  # fmt: skip
TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(["", "x", "a b", "(", ".*", "\x00", "\u200b", "answer", "1.5", "first"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
    ),
    max_leaves=20,
)
FILES = st.fixed_dictionaries(
    {"cases": st.lists(st.dictionaries(st.sampled_from(list(CASE.table)), TREES), min_size=1)},
    optional={
        "defaults": st.dictionaries(st.sampled_from(list(CASE.table)), TREES),
        "rules": TREES,
        "rubrics": TREES,
        "tools": TREES,
    },
)


ENDINGS = st.sampled_from(["json", "yaml", "jsonl"])

SOUND: Json = {
    "defaults": {"limits": {"steps": 8}, "expect": {"answer": {"contains": ["a"]}}},
    "rules": [{"when": {"input": {"phrase": "x"}}, "before": [{"tool": "a", "needs": "b"}]}],
    "rubrics": {
        "r": {
            "items": ["Is polite", {"item": "Is kind", "gate": True}],
            "criteria": {"warmth": "1 cold, 5 warm", "clarity": None},
            "threshold": 4,
            "examples": [{"answer": "Go.", "verdict": "FAIL", "item": "Is kind"}],
        }
    },
    "tools": {"a": [{"when": {"x": 1}, "returns": 1}]},
    "cases": [
        {
            "id": "one",
            "tags": ["t"],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}],
            "context": {"a": 1},
            "faults": {"a": [{"error": "x"}]},
            "expect": {
                "answer": {"contains": ["a", ["b", "c"]], "numbers": [1, {"value": 2}]},
                "tools": {
                    "required": ["a", {"name": "b", "args": {"x": {"min": 1}}, "which": "first"}],
                    "forbidden": ["c"],
                    "before": [{"tool": "a", "needs": {"name": "b"}, "same": {"x": "y"}}],
                    "plan": {"mode": "exact", "steps": ["a", {"any_order": ["b", "d"]}]},
                },
                "state": {"rows": [{"a": 1}], "n": {"min": 1}},
                "spans": [{"name": "s", "documents": {"recall": 1, "of": ["d"]}}],
                "rubric": "r",
                "next": {"any": [["a"], []]},
            },
            "limits": {"tool_calls": 9, "repeats": {"a": 1}, "path_factor": 2},
            "informs": ["limits.steps"],
            "script": {"default": [{"say": "x", "call": {"a": {}}}, {"status": 429}]},
            "user": {"knows": {"a": 1}, "withholds": {"a": 1}},
        },
        {"id": "two", "input": "x", "limits": {"steps": None, "cost": 1}},
    ],
}


def paths(value: Json, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    parts = value.items() if isinstance(value, dict) else []
    if isinstance(value, list):
        parts = list(enumerate(value))
    return [at, *(path for key, part in parts for path in paths(part, (*at, key)))]


def with_other(path: tuple[str | int, ...], other: Json) -> Json:
    """Give the sound file with another value at a path."""
    if not path:
        return other
    value = json.loads(json.dumps(SOUND))
    parent = value
    for part in path[:-1]:
        parent = parent[part]
    parent[path[-1]] = other
    return value


def test_the_file_that_the_next_test_breaks_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(SOUND))
    assert len(load_suite([path]).cases) == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(FILES | st.builds(with_other, st.sampled_from(paths(SOUND)), TREES), ENDINGS)
def test_no_file_at_all_breaks_the_loader(tmp_path: Path, value: Json, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    problems: tuple[str, ...] = ()
    try:
        lint_suite(load_suite([path]))
    except ProblemsError as error:
        problems = error.problems
    wrong = [problem for problem in problems if not re.match(r".+:\d+:\d+: .+: .+", problem)]
    assert wrong == []
