import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import RecordingError
from fairtrial.records import Trajectory
from fairtrial.store import Recording, TrialNumbers


def recording(line: int, trial: int | None = None, case: str = "a") -> Recording:
    return Recording(line, b"", Trajectory(case=case, trial=trial))


def test_recordings_without_trial_are_numbered_in_file_order_per_case() -> None:
    numbers = TrialNumbers("r.jsonl")
    taken = [numbers.take(recording(line, case=case)) for line, case in enumerate("abaab", 1)]
    assert taken == [0, 0, 1, 2, 1]


def test_the_next_number_is_the_one_after_the_highest_seen() -> None:
    numbers = TrialNumbers("r.jsonl")
    assert [numbers.take(recording(1, 5)), numbers.take(recording(2))] == [5, 6]
    assert [numbers.take(recording(3, 0)), numbers.take(recording(4))] == [0, 7]


@pytest.mark.parametrize("trial", [0, 3, 2**20, 2**53 - 1])
def test_a_repeated_trial_names_both_lines(trial: int) -> None:
    numbers = TrialNumbers("r.jsonl")
    numbers.take(recording(7, trial))
    wanted = re.escape(f"r.jsonl:12: trial {trial} of case 'a' is already on line 7")
    with pytest.raises(RecordingError, match=wanted):
        numbers.take(recording(12, trial))


def test_a_number_given_by_order_counts_as_taken() -> None:
    numbers = TrialNumbers("r.jsonl")
    numbers.take(recording(1))
    with pytest.raises(RecordingError, match="already on line 1"):
        numbers.take(recording(2, 0))


@given(st.lists(st.none() | st.integers(0, 30) | st.integers(0, 2**53 - 1), max_size=60))
def test_numbers_never_repeat(trials: list[int | None]) -> None:
    numbers = TrialNumbers("r.jsonl")
    seen: set[int] = set()
    for line, trial in enumerate(trials, 1):
        expected = max(seen, default=-1) + 1 if trial is None else trial
        if expected in seen:
            with pytest.raises(RecordingError):
                numbers.take(recording(line, trial))
        else:
            assert numbers.take(recording(line, trial)) == expected
            seen.add(expected)


def test_far_apart_numbers_take_no_room_between_them() -> None:
    numbers = TrialNumbers("r.jsonl")
    for case in range(200):
        numbers.take(recording(case + 1, 2**40 + case, case=str(case)))
    dense = sum(sys.getsizeof(seen.dense) for seen in numbers._cases.values())
    assert dense < 50_000
