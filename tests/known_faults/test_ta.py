"""Tool-argument comparison: values are compared as what they are, at any depth."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk


def arguments_hold(desk: "Desk", wanted: Json, made: Json) -> tuple[bool | None, str]:
    """Say whether a call with these arguments is the one that was wanted, and why."""
    expect = {"tools": {"required": [{"name": "do", "args": wanted}]}}
    trial = desk.trial(expect, {"name": "do", "arguments": made})
    check = desk.check(trial, "tools.arguments")
    return check["passed"], check["reason"]


TRANSFER = {"amount": 40, "splits": [10.0, 30], "dry_run": True, "ref": "7"}


@pytest.mark.parametrize(
    ("changed", "passes"),
    [
        ({"amount": 40.0, "splits": [10, 30.0]}, True),
        ({"amount": "40"}, False),
        ({"dry_run": 1}, False),
        ({"ref": 7}, False),
    ],
)
def test_whole_numbers_equal_their_floats_and_nothing_else_is_coerced(
    desk: "Desk", changed: Json, passes: bool
) -> None:
    """BL-01."""
    passed, reason = arguments_hold(desk, TRANSFER, TRANSFER | changed)
    assert passed is passes
    assert passes or next(iter(changed)) in reason


def test_lists_and_objects_as_arguments_crash_nothing(desk: "Desk") -> None:
    """BL-02."""
    wanted = {"legs": [{"from": "LIM", "to": "CUZ"}], "opts": {"seat": ["12A"]}}
    made = {"opts": {"seat": ["12A"]}, "legs": [{"to": "CUZ", "from": "LIM"}]}
    assert arguments_hold(desk, wanted, made)[0] is True
    assert arguments_hold(desk, {"x": [1, 2]}, {"x": [2, 1]})[0] is False


@pytest.mark.parametrize(
    ("wanted", "made", "said"),
    [
        ({"port": 80}, {"port": 8080}, "port: wanted 80, got 8080"),
        ({"kinds": ["pods"]}, {"kinds": ["nodes"]}, 'kinds[0]: wanted "pods", got "nodes"'),
        ({"host": "a.b"}, {"host": "axb"}, 'host: wanted "a.b", got "axb"'),
    ],
)
def test_containers_are_never_searched_as_text(
    desk: "Desk", wanted: Json, made: Json, said: str
) -> None:
    """BL-04."""
    passed, reason = arguments_hold(desk, wanted, made)
    assert (passed, reason) == (False, f"do: {said}")
