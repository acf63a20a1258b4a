"""A trial is stopped at its caps and after its end, from whatever thread it goes on in."""

from threading import Thread

import pytest

from fairtrial.errors import TrialOverError
from fairtrial.trials import StepAllowance, step_cap


@pytest.mark.parametrize(
    ("limit", "override", "wanted"),
    [(6, None, 12), (1, None, 8), (0, None, 8), (None, None, 200), (50, 3, 3), (None, 7, 7)],
)
def test_the_step_cap_leaves_room_past_the_limit(
    limit: int | None, override: int | None, wanted: int
) -> None:
    assert step_cap(limit, override) == wanted


def test_completions_up_to_the_cap_are_allowed() -> None:
    allowance = StepAllowance(steps=3, calls=None)
    for _ in range(3):
        allowance.completion()
    assert not allowance.exhausted


def test_the_completion_past_the_cap_ends_the_trial_for_calls_too() -> None:
    allowance = StepAllowance(steps=0, calls=9)
    with pytest.raises(TrialOverError, match="after 0 model replies"):
        allowance.completion()
    with pytest.raises(TrialOverError, match="after 0 model replies"):
        allowance.call()
    assert allowance.exhausted


def test_the_call_past_the_cap_ends_the_trial() -> None:
    allowance = StepAllowance(steps=None, calls=2)
    allowance.call()
    allowance.call()
    with pytest.raises(TrialOverError, match="stopped after 2 tool calls"):
        allowance.call()
    assert allowance.exhausted


def test_after_its_end_nothing_is_allowed_and_nothing_was_exhausted() -> None:
    allowance = StepAllowance(steps=0, calls=0)
    allowance.close()
    for use in (allowance.call, allowance.completion):
        with pytest.raises(TrialOverError, match="the trial has ended"):
            use()
    assert not allowance.exhausted


def test_closing_twice_keeps_why_the_trial_was_over() -> None:
    allowance = StepAllowance(steps=None, calls=0)
    with pytest.raises(TrialOverError):
        allowance.call()
    allowance.close()
    with pytest.raises(TrialOverError, match="step cap"):
        allowance.call()


def test_many_threads_share_one_allowance_exactly() -> None:
    allowance, allowed = StepAllowance(steps=None, calls=1000), list[int]()

    def work() -> None:
        try:
            while True:
                allowance.call()
                allowed.append(1)
        except TrialOverError:
            return

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(allowed) == 1000
