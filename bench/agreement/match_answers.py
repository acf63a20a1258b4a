"""Rows about what was answered, as questions for fairtrial."""

import json
import re
from collections.abc import Callable
from typing import Any

from questions import Asked, NoCounterpartError, Question, Row


def answer_question(row: Row) -> Question:
    """Translate a row of answer.jsonl.

    Raises:
        NoCounterpartError: it cannot be asked here.
    """
    translate = _SOURCES.get(row["source"])
    if translate is None or row.get("raises") is not None:
        raise NoCounterpartError("another form")
    return translate(row)


def _about(
    ours: str, expected: Row, answer: str | None, *, wanted: bool, because: str | None = None
) -> Question:
    """Ask about an answer; where there is none, that is why the verdicts may differ."""
    asked = Asked(
        case={"expect": {"answer": expected}},
        recording={"answer": answer, "steps": [{"text": answer}]},
    )
    why = "no answer" if answer is None else because
    return Question(ours=ours, asked=(asked,), wanted=wanted, because=why)


def _text(value: Any) -> str | None:
    """Give the answer that an agent would have written; None stays no answer."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _whole(wanted: Any) -> tuple[str, Row]:
    """Expect a whole answer: texts as texts, all else as JSON."""
    if isinstance(wanted, str):
        if not wanted:
            raise NoCounterpartError("nothing is asked")
        return "answer.equals", {"equals": wanted}
    return "answer.json, equals", {"json": {"equals": wanted}}


# Equality and substrings


def _openevals_exact(row: Row) -> Question:
    ours, expected = _whole(row["reference"])
    wanted = bool(row["expected"])
    return _about(ours, expected, _text(row["actual"]), wanted=wanted, because="folded text")


def _autoevals_exact(row: Row) -> Question:
    ours, expected = _whole(row["reference"])
    because = "folded text" if isinstance(row["reference"], str) else "texts of values"
    wanted = row["expected"] == 1
    return _about(ours, expected, _text(row["actual"]), wanted=wanted, because=because)


def _strands_equals(row: Row) -> Question:
    value = row["options"]["value"]
    ours, expected = _whole(row["case"].get("expected_output") if value is None else value)
    answer = _text(row["case"].get("actual_output"))
    wanted = row["expected"][0]["pass"]
    return _about(ours, expected, answer, wanted=wanted, because="folded text")


def _strands_substring(row: Row) -> Question:
    options = row["options"]
    start = r"\A" if row["mode"] == "StartsWith" else ""
    case = "" if options["case_sensitive"] else "(?i)"
    value = options["value"]
    if value is None:
        value = row["case"]["expected_output"]
    if not value:
        raise NoCounterpartError("nothing is asked")
    expected = {"matches": [f"{case}{start}{re.escape(str(value))}"]}
    answer = _text(row["case"].get("actual_output"))
    return _about("answer.matches", expected, answer, wanted=row["expected"][0]["pass"])


# Scores of which full marks are a yes


def _numeric_diff(row: Row) -> Question:
    expected = {"json": {"approx": row["reference"]}}
    answer = _text(row["actual"])
    return _about("answer.json, approx; full marks", expected, answer, wanted=row["expected"] == 1)


def _json_diff(row: Row) -> Question:
    reference = row["reference"]
    if isinstance(reference, str):
        try:
            reference = json.loads(reference)
        except ValueError:
            reference = row["reference"]
    ours, expected = _whole(reference)
    answer = row["actual"] if isinstance(row["actual"], str) else json.dumps(row["actual"])
    wanted = row["expected"] == 1
    return _about(f"{ours}; full marks", expected, answer, wanted=wanted, because="folded text")


def _valid_json(row: Row) -> Question:
    matcher: Row = {"one_of": [{"type": "object"}, {"type": "array"}]}
    if row["reference"] is not None:
        matcher = _of_schema(row["reference"])
    expected = {"json": matcher}
    answer = _text(row["actual"])
    return _about("answer.json, type", expected, answer, wanted=row["expected"] == 1)


def _of_schema(schema: Row) -> Row:
    """Say what a small JSON Schema says, as a matcher."""
    if schema.keys() - {"type", "properties", "required"} or "type" not in schema:
        raise NoCounterpartError("another form")
    matcher: Row = {"type": schema["type"]}
    if schema["type"] == "object":
        required = schema.get("required", ())
        matcher["has"] = {
            name: _of_schema(inner)
            if name in required
            else {"one_of": [{"absent": True}, _of_schema(inner)]}
            for name, inner in schema.get("properties", {}).items()
        }
    return matcher


# inspect


def _inspect_match(row: Row) -> Question:
    target, options = _target(row), row["options"]
    location = options.get("location", "end")
    number = _number(target) if options.get("numeric") else None
    expected: Row
    if number is None:
        place = {"begin": r"\A\W*{}", "end": r"{}\W*\Z", "exact": r"\A\s*{}\s*\Z", "any": "{}"}
        ours = "answer.matches"
        expected = {"matches": ["(?i)" + place[location].replace("{}", re.escape(target))]}
    elif location == "exact":
        ours, expected = "answer.json, number", {"json": {"number": number}}
    else:
        take = {"begin": "first", "end": "last", "any": "any"}[location]
        ours, expected = (
            f"answer.numbers, take {take}",
            {"numbers": [{"value": number, "take": take}]},
        )
    return _about(ours, expected, row["actual"], wanted=row["expected"] == "C")


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _target(row: Row) -> str:
    reference = row["reference"]
    targets = [reference] if isinstance(reference, str) else reference
    if len(targets) != 1:
        raise NoCounterpartError("several targets")
    target: str = targets[0]
    return target


def _inspect_pattern(row: Row) -> Question:
    """Look for the pattern with the target written in the place of its groups."""
    options, target = row["options"], _target(row)
    pattern = options["pattern"] if "pattern" in options else options["args"][0]
    groups = _groups(pattern)
    if not groups:
        raise NoCounterpartError("another form")
    places = [groups] if options.get("match_all") else [[group] for group in groups]
    forms = [_with_target(pattern, place, re.escape(target)) for place in places]
    case = "(?i)" if options.get("ignore_case", True) else ""
    expected = {"matches": [f"{case}(?:{'|'.join(forms)})"]}
    ours = "answer.matches with the target in it"
    return _about(ours, expected, row["actual"], wanted=row["expected"] == "C")


def _groups(pattern: str) -> list[tuple[int, int]]:
    """Give where each capturing group begins and ends, its quantifier included."""
    found, opened = [], []
    plain = re.sub(r"\\.|\[[^\]]*\]", lambda hidden: "_" * len(hidden[0]), pattern)
    for at, letter in enumerate(plain):
        if letter == "(":
            opened.append(at)
        elif letter == ")":
            start = opened.pop()
            if plain[start + 1] != "?":
                found.append((start, at + 1 + (plain[at + 1 : at + 2] in {"?", "*", "+"})))
    return sorted(found)


def _with_target(pattern: str, places: list[tuple[int, int]], target: str) -> str:
    for start, end in reversed(places):
        pattern = f"{pattern[:start]}(?:{target}){pattern[end:]}"
    return pattern


def _inspect_answer(row: Row) -> Question:
    (kind,) = row["options"]["args"]
    end = r"[^\S\n]*$" if kind == "line" else r"(?!\w)"
    expected = {"matches": [rf"(?im)ANSWER\s*:\s*{re.escape(_target(row))}{end}"]}
    return _about("answer.matches", expected, row["actual"], wanted=row["expected"] == "C")


def _none(reason: str) -> Callable[[Row], Question]:
    def refuse(_row: Row) -> Question:
        raise NoCounterpartError(reason)

    return refuse


_SOURCES: dict[str, Callable[[Row], Question]] = {
    "openevals.exact_match": _openevals_exact,
    "openevals.levenshtein": _none("edit distance"),
    "autoevals.ExactMatch": _autoevals_exact,
    "autoevals.JSONDiff": _json_diff,
    "autoevals.Levenshtein": _none("edit distance"),
    "autoevals.NumericDiff": _numeric_diff,
    "autoevals.ValidJSON": _valid_json,
    "deepeval.exact_match": _openevals_exact,
    "strands_evals.Equals": _strands_equals,
    "strands_evals.Contains": _strands_substring,
    "strands_evals.StartsWith": _strands_substring,
    "inspect.match": _inspect_match,
    "inspect.pattern": _inspect_pattern,
    "inspect.answer": _inspect_answer,
    "inspect.choice": _none("letters of choices"),
    "inspect.math_cases": _none("equal formulas"),
}
