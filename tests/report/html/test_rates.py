from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report.html.rates import rate_over

COUNTS = st.integers(0, 20).flatmap(lambda told: st.tuples(st.integers(0, told), st.just(told)))


@given(st.lists(COUNTS, max_size=30))
def test_an_interval_holds_its_rate(counts: list[tuple[int, int]]) -> None:
    found = rate_over(counts)
    if found is None:
        assert not any(told for _, told in counts)
        return
    assert 0 <= found.low <= found.rate <= found.high <= 1
    assert found.cases == sum(told > 0 for _, told in counts)


def test_cases_alike_count_as_cases_and_not_as_trials() -> None:
    few, many = rate_over([(1, 1)] * 5), rate_over([(100, 100)] * 5)
    assert few is not None
    assert few == many
