"""Models of the function-calling leaderboard, compared in pairs on the same cases by McNemar.

    python bench/agreement/bfcl_models.py

prints for each category every pair of a prompted model and its function-calling twin: in how many
cases only one of the two was right, and how likely that split is by chance. The two pairs whose
figures come with the data must come out so.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from datasets import data_folder, rows

from fairtrial.stats import mcnemar


class Pair(NamedTuple):
    """A model and its twin that calls functions, on the cases of one category."""

    category: str
    model: str
    lost: int  # right without function calling, wrong with it
    won: int
    p: float  # two-sided, exact


class Published(NamedTuple):
    """The figures that a pair is known to have."""

    lost: int
    won: int
    least: float  # p lies between these
    most: float


KNOWN = {
    ("parallel", "gpt-4-0613"): Published(182, 0, least=0.0, most=1e-50),
    ("simple_python", "gpt-4-1106-preview"): Published(24, 13, least=0.0988715, most=0.0988725),
}
"""Figures that come with the data."""


def pairs(data: Path) -> Iterator[Pair]:
    """Compare every model that is there in both forms."""
    failed: dict[tuple[str, str], frozenset[int]] = {}
    size: dict[str, int] = {}
    for row in rows(data / "model_matrix.jsonl.gz"):
        failed[row["category"], row["model"]] = frozenset(row["failed"])
        size[row["category"]] = row["n"]
    for category, model in sorted(failed):
        own, twin = failed[category, model], failed.get((category, f"{model}-FC"))
        if twin is None:
            continue
        lost, won = len(twin - own), len(own - twin)
        both_fail = len(own & twin)
        told = mcnemar(lost, won, size[category] - lost - won - both_fail, both_fail)
        yield Pair(category, model, lost, won, told["p_exact_two_sided"])


def as_published(pair: Pair) -> bool:
    """Say whether a pair comes out as published; also where nothing was published of it."""
    known = KNOWN.get((pair.category, pair.model))
    if known is None:
        return True
    return (pair.lost, pair.won) == (known.lost, known.won) and known.least <= pair.p <= known.most


def main() -> int:
    """Print the pairs; exit 1 if one with published figures comes out otherwise."""
    found = list(pairs(data_folder("bfcl")))
    for pair in found:
        mark = "" if as_published(pair) else "  NOT as published"
        print(
            f"{pair.category:18} {pair.model:24} only without calls {pair.lost:3}, "
            f"only with {pair.won:3}, p {pair.p:.6g}{mark}"
        )
    return 0 if all(map(as_published, found)) else 1


if __name__ == "__main__":
    sys.exit(main())
