"""Grade single-step decisions by their allowed arguments, and compare with the upstream checker.

The data (cases.jsonl.gz, checked_calls.jsonl.gz) is not part of this project: see tau_airline.py.
Each case becomes an `expect.next`: the allowed values of an argument are `one_of`, an argument that
may be left out also allows `absent`, and no argument besides is allowed (`exactly`).

    FAIRTRIAL_DATA=... python bench/agreement/bfcl.py
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from datasets import data_folder, fairtrial, rows, write_rows

LOOSE = r"[ ,./\-_*^]*"
"""What the upstream checker strips from strings, besides lowering case, before it compares."""

UNEXPLAINED = "unexplained"
DISAGREEMENTS = {
    "a required argument that may be left out": "The case says both that an argument is required "
    "(its schema) and that it may be left out (its allowed values: an empty text among them, or "
    "none at all). Upstream goes by the schema, our cases by the allowed values.",
    "an argument that the tool does not have": "The allowed values name an argument that the "
    "schema of the tool lacks. Upstream goes by the schema, our cases by the allowed values.",
    "the same call twice": "Two expected calls are the same once what may be left out is left out. "
    "Both were made and both pair; but `tools.repeats` is always asked, and 0 repeats are allowed "
    "unless the case says `limits: {repeats: 1}`.",
    "greedy pairing": "Upstream takes for each expected call the first call that fits, so the same "
    "calls pass in one order and fail in another. Here the best pairing is found.",
}
"""Why a verdict may differ, by the name of the kind."""

Asked: TypeAlias = tuple[str, tuple[str, ...]]


def cases(data: Path) -> Iterator[dict[str, Any]]:
    """Give one case a decision."""
    for row in rows(data / "cases.jsonl.gz"):
        types = {tool["name"]: tool["parameters"].get("properties", {}) for tool in row["tools"]}
        calls = [_pattern(call, types) for call in row["allowed"] or ()]
        yield {
            "id": row["id"],
            "tags": [row["category"]],
            "messages": row["messages"],
            "expect": {"next": [] if row["expect_no_call"] else calls},
        }


def _pattern(call: dict[str, Any], types: dict[str, Any]) -> dict[str, Any]:
    ((name, allowed),) = call.items()
    arguments = {
        argument: {
            "one_of": [_matcher(value, types.get(name, {}).get(argument, {})) for value in values]
        }
        for argument, values in allowed.items()
        if values
    }
    return {"name": name, "args": {"exactly": arguments}}


def _matcher(value: Any, kind: dict[str, Any]) -> Any:
    if value == "":
        # An empty text means: may be left out; it is also itself, as upstream has it.
        return {"one_of": [{"absent": True}, ""]}
    if isinstance(value, dict):
        return {"exactly": {key: _any_of(allowed) for key, allowed in value.items()}}
    if isinstance(value, list):
        return [_matcher(item, {}) for item in value]
    if isinstance(value, str):
        letters = [re.escape(letter) for letter in value if not re.fullmatch(LOOSE, letter)]
        return {"matches": f"(?i)^{LOOSE}{LOOSE.join(letters)}{LOOSE}$"}
    if isinstance(value, int) and not isinstance(value, bool) and kind.get("type") == "integer":
        return {"type": "integer", "equals": value}
    return {"equals": value}


def _any_of(allowed: Any) -> Any:
    if not isinstance(allowed, list):
        return _matcher(allowed, {})
    return {"one_of": [_matcher(value, {}) for value in allowed]}


def recordings(data: Path) -> Iterator[dict[str, Any]]:
    """Give one recording a checked list of calls."""
    for row in rows(data / "checked_calls.jsonl.gz"):
        calls = [
            {"name": name, "arguments": arguments}
            for call in row["calls"]
            for name, arguments in call.items()
        ]
        text = None if calls else "I cannot do that with my tools."
        yield {"case": row["case"], "steps": [{"text": text, "calls": calls}]}


@dataclass
class Agreement:
    """How far the verdicts agree."""

    graded: int = 0
    agree: int = 0
    differ: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind, how many verdicts on each case."""


def agreement(data: Path, folder: Path) -> Agreement:
    """Grade everything in `folder` and compare with the verdicts of the upstream checker."""
    write_rows(folder / "cases.jsonl", cases(data))
    write_rows(folder / "runs.jsonl", recordings(data))
    words = ("grade", "cases.jsonl", "--recordings", "runs.jsonl", "--json", "out.json")
    fairtrial(*words, cwd=folder, codes=(0, 1, 3))
    report = json.loads((folder / "out.json").read_text())
    verdicts = {case["id"]: case["trials"] for case in report["cases"]}
    seen: Counter[str] = Counter()
    found = Agreement()
    checked = list(rows(data / "checked_calls.jsonl.gz"))
    valid = {asked_of(row) for row in checked if row["valid"]}
    asked = {row["id"]: row for row in rows(data / "cases.jsonl.gz")}
    for row in checked:
        trial = verdicts[row["case"]][seen[row["case"]]]
        seen[row["case"]] += 1
        found.graded += 1
        if (trial["verdict"] == "passed") == row["valid"]:
            found.agree += 1
        else:
            name = kind(asked[row["case"]], row, trial, valid)
            found.differ.setdefault(name, Counter())[row["case"]] += 1
    return found


def asked_of(row: dict[str, Any]) -> Asked:
    """Give the case and its calls in any order."""
    return row["case"], tuple(sorted(json.dumps(call, sort_keys=True) for call in row["calls"]))


def kind(
    case: dict[str, Any], row: dict[str, Any], trial: dict[str, Any], valid: set[Asked]
) -> str:
    """Name why the verdicts on a row differ.

    Args:
        case: As in the data.
        row: As in the data.
        trial: Our result.
        valid: The calls, in any order, that upstream accepts in some order.
    """
    if trial["verdict"] == "failed":
        failing = [check["name"] for check in trial["checks"] if check["passed"] is False]
        return "the same call twice" if failing == ["tools.repeats"] else UNEXPLAINED
    schemas = {tool["name"]: tool["parameters"] for tool in case["tools"]}
    for call in row["calls"]:
        ((name, arguments),) = call.items()
        schema = schemas.get(name, {})
        if set(schema.get("required", ())) - arguments.keys():
            return "a required argument that may be left out"
        if arguments.keys() - schema.get("properties", {}).keys():
            return "an argument that the tool does not have"
    return "greedy pairing" if asked_of(row) in valid else UNEXPLAINED


def main() -> int:
    """Print the agreement; exit 1 if a verdict differs for no named reason."""
    data = data_folder("bfcl")
    with tempfile.TemporaryDirectory() as folder:
        found = agreement(data, Path(folder))
    print(f"{found.agree} of {found.graded} verdicts agree")
    for name, cases in found.differ.items():
        print(f"{cases.total():4} {name}: {DISAGREEMENTS.get(name, '')}")
        for case, count in cases.items():
            print(f"     {count} {case}")
    return 1 if UNEXPLAINED in found.differ else 0


if __name__ == "__main__":
    sys.exit(main())
