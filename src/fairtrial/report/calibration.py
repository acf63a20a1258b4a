"""A judge measured against people, for the terminal: item by item, and why it may not decide."""

from collections.abc import Iterator

from fairtrial.records import (
    Agreement,
    Calibration,
    Disagreement,
    NaturalMix,
    ThresholdSweep,
)
from fairtrial.report.figures import counted, interval, percent
from fairtrial.report.prose import LABEL, aside, entry, paragraph, short
from fairtrial.report.style import Style

_MOST_SHOWN = 10


def calibration_lines(
    calibration: Calibration, style: Style, *, verbose: bool = False
) -> Iterator[str]:
    """Give what was measured line by line: overall, each item, the people, where they part.

    >>> from fairtrial.records import LabellerAgreement, TrustBar
    >>> none = Agreement(**dict.fromkeys(Agreement.__struct_fields__) | {"labels": 0})
    >>> nothing = Calibration(
    ...     judge="", fingerprint=None, bar=TrustBar(), overall=none, items=(),
    ...     labellers=LabellerAgreement(), disagreements=(), unlabelled=0, unjudged=0,
    ... )
    >>> next(calibration_lines(nothing, Style()))
    'The judge: 0 labels.'
    """
    name = f"Judge {short(calibration.judge, style, 60)}" if calibration.judge else "The judge"
    size = counted(calibration.overall.labels, "label")
    trusted = sum(item.trusted for item in calibration.items)
    told = f", trusted for {trusted} of {counted(len(calibration.items), 'item')}"
    yield from paragraph(f"{name}: {size}{told if calibration.items else ''}.", style)
    if len(calibration.items) > 1:
        yield ""
        yield from _figures(calibration.overall, style)
    for item in calibration.items:
        yield ""
        yield style.paint(short(item.item or "the trial as a whole", style, 100), "bold")
        yield from _figures(item.agreement, style)
        yield from _sweep(item.sweep, style)
        yield from _trust(item.why_not, style)
    yield from _people(calibration, style)
    yield from _parted(calibration.disagreements, style, verbose=verbose)


def _figures(agreement: Agreement, style: Style) -> Iterator[str]:
    mix = ""
    if agreement.base_rate is not None:
        mix = f", {percent(agreement.base_rate)} of them passes"
    yield from entry("labels", f"{agreement.labels:,}{mix}", style)
    accuracy = _bounded(agreement.accuracy, agreement.accuracy_interval)
    if agreement.unreadable:
        accuracy += (
            f"; {counted(agreement.unreadable, 'verdict')} could not be read: counted as wrong"
            f" it is {percent(agreement.accuracy_strict)}"
        )
    yield from entry("accuracy", accuracy, style)
    yield from entry("kappa", _kappa(agreement), style)
    if agreement.ac1 is not None:
        yield from entry("AC1", f"{agreement.ac1:.3f}", style)
    for label, rate, bounds in (
        ("false pass", agreement.false_pass, agreement.false_pass_interval),
        ("false fail", agreement.false_fail, agreement.false_fail_interval),
    ):
        if rate is not None:
            yield from entry(label, _bounded(rate, bounds), style)
    if agreement.natural is not None:
        yield from entry("natural mix", _natural(agreement.natural), style)
    if agreement.mean_difference is not None:
        yield from entry("apart by", f"{agreement.mean_difference:.3g} on average", style)


def _natural(natural: NaturalMix) -> str:
    """Say what the labels, each by its weight, tell of the trials that they were drawn from."""
    text = f"accuracy {_bounded(natural.accuracy, natural.accuracy_interval)}"
    if natural.base_rate is not None:
        text += f", {percent(natural.base_rate)} passes"
    if natural.false_pass is not None:
        text += f", false pass {_bounded(natural.false_pass, natural.false_pass_interval)}"
    return text


