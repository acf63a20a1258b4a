"""Models of the function-calling leaderboard, pairwise: as the figures that come with the data."""

import importlib
from pathlib import Path
from typing import Any

import pytest

AGREEMENT = Path(__file__).parents[2] / "bench" / "agreement"


def module(name: str) -> Any:
    """Import a script of bench/agreement, which stands in no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(AGREEMENT)
        return importlib.import_module(name)


def test_every_pair_with_known_figures_has_them() -> None:
    data = module("datasets").find_data("bfcl")
    if data is None:
        pytest.skip("the bfcl data is not here (set FAIRTRIAL_DATA)")
    script = module("bfcl_models")
    found = list(script.pairs(data))
    assert {(pair.category, pair.model) for pair in found} >= set(script.KNOWN)
    assert all(map(script.as_published, found))
