import itertools
import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from fairtrial.records import Case, Check, CheckCount, Scorecard, Source, Trial, Verdict
from fairtrial.scorecard import Tally, exit_code
from fairtrial.stats import t_interval, wilson, wilson_effective_n, wilson_rate

LETTERS: dict[str, Verdict] = {"p": "passed", "f": "failed", "e": "error"}


def case(name: str, **more: object) -> Case:
    plain = Case(id=name, hash="0", source=Source("a.yaml", 1))
    return msgspec.structs.replace(plain, **more)


def check(name: str, *, passed: bool | None, **more: object) -> Check:
    score = None if passed is None else float(passed)
    plain = Check(name=name, passed=passed, score=score, decides=True, reason="")
    return msgspec.structs.replace(plain, **more)


def plan(name: str, score: float | None, precision: float = 0.5, recall: float = 0.5) -> Check:
    passed = None if score is None else score == 1
    return check(name, passed=passed, score=score, precision=precision, recall=recall)


def trial(name: str, verdict: Verdict, number: int = 0, **more: object) -> Trial:
    plain = Trial(
        case=name,
        trial=number,
        verdict=verdict,
        stop="answer",
        error=None,
        steps=2,
        tokens=None,
        cost=None,
        seconds=None,
        tool_errors=0,
        tools=(),
        failed_calls=(),
        checks=(),
    )
    return msgspec.structs.replace(plain, **more)


def tally_of(*outcomes: str, **more: object) -> Tally:
    """Tally cases c0, c1, ... whose trials are given as letters: p, f, e."""
    tally = Tally([case(f"c{index}", **more) for index in range(len(outcomes))], "USD")
    for index, letters in enumerate(outcomes):
        for number, letter in enumerate(letters):
            tally.add(trial(f"c{index}", LETTERS[letter], number))
    return tally


def one_case(*trials: Trial) -> Scorecard:
    tally = Tally([case("c")], "USD")
    for item in trials:
        tally.add(item)
    return tally.scorecard(None)


def test_rates_are_means_over_cases_and_not_over_trials() -> None:
    card = tally_of("pppp", "f").scorecard(None)
    assert (card.trials, card.passed, card.failed, card.errors) == (5, 4, 1, 0)
    assert card.pass_rate == 0.5


def test_a_trial_that_could_not_be_measured_neither_passes_nor_fails() -> None:
    card = tally_of("pe", "ee").scorecard(None)
    assert (card.trials, card.errors, card.pass_rate) == (4, 3, 1.0)
    assert card.statuses == {"passed": 1, "failed": 0, "flaky": 0, "error": 1}
    assert card.not_measured == ("c1",)


def test_a_case_without_any_trial_is_listed_and_no_rate_holds_it() -> None:
    card = tally_of("p", "").scorecard(None)
    assert (card.pass_rate, card.not_measured, card.k) == (1.0, ("c1",), 1)
    assert card.statuses["error"] == 1


def test_an_empty_suite_has_zeros_nulls_and_empty_lists() -> None:
    card = Tally([], "USD").scorecard(None)
    assert (card.trials, card.k, card.curve, card.tags, card.not_measured) == (0, 0, {}, {}, ())
    assert [card.pass_rate, card.pass_at_k, card.interval, card.pass_hat_k_interval] == [None] * 4
    assert card.mean_steps is card.total_cost is card.mean_plan_score is None


def test_k_of_recordings_is_the_lower_median_of_what_was_recorded() -> None:
    assert tally_of("ppp", "p", "pp", "pppp").scorecard(None).k == 2
    assert tally_of("pp", "", "p", "p").scorecard(None).k == 1
    assert tally_of("e", "e").scorecard(None).k == 1
    assert tally_of("p").scorecard(5).k == 5


def test_pass_k_is_over_the_cases_with_k_measured_trials() -> None:
    card = tally_of("ppf", "pp", "fff").scorecard(3)
    assert card.pass_at_k == 0.5
    assert card.pass_hat_k == 0.0
    assert card.curve["3"].cases == 2
    assert card.curve["2"].cases == 3
    assert card.curve["2"].pass_hat == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_k_beyond_the_measured_trials_is_no_estimate() -> None:
    card = tally_of("ff").scorecard(5)
    assert (card.pass_at_k, card.pass_hat_k, card.pass_hat_k_interval) == (None, None, None)
    assert (card.curve["5"].pass_at, card.curve["5"].cases) == (None, 0)


