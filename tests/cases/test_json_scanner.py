import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.json_scanner import number_from, scan
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


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_the_scanner_reads_what_json_writes(
    value: Json, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    read, spot, faults = scan(text)
    assert spot is not None
    assert faults == []
    assert read == value
    assert repr(read) == repr(json.loads(text))


@given(st.text('{}[]",:\\ \n\tu0e1-+.truefalsnNaIity/x\x01', max_size=14))
def test_the_scanner_refuses_exactly_what_strict_json_refuses(text: str) -> None:
    def refuse(token: str) -> None:
        raise ValueError(token)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("duplicate")
        return dict(pairs)

    try:
        wanted: Json = json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
        wanted = None if "\\ud" in json.dumps(wanted) or "Infinity" in repr(wanted) else (wanted,)
    except ValueError:
        wanted = None
    value, _, faults = scan(text)
    assert (None if faults else (value,)) == wanted


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("[1, 2,]", (1, 6), "a comma before ]"),
        ('{\n "a": 1,\n}', (2, 8), "a comma before }"),
        ('{\n "a": 1, // why\n "b": 2}', (2, 10), "a comment"),
        ("# yes\n[]", (1, 1), "a comment"),
        ("[NaN]", (1, 2), "NaN is not a JSON number"),
        ("[-Infinity]", (1, 2), "-Infinity is not a JSON number"),
        ("[01]", (1, 2), "'01' is not a JSON number"),
        ("[1_000]", (1, 2), "'1_000' is not a JSON number"),
        ("[.5]", (1, 2), "'.5' is not a JSON number"),
        ("[1.]", (1, 2), "'1.' is not a JSON number"),
        ("[1e999]", (1, 2), "larger than numbers can be"),
        ("[True]", (1, 2), "write true"),
        ("['a']", (1, 2), "double quotes"),
        ("{a: 1}", (1, 2), "a key in double quotes: a"),
        ('{"a" 1}', (1, 6), "a colon after the key 'a'"),
        ("[1 2]", (1, 4), "wanted a comma or ]"),
        ('["a', (1, 2), "no closing quote"),
        ('{"a": [1, 2', (1, 7), "no closing ]"),
        ('{"a": 1', (1, 1), "no closing }"),
        ('["a\nb"]', (1, 4), "write it as \\n"),
        ('["C-\\d"]', (1, 5), "\\d is no JSON escape"),
        ('["\\u12"]', (1, 3), "four hexadecimal digits"),
        ('["é\\ud83d"]', (1, 4), "half a character"),
        ("[] []", (1, 4), "more text after the end"),
        ("", (1, 1), "nothing is written here"),
        ('{"é": 1,\n "a": 2, "é": 3}', (2, 10), "duplicate key; the first is at line 1"),
        ("[" * 101 + "]" * 101, (1, 101), "deeper than 100"),
    ],
)
def test_each_mistake_in_json_is_said_at_its_place(
    text: str, place: tuple[int, int], words: str
) -> None:
    (fault,) = scan(text)[2]
    assert fault.position == place
    assert words in fault.text


def test_several_mistakes_that_can_be_read_over_are_all_told() -> None:
    faults = scan('{"a": 1e999, "b": "\\udc00", "a": 2}')[2]
    assert [fault.field for fault in faults] == ["a", "b", "a"]


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert scan('"\\ud83d\\ude00"')[0] == "\U0001f600"


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    assert "a number of 5000 digits" in str(number_from("9" * 5000, whole=True)[1])
    assert number_from("9" * 400, whole=True) == (int("9" * 400), None)


@given(st.text(max_size=30))
def test_no_text_at_all_breaks_the_scanner(text: str) -> None:
    value, spot, faults = scan(text)
    assert spot is not None or faults
    assert value is None or spot is not None
