"""All mistakes of one matcher, pattern or plan come at once."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.mistakes import slips
from fairtrial.match import MatcherError, compile_matcher, compile_pattern, compile_plan
from fairtrial.records import Json

KEYS = st.sampled_from(["min", "max", "abvoe", "has", "one_of", "each", "fee", "gte", "name"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "("]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def places(compile_it: Callable[[Json], object], value: Json) -> list[tuple[str | int, ...]]:
    return [error.path for error in slips(compile_it, value)]


def test_each_mistake_of_a_pattern_is_told_at_its_own_place() -> None:
    args = {"a": {"regex": "x"}, "b": {"min": 1, "q": 2}, "c": {"min": "2"}, "d": 5}
    pattern = {"name": "pay", "ok": "yes", "arg": 1, "args": args}
    wrong = [("arg",), ("ok",), ("args", "a"), ("args", "b"), ("args", "c", "min")]
    assert sorted(places(compile_pattern, pattern), key=str) == sorted(wrong, key=str)


def test_a_plans_item_that_cannot_be_hides_no_other() -> None:
    plan = {"mode": "inorder", "steps": ["a", {"any_order": []}, 5]}
    assert places(compile_plan, plan) == [("mode",), ("steps", 1, "any_order"), ("steps", 2)]


@pytest.mark.parametrize("value", [{"fee": {"min": 1}}, 5, None, [{"has": {"type": 1}}]])
def test_a_sound_value_has_none(value: Json) -> None:
    assert places(compile_matcher, value) == []


@given(VALUES)
def test_there_is_one_exactly_where_it_does_not_compile_and_the_value_is_left_alone(
    value: Json,
) -> None:
    before = repr(value)
    found = places(compile_matcher, value)
    assert found[:1] == first_place(value)
    assert repr(value) == before
    assert len(found) <= 20


def first_place(value: Json) -> list[tuple[str | int, ...]]:
    try:
        compile_matcher(value)
    except MatcherError as error:
        return [error.path]
    return []
