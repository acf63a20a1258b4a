"""Equality as people mean it, and texts that are equal when values are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MISSING, equal, fingerprint
from fairtrial.match.equality import is_number, python_agrees
from fairtrial.records import Json

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.sampled_from([0.0, -0.0, 1.0, 2.5, 1e20, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def spelled(value: Json) -> Json:
    """Give an equal value that is spelt differently: whole floats for ints, keys turned round."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    if isinstance(value, list):
        return [spelled(item) for item in value]
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in reversed(value.items())}
    return value


@given(VALUES)
def test_a_value_equals_itself_however_it_is_spelt(value: Json) -> None:
    assert equal(value, spelled(value))
    assert equal(spelled(value), value)


@given(VALUES, VALUES)
def test_equal_values_and_no_others_share_a_fingerprint(left: Json, right: Json) -> None:
    assert (fingerprint(left) == fingerprint(right)) is equal(left, right)


@given(VALUES)
def test_a_fingerprint_does_not_depend_on_spelling(value: Json) -> None:
    assert fingerprint(value) == fingerprint(spelled(value))


@given(VALUES, VALUES)
def test_python_agrees_where_it_is_said_to(left: Json, right: Json) -> None:
    if python_agrees(left):
        assert (left == right) is equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1), (1, True), (False, 0), (False, 0.0), ("1", 1), ("", None), (None, MISSING),
        (None, 0), ([], {}), ([], None), ("", []), ([1, 2], [2, 1]), ([1], [1, 1]), ("a", "A"),
        ({"a": None}, {}), ({"a": [True]}, {"a": [1]}), ("\u00e9", "e\u0301"), ("a ", "a"),
        (2**53, 2**53 + 1), (9007199254740993, 9007199254740992.0), (float("nan"), float("nan")),
    ],
)  # fmt: skip
def test_what_only_looks_equal_is_not(left: Json, right: Json) -> None:
    assert not equal(left, right)
    assert not equal(right, left)


def test_numbers_are_equal_at_any_depth_whatever_their_type() -> None:
    expected = {"amount": 40, "splits": [10.0, 30], "dry_run": True, "ref": "7"}
    actual = {"ref": "7", "dry_run": True, "splits": [10, 30.0], "amount": 40.0}
    assert equal(expected, actual)


def nested(depth: int, core: Json) -> Json:
    for _ in range(depth):
        core = [core]
    return core


def test_no_nesting_is_too_deep() -> None:
    assert equal(nested(50_000, 1), nested(50_000, 1.0))
    assert not equal(nested(50_000, 1), nested(50_000, True))
    assert not equal(nested(50_000, 1), nested(50_001, 1))
    assert fingerprint(nested(50_000, 1)) == fingerprint(nested(50_000, 1.0))


@pytest.mark.parametrize(
    "value", ["\ud800", {"\ud800": 1}, [10**5000], [1e300, 10**30]], ids=["a", "b", "c", "d"]
)
def test_odd_values_have_a_fingerprint(value: Json) -> None:
    assert fingerprint(value) == fingerprint(spelled(value))
    assert fingerprint(value) != fingerprint([value])


def test_a_fingerprint_of_plain_values_is_their_json_with_sorted_keys() -> None:
    assert json.loads(fingerprint({"b": [1.0, None], "a": "x"})) == {"a": "x", "b": [1, None]}
    assert fingerprint({"b": 1, "a": 2}) == '{"a":2,"b":1}'


def test_true_is_no_number() -> None:
    assert [is_number(value) for value in (1, 1.5, True, "1", None)] == [
        True,
        True,
        False,
        False,
        False,
    ]
