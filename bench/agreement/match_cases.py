"""Ask fairtrial what ten projects' own tests ask, and compare every verdict.

The data (trajectory.jsonl, answer.jsonl, state.jsonl, statistics.jsonl: inputs and verdicts of
those tests) is not part of this project: see tau_airline.py. Each row is put into our own words,
graded by the command line, and counted as agreed, differing for a named reason, or without a
counterpart for a named reason. Nothing is left out.

    FAIRTRIAL_DATA=... python bench/agreement/match_cases.py
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from datasets import data_folder, rows
from match_answers import answer_question
from match_statistics import statistics_question
from match_trajectories import trajectory_question
from questions import DISAGREEMENTS, NO_COUNTERPART, Answered, Paper, Question, Row

FILES: dict[str, Callable[[Row], Question]] = {
    "trajectory.jsonl": trajectory_question,
    "answer.jsonl": answer_question,
    "state.jsonl": trajectory_question,
    "statistics.jsonl": statistics_question,
}
SORTS = ("agree", "differ", "no counterpart")


def agreement(data: Path, folder: Path) -> list[Answered]:
    """Grade everything in `folder`; gives what came of every row, whatever it was."""
    paper = Paper(folder=folder)
    for name, translate in FILES.items():
        for row in rows(data / name):
            paper.add(row, translate)
    return paper.answers()


def by_mode(answered: Iterable[Answered]) -> dict[tuple[str, str], Counter[str]]:
    """Count, for each project and mode, the rows of each kind."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in answered:
        counts.setdefault((one.row["source"], one.row["mode"]), Counter())[_sort(one.kind)] += 1
    return counts


def _sort(kind: str) -> str:
    if kind == "agree":
        return kind
    return "no counterpart" if kind in NO_COUNTERPART else "differ"


def table(answered: list[Answered]) -> list[str]:
    """Give a Markdown table: project and mode, what it is here, and the counts."""
    lines = [
        "| there | here | agree | differ | no counterpart |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for (source, mode), counts in sorted(by_mode(answered).items()):
        there = source if source.endswith(f".{mode}") else f"{source}, {mode}"
        words = {
            one.ours
            for one in answered
            if (one.row["source"], one.row["mode"]) == (source, mode) and one.ours != "-"
        }
        here = "<br>".join(map(_ours, sorted(words))) or "-"
        shown = [str(counts[name]) for name in SORTS]
        lines.append(f"| {there} | {here} | {' | '.join(shown)} |")
    return lines


def _ours(words: str) -> str:
    """Set off the name of our expectation from what is said about it."""
    return re.sub(r"^[\w.<>]+", lambda name: f"`{name[0]}`", words)


def kinds(answered: list[Answered], sentences: dict[str, str]) -> list[tuple[str, str]]:
    """Give a Markdown line for each kind that there is, and its rows."""
    found = {kind: [one.row["id"] for one in answered if one.kind == kind] for kind in sentences}
    return [
        (f"- **{kind}**, {len(found[kind])}: {sentence}", f"  ({', '.join(found[kind])})")
        for kind, sentence in sentences.items()
        if found[kind]
    ]


def main() -> int:
    """Print the agreement; exit 1 if a row differs for no named reason."""
    data = data_folder("match_cases")
    with tempfile.TemporaryDirectory() as folder:
        answered = agreement(data, Path(folder))
    totals = Counter(_sort(one.kind) for one in answered)
    words = ", ".join(f"{totals[name]} {name}" for name in SORTS)
    print(f"{len(answered)} rows: {words}\n")
    print(*table(answered), sep="\n")
    for title, sentences in (
        ("Verdicts that differ:", DISAGREEMENTS),
        ("Rows without a counterpart:", NO_COUNTERPART),
    ):
        print(f"\n{title}\n")
        for line, names in kinds(answered, sentences):
            print(line, names, sep="\n")
    unexplained = [one for one in answered if one.kind == "unexplained"]
    for one in unexplained:
        print(f"unexplained: {one.row['id']}: {one.ours} gives {one.got}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
