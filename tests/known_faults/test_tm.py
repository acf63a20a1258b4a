"""Trajectory matching: each call counts once, parallel ones have no order, scores have bounds."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk


def plan(desk: "Desk", steps: Json, *calls: Json) -> Json:
    """Give the plan's check."""
    return desk.check(desk.trial({"tools": {"plan": steps}}, *calls), "tools.plan")


@pytest.mark.parametrize(("made", "score"), [(2, 1.0), (1, 0.5)])
def test_two_equal_calls_are_two_calls(desk: "Desk", made: int, score: float) -> None:
    """BL-05."""
    wanted = {"mode": "any_order", "steps": ["ping", "ping"]}
    check = plan(desk, wanted, *[{"name": "ping", "arguments": {}}] * made)
    assert (check["score"], check["passed"]) == (score, score == 1)


@pytest.mark.parametrize(
    ("mode", "passes"), [("in_order", True), ("any_order", True), ("exact", False)]
)
def test_a_retry_moves_no_score_past_its_bounds(desk: "Desk", mode: str, passes: bool) -> None:
    """BL-07."""
    call = {"name": "fx", "arguments": {"pair": "EURUSD"}, "result": 1.1}
    failed = {"name": "fx", "arguments": {"pair": "EURUSD"}, "error": "timeout"}
    check = plan(desk, {"mode": mode, "steps": ["fx"]}, failed, call, call)
    assert check["passed"] is passes
    assert 0 <= check["score"] <= 1
    assert 0 <= check["precision"] <= 1
    assert 0 <= check["recall"] <= 1
    assert check["extra"] == 2


def test_parallel_calls_have_no_order_and_steps_have(desk: "Desk") -> None:
    """BL-08."""
    weather, events = {"name": "weather", "arguments": {}}, {"name": "events", "arguments": {}}
    mail = {"name": "mail", "arguments": {}}
    for wanted in (["weather", "events", "mail"], [{"any_order": ["weather", "events"]}, "mail"]):
        assert plan(desk, wanted, [events, weather], mail)["passed"] is True
        assert plan(desk, wanted, mail, [events, weather])["passed"] is False


def test_no_plan_and_an_empty_plan_are_two_things(desk: "Desk") -> None:
    """BL-10."""
    wipe, look = {"name": "wipe_disk", "arguments": {}}, {"name": "lookup", "arguments": {}}
    empty = plan(desk, [])
    assert (empty["passed"], empty["score"]) == (True, 1.0)
    assert plan(desk, [], wipe)["passed"] is False
    written = desk.trial({"answer": {"contains": "done"}}, wipe)
    assert desk.check(written, "tools.plan") is None
    missed = plan(desk, ["lookup"])
    assert (missed["passed"], missed["recall"], missed["precision"]) == (False, 0, 0)
    patterns = {"tools": {"required": [{"name": "lookup", "args": {"id": 1}}]}}
    assert desk.check(desk.trial(patterns), "tools.arguments")["passed"] is None
    more = plan(desk, ["lookup"], look, wipe)
    assert (more["passed"], more["extra"]) == (True, 1)
    assert plan(desk, {"mode": "exact", "steps": ["lookup"]}, look, wipe)["passed"] is False
