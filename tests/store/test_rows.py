import io

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.store.rows import Rows


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 8), st.binary(max_size=5))))
def test_each_case_is_read_by_trial_number_however_they_came(
    trials: list[tuple[str, int, bytes]],
) -> None:
    rows, file = Rows(), io.BytesIO()
    for case, trial, data in trials:
        rows.add(case, trial, offset=file.tell(), size=len(data))
        file.write(data)
    for case in "abc":
        last = {trial: data for name, trial, data in trials if name == case}
        assert list(rows.read(case, file)) == [last[trial] for trial in sorted(last)]
        assert all(rows.has(case, trial) for trial in last)
        assert not rows.has(case, 9)


def test_a_case_without_trials_has_no_rows() -> None:
    assert list(Rows().read("a", io.BytesIO())) == []
    assert Rows().cases() == []
