"""Agreement of two raters on categories without an order, and how surely it is known."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random  # noqa: TID251 - for a type; the caller seeds it
from typing import TypedDict

from fairtrial.stats.inputs import need_between, need_pairs, need_within


class KappaBounds(TypedDict):
    """What `bootstrap_kappa` gives."""

    kappa: float | None
    interval: tuple[float, float] | None


def nominal_kappa(human: Sequence[str], judge: Sequence[str]) -> float | None:
    """Measure how far two raters agree beyond chance, on any categories.

    Source: Cohen (1960), (Po - Pe)/(1 - Pe); from whole numbers to the end.

    Args:
        human: One category an item.
        judge: The same of the judge, in the same order.

    Returns:
        Up to 1; None where both used a single category, the same.

    Raises:
        ValueError: The lists are empty or of different lengths.

    >>> nominal_kappa(["1", "2", "tie", "1"], ["1", "2", "1", "1"])
    0.5555555555555556
    """
    need_pairs(human=human, judge=judge)
    return _kappa(Counter(zip(human, judge, strict=True)))


def bootstrap_kappa(
    human: Sequence[str],
    judge: Sequence[str],
    *,
    draw: Random,
    draws: int = 2000,
    alpha: float = 0.05,
) -> KappaBounds:
    """Bound Cohen's kappa by drawing the items again; a draw without two categories is none.

    The usual standard error covers far less than it says for fewer than some 100 items.

    Args:
        human: One category an item.
        judge: The same of the judge, in the same order.
        draw: A seeded source; the same seed gives the same bounds.
        draws: How many times the items are drawn.
        alpha: The chance of a miss that is put up with.

    Returns:
        Kappa, and its bounds by percentiles; None where more than one draw in ten has no kappa.

    Raises:
        ValueError: The lists are empty or of different lengths, `draws` is below 1, or `alpha`
            does not lie between 0 and 1.

    >>> bound = bootstrap_kappa(["p", "p", "f", "f"] * 9, ["p", "f", "f", "f"] * 9, draw=Random(1))
    >>> bound["kappa"], bound["interval"][0] < 0.5 < bound["interval"][1]
    (0.5, True)
    """
    need_pairs(human=human, judge=judge)
    need_within("draws", draws, 1)
    need_between("alpha", alpha, 0, 1)
    cells = Counter(zip(human, judge, strict=True))
    pairs, size = sorted(cells), len(human)  # so that the order of the items does not matter
    weights = [cells[pair] for pair in pairs]
    drawn = (Counter(draw.choices(pairs, weights, k=size)) for _ in range(draws))
    known = sorted(kappa for again in drawn if (kappa := _kappa(again)) is not None)
    interval = None
    if len(known) > 0.9 * draws:
        low = known[math.floor(alpha / 2 * (len(known) - 1))]
        high = known[math.ceil((1 - alpha / 2) * (len(known) - 1))]
        interval = (low, high)
    return KappaBounds(kappa=_kappa(cells), interval=interval)


def _kappa(cells: Counter[tuple[str, str]]) -> float | None:
    size = sum(cells.values())
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    agreed = 0
    for (one, other), count in cells.items():
        rows[one] += count
        columns[other] += count
        agreed += count * (one == other)
    chance = sum(count * columns[category] for category, count in rows.items())
    if chance == size * size:
        return None
    return (agreed * size - chance) / (size * size - chance)
