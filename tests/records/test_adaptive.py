"""Further trials of a case: counts that no trials have are refused, wherever they come from."""

import msgspec
import pytest

from fairtrial.records import MOST_TRIALS, AdaptiveCase

FAIR = {
    "id": "a", "base_passed": 4, "base_measured": 5, "passed": 3, "measured": 5, "more_passed": 2,
    "more_measured": 4, "more_planned": 5, "p_worse": 0.7, "worse": "undecided",
}  # fmt: skip


def read(case: dict[str, object]) -> AdaptiveCase:
    return msgspec.json.decode(msgspec.json.encode(case), type=AdaptiveCase)


def test_fair_counts_are_read() -> None:
    assert read(FAIR).more_passed == 2


@pytest.mark.parametrize(
    "edit",
    [
        {"base_passed": 6},
        {"passed": -1},
        {"more_passed": 5},
        {"more_measured": 6},
        {"more_planned": MOST_TRIALS + 1},
        {"base_measured": 10**30},
    ],
)
def test_counts_that_no_trials_have_are_refused(edit: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(FAIR | edit)
