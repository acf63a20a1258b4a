from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.store import new_run_id


@given(st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis wants naive bounds
def test_ids_sort_by_time(now: datetime) -> None:
    later = now + timedelta(milliseconds=1)
    assert new_run_id(now, "zzz") < new_run_id(later, "aaa")


def test_the_id_is_in_utc() -> None:
    east = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert new_run_id(east, "t") == "20251231-230000-000-t"


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="with its zone"):
        new_run_id(datetime(2026, 1, 1), "t")  # noqa: DTZ001 - what is tested
