"""What a suite can see, and how far an unchanged agent strays, for the terminal."""

from collections.abc import Iterator, Sequence

from fairtrial.records import CaseNoise, Mode, Noise, SuiteSize, Tolerance
from fairtrial.report.figures import amount, counted, money, percent, points
from fairtrial.report.measure import pad
from fairtrial.report.prose import LABEL, aside, entry, names, paragraph, short
from fairtrial.report.style import Style

_MODES: dict[Mode, str] = {
    "live": "live",
    "scripted": "scripted",
    "replayed": "replayed",
    "none": "without a model",
}

_MOST_FLAKY = 20
_MOST_RATES = 20
_MOST_NAMES = 12
_NO_SCATTER = (
    "offline every loss is real, and no drop is too small to be seen: this is for live runs"
)


def size_lines(size: SuiteSize, style: Style) -> Iterator[str]:
    """Give what a suite can see line by line: this suite, then the plans that see the drop.

    >>> size = SuiteSize(
    ...     run="r1", mode="live", drop=0.05, power=0.8, alpha=0.05, cases=0, k=0, trials=0,
    ...     pass_rate=None, between=None, within=None, smallest_drop=None, seen=None, powers={},
    ...     trials_needed=None, plans=(), table=(), cost_of_trial=None, currency="USD", unknown=(),
    ... )
    >>> next(size_lines(size, Style()))
    'Run r1, live: 0 cases, 0 measured trials.'
    """
    rate = "" if size.pass_rate is None else f", pass rate {percent(size.pass_rate)}"
    trials = counted(size.trials, "measured trial")
    said = f"Run {size.run}, {_MODES[size.mode]}: {counted(size.cases, 'case')}, {trials}{rate}."
    yield from paragraph(said, style, indent=(0, 0))
    if size.mode != "live" and size.plans:
        yield from entry("note", _NO_SCATTER, style)
    yield from _variances(size, style)
    yield from _this_suite(size, style)
    if size.plans:
        yield from _plans(size, style)
        yield from _table(size, style)
    if size.unknown:
        yield ""
    for text in size.unknown:
        yield from entry("not known" if not size.plans else "note", text, style)


def _variances(size: SuiteSize, style: Style) -> Iterator[str]:
    within = "not known" if size.within is None else f"{size.within:.3f}"
    between = "not known" if size.between is None else f"{size.between:.3f}"
    if size.cases:
        text = f"within a case {within}, between cases {between} (p(1-p) is 0.25 at most)"
        yield from entry("variance", text, style)


def _this_suite(size: SuiteSize, style: Style) -> Iterator[str]:
    if size.within is None:
        return
    chances = f"(power {percent(size.power)}, one-sided {percent(size.alpha)})"
    if size.smallest_drop is None:
        text = f"not even a fall to 0 % {chances}: too few cases and trials"
    else:
        text = f"of {points(size.smallest_drop)} and more {chances}"
    yield from entry("sees drops", text, style)
    known = [(name, power) for name, power in size.powers.items() if power is not None]
    if known:
        told = ", ".join(f"{_plain(name)} {percent(power)}" for name, power in known)
        yield from entry("power", f"for a drop of {told}", style)
    asked = points(size.drop)
    if size.smallest_drop is not None and size.smallest_drop <= size.drop:
        text = f"{asked} can be seen, with power {percent(size.seen)}"
    elif size.trials_needed is not None:
        each = counted(size.trials_needed, "trial")
        text = (
            f"{asked} cannot be seen (power {percent(size.seen)}); these"
            f" {counted(size.cases, 'case')} see it with {each} each"
        )
    else:
        text = f"{asked} cannot be seen with these {counted(size.cases, 'case')}, however often"
    yield from entry("wanted", text, style)


def _plain(name: str) -> str:
    return "1 point" if name == "1" else name


def _plans(size: SuiteSize, style: Style) -> Iterator[str]:
    yield ""
    yield style.paint(f"to see a drop of {points(size.drop)}", "bold")
    heads = ["trials a case", "cases", "trials a run"]
    priced = size.cost_of_trial is not None
    if priced:
        heads.append(f"cost a run, {short(size.currency, style, 8)}")
    yield from _row(heads, [len(head) for head in heads])
    for plan in size.plans:
        cells = [f"{plan.k:,}", _count(plan.cases), _count(plan.trials)]
        if priced:
            cells.append(money(plan.cost))
        yield from _row(cells, [len(head) for head in heads])


def _count(value: int | None) -> str:
    return "-" if value is None else amount(value)


