"""Confirming flagged cases: which fresh trials are wanted next, and what they come to.

A state machine without clock, chance or files. Only fresh trials go in, so a case that was picked
because it looked bad, or a stored baseline that was lucky, cannot bias a test.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.gate.flag import Arm, Flag
from fairtrial.stats import boschloo_exact, multiple_comparisons, prob_worse_by_margin

LOOKS: tuple[int, ...] = (10, 25, 50)
"""Fresh trials on either side at which the counts are looked at."""

SHARES: tuple[float, ...] = (0.2, 0.3, 0.5)
"""Of an arm's budget, spent at each look."""

BUDGET: dict[Arm, float] = {"protected": 0.02, "other": 0.02}
"""How often a build without any change may be stopped by an arm."""

MARGIN = 0.1
"""A drop by less is none to go on looking for."""

CLEARED_BELOW = 0.1
"""A case is cleared when a drop by more than the margin is less likely than this."""

Verdict: TypeAlias = Literal["worse", "cleared", "open"]
"""What confirming says of a case; `open`: not told by the trials that there are."""


class Fresh(Struct, frozen=True):
    """All fresh trials of a case so far: passed and measured of the baseline's and of ours."""

    base_passed: int
    base_measured: int
    passed: int
    measured: int


class Confirmed(Struct, frozen=True, kw_only=True):
    """What confirming knows of one case."""

    case: str
    arm: Arm
    verdict: Verdict = "open"
    fresh: Fresh = Fresh(0, 0, 0, 0)
    planned: int = 0
    """Fresh trials on either side that were looked at; those measured may be fewer."""
    p: float | None = None
    """Boschloo's one-sided chance at the last look at it; None before any."""
    needed: float | None = None
    """What Holm's procedure held `p` to, at most, among all that was flagged."""


class Confirming(Struct, frozen=True, kw_only=True):
    """Flagged cases under way. Each look gives a new state.

    At a look every case that is not told yet is tested by Boschloo's one-sided test, by Holm's
    procedure over all cases that its arm flagged, at the look's share of the arm's budget. The
    chance that an unchanged case is ever called worse is below the budget, by adding up the looks,
    whatever the screening did.

    >>> from fairtrial.gate import Flag
    >>> state = Confirming.of([Flag(case="refund", arm="other", p_worse=0.97)])
    >>> state.wanted
    {'refund': 10}
    >>> state = state.look({"refund": Fresh(10, 10, 2, 10)})
    >>> state.wanted, state.results[0].verdict
    ({}, 'worse')
    """

    results: tuple[Confirmed, ...]
    looks: int = 0
    """How many there were."""

    @classmethod
    def of(cls, flags: Sequence[Flag]) -> Self:
        """Begin, with nothing known."""
        return cls(results=tuple(Confirmed(case=flag.case, arm=flag.arm) for flag in flags))

    @property
    def wanted(self) -> dict[str, int]:
        """What to run before the next look: by case, trials on either side; empty at the end."""
        if self.looks == len(LOOKS):
            return {}
        so_far = LOOKS[self.looks - 1] if self.looks else 0
        more = LOOKS[self.looks] - so_far
        return {one.case: more for one in self.results if one.verdict == "open"}

    def look(self, fresh: Mapping[str, Fresh]) -> Self:
        """Look at all fresh trials of the cases that were wanted.

        Args:
            fresh: By case, all of its fresh trials, also those of looks before. Trials that could
                not be measured are in no count: they make a test weaker, and are never failures.

        Raises:
            ValueError: A wanted case is missing, or has more trials than were asked for.
        """
        wanted = self.wanted
        if not wanted:
            return self
        planned = LOOKS[self.looks]
        for case in wanted:
            _check(case, fresh.get(case), planned)
        seen = {
            one.case: replace(one, fresh=fresh[one.case], planned=planned, p=_p(fresh[one.case]))
            for one in self.results
            if one.case in wanted
        }
        told: dict[str, Confirmed] = {}
        for arm, budget in BUDGET.items():
            of_arm = [seen.get(one.case, one) for one in self.results if one.arm == arm]
            told |= _told(of_arm, wanted, budget * SHARES[self.looks])
        results = tuple(told[one.case] for one in self.results)
        return replace(self, results=results, looks=self.looks + 1)


def _check(case: str, fresh: Fresh | None, planned: int) -> None:
    """Refuse counts that are no fresh trials of this look.

    Raises:
        ValueError: There are none, or they make no sense.
    """
    if fresh is None:
        raise ValueError(f"no fresh trials of case {case!r}, which were wanted")
    for passed, measured in (
        (fresh.base_passed, fresh.base_measured),
        (fresh.passed, fresh.measured),
    ):
        if not 0 <= passed <= measured <= planned:
            raise ValueError(f"{case!r}: {passed} of {measured} passed, and {planned} were wanted")


def _told(
    cases: Sequence[Confirmed], wanted: Mapping[str, int], level: float
) -> dict[str, Confirmed]:
    """Give the cases of an arm after a look, at which `level` is spent.

    One that was called worse before counts as rejected, and one that was cleared as never to be:
    it keeps its place in the number that Holm's procedure divides by.
    """
    chances = [
        (one.p if one.p is not None else 1.0)
        if one.case in wanted
        else float(one.verdict != "worse")
        for one in cases
    ]
    if not chances:
        return {}
    rejected = multiple_comparisons(chances, level)["holm_reject"]
    needed = level / max(1, len(cases) - sum(rejected))
    after = {}
    for one, worse in zip(cases, rejected, strict=True):
        after[one.case] = one
        if one.case in wanted:
            verdict: Verdict = "worse" if worse else "cleared" if _is_clear(one.fresh) else "open"
            after[one.case] = replace(one, verdict=verdict, needed=needed)
    return after


def _p(fresh: Fresh) -> float:
    if not (fresh.base_measured and fresh.measured):
        return 1.0
    return _boschloo(fresh)


@lru_cache(maxsize=4096)  # many flagged cases share their counts
def _boschloo(fresh: Fresh) -> float:
    return boschloo_exact(fresh.base_passed, fresh.base_measured, fresh.passed, fresh.measured)[
        "p_candidate_worse"
    ]


def _is_clear(fresh: Fresh) -> bool:
    if not (fresh.base_measured and fresh.measured):
        return False
    counts = (fresh.base_passed, fresh.base_measured, fresh.passed, fresh.measured)
    return prob_worse_by_margin(*counts, margin=MARGIN)["p_worse"] < CLEARED_BELOW


class Confirmation(Struct, frozen=True, kw_only=True):
    """What confirming came to, as the decision reads it."""

    results: tuple[Confirmed, ...] = ()
    """In file order; empty where nothing was flagged."""
    against: str = "the baseline side"
    """What the fresh baseline trials were of, in words."""
    trials: int = 0
    """Run on both sides together."""
    cost: float | None = None
    """Of these; None where none is known."""
    currency: str = "USD"
    stopped: str | None = None
    """Why it ended before all was told, in words."""
