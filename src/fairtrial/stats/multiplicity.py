"""Many tests at once: what may block, and what is only reported."""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TypedDict

from fairtrial.stats.inputs import need_between, need_within

_TIE = 1 + 1e-12  # a p on the line counts as under it, whatever rounding says


class MultipleComparisons(TypedDict):
    """What `multiple_comparisons` gives: one entry a test, in the order given."""

    holm_adjusted: list[float]
    holm_reject: list[bool]
    bh_adjusted: list[float]
    bh_reject: list[bool]
    by_adjusted: list[float]
    bonferroni_adjusted: list[float]


def multiple_comparisons(p: Sequence[float], alpha: float = 0.05) -> MultipleComparisons:
    """Adjust the chances of several tests for there being several.

    Source: Holm (1979): the chance of any false alarm stays under `alpha`, whatever the tests have
    to do with each other: for what blocks. Benjamini and Hochberg (1995): the share of false ones
    among the alarms stays under it, for tests that do not work against each other: for reports.
    Benjamini and Yekutieli (2001): the same for any tests. Bonferroni: to compare with.

    Args:
        p: The chances, each 0 to 1.
        alpha: What is put up with.

    Returns:
        Adjusted chances, to be compared with any `alpha`, and what is rejected at this one.

    Raises:
        ValueError: A chance lies outside 0 to 1, or `alpha` not between them.

    >>> tests = multiple_comparisons([0.01, 0.04, 0.03])
    >>> [round(value, 3) for value in tests["holm_adjusted"]], tests["bh_reject"]
    ([0.03, 0.06, 0.06], [True, True, True])
    """
    for at, chance in enumerate(p):
        need_within(f"p[{at}]", chance, 0, 1)
    need_between("alpha", alpha, 0, 1)
    count = len(p)
    order = sorted(range(count), key=p.__getitem__)
    ranked = [p[at] for at in order]
    holm = list(accumulate((value * (count - at) for at, value in enumerate(ranked)), max))
    falling = (value * count / (count - at) for at, value in enumerate(reversed(ranked)))
    bh = list(accumulate(falling, min))[::-1]
    dependence = math.fsum(1 / at for at in range(1, count + 1))

    def placed(values: list[float]) -> list[float]:
        back = dict(zip(order, values, strict=True))
        return [min(1.0, back[at]) for at in range(count)]

    holm_placed, bh_placed = placed(holm), placed(bh)
    return MultipleComparisons(
        holm_adjusted=holm_placed,
        holm_reject=[value <= alpha * _TIE for value in holm_placed],
        bh_adjusted=bh_placed,
        bh_reject=[value <= alpha * _TIE for value in bh_placed],
        by_adjusted=placed([value * dependence for value in bh]),
        bonferroni_adjusted=[min(1.0, value * count) for value in p],
    )
