"""How much a judge varies: the same records judged again, and what that does to the pass rate."""

import math
from collections import defaultdict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from fairtrial.flow.judging import JudgeOptions, judging_of
from fairtrial.graders import Graders, GradingSettings
from fairtrial.records import Case, Verdict
from fairtrial.store import Redactor, SavedRun, Unreadable


class JudgeNoise(Struct, frozen=True, kw_only=True):
    """What judging the same trials twice came to."""

    trials: int
    """That were measured both times."""
    changed: int
    """Of these, the ones whose verdict was another one."""
    variance: float
    """Of the run's pass rate, from the judge alone."""


def judge_noise(
    run: SavedRun,
    cases: Sequence[Case],
    options: JudgeOptions,
    settings: GradingSettings,
    redactor: Redactor,
) -> JudgeNoise | None:
    """Judge a run's trials twice, the second time past the replies on file.

    Two verdicts of one trial differ by chance alone; half their mean squared difference is the
    judge's variance in that case, and a pass rate is the mean over the cases.

    Args:
        run: The run.
        cases: Of it, as the files are now.
        options: The judge; a live one, unless both replies are on file.
        settings: What the suite says about grading.
        redactor: Takes the secrets out of what the judge is shown.

    Returns:
        None where the judge decides nothing, or nothing was measured twice.

    Raises:
        StoreError: The run cannot be read, or a reply cannot be kept.
    """
    first, again = (
        _verdicts(run, cases, msgspec.structs.replace(options, repeat=repeat), settings, redactor)
        for repeat in (0, 1)
    )
    by_case: dict[str, list[float]] = defaultdict(list)
    for key, verdict in first.items():
        other = again.get(key)
        if "error" not in {verdict, other} and other is not None:
            by_case[key[0]].append(float(verdict != other) / 2)
    if not by_case:
        return None
    spreads = [math.fsum(own) / len(own) ** 2 for own in by_case.values()]
    differ = [spread for own in by_case.values() for spread in own]
    return JudgeNoise(
        trials=len(differ),
        changed=sum(spread > 0 for spread in differ),
        variance=math.fsum(spreads) / len(spreads) ** 2,
    )


def _verdicts(
    run: SavedRun,
    cases: Sequence[Case],
    options: JudgeOptions,
    settings: GradingSettings,
    redactor: Redactor,
) -> dict[tuple[str, int], Verdict]:
    """Give the verdicts by case and trial of what the judge decides; empty where it does not."""
    judging = judging_of(options, cases, redactor)
    if judging is None or not judging.trust.trusted:
        return {}
    known = {case.id: case for case in cases}
    graders = Graders(settings._replace(trust=judging.trust))
    for item in run.trajectories():
        if isinstance(item, Unreadable) or item.trajectory.trial is None:
            continue
        case = known.get(item.trajectory.case)
        if case is not None and judging.wants(case, item.trajectory):
            judging.submit(case, item.trajectory, item.trajectory.trial)
    return {
        (one.case.id, one.trial): graders.of(one.case)
        .grade(one.trajectory, one.trial, one.verdicts)
        .verdict
        for one in judging.drain()
    }
