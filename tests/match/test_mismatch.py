"""What differs, told in a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import MISSING, Mismatch, brief
from fairtrial.match.mismatch import contrast, key_path
from fairtrial.records import Json


def test_a_mismatch_reads_as_path_wanted_and_got() -> None:
    assert (
        str(Mismatch("cancellations[0].fee", "0", "40")) == "cancellations[0].fee: wanted 0, got 40"
    )
    assert str(Mismatch("", "0", "40")) == "wanted 0, got 40"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (1.5, "1.5"), (True, "true"), (None, "null"), ("x", '"x"'), ("", '""'),
        (MISSING, "nothing"), ([], "[]"), ({}, "{}"), ({"a": [1, "b"]}, '{"a": [1, "b"]}'),
        ('say "hi"', '"say \\"hi\\""'), ("é", '"é"'), (float("nan"), "NaN"),
    ],
)  # fmt: skip
def test_values_are_shown_as_json(value: Json, text: str) -> None:
    assert brief(value) == text


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_value_is_shown_on_one_short_line(value: Json) -> None:
    assert len(brief(value).splitlines()) == 1
    assert len(brief(value)) <= 130
    assert brief(value).encode()


def test_huge_and_hostile_values_are_shown_short() -> None:
    deep: Json = 1
    for _ in range(50_000):
        deep = [deep]
    values = [deep, "x" * 10**6, ["y"] * 10**6, 10**5000, "\x1b[31m\u202e\ud800", b"raw", {1: 2}]
    assert [len(brief(value)) for value in values if len(brief(value)) > 100] == []
    assert all(brief(value).isprintable() for value in values)


@pytest.mark.parametrize(
    ("wanted", "got", "text"),
    [
        (0, 40, "wanted 0, got 40"),
        (40, "40", 'wanted 40 (a number), got "40" (text)'),
        (True, 1, "wanted true (a boolean), got 1 (a number)"),
        ("7", 7, 'wanted "7" (text), got 7 (a number)'),
        (None, MISSING, "wanted null, got nothing"),
        ("caf\u00e9", "cafe\u0301", 'wanted "café", got "café" (the same as normalised text)'),
        ("a", "b", 'wanted "a", got "b"'),
    ],
)
def test_values_that_look_alike_are_told_apart(wanted: Json, got: Json, text: str) -> None:
    assert str(contrast("", wanted, got)).replace("e\u0301", "é") == text


def test_long_texts_are_shown_from_where_they_part() -> None:
    same = "the same words " * 20
    told = str(contrast("note", same + "left", same + "right"))
    assert "left" in told
    assert "right" in told
    assert "from character 286" in told


@pytest.mark.parametrize(
    ("path", "key", "joined"),
    [
        ("", "a", "a"),
        ("rows[0]", "fee", "rows[0].fee"),
        ("bookings", "H-204", "bookings.H-204"),
        ("a", "b.c", 'a["b.c"]'),
        ("", "a b", '["a b"]'),
        ("a", "", 'a[""]'),
        ("a", 'x"]', 'a["x\\"]"]'),
    ],
)
def test_a_key_that_would_be_misread_is_quoted(path: str, key: str, joined: str) -> None:
    assert key_path(path, key) == joined
