from collections.abc import Callable

import pytest

from fairtrial.cases import Suite
from fairtrial.cases.case_fields import CASE
from fairtrial.cases.defaults import from_defaults, hidden_lists, merged
from fairtrial.records import Json

Load = Callable[..., Suite]
Problems = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("base", "own", "both"),
    [
        (
            {"limits": {"steps": 8, "cost": 1}},
            {"limits": {"steps": 4}},
            {"limits": {"steps": 4, "cost": 1}},
        ),
        (
            {"limits": {"repeats": {"a": 1}}},
            {"limits": {"repeats": {"b": 2}}},
            {"limits": {"repeats": {"b": 2}}},
        ),
        ({"tags": ["a", "b"]}, {"tags": ["c"]}, {"tags": ["c"]}),
        (
            {"context": {"guest": {"id": 1, "tier": "gold"}}},
            {"context": {"guest": {"id": 2}}},
            {"context": {"guest": {"id": 2, "tier": "gold"}}},
        ),
        (
            {"fixtures": {"rows": {"a": [1]}}},
            {"fixtures": {"rows": {"a": [2], "b": [3]}}},
            {"fixtures": {"rows": {"a": [2], "b": [3]}}},
        ),
        (
            {"expect": {"answer": {"contains": ["a"], "excludes": ["b"]}}},
            {"expect": {"answer": {"contains": ["c"]}}},
            {"expect": {"answer": {"contains": ["c"], "excludes": ["b"]}}},
        ),
        (
            {"expect": {"answer": {"json": {"a": 1}}}},
            {"expect": {"answer": {"json": {"b": 2}}}},
            {"expect": {"answer": {"json": {"b": 2}}}},
        ),
        (
            {"expect": {"tools": {"plan": {"mode": "exact", "steps": ["a"]}}}},
            {"expect": {"tools": {"plan": {"steps": ["b"]}}}},
            {"expect": {"tools": {"plan": {"steps": ["b"]}}}},
        ),
        (
            {"expect": {"state": {"a": 1}}},
            {"expect": {"state": {"b": 2}}},
            {"expect": {"state": {"b": 2}}},
        ),
        (
            {"faults": {"a": [{"error": "x"}]}},
            {"faults": {"b": {"error": "y"}}},
            {"faults": {"a": [{"error": "x"}], "b": {"error": "y"}}},
        ),
        (
            {"faults": {"a": {"error": "x"}}},
            {"faults": {"a": {"latency": 1}}},
            {"faults": {"a": {"latency": 1}}},
        ),
        ({"limits": {"steps": 8, "cost": 1}}, {"limits": {"cost": None}}, {"limits": {"steps": 8}}),
        ({"limits": {"steps": 8}, "tags": ["a"]}, {"limits": None}, {"tags": ["a"]}),
        (
            {"context": {"a": {"b": 1, "c": 2}}},
            {"context": {"a": {"b": None, "d": None}}},
            {"context": {"a": {"c": 2, "d": None}}},
        ),
        (
            {"user": {"knows": {"a": 1}, "goal": "x"}},
            {"user": {"knows": {"b": 2}}},
            {"user": {"knows": {"a": 1, "b": 2}, "goal": "x"}},
        ),
        ({"limits": {"steps": 8}}, {"limits": 5}, {"limits": 5}),
        ({}, {"id": "a"}, {"id": "a"}),
    ],
)
def test_a_case_meets_its_defaults(base: Json, own: Json, both: Json) -> None:
    before = repr((base, own))
    assert merged(own, base, CASE) == both
    assert repr((base, own)) == before


def test_what_is_written_in_the_case_comes_from_the_case() -> None:
    base = {"limits": {"steps": 8}, "tags": ["a", "b"]}
    own = {"limits": {"cost": 1}, "tags": ["c"]}
    assert from_defaults(("limits", "steps"), own, base)
    assert not from_defaults(("limits", "cost"), own, base)
    assert not from_defaults(("limits",), own, base)
    assert not from_defaults(("tags", 1), own, base)
    assert not from_defaults(("input",), own, base)


def test_a_mistake_in_a_default_is_told_once_at_its_place(problems: Problems) -> None:
    text = """
defaults:
  limits: {stpes: 8}
  expect: {answer: {contains: [""]}}
cases:
  - {id: a, input: x}
  - {id: b, input: x, limits: {steps: 2}}
  - {id: c, input: x, expect: {answer: {contains: [yes]}}}
"""
    found = problems(text)
    assert [problem.partition(": ")[0] for problem in found] == [
        "suite.yaml:3:12",
        "suite.yaml:4:32",
    ]
    assert found[1] == (
        "suite.yaml:4:32: defaults.expect.answer.contains[0]: empty; wanted a phrase"
    )


def test_a_mistake_in_a_default_that_every_case_replaces_is_told_too(problems: Problems) -> None:
    text = "defaults: {trials: 0}\ncases:\n  - {id: a, trials: 2, limits: {steps: 1}}\n"
    assert problems(text) == [
        "suite.yaml:1:20: defaults.trials: wanted a whole number, 1 or more, got the number 0"
    ]


@pytest.mark.parametrize(
    ("defaults", "told"),
    [
        ("{id: a}", "1:12: defaults.id: every case has an id of its own"),
        ("[x]", "1:11: defaults: wanted a mapping such as"),
        ("{limits: {steps: }}", "1:28: defaults.limits.steps: nothing is written here"),
    ],
)
def test_defaults_that_cannot_be_are_told(defaults: str, told: str, problems: Problems) -> None:
    found = problems(f"defaults: {defaults}\ncases:\n  - {{id: a, limits: {{cost: 1}}}}\n")
    assert len(found) == 1
    assert told in found[0]


def test_null_takes_a_default_check_away(load: Load) -> None:
    text = """
defaults: {expect: {answer: {contains: a, excludes: b}}, limits: {steps: 8}}
cases:
  - {id: a, input: x, expect: {answer: {contains: null}}, limits: null}
"""
    (case,) = load(text).cases
    assert case.expect.answer is not None
    assert case.expect.answer.contains == ()
    assert case.expect.answer.excludes == ("b",)
    assert case.limits.steps is None


def test_null_over_no_default_asks_for_nothing_and_is_a_mistake(problems: Problems) -> None:
    text = "- {id: a, input: x, limits: {steps: 2}, expect: {answer: {json: null}}}"
    (problem,) = problems(text)
    assert "expect.answer.json: nothing is written here" in problem


def test_a_case_says_which_lists_of_the_defaults_it_hides() -> None:
    base = {"tags": ["a"], "expect": {"answer": {"contains": ["x"], "excludes": ["y"]}}}
    own = {"tags": ["a"], "expect": {"answer": {"contains": ["z"], "excludes": None}}}
    assert list(hidden_lists(own, base, CASE)) == [("expect", "answer", "contains")]