def _sweep(sweep: ThresholdSweep | None, style: Style) -> Iterator[str]:
    if sweep is None:
        return
    tried = ", ".join(
        f"{threshold:g} {percent(accuracy)}"
        for threshold, accuracy in zip(sweep.thresholds, sweep.accuracy, strict=True)
    )
    yield from entry("pass from", f"{tried} (accuracy on all labels)", style)
    if sweep.chosen is None:
        text = "not chosen: the labels are all of one half of the cases"
    else:
        held = _bounded(sweep.held_accuracy, sweep.held_interval)
        text = (
            f"{sweep.chosen:g}, chosen on {counted(sweep.chosen_on, 'label')}; on the other"
            f" {sweep.held:,} it is right in {held}"
        )
    yield from entry("threshold", text, style)


def _bounded(rate: float | None, bounds: tuple[float, float] | None) -> str:
    return f"{percent(rate)} {interval(bounds)}".rstrip(" ")


def _kappa(agreement: Agreement) -> str:
    if agreement.kappa is None:
        return "- all labels and verdicts are the same"
    text = f"{agreement.kappa:.3f}"
    if agreement.kappa_interval is not None:
        low, high = agreement.kappa_interval
        text += f" [{low:.2f}, {high:.2f}]"
    if agreement.kappa_weighted is not None:
        text += f", {agreement.kappa_weighted:.3f} with linear weights"
    return text


def _trust(why_not: tuple[str, ...], style: Style) -> Iterator[str]:
    if not why_not:
        yield from entry("trusted", "it meets the bar", style)
        return
    yield from entry("informs only", why_not[0], style)
    for reason in why_not[1:]:
        yield from aside(reason, style, LABEL)


def _people(calibration: Calibration, style: Style) -> Iterator[str]:
    people = calibration.labellers
    if people.pairs or people.split:
        yield ""
        yield style.paint("labellers", "bold")
    for names, kappa in list(people.pairs.items())[:_MOST_SHOWN]:
        known = "-" if kappa is None else f"{kappa:.3f}"
        yield from paragraph(f"{short(names, style, 60)}: kappa {known}", style, indent=(2, 6))
    if people.alpha is not None:
        yield from entry("alpha", f"{people.alpha:.3f} (Krippendorff, all of them)", style)
    if people.split:
        yield from entry("split", f"{counted(people.split, 'item')} without a majority", style)
    if calibration.kept_apart:
        text = f"{counted(calibration.kept_apart, 'label')} of cases that the judge has as examples"
        yield from entry("kept apart", text, style)
    if calibration.elsewhere:
        text = f"{counted(calibration.elsewhere, 'label')} of other transcripts than the run's"
        yield from entry("left out", text, style)
    if calibration.unlabelled or calibration.unjudged:
        text = (
            f"{counted(calibration.unlabelled, 'verdict')} that nobody labelled,"
            f" {counted(calibration.unjudged, 'label')} without a verdict"
        )
        yield from entry("left out", text, style)


def _parted(parted: tuple[Disagreement, ...], style: Style, *, verbose: bool) -> Iterator[str]:
    if not parted:
        return
    yield ""
    yield style.paint(f"disagreements: {len(parted):,}", "bold")
    shown = parted if verbose else parted[:_MOST_SHOWN]
    for one in shown:
        item = f", {short(one.item, style, 60)}" if one.item else ""
        reason = f": {short(one.reason, style, 200)}" if one.reason else ""
        text = (
            f"{short(one.case, style, 60)} trial {one.trial}{item}: people say"
            f" {short(one.label, style, 20)}, the judge {short(one.verdict, style, 20)}{reason}"
        )
        yield from paragraph(text, style, indent=(2, 6))
        if one.around:
            yield from (f"      | {short(line, style, style.width - 8)}" for line in one.around)
        elif one.evidence:
            yield from paragraph(f"it quotes: {one.evidence}", style, indent=(6, 8), most=2)
    if len(parted) > len(shown):
        yield from aside(f"and {len(parted) - len(shown):,} more (show with --verbose)", style, 2)
