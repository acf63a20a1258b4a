"""What is summed of one case, for its row on the terminal."""

from typing import Any

import msgspec
import pytest

from fairtrial.records import Case, Check, Source, Trial, Verdict
from fairtrial.scorecard import Tally


def case(name: str, **more: object) -> Case:
    plain = Case(id=name, hash="0", source=Source("a.yaml", 1))
    return msgspec.structs.replace(plain, **more)


def check(name: str, *, passed: bool | None, **more: object) -> Check:
    score = None if passed is None else float(passed)
    plain = Check(name=name, passed=passed, score=score, decides=True, reason="")
    return msgspec.structs.replace(plain, **more)


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


def test_the_sums_of_a_case_are_over_its_measured_trials() -> None:
    tally = Tally([case("c")], "USD")
    tally.add(trial("c", "passed", steps=3, tokens=400, cost=0.25))
    tally.add(trial("c", "failed", 1, steps=5, tokens=None, known_tokens=100, cost=0.75))
    tally.add(trial("c", "error", 2, steps=9, tokens=900, cost=9.0))
    sums = tally.sums("c")
    assert (sums.passed, sums.measured, sums.trials) == (1, 2, 3)
    assert (sums.fewest, sums.most, sums.steps_whole) == (3, 5, True)
    assert (sums.mean_tokens(), sums.mean_cost()) == ((250, False), (0.5, True))
    assert not sums.odd


def test_the_sums_of_a_case_tell_of_estimates_and_of_unknown_amounts() -> None:
    tally = Tally([case("c"), case("d")], "USD")
    tally.add(trial("c", "passed", steps=None, tokens=10, estimated=True))
    tally.add(trial("d", "error", tokens=10, estimated=True))
    known, unmeasured = tally.sums("c"), tally.sums("d")
    assert (known.fewest, known.steps_whole, known.guessed, known.estimates) == (
        None,
        False,
        True,
        1,
    )
    assert known.mean_cost() == (None, False)
    assert (unmeasured.guessed, unmeasured.estimates, unmeasured.mean_tokens()) == (
        False,
        1,
        (None, True),
    )


@pytest.mark.parametrize(
    "amounts", [{"cost": -1.0}, {"tokens": -1}, {"steps": -1}, {"cost": 1e250}]
)
def test_an_amount_that_cannot_be_makes_the_sums_of_its_case_odd(amounts: dict[str, Any]) -> None:
    tally = Tally([case("c")], "USD")
    tally.add(trial("c", "passed", **amounts))
    assert tally.sums("c").odd


def test_the_sums_of_a_case_name_its_checks_and_tell_of_doubtful_ones() -> None:
    tally = Tally([case("c"), case("d")], "USD")
    deciding = frozenset({"a"})
    informing = check("limits.cost", passed=False, decides=False)
    tally.add(trial("c", "passed", checks=(check("a[x]", passed=True), informing)))
    tally.add(trial("d", "passed", checks=(check("a[y]", passed=True),)))
    told, plain = tally.sums("c"), tally.sums("d")
    assert (told.deciding, told.informing, told.telling) == (
        deciding,
        frozenset({"limits.cost"}),
        True,
    )
    assert (plain.deciding, plain.informing, plain.telling) == (deciding, frozenset(), False)
