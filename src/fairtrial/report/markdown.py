"""A scorecard for a pull request: why it is red, in thirty seconds, without a checkout."""

import shlex
from collections.abc import Iterable, Iterator

from fairtrial.records import Outcome, Overview
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.markdown_cases import beside_blocks, case_blocks, lost_ids
from fairtrial.report.markdown_tables import table_blocks
from fairtrial.report.markup import code
from fairtrial.report.scorecard import said_of_mode

MOST_BYTES = 60_000
"""A comment on GitHub holds 65,536 characters; the rest is for who posts it."""

LEAST_BYTES = 4_000
"""Room that the decision and the way to all the rest never need more of."""

_ICONS = {"pass": "✅", "fail": "❌", "error": "❌", "inconclusive": "⚠️"}

_AGAINST: dict[Outcome, str] = {
    "pass": "The run holds against {}",
    "fail": "The run does not hold against {}",
    "error": "Not measured, so there is nothing to decide against {}",
    "inconclusive": "Too few trials to tell the run from {}",
}

_ALONE: dict[Outcome, str] = {
    "pass": "There is no baseline; protected cases and absolute bars hold",
    "fail": "There is no baseline; a protected case or an absolute bar does not hold",
    "error": "There is no baseline to decide with, or too little was measured",
    "inconclusive": "There is no baseline, and too few trials to tell",
}

_CUT = "_The rest is left out here, for GitHub takes no longer text._"


def markdown_text(overview: Overview, *, most: int = MOST_BYTES, blob: str | None = None) -> str:
    """Give a run as GitHub's Markdown: the decision, what was lost and why, then the rest.

    Lists are cut, the worst kept and the others counted, and the last line has the command that
    shows all. Text from outside stands in code spans alone, so that none of it is markup.

    Args:
        overview: What is shown.
        most: Bytes of UTF-8 at most.
        blob: The address below which the repository's files are, as `blob_of` gives it; None: the
            places of cases are no links.

    Raises:
        ValueError: `most` is below `LEAST_BYTES`.

    >>> from fairtrial.records import RateOverview, RunInfo, Scorecard
    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> none = dict.fromkeys(Scorecard.__struct_fields__) | {"notes": (), "not_measured": ()}
    >>> none |= {"trials": 0, "statuses": {}, "k": 1, "errors": 0, "currency": "USD"}
    >>> whole = RateOverview(tag=None, cases=0, rate=None, interval=None)
    >>> text = markdown_text(Overview(
    ...     info=info, scorecard=Scorecard(**none), gated=None, difference=None, cases=(),
    ...     rates=(whole,),
    ... ))
    >>> text.splitlines()[0]
    '### ❌ fairtrial: nothing was measured'
    """
    if most < LEAST_BYTES:
        raise ValueError(f"most must be at least {LEAST_BYTES}, got {most}")
    foot = _foot(overview)
    return _within(most, _head(overview), _blocks(overview, blob), foot)


def _within(most: int, head: str, blocks: Iterable[str], foot: str) -> str:
    """Join blocks while there is room, the last by lines; what is left out is said, then the foot.

    A line is an entry of a list or a row of a table, so that a block can end after any.
    """
    out = [head]
    left = most - sum(len(text.encode()) + 2 for text in (head, foot, _CUT))
    for block in blocks:
        size = len(block.encode()) + 2
        if size > left:
            kept = "" if block.startswith("<") else _lines_within(block, left)
            out += [kept] * bool(kept) + [_CUT]
            break
        out.append(block)
        left -= size
    return "\n\n".join([*out, foot]) + "\n"


def _lines_within(block: str, room: int) -> str:
    kept: list[str] = []
    for line in block.splitlines():
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def _blocks(overview: Overview, blob: str | None) -> Iterator[str]:
    yield _about(overview)
    yield from case_blocks(overview, blob)
    yield from table_blocks(overview)
    yield from beside_blocks(overview)


def _head(overview: Overview) -> str:
    if overview.gated is None:
        return f"### {_ungated(overview)}\n\n{_rate(overview)}"
    decision = overview.gated.decision
    word = decision.decision
    title = f"### {_ICONS[word]} fairtrial: {word.upper()}"
    if overview.gated.baseline is None:
        text = _ALONE[word]
    else:
        text = _AGAINST[word].format(code(overview.gated.file))
    if word == "inconclusive" and decision.exit == 0:
        text += ": a warning, and no reason to stop"
    return f"{title}\n\n**{text}.** {_counts(overview)}{_rate(overview)}"


def _counts(overview: Overview) -> str:
    """Say how much stands against the run, in one sentence; nothing where nothing does."""
    if overview.gated is None:
        return ""
    reasons = [one for one in overview.gated.decision.reasons if one.kind in {"fail", "error"}]
    if not reasons:
        return ""
    lost = lost_ids(overview)
    protected = sum(case.protected for case in overview.cases if case.id in lost)
    others = sum(reason.case is None for reason in reasons)
    parts = []
    if lost:
        guarded = f" ({protected:,} protected)" if protected else ""
        parts.append(f"{counted(len(lost), 'case')}{guarded}")
    if others:
        more = "further " if lost else ""
        parts.append(counted(others, f"{more}reason"))
    return f"{' and '.join(parts)} stand against it. " if parts else ""


def _ungated(overview: Overview) -> str:
    scorecard = overview.scorecard
    bad = sum(scorecard.statuses.get(status, 0) for status in ("failed", "flaky"))
    cases = sum(scorecard.statuses.values())
    if not scorecard.passed and not scorecard.failed:
        return "❌ fairtrial: nothing was measured"
    if bad:
        return f"❌ fairtrial: {bad:,} of {counted(cases, 'case')} did not pass every trial"
    if scorecard.errors or scorecard.not_measured:
        return "⚠️ fairtrial: all that was measured passed, and not all was measured"
    return "✅ fairtrial: every trial passed"


def _rate(overview: Overview) -> str:
    whole = overview.rates[0]
    if whole.rate is None:
        return "No pass rate: nothing was measured."
    was = "" if whole.before is None else f"; baseline {percent(whole.before)}"
    over = counted(whole.cases, "case")
    if whole.before is not None and whole.shared != whole.cases:
        was += f" over the {whole.shared:,} shared"
    return f"Pass rate **{percent(whole.rate)}** {interval(whole.interval)} over {over}{was}."


def _about(overview: Overview) -> str:
    """Say who spoke for the model, what was run, and that nobody asked the gate."""
    info, scorecard = overview.info, overview.scorecard
    each = f" ({scorecard.k:,} a case)" if scorecard.k > 1 else ""
    cases = counted(sum(scorecard.statuses.values()), "case")
    lines = [f"{said_of_mode(info)} {cases}, {counted(scorecard.trials, 'trial')}{each}."]
    commit = info.git and info.git[:12]
    known = (("Agent", info.agent), ("variant", info.variant), ("commit", commit))
    about = ", ".join(f"{word} {code(text)}" for word, text in known if text)
    if about:
        lines.append(f"{about}.")
    if info.selection is not None:
        lines.append("A part of the suite was run; nothing is said of the other cases.")
    if overview.gated is None:
        command = shlex.join(["fairtrial", "gate", info.id])
        decides = f"{code(command, 200)} decides"
        lines.append(f"The gate was not asked, so no change is shown: {decides}.")
    return " ".join(lines)


def _foot(overview: Overview) -> str:
    command = shlex.join(["fairtrial", "report", overview.info.id, "--verbose"])
    where = " with the run's folder" if overview.info.folder is not None else ""
    return f"All of it{where}: {code(command, 200)}"
