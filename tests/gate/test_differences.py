"""Two runs side by side."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from fairtrial.gate import Candidate, difference, make_baseline
from fairtrial.records import RunDifference, Selection

Ran: TypeAlias = Callable[..., Candidate]


def ids(found: RunDifference) -> dict[str, list[str]]:
    kinds = ("regressions", "fixes", "unmeasured", "other_checks", "changed", "new", "removed")
    lists = {kind: [case.id for case in getattr(found, kind)] for kind in kinds}
    return {kind: names for kind, names in lists.items() if names}


def with_checks(run: Candidate, **checks: tuple[int, int]) -> Candidate:
    cases = tuple(msgspec.structs.replace(case, checks=checks) for case in run.cases)
    return msgspec.structs.replace(run, cases=cases)


def test_each_case_stands_in_one_list(ran: Ran) -> None:
    a = ran("same 5/5, worse 5/5, better 1/5, other 5/5, gone 5/5, broken 5/5")
    b = ran("same 5/5, worse 4/5, better 5/5, other 0/5 ~, fresh 5/5, broken 0/0+5")
    found = difference(a, b)
    assert ids(found) == {
        "regressions": ["worse"],
        "fixes": ["better"],
        "unmeasured": ["broken"],
        "changed": ["other"],
        "new": ["fresh"],
        "removed": ["gone"],
    }
    assert found.unchanged == 1


def test_a_run_does_not_differ_from_itself(ran: Ran) -> None:
    run = ran("a 5/5 $2, b* 3/5, c 0/0+5")
    found = difference(run, run)
    assert (ids(found), found.unchanged) == ({}, 3)
    assert [number.difference for number in found.numbers] == [0.0, 0.0, 0.0, 0.0]


def test_a_run_does_not_differ_from_the_baseline_made_of_it(ran: Ran) -> None:
    run = with_checks(ran("a 5/5 $2, b 3/5, c 0/0+5"), finished=(3, 5))
    assert ids(difference(make_baseline(run), run)) == {}


def test_rates_are_compared_so_numbers_of_trials_may_differ(ran: Ran) -> None:
    assert ids(difference(ran("a 5/5, b 2/4"), ran("a 3/3, b 5/10"))) == {}


def test_worst_first_and_protected_before_all(ran: Ran) -> None:
    a = ran("a 5/5, b 5/5, c* 5/5, d 5/5")
    b = ran("a 4/5, b 0/5, c* 4/5, d 4/5")
    assert [case.id for case in difference(a, b).regressions] == ["c", "b", "a", "d"]


def test_a_regression_says_counts_difference_checks_and_reason(ran: Ran) -> None:
    a = with_checks(ran("a 5/5"), finished=(5, 5), plan=(5, 5), gone=(1, 1))
    b = with_checks(ran("a 3/5"), finished=(5, 5), plan=(3, 5), fresh=(5, 5))
    (case,) = difference(a, b).regressions
    assert (case.a, case.b, case.difference) == ((5, 5), (3, 5), 3 / 5 - 1)
    assert case.reason == "tools.before: cancel without get_booking"
    assert [(check.name, check.a, check.b) for check in case.checks] == [
        ("plan", (5, 5), (3, 5)),
        ("fresh", None, (5, 5)),
        ("gone", (1, 1), None),
    ]


def test_a_case_that_fails_otherwise_is_no_equal_case(ran: Ran) -> None:
    a = with_checks(ran("a 0/5"), plan=(0, 5), answer=(5, 5))
    b = with_checks(ran("a 0/5"), plan=(5, 5), answer=(0, 5))
    (case,) = difference(a, b).other_checks
    assert [check.name for check in case.checks] == ["answer", "plan"]


def test_a_check_that_can_no_longer_be_told_has_changed(ran: Ran) -> None:
    a, b = with_checks(ran("a 5/5"), cost=(5, 5)), with_checks(ran("a 5/5"), cost=(0, 0))
    assert ids(difference(a, b)) == {"other_checks": ["a"]}


def test_what_a_filter_left_out_is_neither_new_nor_removed(ran: Ran) -> None:
    part = ran("a 5/5", selection=Selection(ids=("a",)))
    whole = ran("a 5/5, b 5/5")
    for found in (difference(whole, part), difference(part, whole)):
        assert (ids(found), found.left_out, found.unchanged) == ({}, 1, 1)


def test_numbers_are_means_over_unchanged_cases_known_on_both_sides(ran: Ran) -> None:
    a = ran("a 1/3 $1, b 3/3 $2, c 3/3, d 3/3 $100")
    b = ran("a 2/3 $2, b 3/3 $4, c 3/3 $9, d 0/3 $900 ~, e 0/3 $9")
    numbers = {number.name: number for number in difference(a, b).numbers}
    rate, steps = numbers["pass_rate"], numbers["steps"]
    assert (rate.a, rate.b, rate.cases) == ((1 / 3 + 2) / 3, (2 / 3 + 2) / 3, 3)
    assert rate.difference == (2 / 3 + 2) / 3 - (1 / 3 + 2) / 3
    assert (steps.a, steps.b, steps.difference, steps.cases) == (1.5, 3.0, 1.5, 2)


def test_numbers_that_nobody_knows_are_none(ran: Ran) -> None:
    tokens = difference(ran("a 5/5"), ran("a 5/5")).numbers[2]
    assert (tokens.name, tokens.a, tokens.difference, tokens.cases) == ("tokens", None, None, 0)


def test_a_difference_goes_to_json_and_back(ran: Ran) -> None:
    found = difference(ran("a 5/5, b 5/5"), ran("a 4/5, c 5/5"))
    assert msgspec.json.decode(msgspec.json.encode(found), type=RunDifference) == found
