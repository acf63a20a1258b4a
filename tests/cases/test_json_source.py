import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.json_scanner import scan
from fairtrial.cases.json_source import read_json, read_jsonl, strict
from fairtrial.records import Json

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_the_fast_reader_and_the_scanner_agree(value: Json, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert repr(strict(text)) == repr(scan(text)[0])


# Quotes as they are, escaped, and as codes: these are what duplicate keys are told by.
NAMES = st.sampled_from(['""', '"a"', '"\\""', '"\\u0022"', '"\\\\u0022"', '"\\\\\\u0022"'])
OBJECTS = st.recursive(
    NAMES,
    lambda inner: st.lists(st.tuples(NAMES, inner), max_size=3).map(
        lambda pairs: "{" + ", ".join(map(":".join, pairs)) + "}"
    ),
)


@given(OBJECTS)
def test_the_fast_reader_lets_no_duplicate_key_pass(text: str) -> None:
    value, _, faults = scan(text)
    try:
        fast = strict(text)
    except ValueError:
        assert faults or "\\u0022" in text
        return
    assert not faults
    assert fast == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '[{"a":"","a":"\\""}]',
        "NaN",
        "1e999",
        '"\\ud800"',
        "[1,]",
        "[" * 101 + "]" * 101,
        "",
        "9" * 5000,
    ],
)
def test_the_fast_reader_leaves_all_that_is_wrong_to_the_scanner(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the decoder's errors have no common text
        strict(text)
    assert scan(text)[2]


def test_every_value_and_key_of_json_has_its_line_and_column() -> None:
    document = read_json(
        '{\n  "cases": [\n    {"id": "a",\n     "ü": [1, {"k": null}]}]}'
    ).documents[0]
    assert document.position(("cases", 0)) == (3, 5)
    assert document.position(("cases", 0, "ü")) == (4, 11)
    assert document.position(("cases", 0, "ü"), of_key=True) == (4, 6)
    assert document.position(("cases", 0, "ü", 1, "k")) == (4, 21)
    assert document.position(("cases", 0, "missing")) == (3, 5)


def test_json_lines_keep_their_numbers_over_blank_and_bad_lines() -> None:
    source = read_jsonl('\n{"id": "a"}\r\n{"id": }\n\n  {"id": "b", "x": 1}')
    assert [document.position(()) for document in source.documents] == [(2, 1), (5, 3)]
    assert source.documents[1].position(("x",), of_key=True) == (5, 15)
    assert [fault.position for fault in source.faults] == [(3, 8)]


def test_a_line_separator_inside_text_does_not_end_a_json_line() -> None:
    source = read_jsonl('{"id": "a\u2028b\x85"}\n{"id": "c"}')
    assert [document.value["id"] for document in source.documents] == ["a\u2028b\x85", "c"]


@given(st.lists(VALUES, max_size=3), st.sampled_from([None, 1]), st.booleans())
def test_a_sound_file_is_read_fast_with_the_same_places(
    cases: list[Json], indent: int | None, mapping: bool
) -> None:
    value = {"rules": [], "cases": cases, "other": {"x": 1}} if mapping else cases
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    document = read_json(text).documents[0]
    spot = scan(text)[1]
    assert spot is not None
    where = spot.items["cases"] if mapping else spot
    assert repr(document.value) == repr(value)
    for index, one in where.items.items():
        place = document.position(("cases", index) if mapping else (index,))
        assert (text + " ").split("\n")[place.line - 1][place.column - 1] == text[one.offset]


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}',
        '[{"a": 1},]',
        '{"cases": [1 2]}',
        '{"cases": [1], "cases": [2]}',
        "[1] x",
        "5",
        '{"cases"}',
        '{"cases":}',
        "{1: 2}",
        '{"a": 1,}',
        "[" * 101 + "]" * 101,
        "[" * 9999,
        "",
        '{"cases": [' + "[" * 99 + "]" * 99 + "]}",
        '["\\udc00"]',
    ],
)
def test_a_file_is_read_fast_only_when_the_scanner_finds_nothing(text: str) -> None:
    assert read_json(text).faults == scan(text)[2]


def test_a_hundred_levels_are_deep_enough_and_no_more() -> None:
    assert read_json("[" * 100 + "]" * 100).faults == []
    assert len(read_json("[" * 101 + "]" * 101).faults) == 1
    assert read_jsonl("[" * 100 + "]" * 100).faults == []
    assert len(read_jsonl("[" * 101 + "]" * 101).faults) == 1
