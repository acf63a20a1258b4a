"""The options of `fairtrial run`: what excludes what, and what a run that goes on is told again."""

from pathlib import Path

import pytest

from fairtrial.cli.asked import Asked, as_begun, refuse
from fairtrial.errors import UsageError
from fairtrial.records import RunInfo
from fairtrial.store import SavedRun


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Asked(variants=("a", "a")), "named twice"),
        (Asked(variants=("a", "b"), json_out=Path("out.json")), "--json holds one run"),
        (Asked(with_gate=True, no_save=True), "leave out --no-save"),
        (Asked(with_gate=True, variants=("a", "b")), "decides about one run"),
        (Asked(max_extra=5), "--adaptive"),
        (Asked(resume="latest", k=3), "-k does not go with --resume"),
        (Asked(resume="latest", seed=0), "--seed does not go with --resume"),
        (Asked(resume="latest", live=True), "--live does not go with --resume"),
    ],
)
def test_what_does_not_go_together_is_refused(asked: Asked, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        refuse(asked)


@pytest.mark.parametrize(
    "asked",
    [
        Asked(),
        Asked(variants=("a", "b")),
        Asked(adaptive=True, max_extra=5),
        Asked(resume="latest", max_extra=5),
        Asked(resume="latest", adaptive=True, concurrency=2, max_cost=1.0),
    ],
)
def test_what_goes_together_is_let_through(asked: Asked) -> None:
    refuse(asked)


def test_a_run_that_goes_on_is_told_again_what_it_was_begun_with(tmp_path: Path) -> None:
    settings = {
        "live": True,
        "adaptive": True,
        "max_extra": 7,
        "concurrency": 3,
        "timeout": 9.5,
        "baseline": "b.json",
    }
    info = RunInfo(
        id="r", folder=None, mode="live", variant="hasty", selection=None, seed=4,
        settings=settings,
    )  # fmt: skip
    asked = as_begun(Asked(resume="r", timeout=5.0), SavedRun(info, tmp_path, None, None))
    assert (asked.live, asked.adaptive, asked.max_extra, asked.seed) == (True, True, 7, 4)
    assert (asked.variants, asked.concurrency, asked.timeout) == (("hasty",), 3, 5.0)
    assert asked.baseline == Path("b.json")
