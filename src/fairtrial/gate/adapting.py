"""Adaptive trials: which cases of a live run are still undecided, and get more of them.

A state machine without clock, chance or files, as `confirming` is. Nothing is decided by it: more
trials make the screening sharper, and only fresh ones of both sides tell.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.gate.candidate import Candidate
from fairtrial.gate.comparison import Compared, Comparison
from fairtrial.gate.confirming import MARGIN
from fairtrial.records import Adaptive, AdaptiveCase, Baseline, GateSettings, Worse
from fairtrial.stats import prob_worse_by_margin

LIKELY_FROM = 0.9
"""From this chance on a case is likely worse, and gets no more trials."""

UNLIKELY_BELOW = 0.5
"""Below even odds a case gets no more either: to search on there finds hardly more of those that
are worse, at three fifths more."""

STEP = 5
"""Trials that a case gets at once."""

_AT_ONCE = 8  # cases in a round at least: a greedier choice saves little, and takes longer

MOST = 25
"""Further trials of a case: about what a baseline of a few trials can be told from."""

_SAME = "no live model spoke, so the same trial again would come out the same"
_NOTHING_FELL = "no case looks worse than the baseline"
_NOTHING_SHARED = "no case can be held against the baseline"
_SPENT = "as many as may be run are run (--max-extra)"


class Further(Struct, frozen=True):
    """All further trials of a case so far."""

    passed: int
    measured: int
    planned: int


class Adapting(Struct, frozen=True, kw_only=True):
    """Cases that fell below the baseline, under way. Each look gives a new state.

    The more likely half of the undecided cases gets more trials, then all are looked at again:
    greedy on the chance of being worse, in rounds, so that what is run does not hang on timing.

    >>> at_first = AdaptiveCase(
    ...     id="refund", base_passed=5, base_measured=5, passed=3, measured=5, p_worse=0.81,
    ...     worse="undecided",
    ... )
    >>> state = Adapting(cases=(at_first,), shared=40, left=200)
    >>> state.wanted
    {'refund': 5}
    >>> state = state.look({"refund": Further(5, 5, 5)})
    >>> state.wanted, state.cases[0].worse, state.record().everywhere
    ({'refund': 5}, 'undecided', 200)
    """

    cases: tuple[AdaptiveCase, ...]
    """All that fell, also those that are not undecided, in file order."""
    shared: int
    """Cases that are compared with the baseline."""
    left: int
    """Trials that may still be run."""
    ended: str | None = None
    """Why nothing is wanted from the start."""

    @classmethod
    def of(
        cls,
        candidate: Candidate,
        baseline: Baseline,
        settings: GateSettings | None = None,
        *,
        most: int,
    ) -> Self:
        """Begin with a run beside what was accepted; `most` trials may be added to it."""
        comparison = Comparison(candidate, baseline, settings or GateSettings())
        shared = comparison.shared
        if comparison.deterministic:
            return cls(cases=(), shared=len(shared), left=0, ended=_SAME)
        fell = tuple(_begun(case) for case in shared if case.fell)
        ended = None if fell else _NOTHING_FELL if shared else _NOTHING_SHARED
        return cls(cases=fell, shared=len(shared), left=most, ended=ended)

    @property
    def wanted(self) -> dict[str, int]:
        """What to run before the next look: trials by case, the likeliest first; empty at the end.

        Everything in it is new trials: those that could not be measured are not run again.
        """
        undecided = [one for one in self.cases if _wants_more(one)]
        undecided.sort(key=lambda one: -one.p_worse)  # stable: file order where they are alike
        wanted: dict[str, int] = {}
        left = self.left
        for one in undecided[: max(_AT_ONCE, (len(undecided) + 1) // 2)]:
            more = min(STEP, MOST - one.more_planned, left)
            if more > 0:
                wanted[one.id] = more
                left -= more
        return wanted

    def look(self, further: Mapping[str, Further]) -> Self:
        """Look at all further trials of the cases that were wanted.

        Args:
            further: By case. Where the run was cut short, fewer than were wanted.

        Raises:
            ValueError: A wanted case is missing, or has more trials than were asked for.
        """
        wanted = self.wanted
        seen = []
        used = 0
        for one in self.cases:
            if one.id not in wanted:
                seen.append(one)
                continue
            now = further.get(one.id)
            _check(one, now, one.more_planned + wanted[one.id])
            assert now is not None  # it was checked
            used += now.planned - one.more_planned
            seen.append(
                _judged(
                    replace(
                        one,
                        more_passed=now.passed,
                        more_measured=now.measured,
                        more_planned=now.planned,
                    )
                )
            )
        return replace(self, cases=tuple(seen), left=self.left - used)

    def record(self, *, cost: float | None = None, stopped: str | None = None) -> Adaptive:
        """Give what came of it; `stopped` says why it ended before its end."""
        cases = tuple(one for one in self.cases if one.more_planned or one.worse != "unlikely")
        deepest = max((one.more_planned for one in cases), default=0)
        used_up = not self.left and any(_wants_more(one) for one in self.cases)
        return Adaptive(
            margin=MARGIN,
            cases=cases,
            trials=sum(one.more_planned for one in cases),
            everywhere=deepest * self.shared,
            cost=cost,
            ended=stopped or (_SPENT if used_up else self.ended),
            whole=stopped is None,
        )


def _check(case: AdaptiveCase, further: Further | None, planned: int) -> None:
    """Refuse counts that are no further trials of this look.

    Raises:
        ValueError: There are none, or they make no sense.
    """
    if further is None:
        raise ValueError(f"no further trials of case {case.id!r}, which were wanted")
    if not 0 <= further.passed <= further.measured <= further.planned <= planned:
        raise ValueError(f"{case.id!r}: {further}, and {planned} were wanted")


def _begun(case: Compared) -> AdaptiveCase:
    before, now = case.accepted, case.now
    assert before is not None  # it is shared
    return _judged(
        AdaptiveCase(
            id=now.id,
            base_passed=before.passed,
            base_measured=before.measured,
            passed=now.passed,
            measured=now.measured,
            p_worse=0.0,
            worse="undecided",
        )
    )


def _judged(case: AdaptiveCase) -> AdaptiveCase:
    chance = _chance(
        case.base_passed,
        case.base_measured,
        case.passed + case.more_passed,
        case.measured + case.more_measured,
    )
    return replace(case, p_worse=chance, worse=_worse(chance))


def _worse(chance: float) -> Worse:
    if chance >= LIKELY_FROM:
        return "likely"
    return "unlikely" if chance < UNLIKELY_BELOW else "undecided"


def _wants_more(case: AdaptiveCase) -> bool:
    return case.worse == "undecided" and case.more_planned < MOST


@lru_cache(maxsize=4096)  # many cases share their counts
def _chance(base_passed: int, base_measured: int, passed: int, measured: int) -> float:
    counts = (base_passed, base_measured, passed, measured)
    return prob_worse_by_margin(*counts, margin=MARGIN)["p_worse"]
