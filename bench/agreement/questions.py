"""What is asked of fairtrial about a row of somebody else's tests, and how its word is compared.

A row becomes one or more cases, each with one recording. All are graded by one call of the command
line. What fairtrial always asks and no other project does (repeated calls) only informs.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from datasets import fairtrial, write_rows

Row: TypeAlias = dict[str, Any]
Verdict: TypeAlias = bool | float | None
"""Passed or failed, a score, or None: not measured."""

DISAGREEMENTS = {
    "messages are counted": "There, strict compares message by message, so the same calls spread "
    "over more messages fail; here a plan is about calls, and how many messages carry them says "
    "nothing about whether they were right.",
    "failed attempts are left out": "There, a call that failed is no call unless asked for; here a "
    "failed call was made, and counts unless a pattern says `ok: true`.",
    "nothing recorded": "There, a missing trajectory or state is a failure; here the trial could "
    "not be measured, which is `error`: neither passed nor failed.",
    "no answer": "There, a missing answer is compared as the value None or as the word None; here "
    "a trial without an answer fails every check on its answer.",
    "texts of values": "There, values are written as texts and the texts compared, so the order "
    "of keys counts; here JSON values are compared, and the order of keys never matters.",
    "folded text": "There, texts are compared letter by letter; here the whole answer is compared "
    "after case, spaces, quotes and emphasis marks are folded.",
    "an empty plan": "There, an empty list of expected calls is met by any calls; here it means "
    "that no call is expected.",
}
"""Why a verdict may differ, by the name of the kind."""

NO_COUNTERPART = {
    "own function": "A function of the test decides, and the data cannot hold it; here that would "
    "be a grader of one's own.",
    "a call by its number": "There, the n-th call of a tool is looked at; here `which` is any, "
    "first, every or last.",
    "a stand-in metric": "The test replaces the comparison of arguments by a constant, so the row "
    "says nothing about them.",
    "no invocation": "There is nothing to grade: there it gets no score; here a case file without "
    "cases is refused.",
    "edit distance": "A part score by the edits between two texts; here checks on text are yes or "
    "no, and closeness of wording is a judge's question.",
    "equal formulas": "Whether two formulas are equal needs computer algebra, which is left to a "
    "grader of one's own.",
    "letters of choices": "A set of letters, marked against the choices of a question; here an "
    "answer holds phrases, numbers, patterns or JSON.",
    "scores that are no verdicts": "A mean, median, mode, maximum or count of scores; here a trial "
    "passes or fails, and rates, pass@k and pass^k are made of that.",
    "agreement of raters": "How far people or judges agree is not a question about trials; nothing "
    "in grading reports it.",
    "nothing is asked": "The row expects an empty text, or nothing at all; here such a case is "
    "refused when it is read.",
    "several targets": "Any of several targets is right; one pattern cannot be made of them "
    "mechanically.",
    "another form": "A form of the options or the trajectory that this script does not know.",
}
"""Why a row cannot be asked here, by the name of the reason."""


class NoCounterpartError(Exception):
    """The row cannot be asked here; the argument is a key of NO_COUNTERPART."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One case and its recording, both without their case id."""

    case: Row
    recording: Row


def verdict(trials: Sequence[Row]) -> Verdict:
    """Say whether the one trial passed; None when it was not measured."""
    (trial,) = trials
    return {"passed": True, "failed": False}.get(trial["verdict"])


def mean_verdict(trials: Sequence[Row]) -> Verdict:
    """Give the share of trials that passed; None when one was not measured."""
    verdicts = [verdict([trial]) for trial in trials]
    return None if None in verdicts else verdicts.count(True) / len(verdicts)


def plan_score(trials: Sequence[Row]) -> Verdict:
    """Give the share of planned calls that were made."""
    score: float | None = _plan(trials)["score"]
    return score


