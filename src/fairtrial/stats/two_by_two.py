"""Two arms of passes and failures: is the candidate worse? Exact tests, and their power."""

import math
from collections.abc import Callable
from itertools import accumulate
from operator import mul
from typing import NamedTuple, TypeAlias, TypedDict

from fairtrial.stats.inputs import need_between, need_within
from fairtrial.stats.student import normal_point

Inside: TypeAlias = Callable[[int, int, float], bool]
"""Says whether a table belongs to a region: its passes, the candidate's, the chance of as few."""

_TIE = 1 + 1e-9  # tables this alike are equally likely: their difference is rounding
_FAINT = 1e-18  # what is left out of a sum, as a share of its largest term
_NOTHING = 1e-200  # chances below this come too near to the end of a float's range
_SHARE = 0.97  # of the highest point of the grid: lower ones cannot hide the top between them


class FisherExact(TypedDict):
    """What `fisher_exact` gives."""

    p_candidate_worse: float
    p_two_sided: float
    p_mid_candidate_worse: float


class CandidateWorse(TypedDict):
    """What `boschloo_exact` and `barnard_exact` give."""

    p_candidate_worse: float


class Power(TypedDict):
    """What `fisher_power_exact` gives."""

    power: float


class Edge(NamedTuple):
    """The end of a region among the tables with one number of passes."""

    most: int
    """The most passes of the candidate that are inside; below the possible where none is."""
    chance: float
    """The chance of the inside, given the passes of both arms together."""


def fisher_exact(base_pass: int, base_n: int, cand_pass: int, cand_n: int) -> FisherExact:
    """Test whether the candidate passes less often, given the passes of both arms together.

    Source: Fisher (1935): P(hypergeometric <= the candidate's passes). Two-sided: the tables no
    more likely than this one. Mid-p counts half of this table (Lancaster 1961), and so gives no
    guarantee.

    Returns:
        Chances, 0 to 1, under arms that do not differ.

    Raises:
        ValueError: An arm has no trial, or its passes lie outside 0 to its trials.

    >>> round(fisher_exact(5, 5, 3, 5)["p_candidate_worse"], 6)
    0.222222
    """
    _arms(base_pass, base_n, cand_pass, cand_n)
    passes = base_pass + cand_pass
    first, chances = _hypergeometric(base_n, cand_n, passes)
    at = cand_pass - first
    own = chances[at] if 0 <= at < len(chances) else 0.0
    worse = 1.0 if cand_pass == min(passes, cand_n) else math.fsum(chances[: max(0, at + 1)])
    either = [chance for chance in chances if chance <= own * _TIE]
    return FisherExact(
        p_candidate_worse=min(1.0, worse),
        p_two_sided=1.0 if len(either) == len(chances) else math.fsum(either),
        p_mid_candidate_worse=worse - own / 2,
    )


def boschloo_exact(base_pass: int, base_n: int, cand_pass: int, cand_n: int) -> CandidateWorse:
    """Test whether the candidate passes less often: Fisher's test, freed of its caution.

    Source: Boschloo (1970), Statistica Neerlandica 24: the largest chance, over all common rates,
    of a one-sided Fisher p as small as this one. It never exceeds Fisher's p and is as valid.

    Returns:
        A chance, 0 to 1.

    Raises:
        ValueError: An arm has no trial, or its passes lie outside 0 to its trials.

    >>> round(boschloo_exact(5, 5, 3, 5)["p_candidate_worse"], 6)
    0.093688
    """
    fisher = fisher_exact(base_pass, base_n, cand_pass, cand_n)["p_candidate_worse"]
    if fisher < _NOTHING:
        return CandidateWorse(p_candidate_worse=fisher)
    limit = fisher * _TIE
    edges = _edges(base_n, cand_n, lambda _passes, _cand, chance: chance <= limit)
    highest = _highest_mean([edge.chance for edge in edges])
    return CandidateWorse(p_candidate_worse=min(fisher, highest))


