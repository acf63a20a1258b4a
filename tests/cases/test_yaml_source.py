import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.yaml_source import read_yaml
from fairtrial.records import Json


def value_of(text: str) -> Json:
    source = read_yaml(text)
    assert source.faults == []
    return source.documents[0].value


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"), ("yes", "yes"), ("on", "on"), ("True", "True"), ("NULL", "NULL"), ("~", "~"),
        ("01234", "01234"), ("1_000", "1_000"), ("12:30", "12:30"), ("12:30:00", "12:30:00"),
        ("2026-03-05", "2026-03-05"), (".5", ".5"), ("5.", "5."), ("+1", "+1"), ("0x1f", "0x1f"),
        ("0o17", "0o17"), (".inf", ".inf"), (".nan", ".nan"), ("1e", "1e"),
        ("1.10", 1.1), ("-0", 0), ("12", 12), ("-3.5e2", -350.0), ("1E3", 1000.0),
        ("true", True), ("false", False), ("null", None), ("", None),
        ("'true'", "true"), ('"12"', "12"), ("'null'", "null"), ("''", ""), ("|\n    12", "12\n"),
    ],
)  # fmt: skip
def test_plain_scalars_are_typed_only_in_the_forms_of_json(written: str, read: Json) -> None:
    value = value_of(f"a: {written}\n")["a"]
    assert value == read
    assert type(value) is type(read)


@given(st.from_regex(r"[-+.0-9eE_:xa]{1,8}", fullmatch=True))
def test_a_plain_scalar_is_a_number_exactly_when_json_says_so(written: str) -> None:
    source = read_yaml(f"[{written}]")
    if source.faults or not isinstance(source.documents[0].value[0], str | int | float):
        return  # YAML gives : and - a meaning of their own
    value = source.documents[0].value[0]
    try:
        wanted = json.loads(written)
    except ValueError:
        wanted = written
    assert value == wanted
    assert type(value) is type(wanted)


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=20))
def test_text_in_double_quotes_comes_back_unchanged(text: str) -> None:
    if not re.search("[\x7f-\x9f]", text):
        assert value_of(json.dumps([text], ensure_ascii=False)) == [text]


@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=12))
def test_text_in_single_quotes_is_never_changed(text: str) -> None:
    if "\ufeff" in text or re.search("[\ufffe\uffff]", text):
        return
    assert value_of("['" + text.replace("'", "''") + "']") == [text]


def test_old_line_breaks_are_text_and_move_no_line() -> None:
    source = read_yaml("a: 'x\u2028y\x85z'\nb: {\u2029: 1}\n")
    assert source.documents[0].value == {"a": "x\u2028y\x85z", "b": {"\u2029": 1}}
    assert source.documents[0].position(("b", "\u2029")) == (2, 8)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a:\n\t- b", (2, 1), "a tab where YAML wants spaces"),
        ("a: 1\nb: x: y", (2, 5), "a colon where no key can stand"),
        ("a: @x", (1, 4), "text cannot begin with '@'"),
        ("a: 1\n---\nb: 2", (2, 1), "a second document"),
        ("a: [1, 2\nb: 1", (2, 2), "of what opens at line 1"),
        ("b: 1\na: 'x", (2, 4), "a quote that opens here"),
        ("a: *x", (1, 4), "an alias (*name) without its anchor"),
        ('a: "C-\\d"', (1, 7), "patterns stand in single quotes"),
        ('a: "\\ud800"', (1, 7), "an escape that is no character"),
        ("a: é\x01", (1, 5), "the control character U+0001"),
        ("", (1, 1), "the file holds nothing"),
        ("a: 1\na: 2", (2, 1), "a duplicate key; the first is at line 1"),
        ("a: !!str 5", (1, 4), "a tag"),
        ("a: ! 5", (1, 4), "a tag"),
        ("a: !vault {b: 1}", (1, 4), "a tag"),
        ("a: !!python/object:os.system []", (1, 4), "a tag"),
        ("<<: {a: 1}", (1, 1), "<< merges nothing"),
        ("a:\n  12: x", (2, 3), "'12' is read as a number, and a key is text; quote it"),
        ("true: x", (1, 1), "'true' is read as a truth value"),
        ("? [1]\n: x", (1, 3), "a list or mapping as a key"),
        ("a: {{name}}", (1, 5), "a list or mapping as a key"),
        ("a: &x [*x]", (1, 4), "an anchor (&name) that holds itself"),
        ("a: 1e999", (1, 4), "larger than numbers can be"),
        ("[" * 120 + "]" * 120, (1, 101), "deeper than 100"),
        ("[" * 5000, (1, 1001), "deeper than 100"),
    ],
)
def test_each_mistake_in_yaml_is_said_at_its_place(
    text: str, place: tuple[int, int], words: str
) -> None:
    (fault,) = read_yaml(text).faults
    assert words in fault.text
    assert fault.position == place


def test_quoted_keys_may_look_like_anything() -> None:
    assert value_of("'<<': 1\n'12': 2\n'true': 3") == {"<<": 1, "12": 2, "true": 3}


def test_all_mistakes_in_the_values_of_a_yaml_file_come_at_once() -> None:
    faults = read_yaml("a: !x 1\nb: {c: 1, c: 2}\n3: 4\n").faults
    assert [(fault.field, fault.position.line) for fault in faults] == [
        ("a", 1),
        ("b.c", 2),
        ("YAML", 3),
    ]


def test_an_alias_stands_for_its_anchor() -> None:
    assert value_of("a: &x {k: [1]}\nb: *x\n") == {"a": {"k": [1]}, "b": {"k": [1]}}


def test_an_alias_bomb_is_refused_fast() -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    faults = read_yaml("\n".join(levels)).faults
    assert "aliases (*name) stand for more than" in faults[0].text


def test_a_ladder_of_aliases_cannot_nest_deeper_than_the_bound() -> None:
    levels = ["- &a0 [x]", *(f"- &a{n} [*a{n - 1}]" for n in range(1, 150))]
    source = read_yaml("\n".join(levels))
    assert "deeper than 100" in source.faults[0].text
    assert source.documents == []


def test_every_value_and_key_of_yaml_has_its_line_and_column() -> None:
    document = read_yaml("# first\n\ncases:\n  - id: a\n    ü: [1, {k: x}]\n").documents[0]
    assert document.position(("cases", 0)) == (4, 5)
    assert document.position(("cases", 0, "ü")) == (5, 8)
    assert document.position(("cases", 0, "ü"), of_key=True) == (5, 5)
    assert document.position(("cases", 0, "ü", 1, "k")) == (5, 16)
    assert document.position(("cases", 0, "missing")) == (4, 5)
    assert document.position(("cases", 7)) == (4, 3)


@pytest.mark.parametrize(
    "text",
    [
        "- id: a\n\tinput: hi\n",
        "- id: a\n  input: hi\n  expect:\n\t  stop: answer\n",
        "- id: a\n  input: hi\n  \texpect: {}\n",
        "- id: a\n  input: |\n\thi\n",
        "- id: a\n  tags: [x]\n\tinput: hi\n",
        "-\tid: a\n\tinput: hi\n",
        "cases:\n\t- id: a\n",
    ],
)
def test_a_tab_in_the_indentation_is_named_as_such(text: str) -> None:
    (fault,) = read_yaml(text).faults
    assert "a tab" in fault.text
    assert "indent with spaces" in fault.text