@pytest.mark.parametrize(("n", "c", "k", "hat"), [(4, 2, 2, 1 / 6), (4, 3, 2, 0.5), (3, 3, 3, 1.0)])
def test_pass_hat_k_draws_without_replacement(n: int, c: int, k: int, hat: float) -> None:
    assert tally_of("p" * c + "f" * (n - c)).scorecard(k).pass_hat_k == pytest.approx(hat)


def test_the_curve_is_whole_up_to_32_and_then_doubles() -> None:
    assert list(tally_of("p" * 32).scorecard(32).curve) == [str(k) for k in range(1, 33)]
    assert " ".join(tally_of("p" * 64).scorecard(64).curve) == "1 2 4 8 16 32 64"
    assert " ".join(tally_of("p" * 70).scorecard(70).curve) == "1 2 4 8 16 32 64 70"


def test_the_interval_is_wilson_with_the_size_that_the_cases_give() -> None:
    groups = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, 0]]
    card = tally_of("ppp", "pfp", "fff", "ppf").scorecard(None)
    assert card.interval == pytest.approx(wilson_effective_n(groups)["interval"])


def test_where_all_cases_agree_the_size_is_the_number_of_cases() -> None:
    # 2/3 is no exact float: a standard error of 1e-17 would make trials count as independent.
    assert tally_of(*["ppf"] * 7).scorecard(None).interval == wilson_rate(2 / 3, 7)
    assert tally_of("ppppp").scorecard(None).interval == wilson(1, 1)


def test_pass_hat_k_with_k_trials_each_is_a_proportion_of_cases() -> None:
    card = tally_of("ppp", "ppp", "ppf").scorecard(3)
    assert card.pass_hat_k_interval == wilson(2, 3)


def test_pass_hat_k_with_more_trials_is_bounded_by_t_within_0_and_1() -> None:
    card = tally_of("pppp", "pppf", "pppp").scorecard(2)
    ends = t_interval([1.0, 0.5, 1.0])
    assert ends is not None
    assert ends[1] > 1
    assert card.pass_hat_k_interval == (ends[0], 1.0)
    assert tally_of("pppf").scorecard(2).pass_hat_k_interval is None


def test_a_check_counts_where_none_of_its_name_is_null() -> None:
    card = one_case(
        trial("c", "passed", checks=(check("a[1]", passed=True), check("a[2]", passed=True))),
        trial("c", "failed", checks=(check("a[1]", passed=True), check("a[2]", passed=False))),
        trial("c", "failed", checks=(check("a[1]", passed=False), check("a[2]", passed=None))),
        trial("c", "error"),
        trial("c", "error", checks=(check("a[1]", passed=None), check("b.c", passed=True))),
    )
    assert card.checks == {
        "a": CheckCount(passed=1, total=2),
        "b.c": CheckCount(passed=1, total=1),
    }


def test_an_unmeasured_check_is_listed_with_a_total_of_zero() -> None:
    card = one_case(trial("c", "error", checks=(check("limits.cost", passed=None),)))
    assert card.checks == {"limits.cost": CheckCount(passed=0, total=0)}


def test_plan_scores_are_means_per_case_and_then_over_cases() -> None:
    tally = Tally([case("a"), case("b"), case("c")], "USD")
    for score in (1.0, 0.0, 0.0):
        tally.add(trial("a", "failed", checks=(plan("tools.plan", score, 0.3, 0.6),)))
    tally.add(trial("b", "passed", checks=(plan("next", 1.0, 1.0, 1.0),)))
    tally.add(trial("c", "passed", checks=(plan("tools.plan[rule 1]", 0.0),)))
    card = tally.scorecard(None)
    assert card.mean_plan_score == pytest.approx((1 / 3 + 1) / 2)
    assert card.mean_precision == pytest.approx(0.65)
    assert card.mean_recall == pytest.approx(0.8)


def test_a_plan_that_could_not_be_told_is_no_score_of_zero() -> None:
    unknown = check("tools.plan", passed=None, precision=UNSET)
    card = one_case(
        trial("c", "passed", checks=(plan("tools.plan", 0.7),)),
        trial("c", "error", checks=(unknown,)),
    )
    assert card.mean_plan_score == 0.7


