"""Screening: which cases of a live run are flagged, and by which knob."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from fairtrial.gate import Candidate, screen, threshold
from fairtrial.records import Baseline, GateSettings

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


@pytest.mark.parametrize(
    ("before", "most"),
    [(5, 3), (4, 2), (3, 1), (2, 0)],
)
def test_at_five_trials_two_lost_flag_a_case_and_one_does_not(
    ran: Ran, accepted: Accepted, before: int, most: int
) -> None:
    for passed in range(before + 1):
        flags = screen(ran(f"a {passed}/5", mode="live"), accepted(f"a {before}/5", "live"))
        assert bool(flags) is (passed <= most), passed


def test_a_protected_case_is_flagged_by_any_failing_trial(ran: Ran, accepted: Accepted) -> None:
    flags = screen(
        ran("a* 99/100, b 99/100, new* 4/5", mode="live"), accepted("a* 100/100, b 100/100", "live")
    )
    assert [(flag.case, flag.arm) for flag in flags] == [("a", "protected"), ("new", "protected")]
    assert flags[1].p_worse is None


def test_a_protected_case_that_lost_all_needs_no_confirming(ran: Ran, accepted: Accepted) -> None:
    assert screen(ran("a* 0/3", mode="live"), accepted("a* 5/5", "live")) == ()


def test_nothing_is_flagged_where_every_loss_is_real(ran: Ran, accepted: Accepted) -> None:
    assert screen(ran("a 0/5, b* 4/5"), accepted("a 5/5, b* 5/5")) == ()


def test_changed_new_informing_and_unmeasured_cases_are_not_flagged(
    ran: Ran, accepted: Accepted
) -> None:
    now = ran("a 0/5 ~, b 0/5, c 0/5 ?, d 0/0+5", mode="live")
    assert screen(now, accepted("a 5/5, c 5/5, d 5/5", "live")) == ()


def test_without_a_baseline_only_protected_cases_are_flagged(ran: Ran) -> None:
    assert [flag.case for flag in screen(ran("a 0/5, b* 4/5", mode="live"), None)] == ["b"]


@pytest.mark.parametrize(
    ("knob", "flagged"), [(0.5, "c"), (1, "bc"), (2, "abc"), (5, "abc"), (0.001, "c")]
)
def test_more_thoroughness_flags_more(
    ran: Ran, accepted: Accepted, knob: float, flagged: str
) -> None:
    now, before = ran("a 4/5, b 3/5, c 0/5", mode="live"), accepted("a 5/5, b 5/5, c 5/5", "live")
    flags = screen(now, before, GateSettings(thoroughness=knob))
    assert "".join(flag.case for flag in flags) == flagged


def test_the_knob_never_leaves_what_makes_sense() -> None:
    assert (threshold(0.0001), threshold(1000)) == (0.999, 0.5)
