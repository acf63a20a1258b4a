import io
from pathlib import Path

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


def test_trials_with_nothing_to_tell_are_passed_over_where_that_is_asked() -> None:
    rows, file = Rows(), io.BytesIO(b"abc")
    for trial in range(3):
        rows.add("a", trial, offset=trial, size=1, telling=trial == 1)
    assert list(rows.read("a", file, telling=True)) == [b"b"]
    assert list(rows.read("a", file)) == [b"a", b"b", b"c"]


def test_trials_are_read_from_a_file_on_the_disk_too(tmp_path: Path) -> None:
    rows, path = Rows(), tmp_path / "rows"
    path.write_bytes(b"onetwo")
    rows.add("a", 7, offset=3, size=3)
    rows.add("a", 3, offset=0, size=3)
    with path.open("rb", buffering=0) as file:
        assert list(rows.read("a", file)) == [b"one", b"two"]