def test_tags_count_measured_trials_and_average_cases() -> None:
    tally = Tally([case("a", tags=("x", "y", "x")), case("b", tags=("x",)), case("c")], "USD")
    for name, letters in (("a", "ppe"), ("b", "f")):
        for letter in letters:
            tally.add(trial(name, LETTERS[letter]))
    tags = tally.scorecard(None).tags
    assert list(tags) == ["x", "y"]
    assert (tags["x"].passed, tags["x"].total, tags["x"].pass_rate) == (2, 3, 0.5)


def test_protected_cases_with_one_failing_trial_are_named() -> None:
    tally = Tally([case("a", protected=True), case("b", protected=True), case("c")], "USD")
    for name, letters in (("a", "ppf"), ("b", "pe"), ("c", "f")):
        for letter in letters:
            tally.add(trial(name, LETTERS[letter]))
    assert tally.scorecard(None).protected_failed == ("a",)


def test_unknown_amounts_are_counted_and_never_zero() -> None:
    card = one_case(
        trial("c", "passed", tokens=100, cost=0.01, known_tokens=100, known_cost=0.01),
        trial("c", "passed", tokens=None, cost=None, known_tokens=50, known_cost=0.02),
        trial("c", "passed", steps=None),
    )
    assert (card.mean_tokens, card.total_tokens) == (100.0, 150)
    assert card.mean_cost == 0.01
    assert card.total_cost == pytest.approx(0.03)
    assert (card.mean_steps, card.unknown) == (2.0, {"steps": 1, "tokens": 2, "cost": 2})


def test_where_no_price_is_known_the_cost_is_unknown() -> None:
    card = one_case(trial("c", "passed"), trial("c", "failed"))
    assert card.mean_cost is card.total_cost is card.mean_tokens is None
    assert one_case(trial("c", "passed", cost=0.0)).total_cost == 0.0


@pytest.mark.parametrize("cost", [float("nan"), float("inf"), -1.0, 1e300])
def test_a_cost_that_cannot_be_is_unknown(cost: float) -> None:
    card = one_case(trial("c", "passed", cost=cost), trial("c", "passed", cost=2.0))
    assert (card.mean_cost, card.total_cost, card.unknown["cost"]) == (2.0, 2.0, 1)


def test_totals_hold_all_trials_and_means_the_measured_ones() -> None:
    card = one_case(
        trial("c", "passed", steps=2, tokens=10),
        trial("c", "error", steps=8, tokens=90, stop="error", tool_errors=3),
    )
    assert (card.mean_steps, card.mean_tokens, card.total_tokens) == (2.0, 10.0, 100)
    assert (card.stops, card.tool_errors) == ({"answer": 1, "error": 1}, 3)


def test_estimated_tokens_never_mix_into_a_mean_of_told_ones() -> None:
    told = trial("c", "passed", tokens=100)
    estimated = trial("c", "passed", tokens=900, estimated=True)
    card = one_case(told, estimated)
    assert (card.mean_tokens, card.total_tokens) == (100.0, 1000)
    assert card.notes == ("1 trials have estimated token counts, left out of the mean",)
    alone = one_case(estimated)
    assert (alone.mean_tokens, alone.notes) == (900.0, ())  # each amount is marked where it stands


def test_notes_of_the_caller_come_first() -> None:
    assert tally_of("p").scorecard(1, notes=["scripted"]).notes == ("scripted",)


def test_a_result_counts_what_was_found_as_planned_for_recordings() -> None:
    tally = tally_of("pf", "", informs=True)
    first, second = tally.results()
    assert (first.status, first.pass_rate, first.planned, first.informs) == ("flaky", 0.5, 2, True)
    assert (second.status, second.pass_rate, second.planned) == ("error", None, 0)
    assert [result.planned for result in tally.results({"c0": 5, "c1": 3})] == [5, 3]


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (["p", "pp"], 0),
        (["p", "pf"], 1),
        (["f", "e"], 3),
        (["pe"], 3),
        (["p", ""], 3),
        ([], 3),
    ],
)
def test_exit_codes(outcomes: list[str], code: int) -> None:
    assert exit_code(tally_of(*outcomes)) == code


