"""How far many raters agree, when each rated some of the items."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

from fairtrial.stats.inputs import need_numbers
from fairtrial.stats.ranks import doubled_ranks


class KrippendorffAlpha(TypedDict):
    """What `krippendorff_alpha` gives."""

    nominal: float | None
    ordinal: float | None
    interval: float | None


def fleiss_kappa(counts_items_by_category: Sequence[Sequence[int]]) -> float | None:
    """Measure how far raters agree beyond chance, each item rated by equally many of them.

    Source: Fleiss (1971), Psychological Bulletin 76, 378-382; from whole numbers to the end.

    Args:
        counts_items_by_category: A row an item: how many raters chose each category.

    Returns:
        Up to 1; None where all ratings of all items are one category.

    Raises:
        ValueError: There is no item, rows differ in length or sum, an item has fewer than two
            ratings, or a count is below 0.

    >>> fleiss_kappa([[2, 0], [0, 2], [1, 1], [2, 0]])
    0.4666666666666667
    """
    rows = counts_items_by_category
    if not rows:
        raise ValueError("there is no item")
    raters, items = sum(rows[0]), len(rows)
    for at, row in enumerate(rows):
        if len(row) != len(rows[0]) or sum(row) != raters or min(row, default=0) < 0:
            raise ValueError(f"item {at} must have {raters} ratings in {len(rows[0])} categories")
    if raters < 2:
        raise ValueError(f"an item needs at least two ratings, got {raters}")
    ratings = items * raters
    together = sum(count * count for row in rows for count in row)
    chance: int = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
    if chance == ratings**2:
        return None
    agreed: int = (together - ratings) * ratings - chance * (raters - 1)
    return agreed / ((ratings**2 - chance) * (raters - 1))


def krippendorff_alpha(
    ratings_by_rater: Sequence[Sequence[float | None]],
) -> KrippendorffAlpha:
    """Measure how far any number of raters agree, with ratings missing here and there.

    Source: Krippendorff (2011), "Computing Krippendorff's alpha-reliability": 1 - Do/De. Nominal:
    two ratings are the same or not. Interval: the squared difference. Ordinal: the squared number
    of ratings between the two, which is the interval form on mid-ranks.

    Args:
        ratings_by_rater: A list a rater, one entry an item; None where the rater gave none. An
            item with a single rating says nothing and is left out.

    Returns:
        Up to 1. None where no item has two ratings, or all ratings are equal.

    Raises:
        ValueError: The raters' lists differ in length, there is none, or a rating is no number.

    >>> alpha = krippendorff_alpha([[1, 2, 3, None], [1, 2, 4, 4]])
    >>> round(alpha["nominal"], 4), round(alpha["interval"], 4)
    (0.6154, 0.878)
    """
    if len({len(ratings) for ratings in ratings_by_rater}) != 1:
        raise ValueError("one list a rater is needed, all of the same length")
    items = [
        [rating for rating in item if rating is not None]
        for item in zip(*ratings_by_rater, strict=True)
    ]
    units = [item for item in items if len(item) > 1]
    pooled = [rating for unit in units for rating in unit]
    need_numbers("ratings", pooled)
    ranks = iter(doubled_ranks(pooled))
    ranked = [[float(next(ranks)) for _ in unit] for unit in units]
    return KrippendorffAlpha(
        nominal=_nominal(units), ordinal=_interval(ranked), interval=_interval(units)
    )


def _nominal(units: Sequence[Sequence[float]]) -> float | None:
    size = sum(map(len, units))
    by_value = Counter(rating for unit in units for rating in unit)
    expected = size**2 - sum(count**2 for count in by_value.values())
    if expected == 0:
        return None
    seen = math.fsum(
        (len(unit) ** 2 - sum(count**2 for count in Counter(unit).values())) / (len(unit) - 1)
        for unit in units
    )
    return 1 - seen * (size - 1) / expected


def _interval(units: Sequence[Sequence[float]]) -> float | None:
    """Compute 1 - Do/De by variances: they are the mean squared differences, halved."""
    pooled = [rating for unit in units for rating in unit]
    expected = _variance(pooled) if pooled else 0
    if expected == 0 or min(pooled) == max(pooled):  # that of equals can be a rounding error
        return None
    seen = math.fsum(len(unit) * _variance(unit) for unit in units) / len(pooled)
    return 1 - seen / expected


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
