"""What several replies took together. With one part unknown the whole is."""

from collections.abc import Sequence

from fairtrial.records import Tokens


def total(amounts: Sequence[float | None]) -> float | None:
    """Give the sum; None where there is nothing, or one is not known.

    >>> total([1.5, 2]), total([1, None]), total([])
    (3.5, None, None)
    """
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None


def total_tokens(counts: Sequence[Tokens | None]) -> Tokens | None:
    """Give the sum of both counts; None where there is nothing, or one is not known.

    >>> total_tokens([Tokens(input=3, output=1), Tokens(input=4, output=1)])
    Tokens(input=7, output=2, estimated=False)
    """
    read = total([None if one is None else one.input for one in counts])
    wrote = total([None if one is None else one.output for one in counts])
    if read is None or wrote is None:
        return None
    estimated = any(one is not None and one.estimated for one in counts)
    return Tokens(input=int(read), output=int(wrote), estimated=estimated)
