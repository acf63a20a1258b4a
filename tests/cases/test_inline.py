"""A case that stands in Python."""

import pytest

from fairtrial.cases import read_case
from fairtrial.errors import ProblemsError
from fairtrial.records import Json

GOOD: dict[str, Json] = {"id": "a", "input": "Hi", "expect": {"answer": {"contains": ["hello"]}}}


def test_it_is_read_by_the_rules_of_files() -> None:
    case = read_case({**GOOD, "tags": ["fee"]}, "test_a.py::test", protected_tags=("fee",))
    assert (case.id, case.protected, str(case.source)) == ("a", True, "test_a.py::test:1")


def test_every_mistake_is_told_once_without_a_place_that_nobody_has() -> None:
    with pytest.raises(ProblemsError) as told:
        read_case({**GOOD, "inptu": 1, "trials": "x"}, "test_a.py::test")
    assert len(told.value.problems) == 2
    assert all(one.startswith("test_a.py::test: ") for one in told.value.problems)


def test_what_json_cannot_hold_is_said() -> None:
    with pytest.raises(ProblemsError, match="the case is no JSON"):
        read_case({**GOOD, "context": object()}, "test_a.py::test")
