from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.records import Check, Expectation, Json, Trajectory, Trial

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]

ROWS = [{"booking": "H-204", "fee": 0}, {"booking": "H-1", "fee": 5}]


def field(check: Checked, did: Did, name: str, wanted: Json, state: Json) -> Check:
    return check(f"state.{name}", did(state=state), expect=Expectation(state=wanted))


def test_each_field_that_is_named_is_a_check(grade: Graded, did: Did) -> None:
    trial = grade(did(state={"a": 1}), expect=Expectation(state={"a": 1, "b": 2}))
    state = {check.name: check.passed for check in trial.checks if check.name.startswith("state")}
    assert state == {"state.a": True, "state.b": False}


def test_without_the_state_nothing_can_be_told(grade: Graded, did: Did) -> None:
    trial = grade(did(), expect=Expectation(state={"a": {"absent": True}}, unchanged=("b",)))
    for name in ("state.a", "unchanged"):
        check = next(one for one in trial.checks if one.name == name)
        assert (check.passed, check.decides) == (None, True)
        assert "record `state`" in check.reason
    assert trial.verdict == "error"


def test_an_empty_state_is_known(check: Checked, did: Did) -> None:
    assert field(check, did, "a", {"a": {"absent": True}}, {}).passed is True
    assert field(check, did, "a", {"a": 1}, {}).reason == "a: wanted 1, got nothing"


@pytest.mark.parametrize(
    ("state", "passed"),
    [
        (ROWS, True),
        (ROWS[::-1], True),
        ({"c1": ROWS[1], "c2": ROWS[0]}, True),
        ([{**ROWS[0], "id": "c1"}, ROWS[1]], True),
        (ROWS[:1], False),
        ([*ROWS, ROWS[0]], False),
        ({}, False),
        (None, False),
    ],
)
def test_a_list_of_rows_means_exactly_these_in_any_order(
    check: Checked, did: Did, state: Json, passed: bool
) -> None:
    assert field(check, did, "rows", {"rows": ROWS}, {"rows": state}).passed is passed


@pytest.mark.parametrize(("state", "passed"), [([], True), ({}, True), (ROWS, False), ("", False)])
def test_an_empty_list_means_no_rows(check: Checked, did: Did, state: Json, passed: bool) -> None:
    assert field(check, did, "emails", {"emails": []}, {"emails": state}).passed is passed


def test_a_mapping_names_some_rows_and_exactly_all(check: Checked, did: Did) -> None:
    state = {"rows": {"H-204": ROWS[0], "H-1": ROWS[1]}}
    assert field(check, did, "rows", {"rows": {"H-204": {"fee": 0}}}, state).passed is True
    all_rows = {"exactly": {"H-204": {"fee": 0}}}
    assert field(check, did, "rows", {"rows": all_rows}, state).passed is False


def test_a_difference_names_path_wanted_and_got(check: Checked, did: Did) -> None:
    wanted = {"cancellations": [{"booking": "H-204", "fee": 0}]}
    state = {"cancellations": [{"booking": "H-204", "fee": 40}]}
    assert field(check, did, "cancellations", wanted, state).reason == (
        "cancellations[0].fee: wanted 0, got 40"
    )


def test_a_lone_exactly_at_the_top_allows_no_other_field(check: Checked, did: Did) -> None:
    wanted = {"exactly": {"a": 1}}
    assert field(check, did, "exactly", wanted, {"a": 1}).passed is True
    one = field(check, did, "exactly", wanted, {"a": 1, "b": 2})
    assert (one.passed, one.reason) == (False, "fields that are not wanted: b")
    assert field(check, did, "a", wanted, {"a": 1, "b": 2}).passed is True


def unchanged(
    check: Checked,
    trajectory: Trajectory,
    fields: tuple[str, ...] | bool = True,
    fixtures: dict[str, Json] | None = None,
    **expect: Any,
) -> Check:
    expected = Expectation(unchanged=fields, **expect)
    return check("unchanged", trajectory, expect=expected, fixtures=fixtures)


def test_a_field_must_be_as_the_fixtures_left_it(check: Checked, did: Did) -> None:
    fixtures = {"guests": [{"id": 1, "tier": "gold"}], "log": []}
    same = did(state={"guests": [{"tier": "gold", "id": 1}], "log": ["x"]})
    assert unchanged(check, same, ("guests",), fixtures).passed is True
    one = unchanged(check, same, ("guests", "log"), fixtures)
    assert (one.passed, one.reason) == (False, 'log[0]: added "x"')


def test_rows_in_another_order_are_unchanged_and_other_lists_are_not(
    check: Checked, did: Did
) -> None:
    fixtures: dict[str, Json] = {"guests": [{"id": 1}, {"id": 2}], "queue": [1, 2]}
    end = did(state={"guests": [{"id": 2}, {"id": 1}], "queue": [2, 1]})
    assert unchanged(check, end, ("guests",), fixtures).passed is True
    assert unchanged(check, end, ("queue",), fixtures).passed is False


def test_the_recorded_start_stands_over_the_fixtures(check: Checked, did: Did) -> None:
    trajectory = did(state={"a": 2, "b": 1}, initial_state={"a": 2})
    assert unchanged(check, trajectory, ("a", "b"), {"a": 1, "b": 1}).passed is True
    one = unchanged(check, did(state={"a": 1}, initial_state={"a": 2}), ("a",), {"a": 1})
    assert one.reason == "a: changed from 2 to 1"


@pytest.mark.parametrize(
    ("state", "passed"),
    [({}, True), ({"a": None}, True), ({"a": []}, True), ({"a": {}}, True)]
    + [({"a": value}, False) for value in (0, False, "", [None], {"x": None})],
)
def test_a_field_in_neither_must_be_missing_or_empty(
    check: Checked, did: Did, state: Json, passed: bool
) -> None:
    for fields in (("a",), True):
        assert unchanged(check, did(state=state), fields).passed is passed


def test_true_watches_everything_that_state_does_not_name(check: Checked, did: Did) -> None:
    fixtures = {"a": 1, "b": 1}
    trajectory = did(state={"a": 2, "b": 1, "log": []})
    assert unchanged(check, trajectory, True, fixtures, state={"a": 2}).passed is True
    assert unchanged(check, trajectory, True, fixtures).passed is False
    new = did(state={"a": 1, "b": 1, "emails": ["x"]})
    assert "emails" in unchanged(check, new, True, fixtures).reason


def test_a_field_that_is_gone_has_changed(check: Checked, did: Did) -> None:
    one = unchanged(check, did(state={}), True, {"a": {"x": 1}})
    assert (one.passed, one.reason) == (False, 'a: removed {"x": 1}')


@pytest.mark.parametrize("nothing", [(), False])
def test_nothing_to_watch_is_no_check(grade: Graded, did: Did, nothing: Any) -> None:
    trial = grade(did(state={"a": 1}), expect=Expectation(unchanged=nothing))
    assert "unchanged" not in [check.name for check in trial.checks]


def test_a_huge_state_makes_a_short_reason(grade: Graded, did: Did) -> None:
    state = {f"{number}" + "k" * 5000: "v" * 5000 for number in range(500)}
    nested: Json = "v" * 5000
    for _ in range(90):
        nested = {"k" * 5000: nested}
    trajectory = did(state={"a": [nested] * 50, **state})
    expect = Expectation(state={"exactly": {"a": [{"b": 1}] * 40}}, unchanged=True)
    trial = grade(trajectory, expect=expect)
    assert [check.passed for check in trial.checks[2:5]] == [False, False, False]
    assert max(len(check.reason) for check in trial.checks) <= 2000
