import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.hints import describe, distance, nearest, snake, unknown_field, wanted
from fairtrial.records import Json

WORDS = st.text("abcd", max_size=6)


@given(WORDS, WORDS)
def test_the_distance_is_the_same_both_ways_and_0_only_for_equals(left: str, right: str) -> None:
    assert distance(left, right, 9) == distance(right, left, 9)
    assert (distance(left, right, 9) == 0) is (left == right)


@given(WORDS, WORDS, st.integers(0, 6))
def test_a_bounded_distance_is_the_distance_or_more_than_the_bound(
    left: str, right: str, most: int
) -> None:
    assert distance(left, right, most) == min(distance(left, right, 9), most + 1)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("inptu", "input"),
        ("Input", "input"),
        ("tool-calls", "tool_calls"),
        ("limts", "limits"),
        ("zzz", None),
        ("", None),
        ("input" * 100, None),
    ],
)
def test_the_nearest_name_is_near(name: str, found: str | None) -> None:
    assert nearest(name, ["input", "limits", "tool_calls"]) == found


def test_a_monstrous_key_costs_no_time() -> None:
    before = time.process_time()
    unknown_field("x" * 1_000_000, ["input", "limits"] * 50, {})
    assert time.process_time() - before < 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "null"),
        (False, "false"),
        (1.5, "the number 1.5"),
        pytest.param(10**5000, "the number of 16610 bits", id="huge"),
        ({}, "a mapping"),
        ("a\x00b" + "x" * 500, None),
    ],
)
def test_every_value_can_be_described(value: Json, said: str | None) -> None:
    told = describe(value)
    assert len(told) < 100
    assert told.isprintable()
    assert said is None or told == said


@pytest.mark.parametrize(
    ("what", "value", "way_out"),
    [
        ("text", 1, "; quote it"),
        ("a phrase", True, "; quote it"),
        ("a phrase", [1], "got a list"),
        ("a number", "1,000", "without quotes and separators"),
        ("a number", "many", "got 'many'"),
        ("true or false", "1", "got '1'"),
    ],
)
def test_the_commonest_slips_come_with_a_way_out(what: str, value: Json, way_out: str) -> None:
    assert wanted(what, value).endswith(way_out)


@pytest.mark.parametrize(
    ("name", "folded"),
    [("maxSteps", "max_steps"), ("LLM-Rubric", "llm_rubric"), ("a.b c", "a_b_c"), ("", "")],
)
def test_names_fold_to_snake_case(name: str, folded: str) -> None:
    assert snake(name) == folded


def test_a_name_in_another_spelling_of_ours_is_offered_ours() -> None:
    assert unknown_field("pathFactor", ["path_factor"], {}).endswith("did you mean path_factor?")


def test_a_local_meaning_comes_before_the_general_one() -> None:
    assert "write equals" in unknown_field("text", ["equals"], {"text": "equals"})
