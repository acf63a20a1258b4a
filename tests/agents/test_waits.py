"""How long a provider asked to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents.waits import retry_after_in

DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "3", "retry-after-ms": "40"}, 0.04),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:09 GMT", "date": DATE}, 9.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", "date": DATE}, 0.0),
        ({"retry-after": DATE}, None),
        ({"retry-after": DATE, "date": "Wed, 21 Oct 2026 07:28:00 -0000"}, None),
        ({"retry-after": DATE, "date": "today"}, None),
    ],
)
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_in(headers.get) == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text()))
def test_no_header_makes_it_fail_or_give_a_wait_below_nothing(headers: dict[str, str]) -> None:
    seconds = retry_after_in(headers.get)
    assert seconds is None or 0 <= seconds < float("inf")
