"""The benchmark's work: cases of a parcel desk, and recordings of a mostly correct agent.

    python bench/workload.py FOLDER [--cases 2000] [--trials 5]

writes cases.jsonl and recordings.jsonl. The same numbers give the same bytes. One recording in ten
makes its calls in reverse order, and one in ten books with a wrong argument.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

TOOLS = ("find_parcel", "read_label", "quote_price", "book_pickup")
RESULT_BYTES = 2950  # text in the results of one recording, which brings a line to about 4.3 KB
REVERSED, WRONG_ARGUMENT = 3, 7  # which remainders of ten go wrong, and how

LEDGER = (
    "The parcel left the depot at noon and was scanned at the river bridge. "
    "Its label is legible, the seal is whole, and the weight agrees with the declaration. "
    "A second attempt is planned for the morning round; the neighbour may sign for it. "
) * 16


def calls_of_case(number: int) -> int:
    """Give how many calls a correct trial of the case makes: 2 to 4."""
    return 2 + number % 3


def booking(number: int) -> dict[str, Any]:
    """Give the arguments that the case wants for its last call."""
    return {
        "parcel": f"P-{number}",
        "slot": {"day": number % 28 + 1, "from": "09:00"},
        "paid": True,
    }


def case_of(number: int) -> dict[str, Any]:
    """Give one case as a person would write it: five things asked."""
    tools = TOOLS[: calls_of_case(number)]
    return {
        "id": f"parcel-{number:05d}",
        "tags": ["pickup" if number % 2 else "quote"],
        "input": f"Please have parcel P-{number} collected.",
        "expect": {
            "answer": {"contains": [["collected on", "pickup is booked"]]},
            "tools": {
                "required": [{"name": tools[-1], "args": booking(number)}],
                "forbidden": ["destroy_parcel"],
                "plan": [tools[0], tools[-1]],
            },
        },
        "limits": {"steps": 6},
    }


def recording_of(number: int, trial: int) -> dict[str, Any]:
    """Give one recording of a case."""
    fate = (number + 3 * trial) % 10
    count = calls_of_case(number)
    calls = [call_of(number, trial, at, wrong=fate == WRONG_ARGUMENT) for at in range(count)]
    if fate == REVERSED:
        calls.reverse()
    steps: list[dict[str, Any]] = [
        {"text": None, "calls": [call], "tokens": {"input": 400, "output": 30}, "seconds": 0.7}
        for call in calls
    ]
    answer = f"The pickup is booked: P-{number} will be fetched. {slice_of_ledger(number, 160)}"
    steps.append({"text": answer, "tokens": {"input": 900, "output": 60}, "seconds": 1.1})
    return {
        "case": f"parcel-{number:05d}",
        "trial": trial,
        "answer": answer,
        "stop": "answer",
        "error": None,
        "model": "none",
        "steps": steps,
        "tokens": {"input": 400 * count + 900, "output": 30 * count + 60},
        "cost": 0.0021,
        "seconds": 0.7 * count + 1.1,
    }


def call_of(number: int, trial: int, at: int, *, wrong: bool) -> dict[str, Any]:
    """Give the call at a place of the plan; the last one books."""
    count = calls_of_case(number)
    arguments: dict[str, Any] = {"parcel": f"P-{number}", "detail": at}
    if at == count - 1:
        arguments = booking(number) | ({"paid": False} if wrong else {})
    result = {"status": "ok", "note": slice_of_ledger(number + at, RESULT_BYTES // count)}
    return {
        "id": f"call-{number}-{trial}-{at}",
        "name": TOOLS[at],
        "arguments": arguments,
        "result": result,
        "error": None,
        "seconds": 0.05,
    }


def slice_of_ledger(seed: int, length: int) -> str:
    """Give some text that depends on the seed alone."""
    start = seed * 13 % 200
    return LEDGER[start : start + length]


def recordings(cases: int, trials: int) -> Iterator[dict[str, Any]]:
    """Give every recording, the trials of a case after one another."""
    return (recording_of(number, trial) for number in range(cases) for trial in range(trials))


def write(folder: Path, *, cases: int, trials: int) -> tuple[Path, Path]:
    """Write both files and give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    case_file, recording_file = folder / "cases.jsonl", folder / "recordings.jsonl"
    encode = msgspec.json.Encoder().encode
    with case_file.open("wb") as out:
        out.writelines(encode(case_of(number)) + b"\n" for number in range(cases))
    with recording_file.open("wb") as out:
        out.writelines(encode(recording) + b"\n" for recording in recordings(cases, trials))
    return case_file, recording_file


def main() -> None:
    """Read the arguments, write the files, and say how big they are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--trials", type=int, default=5)
    given = parser.parse_args()
    _, recording_file = write(given.folder, cases=given.cases, trials=given.trials)
    size = recording_file.stat().st_size
    print(f"{recording_file}: {size} bytes, {size // (given.cases * given.trials)} a recording")


if __name__ == "__main__":
    main()
