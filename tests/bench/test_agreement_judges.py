"""Judges of two public sets: measured as the figures that come with the data say."""

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


def test_every_judge_has_the_figures_that_are_known_of_it() -> None:
    find = module("datasets").find_data
    choices, pairs = find("llmbar"), find("pandalm")
    if choices is None or pairs is None:
        pytest.skip("the data of llmbar and pandalm is not here (set FAIRTRIAL_DATA)")
    script = module("judges")
    rows = script.measured(choices, pairs)
    assert {row.name for row in rows} == set(script.KNOWN)
    assert [text for row in rows for text in script.other_than_known(row)] == []
    people = rows[-1].calibration.labellers.pairs
    assert {names: round(kappa, 4) for names, kappa in people.items()} == script.PEOPLE
