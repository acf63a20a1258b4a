"""What a suite can see, from one saved run of it."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.size import size_run
from fairtrial.records import Json
from fairtrial.stats import smallest_drop, suite_sight
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from tests.conftest import Desk

INFRA = {"kind": "provider", "message": "503"}
ROWS = ["ppppp", "ppppf", "ppfpf", "ppppp", "fffff", "ppppp", "ppppp", "pfppp"]


def saved(desk: "Desk", *rows: str, cost: float | None = None, **fields: Json) -> SavedRun:
    """Grade cases c0, c1, ... whose live trials are letters: p passes, f fails, e is an error."""
    desk.cases(*(desk.case(f"c{at}", **fields) for at in range(len(rows))))
    more: dict[str, Json] = {"model": "live"} | ({} if cost is None else {"cost": cost})
    desk.record(
        *(
            desk.recording(f"c{at}", "done" if letter == "p" else "no", **more)
            | ({"error": INFRA} if letter == "e" else {})
            for at, row in enumerate(rows)
            for letter in row
        )
    )
    desk.grade()
    return find_run("latest", desk.folder)


def test_the_suite_sees_what_its_scorecard_says(desk: "Desk") -> None:
    run = saved(desk, *ROWS)
    size = size_run(run, drop=0.05, power=0.8)
    assert size.smallest_drop is not None
    assert size.smallest_drop == pytest.approx(run.scorecard.smallest_drop)
    assert (size.mode, size.cases, size.k, size.trials) == ("live", 8, 5, 40)
    assert size.seen is not None
    assert size.seen < 0.8
    assert size.trials_needed is not None
    assert size.trials_needed > 5


def test_the_two_variances_are_those_of_the_run(desk: "Desk") -> None:
    size = size_run(saved(desk, "pp", "pf", "ff"), drop=0.05, power=0.8)
    assert size.within == pytest.approx(1 / 6)
    assert size.between == pytest.approx(1 / 6)


def test_a_plan_has_the_cases_for_every_number_of_trials(desk: "Desk") -> None:
    size = size_run(saved(desk, *ROWS, cost=0.5), drop=0.05, power=0.8)
    assert [plan.k for plan in size.plans] == [1, 3, 5, 10, 20]
    cases = [plan.cases or 0 for plan in size.plans]
    assert cases == sorted(cases, reverse=True)
    for plan in size.plans:
        assert plan.cases is not None
        assert plan.trials == plan.cases * plan.k
        assert plan.cost == pytest.approx(plan.trials * 0.5)


def test_more_cases_and_more_trials_see_smaller_drops(desk: "Desk") -> None:
    table = size_run(saved(desk, *ROWS), drop=0.05, power=0.8).table
    assert [row.cases for row in table] == [8, 30, 50, 100, 200, 300, 500, 1000]
    for row in table:
        drops = [drop for drop in row.drops.values() if drop is not None]
        assert drops == sorted(drops, reverse=True)
    last = [row.drops["5"] or 1.0 for row in table]
    assert last == sorted(last, reverse=True)


def test_more_power_or_fewer_false_alarms_take_more(desk: "Desk") -> None:
    run = saved(desk, *ROWS)
    plain = size_run(run, drop=0.05, power=0.8).smallest_drop
    powerful = size_run(run, drop=0.05, power=0.95).smallest_drop
    strict = size_run(run, drop=0.05, power=0.8, alpha=0.01).smallest_drop
    assert plain is not None
    assert powerful is not None
    assert strict is not None
    assert plain < powerful
    assert plain < strict


def test_errors_are_no_trials(desk: "Desk") -> None:
    size = size_run(saved(desk, "ppfpe", "ppppp", "eeeee", "pfppp"), drop=0.05, power=0.8)
    assert (size.cases, size.trials) == (3, 14)
    sight = suite_sight([(4, 3), (5, 5), (5, 4)])
    assert sight is not None
    assert size.smallest_drop == smallest_drop(sight)


def test_cases_that_only_inform_are_left_out(desk: "Desk") -> None:
    size = size_run(saved(desk, *ROWS, informs=True), drop=0.05, power=0.8)
    assert (size.cases, size.pass_rate, size.smallest_drop) == (0, None, None)
    assert "nothing was measured" in size.unknown[0]


# What is not known.


def test_one_trial_a_case_says_what_is_not_known(desk: "Desk") -> None:
    size = size_run(saved(desk, "p", "f", "p"), drop=0.05, power=0.8)
    assert (size.within, size.between, size.smallest_drop, size.plans) == (None, None, None, ())
    assert any("no case has two measured trials" in text for text in size.unknown)


def test_one_case_says_what_is_not_known(desk: "Desk") -> None:
    size = size_run(saved(desk, "ppfpp"), drop=0.05, power=0.8)
    assert (size.smallest_drop, size.between) == (None, None)
    assert any("how far cases differ is not known" in text for text in size.unknown)


def test_nothing_measured_says_so(desk: "Desk") -> None:
    size = size_run(saved(desk, "ee", "e"), drop=0.05, power=0.8)
    assert (size.cases, size.pass_rate, size.table) == (0, None, ())
    assert size.unknown == (
        "nothing was measured in this run, so it tells nothing about the suite",
    )


def test_a_suite_that_never_disagreed_with_itself_is_told_not_to_believe_it(desk: "Desk") -> None:
    size = size_run(saved(desk, *["ppp"] * 6), drop=0.05, power=0.8)
    assert size.smallest_drop is not None
    assert size.smallest_drop > 0
    assert any("take the smallest drops for the best" in text for text in size.unknown)


def test_a_rate_cannot_fall_further_than_to_nothing(desk: "Desk") -> None:
    size = size_run(saved(desk, "pffff", "fffff", "fffff"), drop=0.5, power=0.8)
    assert (size.seen, size.trials_needed) == (None, None)
    assert any("it cannot fall so far" in text for text in size.unknown)


def test_a_cost_that_is_not_known_of_every_trial_is_no_cost(desk: "Desk") -> None:
    size = size_run(saved(desk, *ROWS), drop=0.05, power=0.8)
    assert size.cost_of_trial is None
    assert {plan.cost for plan in size.plans} == {None}
    assert any("no costs are shown" in text for text in size.unknown)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"drop": 0.0, "power": 0.8}, "--drop: wanted points .*, got 0$"),
        ({"drop": 1.0, "power": 0.8}, "--drop: .*got 100$"),
        ({"drop": float("nan"), "power": 0.8}, "--drop: .*got nan$"),
        ({"drop": 0.05, "power": 80}, "--power: .*got 80; 80 % is 0.8$"),
        ({"drop": 0.05, "power": 0.05}, "--power: .*above 0.05"),
        ({"drop": 0.05, "power": float("nan")}, "--power: .*got nan$"),
        ({"drop": 0.05, "power": 0.8, "alpha": 0.0}, "--alpha: wanted a share .*got 0$"),
    ],
)
def test_what_makes_no_plan_is_refused_in_words(
    desk: "Desk", asked: dict[str, float], words: str
) -> None:
    run = saved(desk, "pp", "pf")
    with pytest.raises(UsageError, match=words):
        size_run(run, **asked)
