"""Rubrics as people write them: their shapes, and what does not go together."""

import json
import re
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases import Suite
from fairtrial.cases.located import Notes, spell
from fairtrial.cases.rubric_fields import RUBRIC, SharedRubric
from fairtrial.cases.shapes import BAD
from fairtrial.records import Criterion, Json, Rubric, RubricExample, RubricItem, plain

Load = Callable[..., Suite]
Problems = Callable[..., list[str]]

CASES = "cases: [{id: a, input: x, expect: {rubric: r, answer: {contains: yes}}}]"


def rubric_of(load: Load, written: str) -> Rubric:
    (case,) = load(f"rubrics: {{r: {written}}}\n{CASES}").cases
    assert case.rubrics is not None
    return msgspec.convert(case.rubrics["r"], Rubric)


@pytest.mark.parametrize(
    ("written", "criteria"),
    [
        ("[warmth, clarity]", (Criterion(name="warmth"), Criterion(name="clarity"))),
        ("warmth", (Criterion(name="warmth"),)),
        ("{name: warmth}", (Criterion(name="warmth"),)),
        (
            "[{name: warmth, description: 1 cold}]",
            (Criterion(name="warmth", description="1 cold"),),
        ),
        (
            "{warmth: 1 cold, clarity: }",
            (Criterion(name="warmth", description="1 cold"), Criterion(name="clarity")),
        ),
    ],
)
def test_criteria_are_names_with_or_without_a_description(
    written: str, criteria: tuple[Criterion, ...], load: Load
) -> None:
    assert rubric_of(load, f"{{criteria: {written}}}").criteria == criteria


def test_all_that_a_rubric_may_hold_comes_to_the_graders(load: Load) -> None:
    written = """{
      description: of tone, items: [Is kind], criteria: [warmth], threshold: 3.5, floor: 2,
      goal: The guest is calm, gate: true, reference: Get well soon.,
      examples: [
        {answer: Go away., verdict: FAIL, item: Is kind, reason: it is rude, case: c-7},
        {answer: Well., verdict: 4, item: warmth},
        {answer: Hm., verdict: pass, item: The guest is calm},
        {answer: "", verdict: false, item: Is kind}]}"""
    assert rubric_of(load, written) == Rubric(
        description="of tone",
        items=(RubricItem(item="Is kind"),),
        criteria=(Criterion(name="warmth"),),
        threshold=3.5,
        floor=2,
        goal="The guest is calm",
        gate=True,
        reference="Get well soon.",
        examples=(
            RubricExample(
                answer="Go away.", verdict=False, item="Is kind", reason="it is rude", case="c-7"
            ),
            RubricExample(answer="Well.", verdict=4, item="warmth"),
            RubricExample(answer="Hm.", verdict=True, item="The guest is calm"),
            RubricExample(answer="", verdict=False, item="Is kind"),
        ),
    )


@pytest.mark.parametrize(
    "written", ["[Is kind]", "{items: Is kind}", "{items: [Is kind], description: of tone}"]
)
def test_items_alone_take_the_place_of_the_name(written: str, load: Load) -> None:
    (case,) = load(f"rubrics: {{r: {written}}}\n{CASES}").cases
    assert (case.expect.rubric, case.rubrics) == ((RubricItem(item="Is kind"),), None)


