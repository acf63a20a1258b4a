"""Rates and totals at the foot of a scorecard."""

from typing import Protocol

from msgspec.structs import replace

from fairtrial.records import CheckCount, CurvePoint, Scorecard, TagCount
from fairtrial.report import Style
from fairtrial.report.summary import rate_lines, total_lines

WIDE = Style(width=120)


class Run(Protocol):
    """What the fixtures give."""

    scorecard: Scorecard


def rates(scorecard: Scorecard, *, verbose: bool = False) -> list[str]:
    return list(rate_lines(scorecard, {"limits.cost"}, WIDE, verbose=verbose))


def totals(scorecard: Scorecard, estimated: int = 0, *, verbose: bool = False) -> list[str]:
    return list(total_lines(scorecard, estimated, WIDE, verbose=verbose))


def test_checks_come_worst_first_and_perfect_ones_share_a_line(empty_run: Run) -> None:
    checks = {
        "finished": CheckCount(passed=9, total=9),
        "tools.plan": CheckCount(passed=8, total=9),
        "limits.cost": CheckCount(passed=1, total=9),
        "next": CheckCount(passed=0, total=0),
        "unchanged": CheckCount(passed=2, total=2),
    }
    assert rates(replace(empty_run.scorecard, checks=checks)) == [
        "",
        "checks",
        "  next                 -  could never be told",
        "  limits.cost     11.1 %  1 of 9 (informs)",
        "  tools.plan      88.9 %  8 of 9",
        "  100 %  finished, unchanged",
    ]


def test_many_tags_are_counted_and_shown_on_request(empty_run: Run) -> None:
    tags = {f"t{n}": TagCount(passed=n, total=99, pass_rate=n / 99) for n in range(50)}
    scorecard = replace(empty_run.scorecard, tags=tags)
    assert rates(scorecard)[-1] == "  and 30 more below 100 % (show with --verbose)"
    assert len(rates(scorecard, verbose=True)) == 52


def test_a_rate_just_below_all_is_not_folded_away(empty_run: Run) -> None:
    checks = {"finished": CheckCount(passed=99_999, total=100_000)}
    assert "  finished       >99.9 %  99,999 of 100,000" in rates(
        replace(empty_run.scorecard, checks=checks)
    )


def test_pass_hat_k_names_its_interval_its_cases_and_its_meaning(small_run: Run) -> None:
    scorecard = replace(small_run.scorecard, pass_hat_k=1 / 3, pass_hat_k_interval=(0.0614, 0.7923))
    line = "pass^3       33.3 % [6.1, 79.2], over 3 of 4 cases: all 3 trials pass"
    assert line in totals(scorecard)


def test_a_rate_that_nobody_could_measure_says_why(small_run: Run) -> None:
    scorecard = replace(small_run.scorecard, pass_at_k=None, pass_hat_k=None)
    assert "pass^3       - no case has 3 measured trials" in totals(scorecard)


def test_one_trial_a_case_needs_no_pass_at_1(large_run: Run) -> None:
    assert not any(line.startswith("pass@") for line in totals(large_run.scorecard))


def test_the_curve_is_shown_on_request(small_run: Run) -> None:
    curve = {"2": CurvePoint(pass_at=0.5, pass_hat=0.25, cases=3)}
    lines = totals(replace(small_run.scorecard, curve=curve), verbose=True)
    assert "k = 2        pass@k 50 %, pass^k 25 %, over 3 cases" in lines


def test_a_sum_with_unknowns_is_at_least_what_it_says(unknown_run: Run) -> None:
    lines = totals(unknown_run.scorecard)
    assert "tokens       at least 2.00M in all; unknown in 3 of 4 trials" in lines
    assert "cost         at least 12.50 USD in all; unknown in 3 of 4 trials" in lines


def test_amounts_unknown_everywhere_are_a_dash(unknown_run: Run) -> None:
    scorecard = replace(
        unknown_run.scorecard,
        total_tokens=0,
        total_cost=None,
        unknown={"steps": 0, "tokens": 4, "cost": 4},
    )
    assert "tokens       -; unknown in every trial (4)" in totals(scorecard)
    assert "cost         -; unknown in every trial (4)" in totals(scorecard)


def test_estimated_tokens_are_said_to_be(small_run: Run) -> None:
    assert "tokens       4,920 in all, 410 a trial; estimated in 2 trials" in totals(
        small_run.scorecard, 2
    )


def test_plan_scores_are_shown_where_there_were_plans(small_run: Run) -> None:
    scorecard = replace(
        small_run.scorecard, mean_plan_score=0.8, mean_precision=0.9, mean_recall=0.8
    )
    assert "plans        score 80 %, precision 90 %, recall 80 %" in totals(scorecard)


# What was not measured, and what could not be seen.


def test_where_trials_were_not_measured_the_rate_is_told_both_ways(small_run: Run) -> None:
    scorecard = replace(small_run.scorecard, strict_pass_rate=0.4, coverage=0.75)
    line = (
        "measured     75 % of the planned trials; with the others counted as failed the pass rate"
        " is 40 %"
    )
    assert line in totals(scorecard)


def test_where_all_was_measured_one_rate_is_enough(small_run: Run) -> None:
    scorecard = replace(small_run.scorecard, strict_pass_rate=0.5, coverage=1.0)
    assert not any(line.startswith("measured") for line in totals(scorecard))


def seen_drops(scorecard: Scorecard, *, live: bool = True) -> str:
    """Give the line about drops; "" where there is none."""
    lines = total_lines(scorecard, 0, WIDE, verbose=False, live=live)
    return next((line for line in lines if line.startswith("sees drops")), "")


def test_a_live_run_says_which_drops_it_could_have_seen(small_run: Run) -> None:
    scorecard = replace(small_run.scorecard, smallest_drop=0.0713)
    assert seen_drops(scorecard).startswith("sees drops   of 7.1 points and more, shared by all")
    assert seen_drops(scorecard, live=False) == ""


def test_a_live_run_that_cannot_know_says_why(small_run: Run, large_run: Run) -> None:
    once = replace(large_run.scorecard, curve={})
    assert "one trial a case does not tell" in seen_drops(once)
    twice = {"2": CurvePoint(pass_at=0.5, pass_hat=0.25, cases=3)}
    some = replace(small_run.scorecard, curve=twice)
    assert "not even a fall to 0 %" in seen_drops(some)
    assert "nothing passes" in seen_drops(replace(some, pass_rate=0.0))
    alone = replace(some, not_measured=("a", "b", "c"))
    assert "one case does not tell" in seen_drops(alone)