def barnard_exact(base_pass: int, base_n: int, cand_pass: int, cand_n: int) -> CandidateWorse:
    """Test whether the candidate passes less often, tables ordered by the pooled z.

    Source: Barnard (1947), Biometrika 34: the largest chance, over all common rates, of a
    difference of rates as many pooled standard errors below 0 as this one.

    Returns:
        A chance, 0 to 1.

    Raises:
        ValueError: An arm has no trial, or its passes lie outside 0 to its trials.

    >>> round(barnard_exact(5, 5, 3, 5)["p_candidate_worse"], 6)
    0.093688
    """
    _arms(base_pass, base_n, cand_pass, cand_n)
    size = base_n + cand_n

    def shape(passes: int, cand: int) -> tuple[int, int]:
        """Give two whole numbers: the sign and square of the drop, and the pooled variance."""
        drop = passes * cand_n - cand * size
        return drop * abs(drop), passes * (size - passes)

    seen, seen_variance = shape(base_pass + cand_pass, cand_pass)

    def inside(passes: int, cand: int, _chance: float) -> bool:
        drop, variance = shape(passes, cand)
        if not (seen and drop):  # no drop is z = 0, also where the variance is 0
            return drop >= seen
        return drop * seen_variance >= seen * variance

    highest = _highest_mean([edge.chance for edge in _edges(base_n, cand_n, inside)])
    return CandidateWorse(p_candidate_worse=highest)


def fisher_power_exact(p_base: float, p_cand: float, n_each: int, alpha: float = 0.05) -> Power:
    """Give the chance that the one-sided Fisher test sees the drop with `n_each` trials an arm.

    Source: the binomial chances of both arms over all tables whose p is at most `alpha`.

    Raises:
        ValueError: A rate lies outside 0 to 1, `n_each` is below 1, or `alpha` outside 0 to 1.

    >>> round(fisher_power_exact(1.0, 0.6, 5)["power"], 6)
    0.08704
    """
    need_within("p_base", p_base, 0, 1)
    need_within("p_cand", p_cand, 0, 1)
    need_within("n_each", n_each, 1)
    need_between("alpha", alpha, 0, 1)
    limit = alpha * _TIE
    edges = _edges(n_each, n_each, lambda _passes, _cand, chance: chance <= limit)
    first, base_chances = _binomial(n_each, p_base)
    cand_first, cand_chances = _binomial(n_each, p_cand)
    at_most = list(accumulate(cand_chances))
    most, terms = -1, []
    for base in range(n_each + 1):  # one more pass of the baseline never leaves the region
        while most < n_each and edges[base + most + 1].most > most:
            most += 1
        if 0 <= base - first < len(base_chances) and most >= cand_first:
            reach = at_most[min(most - cand_first, len(at_most) - 1)]
            terms.append(base_chances[base - first] * reach)
    return Power(power=min(1.0, math.fsum(terms)))


def fisher_trials_needed(
    p_base: float, p_cand: float, alpha: float = 0.05, power: float = 0.8, *, most: int = 2000
) -> int | None:
    """Give the fewest trials an arm with which the one-sided Fisher test sees the drop.

    Source: search over `fisher_power_exact`, from half of what the normal approximation says. The
    power goes up in a sawtooth, so a few more trials can have a little less of it.

    Returns:
        Trials, the same number in both arms; None where more than `most` are needed.

    Raises:
        ValueError: A rate lies outside 0 to 1; `alpha` or `power` does, or is an end of that.

    >>> fisher_trials_needed(0.95, 0.65, alpha=0.05, power=0.8)
    25
    """
    need_within("p_base", p_base, 0, 1)
    need_within("p_cand", p_cand, 0, 1)
    need_between("alpha", alpha, 0, 1)
    need_between("power", power, 0, 1)
    drop = p_base - p_cand
    z = normal_point(alpha) + normal_point(1 - power)
    if drop <= 0:
        return None
    variance = p_base * (1 - p_base) + p_cand * (1 - p_cand)
    fewest = max(1, int(z * z * variance / drop**2 / 2)) if z > 0 else 1
    for n_each in range(fewest, most + 1):
        if fisher_power_exact(p_base, p_cand, n_each, alpha)["power"] >= power:
            return n_each
    return None


