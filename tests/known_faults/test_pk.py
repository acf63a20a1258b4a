"""pass@k and pass^k: one estimator, and no estimate where there are too few trials."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

INFRA = {"kind": "provider", "message": "503"}


def curve(desk: "Desk", **trials: str) -> dict[str, tuple[float | None, float | None, int]]:
    """Grade trials (p passes, f fails, e is an error) and give pass@k, pass^k, cases by k."""
    desk.cases(*(desk.case(name) for name in trials))
    desk.record(
        *(
            desk.recording(name, error=INFRA)
            if one == "e"
            else desk.recording(name, "done" if one == "p" else "no")
            for name, row in trials.items()
            for one in row
        )
    )
    points = desk.graded()["scorecard"]["curve"]
    return {k: (one["pass@k"], one["pass^k"], one["cases"]) for k, one in points.items()}


def test_more_trials_than_were_measured_give_no_estimate(desk: "Desk") -> None:
    """BL-49."""
    points = curve(desk, a="ffeee", b="ffeee")
    assert points["2"] == (0.0, 0.0, 2)
    assert points["3"] == points["5"] == (None, None, 0)


@pytest.mark.parametrize(
    ("row", "k", "at", "hat"),
    [("pfff", "2", 0.5, 0.0), ("pppf", "2", 1.0, 0.5), ("ppp", "3", 1.0, 1.0)],
)
def test_the_estimators_draw_without_replacement(
    desk: "Desk", row: str, k: str, at: float, hat: float
) -> None:
    """BL-49."""
    assert curve(desk, a=row)[k] == pytest.approx((at, hat, 1))


def test_pass_hat_k_is_not_the_rate_to_the_power_of_k(desk: "Desk") -> None:
    """BL-50."""
    assert curve(desk, a="ppff")["2"][1] == pytest.approx(1 / 6)
    assert curve(desk, a="ppff", b="pppp")["2"][1] == pytest.approx((1 / 6 + 1) / 2)
    assert curve(desk, a="ppff")["1"] == (0.5, 0.5, 1)
