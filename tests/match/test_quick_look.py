import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import (
    MISSING,
    OPERATORS,
    compile_matcher,
    compile_pattern,
    impossible,
    surely_sound,
    surely_sound_call,
)
from fairtrial.records import Json

NAMES = st.sampled_from(["fee", "a", "", "é", "abvoe", "regex", "Min", "percent", "tolerance"])
KEYS = st.sampled_from(OPERATORS) | NAMES
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, -1, 2.5, 1.0, 1e16, 2**70, 1e308, "", "x", " ", "*", "string", "("]
)
SPECS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=8,
)


@given(SPECS, st.booleans(), st.booleans())
def test_a_matcher_that_is_surely_sound_compiles_and_is_not_impossible(
    spec: Json, names: bool, tables: bool
) -> None:
    if surely_sound(spec, names=names):
        matcher = compile_matcher(spec, names=names, tables=tables)
        assert impossible(spec, names=names, tables=tables, present=True) is None
        assert not matcher.matches(MISSING)


@given(
    st.dictionaries(st.sampled_from(["name", "args", "result", "ok", "which", "argz"]), SPECS)
    | SCALARS
)
def test_a_call_that_is_surely_sound_compiles_and_is_not_impossible(spec: Json) -> None:
    if surely_sound_call(spec):
        compile_pattern(spec)
        if isinstance(spec, dict):
            assert impossible(spec.get("args", {}), names=True) is None
            assert impossible(spec.get("result")) is None


@pytest.mark.parametrize(
    "spec",
    [
        {"booking": "H-204", "rows": [{"fee": 0}, []], "note": {}},
        {"fee": {"min": 0, "below": 5}},
        {"one_of": ["a", {"contains": "b"}]},
        {"includes": [{"a": 1}]},
        {"unordered": [1, 2]},
        {"each": {"type": "number"}},
        {"length": 2},
        {"text": ""},
        {"phrase": "a"},
        {"present": True},
        {"has": {"min": 5}},
    ],
)
def test_what_people_write_is_seen_at_a_look(spec: Json) -> None:
    assert surely_sound(spec)
    assert surely_sound_call({"name": "pay", "args": {"x": spec}, "result": spec})


@pytest.mark.parametrize(
    "spec",
    [
        {"min": 5, "max": 3},
        {"min": True},
        {"min": 5, "fee": 1},
        {"one_of": []},
        {"contains": ""},
        {"phrase": "\u200b"},
        {"length": -1},
        {"length": True},
        {"type": "text"},
        {"present": False},
        {"absent": True},
        {"regex": "a"},
        {"has": 1},
        [{"matches": "("}],
        float("nan"),
    ],
)
def test_what_is_wrong_or_needs_more_than_a_look_is_not_sound_beyond_doubt(spec: Json) -> None:
    assert not surely_sound(spec)
    assert not surely_sound({"a": spec})


def test_where_the_top_keys_are_names_operators_are_names() -> None:
    assert surely_sound({"min": "x", "type": 1}, names=True)
    assert not surely_sound({"has": {"min": 1}}, names=True)
    assert not surely_sound([1], names=True)
