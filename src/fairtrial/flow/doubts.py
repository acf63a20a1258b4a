"""What must be said of measured noise: why it may not hold, and what its numbers leave open."""

from collections.abc import Iterator, Sequence

from fairtrial.records import Noise, RunInfo, Tolerance
from fairtrial.text import cut

FEWEST = 5
"""Runs below which no tolerance is given: its factor would be twice as large and worth little."""

_SURELY = 0.01  # a chance below which a test speaks up: one unchanged suite in a hundred hears it
_NAMED = 5


def warnings_of(noise: Noise, made: Sequence[tuple[RunInfo, int]]) -> Iterator[str]:
    """Give the reasons to doubt what was measured, or what is asked for, a sentence each.

    Args:
        noise: What was measured.
        made: Each run, with its planned trials a case.
    """
    yield from _unequal(made)
    if noise.deterministic:
        return
    if noise.tolerance.mode != "live":
        yield _UNSTEADY
    yield from _dependent(noise)
    yield from _too_fine(noise)


_UNSTEADY = (
    "no live model spoke, and yet the runs differ: the agent, its tools or a grader leaves "
    "something to chance or to the clock; the gate takes such a run for one in which every loss is "
    "real"
)


def _unequal(made: Sequence[tuple[RunInfo, int]]) -> Iterator[str]:
    """Say what differs between runs that should be of one agent."""
    for what, said in (
        ("agent", [info.agent for info, _ in made]),
        ("variant", [info.variant for info, _ in made]),
        ("model", [info.settings.get("model") for info, _ in made]),
        ("seed", [info.seed for info, _ in made]),
        ("commit", [info.git for info, _ in made]),
        ("trials a case", [k for _, k in made]),
    ):
        each = list(dict.fromkeys(cut(str(one)) for one in said))
        if len(each) > 1:
            named = ", ".join(each[:_NAMED]) + ", ..." * (len(each) > _NAMED)
            yield (
                f"the runs were not made alike, by {what}: {named}; what that does to them counts "
                "as noise here"
            )


def _dependent(noise: Noise) -> Iterator[str]:
    """Say where trials do not look independent of each other."""
    days = noise.p_days is not None and noise.p_days < _SURELY
    if days:
        yield (
            "whole runs differ by more than their trials explain: something that all trials of a "
            "run share, as the day, the provider's load or the model's revision; run baseline and "
            "candidate in the same hour"
        )
    if noise.dispersion is None or noise.p_clumped is None or noise.p_alike is None:
        return
    found = f"their spread over runs is {noise.dispersion:.2g} times what chance makes"
    if noise.p_clumped < _SURELY and not days:
        yield (
            f"trials do not look independent: those of one run come out together, {found}; a "
            "cache, one seed for all trials or a bad hour of the provider does that, and k trials "
            "are then worth less than k"
        )
    if noise.p_alike < _SURELY:
        yield (
            f"trials do not look independent: a case passes as often in every run, {found}; a "
            "model's seed or a cache that goes by the trial's number does that, and a fresh run "
            "varies more than is measured here"
        )


def _too_fine(noise: Noise) -> Iterator[str]:
    """Say where the margin that the settings ask for is less than what can be told from noise."""
    margin, drop, stray = noise.margin, noise.smallest_drop, noise.tolerance.tolerance_of_two
    if margin is None:
        return
    asked = f"[gate] tolerance asks for {_points(margin)}"
    if stray is not None and margin < stray:
        yield (
            f"{asked}, and an unchanged run falls further than that below another one more often "
            f"than once in twenty times: {_points(stray)} are measured"
        )
    if drop is not None and margin < drop:
        yield (
            f"{asked}, and this suite sees a drop from {_points(drop)} on (power 80 %): "
            "ask for more, or see `fairtrial stats size` for the cases and trials it takes"
        )


def _points(share: float) -> str:
    """Write a share as percentage points."""
    text = f"{share * 100:.3g}"
    return f"{text} point" if text == "1" else f"{text} points"


def notes_of(tolerance: Tolerance, *, deterministic: bool) -> Iterator[str]:
    """Give what the reader must know of the numbers, a sentence each."""
    if deterministic:
        yield (
            "no live model spoke and all runs came out alike: such a run has no noise, its "
            "tolerance is 0 and every loss is real"
        )
        return
    if tolerance.runs < FEWEST:
        yield (
            f"a tolerance takes {FEWEST} runs, better ten, and these are {tolerance.runs}: no "
            "tolerance is given"
        )
    elif tolerance.tolerance is None:
        yield (
            "no trial of these runs came out differently from the others of its case, so how far a "
            "run can stray is not known: no tolerance is given; more trials would tell"
        )
    elif not tolerance.sd:
        yield (
            "all runs have the same rate, by luck: the tolerance is from how far their trials vary"
        )
