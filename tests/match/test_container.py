"""Matchers on mappings, lists, elements and size: what they say differs."""

import pytest

from fairtrial.match import compile_matcher
from fairtrial.records import Json


@pytest.mark.parametrize(
    ("spec", "value", "texts"),
    [
        ({"a": {"b": 1}}, {"a": {}}, ["v.a.b: wanted 1, got nothing"]),
        ({"a": {"b": 1}}, {"a": 5}, ["v.a: wanted {b: 1}, got 5"]),
        ({"exactly": {"a": 1}}, {"a": 1, "b": 2}, ["v.b: wanted no key, got 2"]),
        ({"exactly": {}}, 5, ["v: wanted an empty mapping, got 5"]),
        ([1, {"a": 2}], [1, {"a": 3}], ["v[1].a: wanted 2, got 3"]),
        ([{"a": 2}, 1], [{"a": 2}], ["v[1]: wanted 1, got nothing"]),
        ([{"a": 2}], [{"a": 2}, 7], ["v[1]: wanted no element, got 7"]),
        ([{"a": 2}], "x", ['v: wanted [{a: 2}], got "x"']),
        ({"contains": "x"}, ["y"], ['v: wanted text or a list that contains "x", got ["y"]']),
        ({"contains": {"min": 1}}, [0], [
            "v: wanted a list with an element that is at least 1, got [0]",
        ]),
        ({"each": {"a": 1}}, [{"a": 1}, {"a": 2}], ["v[1].a: wanted 1, got 2"]),
        ({"each": 1}, {"x": 1}, ['v: wanted a list of elements that are 1, got {"x": 1}']),
        ({"length": {"min": 2}}, [0], ["v: wanted length at least 2, got length 1: [0]"]),
        ({"length": 2}, None, ["v: wanted something of length 2, got null"]),
    ],
)  # fmt: skip
def test_a_mismatch_says_what_was_wanted_and_got(spec: Json, value: Json, texts: list[str]) -> None:
    assert [str(found) for found in compile_matcher(spec).mismatches(value, "v")] == texts


@pytest.mark.parametrize(
    ("name", "meant"),
    [("greater", "above"), ("minimum", "min"), ("Above", "above"), ("oneOf", "one_of")],
)
def test_a_key_that_looks_like_an_operator_is_named_where_no_mapping_came(
    name: str, meant: str
) -> None:
    (found,) = compile_matcher({"amount": {name: 3}}).mismatches({"amount": 40})
    assert found.wanted == f"{{{name}: 3}} ({name!r} is no operator: did you mean {meant}?)"


def test_a_wrong_element_is_found_at_any_index_of_a_long_list() -> None:
    matcher = compile_matcher({"each": {"ok": True}})
    rows: list[Json] = [{"ok": True}] * 9_999 + [{"ok": False}]
    assert [str(found) for found in matcher.mismatches(rows)] == [
        "[9999].ok: wanted true, got false"
    ]


def test_elements_of_a_table_by_id_are_named_by_their_ids() -> None:
    matcher = compile_matcher({"each": {"fee": 0}}, tables=True)
    found = matcher.mismatches({"c1": {"fee": 0}, "c2": {"fee": 1}}, "rows")
    assert [str(one) for one in found] == ["rows.c2.fee: wanted 0, got 1"]
