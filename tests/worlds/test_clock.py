import datetime

import pytest

from fairtrial.worlds.clock import STARTS_AT, Clock, instant


def test_a_clock_stands_still_until_it_is_told() -> None:
    clock = Clock(instant(STARTS_AT))
    first = clock.now()
    assert clock.now() is first
    clock.advance(86_400)
    assert clock.today() == datetime.date(2026, 1, 6)
    assert clock.time() - first.timestamp() == 86_400


def test_an_instant_without_an_offset_is_utc() -> None:
    assert instant("2026-01-05T09:00:00") == instant(STARTS_AT)


@pytest.mark.parametrize("text", ["tomorrow", "", 5, None])
def test_what_is_no_instant_is_refused_with_an_example(text: object) -> None:
    with pytest.raises(ValueError, match="wanted an instant such as '2026-01-05T09:00:00Z', got"):
        instant(text)


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 1e20])
def test_a_clock_goes_neither_back_nor_out_of_the_calendar(seconds: float) -> None:
    clock = Clock(instant(STARTS_AT))
    with pytest.raises(ValueError, match="clock"):
        clock.advance(seconds)
    assert clock.now() == instant(STARTS_AT)
