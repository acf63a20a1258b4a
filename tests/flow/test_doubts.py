"""What is said of measured noise, in words."""

from msgspec.structs import replace

from fairtrial.flow.doubts import notes_of, warnings_of
from fairtrial.records import Noise, RunInfo, Tolerance

TOLERANCE = Tolerance(
    runs=6, cases=20, k=5, mode="live", tolerance=0.03, tolerance_of_two=0.04, tau2=0.0,
    sampling=0.0002, mean=0.8, sd=0.014, rates=(0.8,) * 6,
)  # fmt: skip
NOISE = Noise(
    tolerance=TOLERANCE, runs=tuple("abcdef"), deterministic=False, smallest_drop=0.06, margin=None,
    trials=600, errors=0, dispersion=1.1, p_clumped=0.3, p_alike=0.7, p_days=0.4, flaky=(),
    left_out=(), warnings=(), notes=(),
)  # fmt: skip
INFO = RunInfo(
    id="a", folder=None, mode="live", variant=None, selection=None, agent="agent:agent", git="1f"
)


def warned(noise: Noise, *infos: RunInfo) -> str:
    return " ".join(warnings_of(noise, [(info, 5) for info in infos or (INFO, INFO)]))


def noted(tolerance: Tolerance, *, deterministic: bool = False) -> str:
    return " ".join(notes_of(tolerance, deterministic=deterministic))


def test_plain_noise_is_nothing_to_warn_of() -> None:
    assert warned(NOISE) == ""
    assert noted(TOLERANCE) == ""


def test_one_test_in_a_hundred_speaks_up() -> None:
    assert warned(replace(NOISE, p_clumped=0.011, p_alike=0.011, p_days=0.011)) == ""
    assert "come out together" in warned(replace(NOISE, p_clumped=0.009))
    assert "as often in every run" in warned(replace(NOISE, p_alike=0.009))
    assert "whole runs differ" in warned(replace(NOISE, p_days=0.009))


def test_days_that_differ_explain_trials_that_go_together() -> None:
    told = warned(replace(NOISE, p_days=0.001, p_clumped=0.001))
    assert "whole runs differ" in told
    assert "come out together" not in told


def test_what_differs_between_the_runs_is_named() -> None:
    told = warned(NOISE, INFO, replace(INFO, git="2e"), replace(INFO, variant="hasty"))
    assert "not made alike, by commit: 1f, 2e;" in told
    assert "by variant: None, hasty;" in told
    assert "by agent" not in told


def test_a_margin_is_held_against_noise_and_sight() -> None:
    assert warned(replace(NOISE, margin=0.06)) == ""
    seen = warned(replace(NOISE, margin=0.05))
    assert "asks for 5 points, and this suite sees a drop from 6 points" in seen
    assert "once in twenty" not in seen
    assert "more often than once in twenty times: 4 points" in warned(replace(NOISE, margin=0.02))


def test_a_run_without_noise_is_asked_nothing() -> None:
    told = replace(NOISE, deterministic=True, margin=0.0, p_alike=0.0)
    assert warned(told) == ""
    assert "every loss is real" in noted(TOLERANCE, deterministic=True)


def test_a_run_without_a_model_that_varies_is_doubted() -> None:
    scripted = replace(NOISE, tolerance=replace(TOLERANCE, mode="scripted"))
    assert "no live model spoke, and yet the runs differ" in warned(scripted)


def test_a_tolerance_that_is_missing_has_its_reason() -> None:
    none = replace(TOLERANCE, tolerance=None, tolerance_of_two=None)
    assert "takes 5 runs, better ten, and these are 4" in noted(replace(none, runs=4))
    assert "how far a run can stray is not known" in noted(none)
    assert "by luck" in noted(replace(TOLERANCE, sd=0.0))
