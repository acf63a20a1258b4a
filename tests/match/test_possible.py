"""Matchers that nothing meets are found, and no matcher that something meets is taken for one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MISSING, compile_matcher, impossible
from fairtrial.records import Json


@pytest.mark.parametrize(
    "spec",
    [
        {"min": 5, "max": 3},
        {"above": 3, "below": 3},
        {"above": 3, "max": 3},
        {"min": 3.5, "max": 3.6, "type": "integer"},
        {"above": 3, "below": 4, "type": "integer"},
        {"min": 3, "type": "string"},
        {"min": 3, "matches": "a"},
        {"type": "integer", "equals": "a"},
        {"type": "integer", "equals": 1.5},
        {"equals": "a", "not": "a"},
        {"equals": 5, "not": {"min": 5}},
        {"equals": "pear", "length": 3},
        {"equals": {"a": 1}, "type": "array"},
        {"equals": [1], "length": {"min": 2}},
        {"matches": "^b", "one_of": ["apple", "pear"]},
        {"one_of": [{"min": 3, "max": 2}, {"type": "null", "phrase": "a"}]},
        {"one_of": [1, 2], "above": 2},
        {"one_of": [{"max": 1}, {"min": 9, "max": 9.5}], "above": 9.6},
        {"one_of": ["a", {"min": 5}], "max": 3},
        {"length": {"max": -1}},
        {"length": {"above": 1, "below": 2}},
        {"length": {"equals": "3"}},
        {"length": {"type": "string"}},
        {"length": 0, "contains": "x"},
        {"length": 1, "includes": [1, 2]},
        {"each": {"min": 5, "max": 3}, "length": {"min": 1}},
        {"contains": {"type": "null", "min": 0}},
        {"contains": {"absent": True}},
        {"includes": [1, {"absent": True}]},
        {"unordered": [{"min": 5, "max": 3}]},
        {"unordered": [1, 2], "length": 3},
        [1, {"min": 5, "max": 3}],
        [{"absent": True}],
        {"approx": 5, "above": 6},
        {"approx": 100, "percent": 1, "below": 98},
        {"number": 5, "min": 6},
        {"number": 5, "type": "array"},
        {"absent": True, "present": True},
        {"absent": True, "not": 3},
        {"not": {"present": True}},
        {"not": {"ignore": True}},
        {"not": {"type": "number"}, "min": 3},
        {"not": {"one_of": [{"type": "string"}, {}]}, "phrase": "a"},
        {"not": {}, "has": {"a": 1}},
        {"has": {"a": 1, "b": 2}, "length": 1},
        {"exactly": {"a": 1}, "length": 2},
        {"has": {"a": {"min": 5, "max": 3}}},
        {"a": {"b": {"min": 5, "max": 3}}},
    ],
)
def test_a_matcher_that_nothing_meets_is_found(spec: Json) -> None:
    compile_matcher(spec)
    assert impossible(spec) is not None


@pytest.mark.parametrize(
    "spec",
    [
        {"min": 3, "max": 3},
        {"min": 3, "max": 4, "type": "integer"},
        {"above": 3, "below": 4},
        {"equals": 1.0, "type": "integer"},
        {"equals": 1, "type": "number", "not": {"type": "integer"}},
        {"one_of": [{"absent": True}, {"min": 5, "max": 3}]},
        {"one_of": ["a", {"min": 5}], "min": 5},
        {"each": {"min": 5, "max": 3}},
        {"length": 0, "each": {"absent": True}},
        {"approx": 0.3, "min": 0.30000000000000004},
        {"approx": 1.0, "tolerance": 0.1, "max": 0.9},
        {"approx": 10**300, "percent": 10**300, "max": 0},
        {"number": 5, "type": "string", "length": 1},
        {"absent": True},
        {"not": {"absent": True}},
        {"not": None, "type": "string"},
        {"equals": [], "each": {"min": 5, "max": 3}},
        {"a": {"absent": True}},
        {"exactly": {"a": {"ignore": True}}, "length": 0},
        {"one_of": ["a" * 40 + "b"], "matches": "^(?:a|aa)+$"},
        {},
        [],
    ],
)
def test_a_matcher_that_something_may_meet_is_not(spec: Json) -> None:
    compile_matcher(spec)
    assert impossible(spec) is None


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ({"fee": {"min": 5, "max": 3}, "to": "a"}, ("fee",)),
        ({"fee": {"length": {"max": -1}}}, ("fee", "length")),
        ([1, {"x": {"above": 3, "below": 3}}], (1, "x")),
        ({"rows": {"contains": {"x": {"above": 3, "below": 3}}}}, ("rows", "contains", "x")),
        ({"has": {"min": {"min": 5, "max": 3}}}, ("has", "min")),
        ({"min": 5, "max": 3}, ()),
    ],
)
def test_the_smallest_part_at_fault_is_named(spec: Json, place: tuple[str | int, ...]) -> None:
    assert impossible(spec) == place


def test_keys_that_are_names_are_no_operators() -> None:
    assert impossible({"min": 5, "max": 3}, names=True) is None
    assert impossible({"has": {"fee": {"min": 5, "max": 3}}}, names=True) == ("has", "fee")


def test_the_rows_of_a_table_are_looked_into() -> None:
    spec: Json = {"bookings": [{"fee": 1}, {"fee": {"min": 5, "max": 3}}]}
    assert impossible(spec, names=True, tables=True) == ("bookings", 1, "fee")
    assert impossible({"bookings": {"length": 1, "type": "object"}}, tables=True) is None
    assert impossible({"bookings": {"contains": {"id": 1}, "type": "object"}}) is not None
    assert impossible({"bookings": {"contains": {"id": 1}, "type": "object"}}, tables=True) is None


def test_numbers_out_of_reach_are_found() -> None:
    assert impossible({"min": 80}, within=(0, 1)) == ()
    assert impossible({"min": 1}, within=(0, 1)) is None
    assert impossible("many", within=(0, 1)) == ()


_SCALARS = st.sampled_from([None, True, 0, 1, 1.0, 2, 2.5, -3, "", "a", "1", "ab"])
_VALUES: st.SearchStrategy[Json] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner),
    max_leaves=4,
)


def _conditions(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    some = st.lists(inner, max_size=2)
    number = st.sampled_from([-3, 0, 1, 1.5, 2])
    keys = st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
    operators: dict[Any, st.SearchStrategy[Json]] = {
        **dict.fromkeys(("min", "max", "above", "below", "approx", "number"), number),
        **dict.fromkeys(("has", "exactly"), keys),
        **dict.fromkeys(("not", "each", "contains"), inner.filter(lambda spec: spec != "")),
        **dict.fromkeys(("includes", "unordered"), some),
        **dict.fromkeys(("absent", "present", "ignore"), st.just(value=True)),
        "one_of": st.lists(inner, min_size=1, max_size=2),
        "equals": _VALUES,
        "length": st.sampled_from([0, 1, 2, {"min": 1}, {"max": 1}, {"one_of": [0, 2]}]),
        "text": st.sampled_from(["a", "A"]),
        "matches": st.sampled_from(["a", "^b"]),
        "type": st.sampled_from(
            ["string", "number", "integer", "boolean", "null", "array", "object"]
        ),
    }
    pair = st.sampled_from(sorted(operators)).flatmap(
        lambda name: st.tuples(st.just(name), operators[name])
    )
    return st.lists(pair, min_size=1, max_size=3).map(dict) | keys | some


_SPECS = st.recursive(_SCALARS, _conditions, max_leaves=8)


@given(_SPECS, st.lists(_VALUES, max_size=6), st.booleans())
def test_whatever_is_met_is_never_called_impossible(
    spec: Json, values: list[Json], tables: bool
) -> None:
    matcher = compile_matcher(spec, tables=tables)
    if any(map(matcher.matches, [MISSING, *values, 1, 1.0, "a", [], {}])):
        assert impossible(spec, tables=tables) is None
