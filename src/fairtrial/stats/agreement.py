"""How far two raters agree: a judge and a person, on the same items.

Every coefficient is a quotient of whole numbers, so equal and opposite counts cancel exactly.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypedDict

from fairtrial.stats.inputs import need_pairs, need_zeros_and_ones
from fairtrial.stats.proportions import wilson


class BinaryAgreement(TypedDict):
    """What `binary_agreement` gives."""

    accuracy: float
    accuracy_wilson95: tuple[float, float]
    cohen_kappa: float | None
    kappa_se: float | None
    kappa_se_null: float | None
    pabak: float
    gwet_ac1: float
    scott_pi: float | None
    krippendorff_alpha_nominal: float | None
    sensitivity: float | None
    specificity: float | None
    balanced_accuracy: float | None
    mcc: float | None
    f1: float | None


class WeightedKappa(TypedDict):
    """What `weighted_kappa` gives."""

    kappa: float | None
    kappa_se: float | None


class _Kappa(NamedTuple):
    kappa: float | None
    error: float | None
    error_if_none: float | None


def binary_agreement(human: Sequence[float], judge: Sequence[float]) -> BinaryAgreement:
    """Measure how far a judge's passes and fails are those of a person, in every usual way.

    No one of the numbers is enough: a judge that passes everything agrees on 95 of 100 where 95
    pass, with a kappa and a specificity of 0.

    Source: Cohen (1960); its standard errors by Fleiss, Cohen and Everitt (1969), and under no
    agreement beyond chance; PABAK 2 Po - 1 (Byrt et al. 1993); AC1 by Gwet (2008); pi by Scott
    (1955); alpha by Krippendorff (nominal); MCC by Matthews (1975).

    Args:
        human: 1 (pass) or 0 (fail), one an item.
        judge: The same of the judge, in the same order.

    Returns:
        Shares 0 to 1 and coefficients up to 1. Sensitivity is the share of human passes that the
        judge passes, specificity the share of human fails that it fails. None: what divides by
        an empty class, as all coefficients but PABAK and AC1 do where everything passed.

    Raises:
        ValueError: The lists are empty or of different lengths, or hold anything but 0 and 1.

    >>> measured = binary_agreement([1, 1, 1, 0], [1, 1, 0, 0])
    >>> measured["accuracy"], measured["cohen_kappa"], measured["specificity"]
    (0.75, 0.5, 1.0)
    """
    need_pairs(human=human, judge=judge)
    need_zeros_and_ones("human", human)
    need_zeros_and_ones("judge", judge)
    cells = Counter(zip(human, judge, strict=True))
    hits, misses, alarms, rejected = (cells[pair] for pair in ((1, 1), (1, 0), (0, 1), (0, 0)))
    size, agreed, parted = len(human), hits + rejected, misses + alarms
    passes, fails = hits + misses, alarms + rejected
    judged_passes, judged_fails = hits + alarms, misses + rejected
    both = (passes + judged_passes) * (fails + judged_fails)  # of the labels of both, pooled
    margins = passes * fails * judged_passes * judged_fails
    kappa = _kappa([[rejected, alarms], [misses, hits]], 1)
    sensitivity, specificity = _share(hits, passes), _share(rejected, fails)
    known = sensitivity is not None and specificity is not None
    return BinaryAgreement(
        accuracy=agreed / size,
        accuracy_wilson95=wilson(agreed, size),
        cohen_kappa=kappa.kappa,
        kappa_se=kappa.error,
        kappa_se_null=kappa.error_if_none,
        pabak=(agreed - parted) / size,
        gwet_ac1=(2 * size * agreed - both) / (2 * size * size - both),
        scott_pi=_share(both - 2 * size * parted, both),
        krippendorff_alpha_nominal=_share(both - (2 * size - 1) * parted, both),
        sensitivity=sensitivity,
        specificity=specificity,
        balanced_accuracy=(hits * fails + rejected * passes) / (2 * passes * fails)
        if known
        else None,
        mcc=_cut((hits * rejected - misses * alarms) / math.sqrt(margins)) if margins else None,
        f1=_share(2 * hits, 2 * hits + parted),
    )


def weighted_kappa(
    human: Sequence[float | str],
    judge: Sequence[float | str],
    categories: Sequence[float | str],
    weights: Literal["linear", "quadratic"] = "linear",
) -> WeightedKappa:
    """Measure how far two raters agree beyond chance on an ordered scale, near misses counting.

    Source: Cohen (1968), 1 - sum of v o / sum of v e, where v is the distance of two categories
    (linear) or its square (quadratic); standard error by Fleiss, Cohen and Everitt (1969).

    Args:
        human: One category an item.
        judge: The same of the judge, in the same order.
        categories: All categories in their order; neighbours are one step apart.
        weights: How a distance counts. Say which you used: the two give different numbers.

    Returns:
        Kappa, up to 1, and its standard error. None where both used a single category, the same.

    Raises:
        ValueError: The lists are empty or of different lengths, a rating is no category, a
            category stands twice, or the weights are of another name.

    >>> agreed = weighted_kappa([1, 2, 3, 3], [1, 2, 3, 2], [1, 2, 3])
    >>> round(agreed["kappa"], 4)
    0.7143
    """
    need_pairs(human=human, judge=judge)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights must be 'linear' or 'quadratic', got {weights!r}")
    place = {category: at for at, category in enumerate(categories)}
    if len(place) < len(categories):
        raise ValueError("a category stands twice in categories")
    table = [[0] * len(place) for _ in place]
    for pair in zip(human, judge, strict=True):
        strange = [rating for rating in pair if rating not in place]
        if strange:
            raise ValueError(f"no such category: {strange[0]!r}; known: {list(categories)!r}")
        table[place[pair[0]]][place[pair[1]]] += 1
    kappa = _kappa(table, 1 if weights == "linear" else 2)
    return WeightedKappa(kappa=kappa.kappa, kappa_se=kappa.error)


def _kappa(table: list[list[int]], power: int) -> _Kappa:
    """Compute kappa of counts by category and its two standard errors.

    Written with disagreements, v = distance ** power, whole numbers all. Each standard error is
    the spread of a quantity over the cells of the table, not the difference of two squares as in
    the paper, which is the same number but loses its digits where the raters nearly agree.
    """
    places = range(len(table))
    rows = [sum(row) for row in table]
    columns = [sum(row[at] for row in table) for at in places]
    size = sum(rows)
    v: list[list[int]] = [[abs(i - j) ** power for j in places] for i in places]
    seen = sum(v[i][j] * table[i][j] for i in places for j in places)
    expected = sum(v[i][j] * rows[i] * columns[j] for i in places for j in places)
    if expected == 0:
        return _Kappa(None, None, None)
    lack, chance = size * seen / expected, expected / size**2
    of_row = [sum(v[i][j] * columns[j] for j in places) / size for i in places]
    of_column = [sum(v[i][j] * rows[i] for i in places) / size for j in places]

    def error(counts: list[list[int]], total: int, lack: float) -> float:
        spread = math.fsum(
            counts[i][j] * (v[i][j] - (of_row[i] + of_column[j] - chance) * lack) ** 2
            for i in places
            for j in places
            if counts[i][j]
        )
        return math.sqrt(spread / total / size) / chance

    if_none = [[row * column for column in columns] for row in rows]
    return _Kappa(
        kappa=(expected - size * seen) / expected,
        error=error(table, size, lack),
        error_if_none=error(if_none, size**2, 1.0),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _cut(coefficient: float) -> float:
    """Take away what rounding put beyond -1 or 1."""
    return min(1.0, max(-1.0, coefficient))
