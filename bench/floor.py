"""The least that grading can cost: read, decode into types, ask five plain questions, write a line.

    python bench/floor.py CASES RECORDINGS OUT

prints one JSON line: how many recordings there were, and in how many all five answers were yes.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Answer(Struct):
    contains: list[list[str]]


class Wanted(Struct):
    name: str
    args: dict[str, Any]


class Tools(Struct):
    required: list[Wanted]
    forbidden: list[str]
    plan: list[str]


class Expect(Struct):
    answer: Answer
    tools: Tools


class Limits(Struct):
    steps: int


class Case(Struct):
    id: str
    expect: Expect
    limits: Limits


class Tokens(Struct):
    input: int | None = None
    output: int | None = None


class Call(Struct):
    name: str
    arguments: dict[str, Any] | str | None = None
    id: str | None = None
    result: Any = None
    error: str | None = None
    seconds: float | None = None


class Step(Struct):
    text: str | None = None
    calls: list[Call] = []
    tokens: Tokens | None = None
    seconds: float | None = None


class Recording(Struct):
    case: str
    trial: int
    answer: str | None
    stop: str
    model: str
    steps: list[Step]
    tokens: Tokens | None = None
    cost: float | None = None
    seconds: float | None = None


def answers(case: Case, recording: Recording) -> list[bool]:
    """Ask the five questions, with Python's own equality and without frills."""
    tools, calls = case.expect.tools, [call for step in recording.steps for call in step.calls]
    names = [call.name for call in calls]
    later = iter(names)
    said = (recording.answer or "").lower()
    return [
        all(name in later for name in tools.plan),
        not any(name in names for name in tools.forbidden),
        all(
            any(
                call.name == wanted.name
                and isinstance(call.arguments, dict)
                and all(call.arguments.get(key) == value for key, value in wanted.args.items())
                for call in calls
            )
            for wanted in tools.required
        ),
        all(any(phrase in said for phrase in phrases) for phrases in case.expect.answer.contains),
        len(recording.steps) <= case.limits.steps,
    ]


def main(case_file: str, recording_file: str, out_file: str) -> None:
    read_case = msgspec.json.Decoder(Case).decode
    read_recording = msgspec.json.Decoder(Recording).decode
    encode = msgspec.json.Encoder().encode
    with Path(case_file).open("rb") as lines:
        cases = {case.id: case for case in map(read_case, lines)}
    trials = passed = 0
    with Path(recording_file).open("rb") as lines, Path(out_file).open("wb") as out:
        for recording in map(read_recording, lines):
            checks = answers(cases[recording.case], recording)
            out.write(encode({"case": recording.case, "trial": recording.trial, "checks": checks}))
            out.write(b"\n")
            trials += 1
            passed += all(checks)
    sys.stdout.buffer.write(encode({"trials": trials, "passed": passed}) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
