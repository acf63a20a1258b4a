"""The matcher language: every operator, what is a name and what is not, and what is refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.match import MISSING, OPERATORS, MatcherError, compile_matcher, compile_state
from fairtrial.records import Json

NUMBERS = st.sampled_from([0, 1, 1.0, 2, -3, 2.5])
PLAIN = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "a", "ab", "1", "2.5", "A b"])
)
NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


LISTING = st.sampled_from(["includes", "unordered"])
BOUND = st.sampled_from(["min", "max", "above", "below", "approx", "number"])
ON_SCALARS = st.one_of(
    st.builds(lambda key, number: {key: number}, BOUND, NUMBERS),
    st.builds(lambda v, t: {"approx": v, "tolerance": t}, NUMBERS, st.sampled_from([0, 0.5, 2])),
    st.builds(lambda v, p: {"number": v, "percent": p}, NUMBERS, st.sampled_from([0, 10, 150])),
    st.sampled_from([
        {"absent": True}, {"present": True}, {"ignore": True}, {"type": "integer"},
        {"type": "object"}, {"text": "a B"}, {"phrase": "A"}, {"matches": "^a"}, {"length": 0},
        {"length": {"min": 1}}, {"equals": {"a": [1, True]}}, {"equals": [1]},
    ]),
)  # fmt: skip


@st.composite
def conditions(draw: st.DrawFn, inner: st.SearchStrategy[Json]) -> Json:
    """Give a mapping of one or two operators."""

    def one() -> dict[str, Json]:
        kind = draw(st.sampled_from(["scalar", "named", "one_of", "listing", "single", "contains"]))
        if kind == "scalar":
            return draw(ON_SCALARS)
        if kind == "named":
            names = draw(st.dictionaries(NAMES, inner, max_size=3))
            return {draw(st.sampled_from(["has", "exactly"])): names}
        if kind == "one_of":
            return {"one_of": draw(st.lists(inner, min_size=1, max_size=3))}
        if kind == "listing":
            return {draw(LISTING): draw(st.lists(inner, max_size=3))}
        if kind == "contains":
            return {"contains": draw(inner.filter(lambda item: item != ""))}
        return {draw(st.sampled_from(["not", "each"])): draw(inner)}

    spec = one() | (one() if draw(st.booleans()) else {})
    if {"tolerance", "percent"} <= spec.keys():
        del spec["percent"]
    return spec


SPECS = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3), conditions(inner)
    ),
    max_leaves=10,
)


@settings(max_examples=800)
@given(SPECS, VALUES | st.just(MISSING), st.booleans())
def test_matching_and_explaining_agree(spec: Json, value: Json, tables: bool) -> None:
    matcher = compile_matcher(spec, tables=tables)
    found = matcher.mismatches(value, "top")
    assert matcher.matches(value) is (not found)
    assert (matcher.distance(value) == 0) is (not found)
    assert all(one.path.startswith("top") and str(one) for one in found)
    assert len(matcher.describe()) <= 200


@given(VALUES)
def test_a_plain_value_matches_itself_and_its_equals_form(value: Json) -> None:
    assert compile_matcher(value).matches(value)
    assert compile_matcher({"equals": value}).matches(value)
    assert compile_matcher({"equals": value}, tables=True).matches(value)


@given(st.lists(VALUES, max_size=5), st.randoms(use_true_random=False))
def test_order_never_matters_where_it_is_said_not_to(items: list[Json], rng: random.Random) -> None:
    shuffled = items.copy()
    rng.shuffle(shuffled)
    wanted = [{"equals": item} for item in items]
    assert compile_matcher({"unordered": wanted}).matches(shuffled)
    assert compile_matcher({"includes": wanted[1:]}).matches(shuffled)


MATCHED: list[tuple[Json, list[Json], list[Json]]] = [
    # (what is wanted, what meets it, what does not)
    (1, [1, 1.0], [True, "1", None, MISSING, [1], 1.0000001]),
    (True, [True], [1, "true", None]),
    (None, [None], [MISSING, "", 0, [], {}, False]),
    ("", [""], [None, [], " "]),
    ([], [[]], [None, {}, "", [1]]),
    ({}, [{}, {"a": 1}], [[], None, "", MISSING]),
    ([1, 2], [[1, 2.0]], [[2, 1], [1, 2, 3], [1], {"0": 1}]),
    ({"a": 1}, [{"a": 1}, {"b": 2, "a": 1}], [{"a": 2}, {}, {"a": None}, [{"a": 1}]]),
    ([{"from": "LIM"}], [[{"from": "LIM", "to": "CUZ"}]], [[{"from": "CUZ"}], [{}]]),
    ({"has": {"type": "refund"}}, [{"type": "refund", "x": 1}], [{"type": "fee"}, {}]),
    ({"has": {}}, [{}, {"a": 1}], [[], None]),
    ({"exactly": {"a": 1}}, [{"a": 1}], [{"a": 1, "b": 2}, {}, {"b": 2}]),
    ({"exactly": {}}, [{}], [{"a": 1}, []]),
    ({"exactly": {"a": {"one_of": [1, {"absent": True}]}}}, [{}, {"a": 1}], [{"a": 2}, {"b": 1}]),
    ({"equals": {"min": 1}}, [{"min": 1}], [1, 2, {"min": 1, "a": 2}]),
    ({"equals": [{"a": {"max": 1}}]}, [[{"a": {"max": 1}}]], [[{"a": 0}]]),
    ({"approx": 1.0, "tolerance": 0.1}, [1.1, 0.9, 1, 1.05], [1.11, 0.89, "1.0", True]),
    ({"approx": 200, "percent": 5}, [190, 210, 200.5], [189, 211]),
    ({"approx": -200, "percent": 5}, [-190, -210], [190, -211]),
    ({"approx": 27.78}, [27.78, 27.78 * (1 + 5e-10)], [27.7801, "27.78"]),
    ({"approx": 0}, [0, 0.0], [1e-12, False]),
    ({"approx": 5, "tolerance": 0}, [5, 5.0], [6, 5.0001]),
    ({"approx": 2**60, "tolerance": 1}, [2**60 + 1], [2**60 + 2]),
    ({"approx": 5}, [], [10**400]),
    ({"min": 3}, [3, 3.0, 4], [2.9, "3", True, None, MISSING]),
    ({"max": 3}, [3, -10**400], [3.1, "3", False]),
    ({"above": 3}, [3.1, 10**400], [3, "4"]),
    ({"below": 3}, [2.9], [3, None]),
    ({"min": 1, "max": 3}, [1, 2, 3], [0, 4]),
    ({"number": 12.5}, [12.5, "12.5", " 12.50 ", "1.25e1", "+12.5"], ["12,5", "12.5 kg", "", "x"]),
    ({"number": 1000}, ["1000", "1000.0", 1000], ["1,000", "1_000", "nan", "inf", "0x3e8", True]),
    ({"number": 5, "tolerance": 0.5}, ["5.5", 4.5], ["5.51", 4.4]),
    ({"one_of": [1, "a", {"min": 10}]}, [1, "a", 12], [2, "b", True]),
    ({"one_of": [1, {"absent": True}]}, [1, MISSING], [None, 2]),
    ({"one_of": [1, {"one_of": [2, {"ignore": True}]}]}, [1, MISSING, "x"], []),
    ({"not": 1}, [2, True, None, "1"], [1, 1.0, MISSING]),
    ({"not": {"absent": True}}, [None, 1], [MISSING]),
    ({"not": {"present": True}}, [], [None, 1, MISSING]),
    ({"contains": "fee"}, ["no fee", ["x", "fee"]], ["no Fee", ["fees"], 5, {"a": "fee"}]),
    ({"contains": {"min": 3}}, [[1, 3]], [[1, 2], "3", 3, []]),
    ({"contains": 80}, [[80]], ["8080", [8080]]),
    ({"contains": {"equals": ""}}, [[""]], ["", "x", []]),
    ({"includes": [{"min": 1}, 1]}, [[1, 2], [2, 1], [1, 1, 5]], [[1], [2, 3], "11", {"a": 1}]),
    ({"includes": ["a", "a"]}, [["a", "b", "a"]], [["a", "b"]]),
    ({"text": "Can't  stop"}, ["can\u2019t stop", "CAN'T STOP"], ["can't stop now", 5]),
    ({"phrase": "no fee"}, ["There is **no** fee."], ["nofee", ["no fee"], None]),
    ({"matches": "^C-\\d+$"}, ["C-12"], ["xC-12", "C-", 12, None]),
    ({"matches": "fee"}, ["no fees"], ["Fee"]),
    ({"length": 2}, ["ab", [1, 2], {"a": 1, "b": 2}], ["a", [1], 2, None, MISSING]),
    ({"length": {"min": 1}}, ["x", [0]], ["", [], {}]),
    ({"each": {"min": 1}}, [[1, 2], []], [[0, 1], {"a": 1}, "1", None]),
    ({"unordered": [1, {"min": 1}]}, [[1, 2], [2, 1], [1, 1]], [[1], [1, 2, 3], [2, 2]]),
    ({"unordered": []}, [[]], [[1], {}, None]),
    ({"absent": True}, [MISSING], [None, 0, ""]),
    ({"present": True}, [None, 0, ""], [MISSING]),
    ({"ignore": True}, [MISSING, None, 1], []),
    ({"type": "integer"}, [1, 10**30], [1.0, True, "1"]),
    ({"type": "number"}, [1, 1.5], [True, "1"]),
    ({"type": "string"}, ["", "a"], [None, 1]),
    ({"type": "boolean"}, [True, False], [0, "true"]),
    ({"type": "null"}, [None], [MISSING, 0, ""]),
    ({"type": "array"}, [[]], [{}, "[]"]),
    ({"type": "object"}, [{}], [[], "{}"]),
    ({"percent": 5}, [{"percent": 5}], [5, {}]),
    ({"tolerance": 1, "percent": 5}, [{"percent": 5, "tolerance": 1}], [5]),
    ({"kind": "a", "percent": 5}, [{"percent": 5, "kind": "a"}], [{"kind": "a"}]),
    ({"numbers": 1}, [{"numbers": 1}], [1]),
    ({"regexp": "x"}, [{"regexp": "x"}], ["x"]),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "met", "unmet"), MATCHED, ids=[str(row[0]) for row in MATCHED])
def test_what_meets_a_matcher_and_what_does_not(
    spec: Json, met: list[Json], unmet: list[Json]
) -> None:
    matcher = compile_matcher(spec)
    assert [value for value in met if not matcher.matches(value)] == []
    assert [value for value in unmet if matcher.matches(value)] == []


def test_every_operator_is_in_the_table_above() -> None:
    used = {key for spec, _, _ in MATCHED if isinstance(spec, dict) for key in spec}
    assert set(OPERATORS) <= used


REFUSED: list[tuple[Json, str]] = [
    # (what is written, what the error says)
    ({"type": "refund"}, "write has: {type: \"refund\"}"),
    ({"type": None}, "write type: \"null\", in quotes"),
    ({"type": ["string"]}, "type: wanted one of string"),
    ({"min": 1, "booking": 2}, "write has: {min: 1, booking: 2}"),
    ({"min": 1, "maxx": 2}, "did you mean max?"),
    ({"min": 1, "maximum": 2}, "did you mean max?"),
    ({"min": 1, "tolerance": 2}, "tolerance goes with approx or number"),
    ({"min": "1"}, "min: wanted a number; got \"1\"; write it without quotes"),
    ({"above": True}, "write has: {above: true}"),
    ({"approx": "1"}, "approx: wanted a number"),
    ({"approx": float("nan")}, "approx: wanted a number"),
    ({"approx": 1, "tolerance": -1}, "tolerance: wanted a number of at least 0"),
    ({"approx": 1, "percent": "5%"}, "percent: wanted a number"),
    ({"approx": 1, "tolerance": 1, "percent": 1}, "tolerance or percent, not both"),
    ({"one_of": []}, "one_of: wanted at least one value"),
    ({"one_of": "a"}, "write one_of: [\"a\"]"),
    ({"includes": "a"}, "includes: wanted a list"),
    ({"unordered": {"a": 1}}, "unordered: wanted a list"),
    ({"absent": False}, "write present: true"),
    ({"present": False}, "write absent: true"),
    ({"ignore": 1}, "ignore: wanted true"),
    ({"text": 5}, "text: wanted text; got 5; quote it"),
    ({"phrase": " \t"}, "every text contains"),
    ({"contains": ""}, "every text contains"),
    ({"matches": "("}, "no regular expression: missing )"),
    ({"matches": ""}, "matches: wanted a regular expression"),
    ({"matches": 5}, "matches: wanted a regular expression"),
    ({"length": "2"}, "length: wanted a whole number"),
    ({"length": 1.5}, "length: wanted a whole number"),
    ({"length": -1}, "length: wanted a whole number"),
    ({"length": {"minimum": 1}}, "length: wanted a whole number"),
    ({"has": ["a"]}, "has: wanted a mapping"),
    ({"exactly": 5}, "write has: {exactly: 5}"),
    ({"abvoe": 3}, "unknown operator 'abvoe'; did you mean above?"),
    ({"abvoe": 3}, "If 'abvoe' is a name, write has: {abvoe: 3}"),
    ({"greater_than": 3}, "did you mean above?"),
    ({"at_least": 3}, "did you mean min?"),
    ({"any_of": [1]}, "did you mean one_of?"),
    ({"regex": "x"}, "did you mean matches?"),
    ({1: 2}, "the key 1 is not text"),
    (float("inf"), "is no JSON value"),
    (b"x", "is no JSON value"),
    ({"a": {1, 2}}, "is no JSON value"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "text"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_a_matcher_that_cannot_be_is_refused_with_the_way_out(spec: Json, text: str) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_matcher(spec)
    assert text in caught.value.text


def test_an_error_says_where_inside_what_was_written_it_is() -> None:
    with pytest.raises(MatcherError) as caught:
        compile_matcher({"legs": [{"price": {"one_of": [1, {"min": "x"}]}}]})
    assert caught.value.path == ("legs", 0, "price", "one_of", 1, "min")
    assert str(caught.value).startswith("legs[0].price.one_of[1].min: min: wanted a number")


def test_directly_under_args_keys_are_names() -> None:
    matcher = compile_matcher({"min": 1, "type": "refund", "abvoe": 3, "not": "x"}, names=True)
    assert matcher.matches({"min": 1.0, "type": "refund", "abvoe": 3, "not": "x", "more": 1})
    assert not matcher.matches({"min": 2, "type": "refund", "abvoe": 3, "not": "x"})
    assert compile_matcher({"has": 1, "b": 2}, names=True).matches({"has": 1, "b": 2})


def test_under_args_only_a_lone_has_or_exactly_is_an_operator() -> None:
    assert compile_matcher({"exactly": {"min": 1}}, names=True).matches({"min": 1})
    assert not compile_matcher({"exactly": {"min": 1}}, names=True).matches({"min": 1, "b": 2})
    assert compile_matcher({"has": {"min": 1}}, names=True).matches({"min": 1, "b": 2})
    with pytest.raises(MatcherError, match="has: wanted a mapping"):
        compile_matcher({"has": 1}, names=True)


def test_one_level_below_args_operators_count_again() -> None:
    matcher = compile_matcher({"filter": {"min": 3}}, names=True)
    assert matcher.matches({"filter": 3})
    assert not matcher.matches({"filter": {"min": 3}})


@pytest.mark.parametrize("spec", [None, "x", [1], 5])
def test_names_want_a_mapping(spec: Json) -> None:
    with pytest.raises(MatcherError, match="wanted a mapping of names"):
        compile_matcher(spec, names=True)


@pytest.mark.parametrize("wrapped", ["not", "each", "has", "one_of", "list", "key"])
def test_nesting_ends_somewhere_and_says_so(wrapped: str) -> None:
    def deeper(spec: Json) -> Json:
        shapes = {"has": {"has": {"k": spec}}, "one_of": {"one_of": [spec]}, "list": [spec]}
        return shapes.get(wrapped, {"k" if wrapped == "key" else wrapped: spec})

    spec: Json = 1
    for _ in range(45):
        spec = deeper(spec)
    assert compile_matcher(spec).matches(1) in {True, False}
    for _ in range(5_000):
        spec = deeper(spec)
    with pytest.raises(MatcherError, match="nested deeper than 100"):
        compile_matcher(spec)
    with pytest.raises(MatcherError, match="nested deeper than 100"):
        compile_matcher({"equals": spec})


def test_a_matcher_meets_a_deep_value_without_a_crash() -> None:
    value: Json = 1
    for _ in range(50_000):
        value = {"k": [value]}
    matcher = compile_matcher({"k": [{"k": [1]}], "n": {"equals": {"k": 1}}})
    assert not matcher.matches(value)
    assert len(matcher.mismatches(value)) == 2


def test_a_mapping_that_has_the_operators_as_keys_shows_the_way_out() -> None:
    (found,) = compile_matcher({"text": "hi"}).mismatches({"text": "hi", "to": "Ana"}, "mail")
    assert str(found) == (
        'mail: wanted the text "hi" (or, if these are names: write has: {text: "hi"}), '
        'got {"text": "hi", "to": "Ana"}'
    )


# Tables: lists of rows at any depth of the state.

ROWS = [{"id": 2, "fee": 0}, {"id": 1, "fee": 40}]


@pytest.mark.parametrize(
    ("spec", "value", "met"),
    [
        ([{"fee": 40}, {"fee": 0}], ROWS, True),
        ([{"fee": 40}, {"fee": 0}], {"c1": ROWS[0], "c2": ROWS[1]}, True),
        ([{"fee": 40}], ROWS, False),
        ([{"fee": 40}, {"fee": 40}], ROWS, False),
        ([{"fee": {"min": 0}}, {"fee": 0}], ROWS, True),
        ([{"id": 1}, {}], ROWS, True),
        ([], [], True),
        ([], {}, True),
        ([], None, False),
        ([], MISSING, False),
        ([], ROWS, False),
        ([], "", False),
        ([{"has": {"type": "a"}}, {"order": 3}], [{"order": 3}, {"type": "a"}], True),
        ([{"exactly": {"type": "a"}}], [{"type": "a"}], True),
        ([{"exactly": {"type": "a"}}], [{"type": "a", "n": 1}], False),
        ([{"type": "refund", "amount": 3}], [{"type": "refund", "amount": 3, "id": 9}], True),
        ([{"abvoe": 3}], [{"abvoe": 3}], True),
        ([{"percent": 5}, {"a": 1}], [{"a": 1}, {"percent": 5}], True),
        ([{"lines": [{"n": 1}, {"n": 2}]}], [{"lines": [{"n": 2}, {"n": 1}]}], True),
        ({"a": {"has": {"b": [{"n": 1}, {"n": 2}]}}}, {"a": {"b": [{"n": 2}, {"n": 1}]}}, True),
        ({"one_of": [[{"n": 1}, {"n": 2}], []]}, [{"n": 2}, {"n": 1}], True),
        ({"equals": [{"n": 1}, {"n": 2}]}, [{"n": 2}, {"n": 1}], False),
        ([1, 2], [2, 1], False),
        ([{"min": 1}, {"a": 1}], [{"a": 1}, 5], False),  # a condition, so no table: a list in order
        ([{"min": 1}, {"a": 1}], [5, {"a": 1}], True),
        ({"includes": [{"fee": 0}]}, {"c1": {"fee": 0}, "c2": {"fee": 1}}, True),
        ({"unordered": [{"fee": 0}]}, {"c1": {"fee": 0}}, True),
        ({"each": {"fee": 0}}, {"c1": {"fee": 0}, "c2": {"fee": 1}}, False),
        ({"contains": {"fee": 1}}, {"c1": {"fee": 0}, "c2": {"fee": 1}}, True),
        ({"length": 2}, {"c1": 1, "c2": 2}, True),
        ({"c1": {"fee": 0}}, {"c1": {"fee": 0}, "c2": {"fee": 1}}, True),
        ({"exactly": {"c1": {"fee": 0}}}, {"c1": {"fee": 0}, "c2": {"fee": 1}}, False),
    ],
)
def test_a_list_of_rows_in_the_state_is_a_table(spec: Json, value: Json, met: bool) -> None:
    matcher = compile_matcher(spec, tables=True)
    assert matcher.matches(value) is met
    assert (matcher.mismatches(value) == []) is met


def test_a_table_is_a_list_in_order_outside_the_state() -> None:
    assert not compile_matcher([{"n": 1}, {"n": 2}]).matches([{"n": 2}, {"n": 1}])
    assert not compile_matcher([]).matches({})
    assert not compile_matcher({"each": {"fee": 0}}).matches({"c1": {"fee": 0}})


def test_a_row_of_operators_alone_is_a_condition_and_shows_the_way_out() -> None:
    with pytest.raises(MatcherError) as caught:
        compile_state({"refunds": [{"type": "refund"}]})
    assert caught.value.path == ("refunds", 0, "type")
    assert 'write has: {type: "refund"}' in caught.value.text


def test_rules_by_path_tell_the_one_field_that_differs() -> None:
    wanted = compile_state({
        "payments": [{"card": "g1", "amt": 198}, {"card": "g2", "amt": 129}],
        "log": ["open", "close"],
        "updated_at": {"ignore": True},
    })  # fmt: skip
    got = {
        "payments": [{"card": "g2", "amt": 129}, {"card": "g1", "amt": 198}],
        "log": ["close", "open"],
        "updated_at": "2026-01-01T00:00:07Z",
    }
    found = [field for field, matcher in wanted.fields.items() if not matcher.matches(got[field])]
    assert found == ["log"]
    assert [str(one) for one in wanted.fields["log"].mismatches(got["log"], "log")] == [
        'log[0]: wanted "open", got "close"',
        'log[1]: wanted "close", got "open"',
    ]