@pytest.mark.parametrize(
    "rest", ["reference: Hi", "examples: [{answer: Hi, verdict: PASS}]", "goal: Done"]
)
def test_items_with_more_than_items_stay_a_name(rest: str, load: Load) -> None:
    (case,) = load(f"rubrics: {{r: {{items: [Is kind], {rest}}}}}\n{CASES}").cases
    assert case.expect.rubric == "r"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{criteria: []}", "criteria: an empty list asks for nothing"),
        ("{criteria: {}}", "criteria: an empty mapping asks for nothing"),
        ("{criteria: 5}", "criteria: wanted a name, or {name, description}, got the number 5"),
        ("{criteria: [' ']}", "criteria[0]: empty; wanted text: a name"),
        ("{criteria: {' ': x}}", "criteria[' ']: an empty name"),
        ("{criteria: {warmth: 5}}", "criteria.warmth: wanted text: what the scores mean, got"),
        ("{criteria: [{description: x}]}", "criteria[0].name: missing; wanted text: a name"),
        ("{criteria: [{name: x, weight: 2}]}", "criteria[0].weight: unknown field; write nothing"),
        ("{criteria: [warmth, Warmth]}", "criteria[1]: the same as [0]; drop one"),
        ("{items: [Is kind, {item: is  kind}]}", "items[1]: the same as [0]; drop one"),
        ('{items: ["\\u200b"]}', "items[0]: '\\u200b' is empty once normalised"),
        ("{items: [x], goal: ' '}", "goal: empty; wanted text: a goal"),
        ("{goal: [x]}", "goal: wanted text: a goal, got a list"),
        ("{items: [Is kind], goal: is kind}", "goal: one of the items asks the same; drop one"),
        ("{items: [x], threshold: 3}", "threshold: no criteria here that have scores"),
        ("{goal: x, floor: 3}", "floor: no criteria here that have scores"),
        (
            "{criteria: [x], threshold: 6}",
            "threshold: wanted a number from 1 to 5, got the number 6",
        ),
        ("{criteria: [x], floor: 0.5}", "floor: wanted a number from 1 to 5, got the number 0.5"),
        ("{criteria: [x], threshold: true}", "threshold: wanted a number from 1 to 5, got true"),
        ("{criteria: [x], threshold: 1}", "threshold: every score reaches this"),
        ("{criteria: [x], threshold: 2, floor: 3}", "threshold: below the floor of 3"),
        (
            "{items: [x], examples: [{answer: a}]}",
            "examples[0].verdict: missing; wanted PASS, FAIL",
        ),
        ("{items: [x], examples: [{verdict: PASS}]}", "examples[0].answer: missing; wanted text"),
        (
            "{items: [x], examples: [{answer: a, verdict: null}]}",
            "examples[0].verdict: nothing is written here",
        ),
        (
            "{items: [x], examples: [{answer: a, verdict: yes}]}",
            "examples[0].verdict: wanted PASS, FAIL or a whole score from 1 to 5, got 'yes'",
        ),
        (
            "{items: [x], examples: [{answer: a, verdict: 3}]}",
            "examples[0].verdict: wanted PASS or FAIL, since this has no score, got the number 3",
        ),
        (
            "{criteria: [x], examples: [{answer: a, verdict: PASS}]}",
            "examples[0].verdict: wanted a whole score from 1 to 5, got true",
        ),
        (
            "{criteria: [x], examples: [{answer: a, verdict: 6}]}",
            "examples[0].verdict: wanted PASS, FAIL or a whole score from 1 to 5, got the number 6",
        ),
        (
            "{items: [Is kind], examples: [{answer: a, verdict: PASS, item: is knd}]}",
            "examples[0].item: no such item in this rubric; did you mean 'Is kind'?",
        ),
        (
            "{items: [Is kind], examples: [{answer: a, verdict: PASS, item: rude}]}",
            "examples[0].item: no such item in this rubric; it has 'Is kind'",
        ),
        (
            "{items: [x], criteria: [y], examples: [{answer: a, verdict: PASS}]}",
            "examples[0].item: missing: this rubric has items and criteria; say which is meant",
        ),
        ("{rubric: [x]}", "rubric: unknown field; write items"),
    ],
)
def test_each_slip_is_told_once_at_its_place(written: str, told: str, problems: Problems) -> None:
    (problem,) = problems(f"rubrics: {{r: {written}}}\n{CASES}")
    assert f": rubrics.r.{told}" in problem


def test_equal_items_of_a_case_are_told_too(problems: Problems) -> None:
    (problem,) = problems("- {id: a, input: x, expect: {rubric: [Is kind, Is short, Is kind]}}")
    assert problem == "suite.yaml:1:58: expect.rubric[2]: the same as [0]; drop one"


WORDS = [
    *RUBRIC.table, "item", "name", "answer", "verdict", "reason", "case", "warmth", "x", "", " ",
]  # fmt: skip
TREES: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 7)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["PASS", "FAIL", "Is kind", "warmth", "\u200b", "\ud800", *WORDS]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
    ),
    max_leaves=15,
)
TEXTS = st.sampled_from(["Is kind", "Is short", "warmth", "", 5])
RUBRICS: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {},
    optional={
        "items": st.lists(TEXTS, max_size=3),
        "criteria": st.lists(TEXTS, max_size=3) | st.dictionaries(st.sampled_from(WORDS), TREES),
        "threshold": st.sampled_from([1, 2, 4.5, 6]),
        "floor": st.sampled_from([1, 3, 0]),
        "goal": TEXTS,
        "gate": st.booleans(),
        "examples": st.lists(
            st.fixed_dictionaries(
                {"answer": st.just("a"), "verdict": st.sampled_from(["PASS", False, 1, 3, 9])},
                optional={"item": TEXTS},
            ),
            max_size=2,
        ),
    },
)


@given(TREES | RUBRICS)
def test_any_json_at_all_is_a_rubric_or_mistakes_with_places(value: Json) -> None:
    notes = Notes()
    read = SharedRubric().read(value, ("rubrics", "r"), notes)
    assert all(re.match(r"rubrics\.r", spell(path)) for path, _, _ in notes)
    if not notes.mistakes:
        assert read is not BAD
        written = json.loads(json.dumps(plain(msgspec.to_builtins(read))))
        assert msgspec.convert(written, Rubric) == plain_of(read)


def plain_of(rubric: Rubric) -> Rubric:
    """Give the rubric with half characters put right, as a case keeps it."""
    return msgspec.convert(plain(msgspec.to_builtins(rubric)), Rubric)
