"""State: final states are compared row by row, with a readable difference."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Desk

G1, G2 = {"card": "g1", "amt": 198}, {"card": "g2", "amt": 129}


def test_rows_have_no_order_lists_have_and_the_difference_is_named(desk: "Desk") -> None:
    """BL-56."""
    expect = {"state": {"payments": [G1, G2], "log": ["open", "close"]}}
    state = {"payments": [G2, G1], "log": ["close", "open"], "updated_at": "2026-01-01T00:00:07Z"}
    trial = desk.trial(expect, state=state)
    wrong = [one for one in trial["checks"] if one["passed"] is False]
    assert [one["name"] for one in wrong] == ["state.log"]
    assert "log[0]" in wrong[0]["reason"]


def test_equal_rows_count_as_often_as_they_stand_there(desk: "Desk") -> None:
    """BL-56."""
    expect = {"state": {"payments": [G1, G1]}}
    assert desk.trial(expect, state={"payments": [G1, G1]})["verdict"] == "passed"
    assert desk.trial(expect, state={"payments": [G1, G2]})["verdict"] == "failed"
    assert desk.trial(expect, state={"payments": [G1]})["verdict"] == "failed"
    assert desk.trial(expect, state={"payments": [G1, G1, G1]})["verdict"] == "failed"
