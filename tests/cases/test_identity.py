import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases import Suite, content_hash
from fairtrial.match import fingerprint
from fairtrial.records import Case, Json, Source

One = Callable[[str], Case]
Load = Callable[..., Suite]

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.text("a.0e1", max_size=4)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-30, 30).map(float),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("a.0", max_size=2), inner),
    max_leaves=8,
)

BASE = "id: a, input: x, limits: {steps: 3}"


def hash_of(one: One, fields: str) -> str:
    return one(f"- {{{fields}}}").hash


@pytest.mark.parametrize(
    "fields",
    [
        "id: b, input: x, limits: {steps: 3}",
        "limits: {steps: 3}, input: x, id: a",
        f"{BASE}, description: y",
        f"{BASE}, tags: [t]",
        f"{BASE}, protected: true",
        f"{BASE}, trials: 9",
        f"{BASE}, script: [{{say: x}}]",
        f"{BASE}, context: null, informs: false",
        f"{BASE}, expect: {{tools: {{only: false}}}}",
    ],
)
def test_what_the_agent_does_not_meet_leaves_the_hash_alone(fields: str, one: One) -> None:
    assert hash_of(one, fields) == hash_of(one, BASE)


@pytest.mark.parametrize(
    "fields",
    [
        "id: a, input: y, limits: {steps: 3}",
        "id: a, limits: {steps: 3}",
        "id: a, input: '', limits: {steps: 3}",
        "id: a, input: x, limits: {steps: 4}",
        f"{BASE}, messages: [{{role: user}}]",
        f"{BASE}, context: {{a: 1}}",
        f"{BASE}, fixtures: {{a: 1}}",
        f"{BASE}, faults: {{t: {{error: x}}}}",
        f"{BASE}, tools: {{t: {{returns: 1}}}}",
        f"{BASE}, user: {{goal: x}}",
        f"{BASE}, expect: {{answer: {{contains: x}}}}",
        f"{BASE}, expect: {{answer: {{json: null}}, stop: answer}}".replace(
            "json: null", "json: {}"
        ),
        f"{BASE}, informs: true",
        f"{BASE}, expect: {{rubric: [Is polite]}}",
    ],
)
def test_what_the_agent_meets_or_is_asked_changes_the_hash(fields: str, one: One) -> None:
    assert hash_of(one, fields) != hash_of(one, BASE)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("answer: {contains: x}", "answer: {contains: [[x]]}"),
        ("answer: {numbers: 5}", "answer: {numbers: [{value: 5.0}]}"),
        ("tools: {required: a}", "tools: {required: [a]}"),
        ("next: a", "next: [a]"),
        ("rubric: [Is polite]", "rubric: {item: Is polite, gate: false}"),
    ],
)
def test_a_shorthand_and_what_it_stands_for_have_one_hash(short: str, full: str, one: One) -> None:
    assert hash_of(one, f"id: a, expect: {{{short}}}") == hash_of(one, f"id: a, expect: {{{full}}}")


def test_values_of_another_type_change_the_hash(one: One) -> None:
    hashes = {hash_of(one, f"{BASE}, context: {value}") for value in ("1", "'1'", "true", "[1]")}
    assert len(hashes) == 4


@pytest.mark.parametrize(
    ("whole", "written"),
    [("1", "1.0"), ("0", "-0.0"), ("100000000000000000000", "1e20"), ("[2, 2.5]", "[2.0, 2.5]")],
)
def test_a_whole_number_has_one_hash_however_it_is_written(
    whole: str, written: str, one: One
) -> None:
    assert hash_of(one, f"{BASE}, context: {whole}") == hash_of(one, f"{BASE}, context: {written}")


@given(VALUES)
def test_the_hash_is_over_the_fingerprint_of_what_counts(value: Json) -> None:
    case = Case(id="a", hash="", source=Source("a.yaml", 1), input="x", context={"v": value})
    text = fingerprint({"input": "x", "context": {"v": value}})
    assert content_hash(case) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_defaults_and_a_shared_rubric_count_as_if_written_in_the_case(load: Load, one: One) -> None:
    text = """
defaults: {limits: {steps: 3}}
rubrics: {polite: [Is polite, Is short]}
cases: [{id: a, input: x, expect: {rubric: polite}}]
"""
    (case,) = load(text).cases
    assert case.hash == hash_of(one, f"{BASE}, expect: {{rubric: [Is polite, Is short]}}")


def test_other_cases_and_rules_for_them_change_nothing(load: Load, one: One) -> None:
    text = """
rules: [{when: {input: y}, forbidden: sue}, {when: {input: x}, forbidden: pay}]
cases: [{id: b, input: y}, {id: a, input: x, limits: {steps: 3}}]
"""
    less = """
rules: [{forbidden: pay}]
cases: [{id: a, input: x, limits: {steps: 3}}]
"""
    assert load(text).cases[1].hash == load(less).cases[0].hash
    assert load(less).cases[0].hash != hash_of(one, BASE)


def test_a_hash_is_the_same_in_every_kind_of_file_and_forever(load: Load) -> None:
    suite = load(
        a_yaml="- {id: a, input: x, expect: {answer: {contains: é}}}",
        b_json='[{"id": "b", "input": "x", "expect": {"answer": {"contains": ["\\u00e9"]}}}]',
        c_jsonl='{"expect": {"answer": {"contains": [["é"]]}}, "input": "x", "id": "c"}',
    )
    assert {case.hash for case in suite.cases} == {"4cd54d87e4eb74d9"}
