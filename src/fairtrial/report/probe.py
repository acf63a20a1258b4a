"""A judge that was probed, for the terminal: what was changed, what was expected, what came."""

from collections.abc import Iterator

from fairtrial.records import JudgeProbing, Leniency, ProbeExample, ProbeResult, Said
from fairtrial.report.comparison import not_on_file
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.judge_use import judge_lines
from fairtrial.report.prose import LABEL, aside, entry, paragraph, short
from fairtrial.report.style import Style

_EXPECTED = {"same": "the verdict stays", "PASS": "PASS", "FAIL": "FAIL"}


def probe_lines(
    probing: JudgeProbing, currency: str, style: Style, *, verbose: bool = False
) -> Iterator[str]:
    """Give a probing line by line: each probe, and the judge.

    >>> from fairtrial.records import JudgeUse
    >>> use = JudgeUse(judge="small", fingerprint="f", asks="replay")
    >>> next(probe_lines(JudgeProbing(run="r1", sampled=20, probes=(), use=use), "USD", Style()))
    'Judge small, probed on 20 trials of r1.'
    """
    trials = counted(probing.sampled, "trial")
    judge, run = short(probing.use.judge, style, 60), short(probing.run, style, 60)
    yield from paragraph(f"Judge {judge}, probed on {trials} of {run}.", style)
    for probe in probing.probes if probing.use.asks != "dry" else ():
        yield ""
        yield from _probe(probe, style, verbose=verbose)
    yield ""
    yield from judge_lines(probing.use, currency, style)
    yield from not_on_file(probing.use, style)


def _probe(probe: ProbeResult, style: Style, *, verbose: bool) -> Iterator[str]:
    yield style.paint(probe.name, "bold")
    yield from entry("changed", probe.change, style)
    if probe.not_measured is not None:
        yield from entry("came", short(probe.not_measured, style, 300), style)
        return
    if probe.leniency is not None:
        yield from entry("came", _leniency(probe.leniency), style)
        return
    yield from entry("expected", _EXPECTED[probe.expected], style)
    yield from entry("came", _came(probe), style)
    for one in probe.detections:
        text = (
            f"{one.found:,} of {one.planted:,} found, {percent(one.rate)} {interval(one.interval)}"
        )
        yield from entry(f"  {one.kind}", text, style)
    if probe.unfit:
        yield from aside(_unfit(probe), style, LABEL)
    for example in probe.examples if verbose else probe.examples[:2]:
        yield from paragraph(_example(example, style), style, indent=(2, 6))
    hidden = len(probe.examples) - 2
    if hidden > 0 and not verbose:
        yield from aside(f"and {hidden:,} more (show with --verbose)", style, 2)


def _came(probe: ProbeResult) -> str:
    otherwise = "changed" if probe.expected == "same" else "otherwise"
    text = (
        f"{probe.flips:,} of {counted(probe.pairs, 'pair')} {otherwise}, "
        f"{percent(probe.rate)} {interval(probe.interval)}"
    )
    if probe.expected == "same" and (probe.to_pass or probe.to_fail):
        text += f"; to PASS {probe.to_pass:,}, to FAIL {probe.to_fail:,}"
    if probe.first is not None and probe.second is not None and probe.p is not None:
        text += (
            f"; the first place won both times in {probe.first:,}, the second in {probe.second:,}"
        )
        text += f" (p {probe.p:.2g})"
    if probe.noise is not None:
        text += f"; one call errs with a chance of {percent(probe.noise)}"
    if probe.unjudged:
        text += f"; {probe.unjudged:,} without a verdict"
    return text


def _unfit(probe: ProbeResult) -> str:
    """Say which unchanged records tell nothing, and were left out."""
    records = counted(probe.unfit, "record")
    if probe.detections:
        return f"left out: {records} that it failed without the fault too"
    return f"left out: {records} that it passed before any change"


def _leniency(leniency: Leniency) -> str:
    return (
        f"it passes {leniency.own * 100:+.1f} points more than people do of "
        f"{counted(leniency.own_answers, 'answer')} of its own family, {leniency.other * 100:+.1f} "
        f"of {leniency.other_answers:,} of others: {leniency.difference * 100:+.1f} points apart "
        f"(error {leniency.error * 100:.1f})"
    )


def _example(example: ProbeExample, style: Style) -> str:
    where = f"{short(example.case, style, 60)} trial {example.trial}"
    change = f" ({short(example.change, style, 100)})" if example.change else ""
    before = "" if example.before is None else f"{_word(example.before)}, then "
    why = f": {short(example.reason, style, 200)}" if example.reason else ""
    question = short(example.question, style, 60)
    return f"{where}, {question}{change}: {before}{_word(example.after)}{why}"


def _word(said: Said) -> str:
    if isinstance(said, bool):
        return "PASS" if said else "FAIL"
    return str(said)