def test_allowed_failures_exit_0_and_errors_still_3() -> None:
    assert exit_code(tally_of("f"), allow_failures=True) == 0
    assert exit_code(tally_of("fe"), allow_failures=True) == 3


def test_cases_that_only_inform_never_reach_the_exit_code() -> None:
    tally = Tally([case("a"), case("b", informs=True), case("c", informs=("limits",))], "USD")
    for name, letter in ("ap", "bf", "be", "cp"):
        tally.add(trial(name, LETTERS[letter]))
    assert exit_code(tally) == 0
    assert exit_code(tally_of("p", informs=True)) == 3


def test_a_trial_of_a_strange_case_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        tally_of("p").add(trial("stranger", "passed"))


amounts = st.none() | st.integers(0, 10_000)
costs = st.none() | st.floats(0, 10)
outcomes = st.sampled_from([True, False, None])
checks = st.lists(
    st.builds(lambda name, passed: check(name, passed=passed), st.sampled_from("aab"), outcomes)
    | st.builds(plan, st.just("tools.plan"), st.none() | st.floats(0, 1), st.floats(0, 1)),
    max_size=4,
).map(tuple)
trials = st.lists(
    st.builds(
        trial,
        st.sampled_from("abc"),
        st.sampled_from(["passed", "failed", "error"]),
        steps=amounts,
        tokens=amounts,
        cost=costs,
        known_cost=st.floats(0, 1),
        estimated=st.booleans(),
        tool_errors=amounts,
        checks=checks,
    ),
    max_size=25,
)
CASES = [case("a", tags=("x",)), case("b", tags=("x", "y"), protected=True), case("c")]


def card_of(items: Sequence[Trial]) -> Scorecard:
    tally = Tally(CASES, "USD")
    for item in items:
        tally.add(item)
    return tally.scorecard(None)


@given(trials, st.randoms(use_true_random=False))
def test_any_order_gives_the_same_scorecard(items: list[Trial], order: random.Random) -> None:
    shuffled = order.sample(items, len(items))
    assert msgspec.json.encode(card_of(items)) == msgspec.json.encode(card_of(shuffled))


@given(trials)
def test_counts_add_up(items: list[Trial]) -> None:
    card = card_of(items)
    assert card.trials == card.passed + card.failed + card.errors == len(items)
    assert sum(card.statuses.values()) == len(CASES)
    assert card.statuses["error"] == len(card.not_measured)
    assert sum(card.stops.values()) == len(items)
    assert all(0 <= count.passed <= count.total <= len(items) for count in card.checks.values())
    assert card.unknown["tokens"] == sum(item.tokens is None for item in items)


@given(trials)
def test_every_rate_lies_within_its_interval(items: list[Trial]) -> None:
    card = card_of(items)
    for rate, interval in (
        (card.pass_rate, card.interval),
        (card.pass_at_k, card.pass_at_k_interval),
        (card.pass_hat_k, card.pass_hat_k_interval),
    ):
        if rate is not None and interval is not None:
            assert 0 <= interval[0] <= rate <= interval[1] <= 1
    assert (card.interval is None) == (card.pass_rate is None)


@given(trials)
def test_an_amount_is_null_exactly_when_nothing_of_it_is_known(items: list[Trial]) -> None:
    card = card_of(items)
    measured = [item for item in items if item.verdict != "error"]
    assert (card.mean_steps is None) == all(item.steps is None for item in measured)
    assert (card.mean_cost is None) == all(item.cost is None for item in measured)
    known = [item for item in items if item.cost is not None or item.known_cost]
    assert (card.total_cost is None) == (not known)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=6))
def test_pass_hat_k_falls_and_pass_at_k_rises_with_k(pairs: list[tuple[int, int]]) -> None:
    size = min(passed + failed for passed, failed in pairs)
    card = tally_of(*["p" * passed + "f" * failed for passed, failed in pairs]).scorecard(size)
    points = list(card.curve.values())
    for one, next_one in itertools.pairwise(points):
        assert one.pass_at is not None
        assert next_one.pass_at is not None
        assert one.pass_hat is not None
        assert next_one.pass_hat is not None
        assert one.pass_at <= next_one.pass_at + 1e-12
        assert one.pass_hat >= next_one.pass_hat - 1e-12