def _arms(base_pass: int, base_n: int, cand_pass: int, cand_n: int) -> None:
    for arm, passed, trials in (("base", base_pass, base_n), ("cand", cand_pass, cand_n)):
        need_within(f"{arm}_n", trials, 1)
        need_within(f"{arm}_pass", passed, 0, trials)


def _outwards(
    first: int, last: int, mode: int, ratio: Callable[[int], float]
) -> tuple[int, list[float]]:
    """Give chances from their ratios (at x: of x + 1 to x), and the x of the first one given."""
    up, down = [1.0], []
    for x in range(mode, last):
        up.append(up[-1] * ratio(x))
        if up[-1] == 0:
            break
    term = 1.0
    for x in range(mode - 1, first - 1, -1):
        term /= ratio(x)
        if term == 0:
            break
        down.append(term)
    whole = math.fsum(up) + math.fsum(down)
    return mode - len(down), [term / whole for term in (*reversed(down), *up)]


def _hypergeometric(base_n: int, cand_n: int, passes: int) -> tuple[int, list[float]]:
    first, last = max(0, passes - base_n), min(cand_n, passes)
    mode = (passes + 1) * (cand_n + 1) // (base_n + cand_n + 2)

    def ratio(x: int) -> float:
        return (cand_n - x) * (passes - x) / ((x + 1) * (base_n - passes + x + 1))

    return _outwards(first, last, min(max(mode, first), last), ratio)


def _binomial(n: int, p: float) -> tuple[int, list[float]]:
    if p in (0, 1):
        return (n if p else 0), [1.0]
    return _outwards(0, n, min(n, int((n + 1) * p)), lambda x: (n - x) / (x + 1) * p / (1 - p))


class _Walk:
    """The edge of a region at one number of passes, moved to the next one a term at a time."""

    def __init__(self, base_n: int, cand_n: int) -> None:
        self.base_n, self.cand_n, self.passes = base_n, cand_n, 0
        self.lowest, self.bottoms = 0, _bottoms(base_n, cand_n)  # the candidate's fewest passes
        self.most, self.top, self.chance = -1, 0.0, 0.0  # the edge, its chance, that of the inside

    @property
    def highest(self) -> int:
        return min(self.cand_n, self.passes)

    def one_more_pass(self) -> None:
        self.passes += 1
        left = self.base_n + self.cand_n - self.passes + 1
        self.lowest = max(0, self.passes - self.base_n)
        if self.most < self.lowest:
            self._leave()
        else:
            self.chance -= self.top * (self.cand_n - self.most) / left
            bases = self.passes - self.most
            self.top *= (self.base_n - bases + 1) / bases * self.passes / left

    def next_term(self) -> float:
        if self.most < self.lowest:
            return self.bottoms[self.passes]
        bases = self.passes - self.most
        ways = (self.cand_n - self.most) * bases
        return self.top * ways / ((self.most + 1) * (self.base_n - bases + 1))

    def take(self, term: float) -> None:
        self.most, self.top, self.chance = self.most + 1, term, self.chance + term

    def give_up(self) -> None:
        bases = self.passes - self.most
        ways = self.most * (self.base_n - bases)
        term = self.top * ways / ((self.cand_n - self.most + 1) * (bases + 1))
        self.most, self.top, self.chance = self.most - 1, term, self.chance - self.top
        if self.most < self.lowest:
            self._leave()

    def _leave(self) -> None:
        self.most, self.top, self.chance = self.lowest - 1, 0.0, 0.0


