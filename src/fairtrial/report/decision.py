"""What the gate decided, for the terminal: the word, every reason, what the exit code means."""

from collections import Counter
from collections.abc import Iterator

from fairtrial.records import Decision, Outcome, Reason, ReasonKind
from fairtrial.report.figures import amount, counted
from fairtrial.report.prose import names, paragraph, short
from fairtrial.report.style import Paint, Style

_MOST_NOTES = 10
"""Notes of one rule that are told in full; the other ones only name their case or tag."""

_WORDS: dict[Outcome, tuple[str, Paint, str]] = {
    "pass": ("PASS", "green", "the run holds against {baseline}"),
    "fail": ("FAIL", "red", "the run does not hold against {baseline}"),
    "error": ("ERROR", "red", "not measured, so there is nothing to decide against {baseline}"),
    "inconclusive": ("INCONCLUSIVE", "yellow", "too few trials to tell it from {baseline}"),
}

_WITHOUT_BASELINE: dict[Outcome, str] = {
    "pass": "there is no baseline; protected cases and absolute bars hold",
    "fail": "there is no baseline; a protected case or an absolute bar does not hold",
    "error": "there is no baseline to decide with, or too little was measured",
    "inconclusive": "there is no baseline, and too few trials to tell",
}

_KINDS: dict[ReasonKind, tuple[str, Paint, str]] = {
    "fail": ("fail", "red", "fails"),
    "error": ("error", "red", "errors"),
    "inconclusive": ("inconclusive", "yellow", "inconclusive"),
    "warning": ("warning", "yellow", "warnings"),
    "note": ("note", "dim", "notes"),
}

_EXITS = {
    0: "pass",
    1: "fail: something got worse, or a protected case or a bar does not hold",
    3: "error: not measured",
    4: "inconclusive, with --strict or for a protected case",
}
"""Meaning of the codes that `gate` exits with."""


def decision_lines(decision: Decision, style: Style, *, baseline_name: str | None) -> Iterator[str]:
    """Give the decision line by line: headline, every reason in the order given, the exit code.

    The gate hands reasons over worst first. None is left out, save that of many notes of one rule
    the later ones are folded into a list of their cases.

    Args:
        decision: What the gate decided.
        style: Of the stream.
        baseline_name: Where the baseline is; None when there is none.

    >>> decision = Decision(decision="pass", exit=0, spent=None, reasons=())
    >>> list(decision_lines(decision, Style(), baseline_name="evals/baseline.json"))[0]
    'PASS: the run holds against evals/baseline.json'
    """
    yield from _headline(decision, style, baseline_name)
    yield from _counts(decision, style)
    folded: dict[str, list[str]] = {}
    notes: Counter[str] = Counter()
    for reason in decision.reasons:
        if reason.kind == "note":
            notes[reason.rule] += 1
            if notes[reason.rule] > _MOST_NOTES:
                folded.setdefault(reason.rule, []).append(reason.case or reason.tag or reason.text)
                continue
        yield from _reason(reason, style)
    for rule, subjects in folded.items():
        listed = names(subjects, style, most=200)
        text = f"{short(rule, style)}: {len(subjects):,} more like it: {listed}"
        yield from paragraph(text, style, label=("note ", "dim"), most=12)
    if decision.spent:
        spent = ", ".join(f"{key} {_figure(value)}" for key, value in decision.spent.items())
        yield from paragraph(f"Spent on confirming: {spent}", style)
    yield ""
    meaning = _EXITS.get(decision.exit, "unknown")
    if decision.exit == 0 and decision.decision == "inconclusive":
        meaning = "inconclusive, which is a warning; with --strict it is exit 4"
    yield from paragraph(f"exit {decision.exit}: {meaning}", style, most=20)


def _headline(decision: Decision, style: Style, baseline_name: str | None) -> Iterator[str]:
    word, colour, against = _WORDS[decision.decision]
    if baseline_name is None:
        text = _WITHOUT_BASELINE[decision.decision]
    else:
        text = against.format(baseline=short(baseline_name, style, 1000))
    yield from paragraph(text, style, label=(f"{word}: ", colour))


def _counts(decision: Decision, style: Style) -> Iterator[str]:
    kinds = Counter(reason.kind for reason in decision.reasons)
    if len(decision.reasons) > 1:
        parts = (
            counted(kinds[kind], word, plural)
            for kind, (word, _, plural) in _KINDS.items()
            if kinds[kind]
        )
        yield from paragraph(", ".join(parts), style)
    if decision.reasons:
        yield ""


def _reason(reason: Reason, style: Style) -> Iterator[str]:
    word, colour, _ = _KINDS[reason.kind]
    text = reason.text
    if reason.case is not None and reason.case[:40] not in text:
        text = f"{short(reason.case, style, 100)}: {text}"
    elif reason.tag is not None and reason.tag not in text:
        text = f"tag {short(reason.tag, style, 100)}: {text}"
    rule = f"[{short(reason.rule, style, 20)}] "
    yield from paragraph(rule + text, style, label=(f"{word} ", colour), most=12)
    if reason.source is not None:
        yield "    " + style.paint(short(reason.source, style, 4096), "dim")


def _figure(value: object) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return amount(value) if number and isinstance(value, int | float) else str(value)[:100]