def _row(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    pairs = zip(cells, widths, strict=True)
    yield "".join("  " + pad(cell, width, right=True) for cell, width in pairs)


def _table(size: SuiteSize, style: Style) -> Iterator[str]:
    """Give the smallest drops by cases and trials, those that see the wanted drop marked."""
    yield ""
    yield style.paint("smallest drop seen, in points", "bold")
    columns = list(size.table[0].drops)
    yield "  " + pad("cases", 7) + "".join(pad(f"x {name}", 8, right=True) for name in columns)
    for row in size.table:
        cells = "".join(pad(_drop(row.drops[name], size.drop), 8, right=True) for name in columns)
        mark = " <" if row.cases == size.cases else ""
        yield ("  " + pad(amount(row.cases), 7) + cells + mark).rstrip(" ")
    text = f"* sees {points(size.drop)}, < as many cases as here; columns are trials a case"
    yield from aside(text, style, 2)


def _drop(drop: float | None, wanted: float) -> str:
    if drop is None:
        return "- "
    return f"{drop * 100:.1f}" + ("*" if drop <= wanted else " ")


def noise_lines(noise: Noise, style: Style) -> Iterator[str]:
    """Give what an unchanged agent's runs tell line by line: warnings first, cases last.

    >>> tolerance = Tolerance(
    ...     runs=2, cases=1, k=1, mode="scripted", tolerance=0.0, tolerance_of_two=0.0, tau2=0.0,
    ...     sampling=0.0, mean=1.0, sd=0.0, rates=(1.0, 1.0),
    ... )
    >>> noise = Noise(
    ...     tolerance=tolerance, runs=("a", "b"), deterministic=True, smallest_drop=None,
    ...     margin=None, trials=2, errors=0, dispersion=None, p_clumped=None, p_alike=None,
    ...     p_days=None, flaky=(), left_out=(), warnings=(), notes=(),
    ... )
    >>> next(noise_lines(noise, Style()))
    '2 runs of an unchanged agent, scripted: 1 case, 2 trials.'
    """
    measured = noise.tolerance
    size = f"{counted(measured.cases, 'case')}, {counted(noise.trials, 'trial')}"
    runs = counted(measured.runs, "run")
    said = f"{runs} of an unchanged agent, {_MODES[measured.mode]}: {size}."
    yield from paragraph(said, style, indent=(0, 0))
    for text in noise.warnings:
        yield from paragraph(text, style, label=("warning ", "yellow"), indent=(0, 4), most=8)
    yield ""
    yield from entry("pass rates", _rates(measured), style, most=8)
    yield from entry("tolerance", _tolerance(measured), style)
    if not noise.deterministic:
        yield from _sources(noise, style)
    yield from entry("judge noise", _judge(noise), style)
    if noise.errors:
        share = percent(1 - noise.errors / noise.trials)
        text = f"{share} of {counted(noise.trials, 'trial')}, {counted(noise.errors, 'error')}"
        yield from entry("measured", text, style)
    if noise.left_out:
        listed = names(noise.left_out, style, most=_MOST_NAMES)
        text = (
            f"{counted(len(noise.left_out), 'case')} not the same or not measured in all: {listed}"
        )
        yield from entry("left out", text, style)
    for text in noise.notes:
        yield from entry("note", text, style)
    yield from _flaky(noise.flaky, measured, style)


def _judge(noise: Noise) -> str:
    variance = noise.tolerance.judge
    if variance is None or noise.judged is None:
        return "not measured: no judge that decides was asked again (`--judge live` asks it)"
    changed = f"{noise.judged_otherwise or 0:,} of {counted(noise.judged, 'trial')}"
    return f"{points(variance**0.5)} from the judge alone: asked again it changed {changed}"


def _rates(measured: Tolerance) -> str:
    rates = [percent(rate) for rate in measured.rates[:_MOST_RATES]]
    more = len(measured.rates) - len(rates)
    listed = ", ".join(rates) + (f" and {more:,} more" if more else "")
    return f"{listed}; mean {percent(measured.mean)}, standard deviation {points(measured.sd)}"


def _tolerance(measured: Tolerance) -> str:
    if measured.tolerance is None:
        return "none given"
    return (
        f"{points(measured.tolerance)} below the mean of these runs,"
        f" {points(measured.tolerance_of_two)} below a single one of them"
        f" (one-sided {percent(measured.alpha)})"
    )


def _sources(noise: Noise, style: Style) -> Iterator[str]:
    measured = noise.tolerance
    text = (
        f"{points(measured.sampling**0.5)} from the trials alone,"
        f" {points(measured.tau2**0.5)} more from run to run"
    )
    if noise.p_days is not None:
        text += f" (chance of so much without any: {percent(noise.p_days)})"
    yield from entry("agent noise", text, style)
    if noise.dispersion is not None:
        text = f"spread over runs {noise.dispersion:.2f}, where independent trials have 1"
        yield from entry("trials", text, style)
    if noise.smallest_drop is not None:
        text = f"of {points(noise.smallest_drop)} and more between two such runs (power 80 %)"
        yield from entry("sees drops", text, style)


def _flaky(flaky: Sequence[CaseNoise], measured: Tolerance, style: Style) -> Iterator[str]:
    if not flaky:
        return
    yield ""
    title = f"flaky cases: {len(flaky):,} of {counted(measured.cases, 'case')}"
    yield style.paint(title, "bold")
    for case in flaky[:_MOST_FLAKY]:
        text = f"{case.passed:,} of {counted(case.measured, 'trial')}"
        if case.lowest != case.highest:
            text += f", {percent(case.lowest)} to {percent(case.highest)} in a run"
        name = pad(short(case.id, style, 60), 2 * LABEL)
        yield from paragraph(f"{name}  {text}", style, indent=(2, 6))
    if len(flaky) > _MOST_FLAKY:
        yield from aside(f"and {len(flaky) - _MOST_FLAKY:,} more", style, 2)
