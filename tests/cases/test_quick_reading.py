"""Sound files are read the quick way, others the way that knows every place: both tell the same."""

import json
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.json_scanner import scan
from fairtrial.cases.json_source import JsonDocument, read_json, read_jsonl
from fairtrial.cases.located import Document, Fault, Parsed
from fairtrial.cases.reading import FileReader, Shared
from fairtrial.cases.yaml_source import read_yaml
from fairtrial.records import Case

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(
        [None, True, 0, 1.0, -0.0, 2.5, 10**20, "", "é", 'a"b', "1", "<<", "\U0001f600"]
    ),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "fee", "min", "has", "regex"]), inner, max_size=2)
    ),
    max_leaves=5,
)
CALLS = st.sampled_from(["pay", " ", {"name": "pay", "ok": True}]) | st.fixed_dictionaries(
    {"name": st.just("pay"), "args": st.dictionaries(st.sampled_from("ab"), VALUES)}
)
EXPECT = st.fixed_dictionaries(
    {"stop": st.just("answer")},
    optional={
        "answer": st.fixed_dictionaries({"contains": st.sampled_from(["x", "", ["y", ["z"]]])}),
        "tools": st.fixed_dictionaries({"required": CALLS | st.lists(CALLS, max_size=2)}),
        "state": st.dictionaries(st.sampled_from(["rows", "n"]), VALUES, max_size=2),
    },
)
CASES = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from(["c1", "c2", "c3", 5]), "expect": EXPECT},
        optional={"input": VALUES, "context": VALUES, "limits": st.just({"steps": 1.5})},
    ),
    min_size=1,
    max_size=3,
)
SLIPS = st.sampled_from(
    ["", '"', "}", "[", ",", '"id": "x", ', "NaN", "1e999", "\\ud800", "\\u0022", "\r", "\x01", "!"]
)
PLACES = st.floats(0, 1)


def slipped(text: str, slip: str, place: float) -> str:
    at = round(len(text) * place)
    return text[:at] + slip + text[at:]


def told(parsed: Parsed, *, lines: bool) -> tuple[str, list[Fault]]:
    reader = FileReader("suite", Shared())
    cases: list[Case] = []
    if lines:
        cases += reader.lines(parsed.documents)
    else:
        cases += [case for document in parsed.documents for case in reader.whole(document)]
    return repr(cases), sorted([*parsed.faults, *reader.faults])


def scanned(text: str, first: int = 1) -> Parsed:
    value, spot, faults = scan(text, first)
    found: list[Document] = [] if spot is None else [JsonDocument(value, text, first, spot=spot)]
    return Parsed(found, faults)


@given(CASES, st.booleans(), SLIPS, PLACES)
def test_json_lines_give_the_same_cases_and_mistakes(
    cases: list[Any], ascii_only: bool, slip: str, place: float
) -> None:
    text = "\n".join(json.dumps(case, ensure_ascii=ascii_only) for case in cases)
    text = slipped(text, slip, place)
    each = [
        scanned(line, number)
        for number, raw in enumerate(text.split("\n"), 1)
        if (line := raw.removesuffix("\r")).strip(" \t\r")
    ]
    located = Parsed(
        [document for one in each for document in one.documents],
        [fault for one in each for fault in one.faults],
    )
    assert told(read_jsonl(text), lines=True) == told(located, lines=True)


@given(CASES, st.booleans(), SLIPS, PLACES)
def test_a_json_file_gives_the_same_cases_and_mistakes(
    cases: list[Any], ascii_only: bool, slip: str, place: float
) -> None:
    text = slipped(json.dumps({"cases": cases}, ensure_ascii=ascii_only, indent=1), slip, place)
    assert told(read_json(text), lines=False) == told(scanned(text), lines=False)


@given(CASES, st.sampled_from([True, False, None]), SLIPS, PLACES)
def test_a_yaml_file_gives_the_same_cases_and_mistakes(
    cases: list[Any], flow: bool | None, slip: str, place: float
) -> None:
    text = yaml.safe_dump(cases, default_flow_style=flow, allow_unicode=True)
    same_from_yaml(slipped(text, slip, place))


@given(
    CASES, st.sampled_from([None, "<<: {}", "1: x", "~: x", "[a]: x", "'<<': x", "k: !t x"]), PLACES
)
def test_a_line_too_many_in_yaml_gives_the_same_mistakes(
    cases: list[Any], line: str | None, place: float
) -> None:
    lines = yaml.safe_dump(cases, allow_unicode=True).splitlines()
    at = round((len(lines) - 1) * place)
    indent = len(lines[at]) - len(lines[at].lstrip())
    lines.insert(at, lines[at] if line is None else " " * indent + line)
    same_from_yaml("\n".join(lines))


def same_from_yaml(text: str) -> None:
    # A file that may hold an anchor is not read the quick way.
    located = read_yaml(f"{text}\n# &")
    assert told(read_yaml(f"{text}\n# x"), lines=False) == told(located, lines=False)
