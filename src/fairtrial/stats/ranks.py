"""Places in an order, ties sharing theirs."""

from collections.abc import Sequence


def doubled_ranks(values: Sequence[float]) -> list[int]:
    """Give twice the mid-rank of each value: doubled, ties stay whole numbers and sums exact.

    Source: Kendall (1945): tied values share the mean of the places that they take, from 1 up.

    >>> doubled_ranks([30, 10, 30, 20])
    [7, 2, 7, 4]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or values[order[end]] != values[order[start]]:
            for place in order[start:end]:
                ranks[place] = start + 1 + end
            start = end
    return ranks