def _bottoms(base_n: int, cand_n: int) -> list[float]:
    """Give the chance of the candidate's fewest passes for each number of passes, 0 to all.

    That is C(base_n, passes) / C(all, passes) while the baseline can have them all, and then the
    same of the failures, which the candidate can have all. Each side is multiplied up from its
    end, because the middle may be less than a float can say.
    """
    size = base_n + cand_n
    few = accumulate(((base_n - at) / (size - at) for at in range(base_n)), mul)
    many = accumulate(((cand_n - at) / (size - at) for at in range(cand_n - 1)), mul)
    return [1.0, *few, *reversed([1.0, *many])]


def _edges(base_n: int, cand_n: int, inside: Inside) -> list[Edge]:
    """Follow the edge of a region over all numbers of passes, 0 to all.

    Among the tables with one number of passes, those inside are the ones with the fewest passes of
    the candidate. From one number to the next the edge moves little, and so the chance of the
    inside is kept up to date by a term or two instead of being summed anew.
    """
    edges: list[Edge] = []
    walk = _Walk(base_n, cand_n)
    for passes in range(base_n + cand_n + 1):
        if passes:
            walk.one_more_pass()
        while walk.most < walk.highest:
            term = walk.next_term()
            if not inside(passes, walk.most + 1, walk.chance + term):
                break
            walk.take(term)
        while walk.most >= walk.lowest and not inside(passes, walk.most, walk.chance):
            walk.give_up()
        whole = walk.most == walk.highest
        edges.append(Edge(walk.most, 1.0 if whole else min(1.0, max(walk.chance, walk.top))))
    return edges


def _highest_mean(levels: list[float]) -> float:
    """Give the highest mean, over all rates, of a level that depends on the number of passes.

    The mean is smooth over a standard deviation of the passes, which is even on the scale of the
    arc sine: a grid there finds the tops, and golden sections find their height.
    """
    if max(levels) == min(levels):
        return levels[0]
    size = len(levels) - 1
    odds = [(size - x) / (x + 1) for x in range(size)]
    a_deviation = 8 if size <= 2000 else 2  # points on the grid for each one
    points = max(64, math.ceil(math.pi / 2 * a_deviation * math.sqrt(size)))

    def mean(angle: float) -> float:
        return _mean_level(levels, odds, math.sin(angle) ** 2)

    step = math.pi / 2 / points
    grid = [levels[0], *(mean(at * step) for at in range(1, points)), levels[size]]
    best = max(grid)
    near = [
        at
        for at in range(1, points)
        if grid[at] >= best * _SHARE and grid[at] >= max(grid[at - 1], grid[at + 1])
    ]
    tops = [_golden(mean, (at - 1) * step, (at + 1) * step) for at in near[:40]]
    return min(1.0, max(best, *tops)) if tops else best


def _mean_level(levels: list[float], odds: list[float], rate: float) -> float:
    size = len(odds)
    if rate == 1:
        return levels[size]
    mode = min(size, int((size + 1) * rate))
    odd, whole, weighted, term = rate / (1 - rate), 1.0, levels[mode], 1.0
    for x in range(mode, size):
        term *= odds[x] * odd
        whole += term
        weighted += term * levels[x + 1]
        if term < _FAINT:
            break
    term = 1.0
    for x in range(mode - 1, -1, -1):
        term /= odds[x] * odd
        whole += term
        weighted += term * levels[x]
        if term < _FAINT:
            break
    return weighted / whole


def _golden(value: Callable[[float], float], low: float, high: float) -> float:
    """Give the top of a hill between two points, to far more digits than the place of it."""
    cut = (math.sqrt(5) - 1) / 2
    left, right = high - cut * (high - low), low + cut * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(30):
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - cut * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + cut * (high - low)
            at_right = value(right)
    return max(at_left, at_right)
