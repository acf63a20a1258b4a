"""What was not measured: out of every rate, counted everywhere, and never a gain."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Case, Scorecard, Source, Trial, Verdict
from fairtrial.scorecard import Tally
from fairtrial.stats import smallest_drop, suite_sight

LETTERS: dict[str, Verdict] = {"p": "passed", "f": "failed", "e": "error"}

ROWS = st.lists(st.text("pfe", max_size=6), min_size=1, max_size=6)


def card_of(
    *rows: str,
    model: str = "none",
    k: int | None = None,
    each: dict[str, int] | None = None,
    informs: frozenset[int] = frozenset(),
) -> Scorecard:
    """Sum up cases c0, c1, ... whose trials are letters: p passes, f fails, e is an error."""
    cases = [
        Case(id=f"c{at}", hash="0", source=Source("a.yaml", 1), informs=at in informs or ())
        for at in range(len(rows))
    ]
    tally = Tally(cases, "USD")
    for at, row in enumerate(rows):
        for number, letter in enumerate(row):
            tally.add(
                Trial(
                    case=f"c{at}", trial=number, verdict=LETTERS[letter], stop="answer", error=None,
                    steps=1, tokens=None, cost=None, seconds=None, tool_errors=0, tools=(),
                    failed_calls=(), checks=(), model=model,
                )
            )  # fmt: skip
    return tally.scorecard(k, each=each)


def test_both_rates_and_the_coverage_are_told() -> None:
    """BL-28."""
    a, b = card_of("p", "f"), card_of("p", "e")
    assert (a.pass_rate, a.strict_pass_rate, a.coverage) == (0.5, 0.5, 1.0)
    assert (b.pass_rate, b.strict_pass_rate, b.coverage) == (1.0, 0.5, 0.5)


def test_one_surviving_trial_has_the_worst_case_beside_it() -> None:
    """BL-29."""
    card = card_of("peee", "eeee")
    assert (card.pass_rate, card.strict_pass_rate, card.coverage) == (1.0, 0.125, 0.125)
    assert (card.trials, card.errors, card.not_measured) == (8, 7, ("c1",))
    assert card.curve["1"].cases == 1


def test_eight_samples_with_two_right_and_two_errors_are_25_percent_at_worst() -> None:
    """BL-29."""
    card = card_of("p", "p", "f", "f", "f", "f", "e", "e")
    assert card.pass_rate == pytest.approx(2 / 6)
    assert card.strict_pass_rate == 0.25


def test_trials_that_never_ran_count_as_failed_at_worst() -> None:
    card = card_of("pp", "p", "", k=2, each={"c0": 2, "c1": 2, "c2": 2})
    assert (card.strict_pass_rate, card.coverage) == (0.5, 0.5)
    more = card_of("ppp", each={"c0": 2}, k=2)  # more than planned is no more than all
    assert (more.strict_pass_rate, more.coverage) == (1.0, 1.0)


def test_a_case_without_a_recording_counts_with_the_trials_of_the_others() -> None:
    card = card_of("pp", "ff", "")
    assert card.strict_pass_rate == pytest.approx(1 / 3)
    assert card.coverage == pytest.approx(4 / 6)


def test_no_case_has_no_rate_at_all() -> None:
    card = Tally([], "USD").scorecard(None)
    assert (card.strict_pass_rate, card.coverage, card.smallest_drop) == (None, None, None)


@given(ROWS)
def test_the_strict_rate_is_at_most_the_measured_one_of_its_trials(rows: list[str]) -> None:
    card = card_of(*rows)
    strict, coverage = card.strict_pass_rate, card.coverage
    assert strict is not None
    assert coverage is not None
    assert 0 <= strict <= 1
    assert 0 <= coverage <= 1
    if not card.errors and "" not in rows:
        assert (strict, coverage) == (card.pass_rate, 1.0)


@given(ROWS, st.data())
def test_turning_a_failure_into_an_error_never_raises_the_strict_rate(
    rows: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    broken = [row.replace("f", "e", 1) if index == at else row for index, row in enumerate(rows)]
    assert card_of(*broken).strict_pass_rate == card_of(*rows).strict_pass_rate


# The smallest drop.


def test_a_live_run_tells_the_smallest_drop_that_it_could_have_seen() -> None:
    rows = ["ppppf", "ppppp", "ppfpf", "ppppp", "fpppp", "ppppp"]
    sight = suite_sight([(len(row), row.count("p")) for row in rows])
    assert sight is not None
    assert card_of(*rows, model="live").smallest_drop == smallest_drop(sight)


@pytest.mark.parametrize("model", ["none", "scripted", "replayed"])
def test_a_run_without_chance_in_it_has_no_smallest_drop(model: str) -> None:
    assert card_of("pf", "pp", "pf", model=model).smallest_drop is None


@pytest.mark.parametrize("rows", [["p", "f", "p"], ["ppppf"], ["ppe", "eee"], ["ff", "ff"]])
def test_where_it_is_not_known_it_is_null(rows: list[str]) -> None:
    assert card_of(*rows, model="live").smallest_drop is None
    assert b'"smallest_drop":null' in msgspec.json.encode(card_of(*rows, model="live"))


def test_cases_that_only_inform_are_left_out_of_it() -> None:
    rows = ["ppppf", "ppppp", "ppfpf", "ppppp"]
    with_one = card_of(*rows, "fffpf", model="live", informs=frozenset({4}))
    assert with_one.smallest_drop == card_of(*rows, model="live").smallest_drop


def test_a_scorecard_from_before_has_neither() -> None:
    old = msgspec.to_builtins(card_of("p"))
    for name in ("strict_pass_rate", "coverage", "smallest_drop"):
        del old[name]
    read = msgspec.convert(old, Scorecard)
    assert (read.strict_pass_rate, read.coverage, read.smallest_drop) == (None, None, None)