def plan_f1(trials: Sequence[Row]) -> Verdict:
    """Give the harmonic mean of the plan's precision and recall."""
    plan = _plan(trials)
    both: float = plan["precision"] + plan["recall"]
    return 2 * plan["precision"] * plan["recall"] / both if both else 0.0


def _plan(trials: Sequence[Row]) -> Row:
    (trial,) = trials
    (check,) = (check for check in trial["checks"] if check["name"] == "tools.plan")
    found: Row = check
    return found


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked about a row, and what the row's project says."""

    ours: str
    """Which of our expectations it is."""
    asked: tuple[Asked, ...] = ()
    """Empty: answered by `computed`, without grading."""
    wanted: Verdict
    read: Callable[[Sequence[Row]], Verdict] = verdict
    computed: Verdict = None
    because: str | None = None
    """The kind of disagreement to expect, should the verdicts differ."""
    chats: tuple[Row, ...] = ()
    """Chats to import, one for each case of `asked`, whose recordings then stay empty."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A row with what came of it."""

    row: Row
    ours: str
    kind: str
    """`agree`, a key of DISAGREEMENTS or NO_COUNTERPART, or `unexplained`."""
    got: Verdict = None


@dataclass(kw_only=True)
class Paper:
    """All questions, to be graded together."""

    folder: Path
    questions: list[tuple[Row, Question]] = field(default_factory=list)
    unasked: list[Answered] = field(default_factory=list)

    def add(self, row: Row, translate: Callable[[Row], Question]) -> None:
        """Translate a row and keep its question, or the reason why there is none."""
        try:
            self.questions.append((row, translate(row)))
        except NoCounterpartError as reason:
            self.unasked.append(Answered(row=row, ours="-", kind=str(reason)))

    def answers(self) -> list[Answered]:
        """Grade everything and give what came of each row."""
        trials = self._graded()
        answered = [
            _answer(row, question, [trials[name] for name in _names(row, question)])
            for row, question in self.questions
        ]
        return answered + self.unasked

    def _graded(self) -> dict[str, Row]:
        cases, recordings, chats = [], [], []
        for row, question in self.questions:
            for at, (name, asked) in enumerate(
                zip(_names(row, question), question.asked, strict=True)
            ):
                cases.append({"informs": ["tools.repeats"], "input": "q", **asked.case, "id": name})
                if question.chats:
                    chats.append({**question.chats[at], "case": name, "stop": "answer"})
                else:
                    recordings.append({"stop": "answer", **asked.recording, "case": name})
        if not cases:
            return {}
        write_rows(self.folder / "cases.jsonl", cases)
        self._import(chats)
        with (self.folder / "runs.jsonl").open("a", encoding="utf-8") as runs:
            runs.writelines(json.dumps(recording) + "\n" for recording in recordings)
        words = ("grade", "cases.jsonl", "--recordings", "runs.jsonl", "--json", "out.json")
        fairtrial(*words, cwd=self.folder, codes=(0, 1, 3))
        report = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))
        return {case["id"]: case["trials"][0] for case in report["cases"]}

    def _import(self, chats: list[Row]) -> None:
        """Turn chats into the first of the recordings."""
        if chats:
            write_rows(self.folder / "chats.jsonl", chats)
            words = ("import", "chats.jsonl", "--from", "openai-chat", "--out", "runs.jsonl")
            fairtrial(*words, cwd=self.folder)


def _names(row: Row, question: Question) -> list[str]:
    return [f"{row['id']}#{at}" for at in range(len(question.asked))]


def _answer(row: Row, question: Question, trials: Sequence[Row]) -> Answered:
    got = question.read(trials) if trials else question.computed
    kind = "agree" if _equal(got, question.wanted) else question.because or "unexplained"
    if kind != "agree" and got is None and trials:
        kind = "nothing recorded"
    return Answered(row=row, ours=question.ours, kind=kind, got=got)


def _equal(got: Verdict, wanted: Verdict) -> bool:
    if got is None or wanted is None:
        return got is wanted
    return abs(got - wanted) < 1e-9
