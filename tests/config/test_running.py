"""What a run is asked to do where nobody says more than the settings."""

from pathlib import Path

import pytest

from fairtrial.cases import CaseFile, Suite
from fairtrial.config import Config, Project, run_options
from fairtrial.records import Json

SUITE = Suite(cases=(), files=(CaseFile(name="a.yaml", path="a.yaml", cases=0),))


def project(**settings: Json) -> Project:
    return Project(config=Config(**settings), root=Path("/shop"), file=None)


def test_bounds_seed_and_trials_are_those_of_the_settings() -> None:
    own = project(concurrency=3, timeout=7.5, run_timeout=60, retries=1, max_cost=2.0, seed=4)
    options = run_options(own, SUITE, None, live=False)
    bounds = options.bounds
    assert (bounds.concurrency, bounds.timeout, bounds.run_timeout) == (3, 7.5, 60)
    assert (bounds.retries, bounds.max_cost, options.seed, options.root) == (1, 2.0, 4, own.root)


@pytest.mark.parametrize(
    ("said", "unseen", "model"),
    [("live", True, None), ("small", False, "small"), (None, False, None)],
)
def test_a_model_called_live_is_one_that_is_not_seen(
    said: str | None, unseen: bool, model: str | None
) -> None:
    options = run_options(project(model=said), SUITE, None, live=False)
    assert (options.unseen, options.model) == (unseen, model)


def test_a_variant_is_handed_on_with_its_settings() -> None:
    own = project(variants={"terse": {"settings": {"words": 5}}})
    options = run_options(own.for_variant("terse"), SUITE, "terse", live=False)
    assert (options.variant.name, options.variant.settings) == ("terse", {"words": 5})
    assert options.recorded["variant_settings"] == {"words": 5}
