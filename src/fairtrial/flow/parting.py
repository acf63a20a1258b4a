"""The story of where two runs part: one trial of each side, case by case, and the causes."""

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from fairtrial.errors import StoreError
from fairtrial.match import first_parting, indexes_aside
from fairtrial.records import Compared, Parting, PartingGroup, RunDifference, Trajectory, Verdict
from fairtrial.store import SavedRun, Transcripts

_Verdicts: TypeAlias = Mapping[int, Verdict]

_WORSE: Final[tuple[Compared, ...]] = ("regressions",)
_EVERY: Final[tuple[Compared, ...]] = ("regressions", "fixes", "unmeasured", "other_checks")


class _Unread(NamedTuple):
    """Why there is no trajectory: in words that cases share, and what is this one's own."""

    cause: str
    details: str


def with_partings(
    difference: RunDifference, a: SavedRun, b: SavedRun, *, every: bool = False
) -> RunDifference:
    """Give the difference with the first step where the two runs part, for each case of interest.

    One trial of each side is compared: see `chosen`. One case is in memory at a time. Where the
    transcripts of a side are gone nothing is added; a transcript that cannot be read is said to be
    so in its case.

    Args:
        difference: What `diff_runs` found.
        a: The run that it was found from.
        b: The other run.
        every: True looks at all cases that differ and can be compared, else only those that are
            worse.

    Raises:
        StoreError: The results of a run cannot be read.
    """
    if a.folder is None or b.folder is None:
        return difference
    names = {
        case.id: among
        for among in (_EVERY if every else _WORSE)
        for case in getattr(difference, among)
    }
    if not names:
        return difference
    trials = _chosen(names, a, b)
    old = _Kept("a", a.folder, {case: pair[0] for case, pair in trials.items()})
    new = _Kept("b", b.folder, {case: pair[1] for case, pair in trials.items()})
    partings = tuple(_parting(case, trials[case], old, new) for case in names if case in trials)
    return msgspec.structs.replace(
        difference, partings=partings, groups=tuple(grouped(partings, names))
    )


def chosen(a: _Verdicts, b: _Verdicts) -> tuple[int, int] | None:
    """Choose the trials of a case that are compared, from the verdicts of both sides by number.

    The first trial of b that failed, and the trial of a with the same number if it passed, else the
    first of a that passed. Where b passes more often a and b change places. Where no such two are,
    it is the first pair with one number, one of them not passed if there is one.

    >>> chosen({0: "passed", 1: "passed"}, {0: "passed", 1: "failed"})
    (1, 1)
    >>> chosen({0: "failed", 1: "passed"}, {0: "failed"}), chosen({}, {0: "failed"})
    ((1, 0), None)
    """
    if not a or not b:
        return None
    better = _passing(b) > _passing(a)
    orders = ((a, b, True), (b, a, False)) if better else ((b, a, False), (a, b, True))
    for verdict in ("failed", "error"):
        for odd, plain, a_is_odd in orders:
            numbers = sorted(number for number in odd if odd[number] == verdict)
            passed = sorted(number for number in plain if plain[number] == "passed")
            if numbers and passed:
                mine = numbers[0]
                other = mine if plain.get(mine) == "passed" else passed[0]
                return (mine, other) if a_is_odd else (other, mine)
    common = sorted(a.keys() & b.keys())
    odd_ones = [number for number in common if {a[number], b[number]} != {"passed"}]
    if not common:
        return min(a), min(b)
    return ((odd_ones or common)[0],) * 2


def grouped(partings: Iterable[Parting], among: Mapping[str, Compared]) -> list[PartingGroup]:
    """Group cases by what they part by, values aside: list by list, the biggest group first.

    Args:
        partings: One a case.
        among: The list that each case is in.
    """
    groups: dict[tuple[Compared, str], list[Parting]] = {}
    for parting in partings:
        groups.setdefault((among[parting.case], parting.cause), []).append(parting)
    return [
        PartingGroup(
            among=kind,
            kind=alike[0].kind,
            tool=alike[0].tool,
            path=None if alike[0].path is None else indexes_aside(alike[0].path),
            text=cause,
            cases=tuple(parting.case for parting in alike),
        )
        for (kind, cause), alike in sorted(
            groups.items(), key=lambda group: (_EVERY.index(group[0][0]), -len(group[1]))
        )
    ]


def _passing(verdicts: _Verdicts) -> float:
    told = [verdict == "passed" for verdict in verdicts.values() if verdict != "error"]
    return sum(told) / len(told) if told else 0.0


def _chosen(names: Mapping[str, Compared], a: SavedRun, b: SavedRun) -> dict[str, tuple[int, int]]:
    """Choose the trials of each case. Runs of one suite are in one order, so that none waits."""
    waiting: tuple[dict[str, _Verdicts], dict[str, _Verdicts]] = ({}, {})
    pairs = {}
    for results in itertools.zip_longest(a.results(), b.results()):
        for result, side in zip(results, waiting, strict=True):
            if result is not None and result.id in names:
                side[result.id] = {trial.trial: trial.verdict for trial in result.trials}
        for case in {result.id for result in results if result is not None}:
            if case in waiting[0] and case in waiting[1]:
                pairs[case] = chosen(waiting[0].pop(case), waiting[1].pop(case))
    return {case: pair for case, pair in pairs.items() if pair is not None}


class _Kept:
    """The transcripts of one side, or why there are none."""

    def __init__(self, side: str, folder: Path, wanted: Mapping[str, int]) -> None:
        self._side = side
        self._found: Transcripts | str
        try:
            self._found = Transcripts(folder, wanted)
        except StoreError as error:
            self._found = str(error)

    def read(self, case: str, number: int) -> Trajectory | _Unread:
        """Give a transcript, or what to say of it."""
        if isinstance(self._found, str):
            return _Unread(f"the transcripts of {self._side} cannot be read", f": {self._found}")
        try:
            trajectory = self._found.read(case)
        except StoreError as error:
            return _Unread(f"a transcript of {self._side} cannot be read", f": {error}")
        if trajectory is None:
            return _Unread(f"the transcript of {self._side} is missing", f" (trial {number})")
        return trajectory


def _parting(case: str, numbers: tuple[int, int], a: _Kept, b: _Kept) -> Parting:
    one, other = a.read(case, numbers[0]), b.read(case, numbers[1])
    if isinstance(one, Trajectory) and isinstance(other, Trajectory):
        return first_parting(one, other)
    unread = next(side for side in (one, other) if isinstance(side, _Unread))
    return Parting(
        case=case,
        trial_a=numbers[0],
        trial_b=numbers[1],
        step=None,
        kind="unknown",
        tool=None,
        path=None,
        a=None,
        b=None,
        text=f"at an unknown step, if at all: {unread.cause}{unread.details}",
        cause=unread.cause,
    )
