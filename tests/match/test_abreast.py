"""Two lists of calls walked abreast."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from fairtrial.match.abreast import Walked, walk
from fairtrial.match.call import calls_of
from fairtrial.records import Json, Step, ToolCall, Trajectory

Named = Sequence[Sequence[ToolCall]]


def call(name: str, result: Json = None, error: str | None = None, **arguments: Json) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, result=result, error=error)


def walked(a: Named, b: Named) -> Walked:
    left, right = (
        calls_of(Trajectory(case="c", steps=tuple(Step(calls=tuple(step)) for step in side)))
        for side in (a, b)
    )
    return walk(left, right)


Found = tuple[str, list[str], list[str], tuple[str, ...]]


def names(found: Walked) -> Found:
    return found.apart, [c.name for c in found.a], [c.name for c in found.b], found.before


GET, PAY, MAIL = call("get", 1), call("pay"), call("mail")


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ([], [], ("nowhere", [], [], ())),
        ([[GET], [PAY]], [[GET], [PAY]], ("nowhere", [], [], ("get", "pay"))),
        ([[GET], [PAY]], [[GET], [MAIL]], ("calls", ["pay"], ["mail"], ("get",))),
        ([[GET], [PAY]], [[GET]], ("end", ["pay"], [], ("get",))),
        ([], [[GET]], ("end", [], ["get"], ())),
        ([[GET]], [[call("get", 2)]], ("outcome", ["get"], ["get"], ())),
        ([[GET, PAY]], [[MAIL, GET]], ("calls", ["pay"], ["mail"], ())),
    ],
)
def test_the_walk_stops_where_the_sides_part(a: Named, b: Named, found: Found) -> None:
    assert names(walked(a, b)) == found


def test_the_order_of_parallel_calls_means_nothing() -> None:
    step = [GET, PAY, MAIL, call("get", 2)]
    for order in permutations(step):
        assert walked([step, [GET]], [order, [GET]]).apart == "nowhere"


def test_the_order_of_steps_means_something() -> None:
    assert names(walked([[GET], [PAY]], [[PAY], [GET]])) == ("calls", ["get"], ["pay"], ())


def test_calls_made_at_once_and_one_after_the_other_are_the_same_calls() -> None:
    assert walked([[GET, PAY], [MAIL]], [[PAY], [GET], [MAIL]]).apart == "nowhere"
    assert walked([[GET], [PAY, MAIL]], [[GET, PAY], [MAIL]]).apart == "nowhere"
    parted = walked([[GET, PAY], [MAIL]], [[GET], [MAIL]])
    assert names(parted) == ("calls", ["pay"], ["mail"], ("get",))


def test_a_step_without_calls_is_passed_over() -> None:
    assert walked([[], [GET], []], [[GET]]).apart == "nowhere"


def test_other_calls_come_before_another_outcome_of_the_same_step() -> None:
    a, b = [[call("get", 1), PAY]], [[call("get", 2), MAIL]]
    assert names(walked(a, b)) == ("calls", ["pay"], ["mail"], ())


def test_of_equal_calls_those_with_one_outcome_belong_together() -> None:
    a, b = [[call("get", 1), call("get", 2)]], [[call("get", 2), call("get", 3)]]
    found = walked(a, b)
    assert (found.apart, found.a[0].result, found.b[0].result) == ("outcome", 1, 3)


def test_values_that_are_equal_are_no_difference_and_malformed_arguments_are_their_text() -> None:
    one, other = call("get", [1.0], n=1), call("get", [1], n=1.0)
    assert walked([[one]], [[other]]).apart == "nowhere"
    assert walked([[ToolCall(name="get")]], [[ToolCall(name="get", arguments="{}")]]).apart == (
        "nowhere"
    )
    broken = ToolCall(name="get", arguments='{"n')
    assert walked([[broken]], [[broken]]).apart == "nowhere"
    assert walked([[broken]], [[ToolCall(name="get", arguments="{}")]]).apart == "calls"


def test_very_many_calls_in_one_step_against_as_many_steps_take_no_quadratic_time() -> None:
    many = [call("get", number) for number in range(20_000)]
    assert walked([many], [[one] for one in many]).apart == "nowhere"
    assert walked([[one] for one in many], [many]).apart == "nowhere"
