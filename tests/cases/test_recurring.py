from typing import Any

import pytest

from fairtrial.cases import load_cases
from fairtrial.cases.located import Notes
from fairtrial.cases.recurring import Recurring
from fairtrial.cases.shapes import BAD, Flag, Whole
from fairtrial.errors import ProblemsError


def test_what_only_python_takes_for_equal_is_read_apart() -> None:
    read, notes = Recurring(Whole(0).read).read, Notes()
    assert read(1, (), notes) == 1
    assert read(True, (), notes) is BAD
    assert len(notes.mistakes) == 1


def test_a_mistake_is_noted_each_time_and_at_its_own_place() -> None:
    read, notes = Recurring(Flag().read).read, Notes()
    for place in ("a", "b"):
        assert read("yes", (place,), notes) is BAD
    assert [mistake.path for mistake in notes] == [("a",), ("b",)]


def test_long_values_are_not_kept_and_of_short_ones_no_more_than_recur() -> None:
    recurring = Recurring(lambda value, path, notes: value)
    for number in range(3_000):
        assert recurring.read(number, (), Notes()) == number
    assert len(recurring._known) <= 1_000
    assert recurring.read("x" * 10**6, (), Notes()) == "x" * 10**6
    assert max(map(len, recurring._known)) < 1_000


def test_a_mistake_in_equal_limits_is_told_for_every_case(tmp_path: Any) -> None:
    path = tmp_path / "cases.jsonl"
    line = '{"id": "%s", "input": "Hi", "expect": {"stop": "answer"}, "limits": {"steps": -1}}\n'
    path.write_text("".join(line % name for name in "abc"))
    with pytest.raises(ProblemsError) as told:
        load_cases(path)
    assert len(told.value.problems) == 3
    for number, problem in enumerate(told.value.problems, 1):
        assert f"cases.jsonl:{number}:" in problem
