"""What people are asked: every kind of trial, what each stands for, and the same for everybody."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.judge import Candidate, Drawn, Stratum, draw, stratum_of
from fairtrial.records import (
    Case,
    Check,
    JudgeVerdict,
    Said,
    Source,
    Step,
    ToolCall,
    Trajectory,
    Trial,
)

STRATA = [
    Stratum(side, kind, outcome)
    for side in ("judge PASS", "judge FAIL")
    for kind in ("plain", "long answer")
    for outcome in ("passed", "failed")
]

populations = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(["one", "two"]), st.sampled_from(STRATA)),
    min_size=1,
    max_size=120,
).map(
    lambda rows: [
        Candidate(f"c{at % 40}", case, item, stratum)
        for at, (case, item, stratum) in enumerate(rows)
    ]
)


@given(populations, st.integers(1, 60), st.integers(0, 3))
def test_weights_come_to_the_population_and_every_stratum_is_drawn(
    population: list[Candidate], size: int, seed: int
) -> None:
    weights: dict[tuple[str, str], float] = defaultdict(float)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in draw(population, size, seed):
        weights[one.item, one.stratum] += one.weight
    for candidate in population:
        counts[candidate.item, candidate.stratum.name] += 1
    assert weights == pytest.approx(counts)


@given(populations, st.integers(1, 60), st.integers(0, 3))
def test_the_draw_is_the_same_whatever_the_order_and_names_each_question_once(
    population: list[Candidate],
    size: int,
    seed: int,
) -> None:
    once = list({(one.case, one.trial, one.item): one for one in population}.values())
    drawn = draw(once, size, seed)
    assert len({one[:3] for one in drawn}) == len(drawn)
    assert sorted(draw(once[::-1], size, seed)) == sorted(drawn)
    items = {one.item for one in once}
    for item in items:
        strata = {one.stratum for one in once if one.item == item}
        there = sum(one.item == item for one in once)
        assert sum(one.item == item for one in drawn) == min(max(size, len(strata)), there)


def kinds(fails: int, passes: int) -> list[Candidate]:
    return [
        Candidate(f"c{at}", 0, "Is polite", STRATA[4] if at < fails else STRATA[0])
        for at in range(fails + passes)
    ]


def test_half_of_a_sample_are_fails_as_far_as_there_are_any() -> None:
    drawn = draw(kinds(60, 940), 60)
    assert [one.weight for one in drawn if "FAIL" in one.stratum] == [2.0] * 30
    assert sum("FAIL" in one.stratum for one in draw(kinds(8, 940), 60)) == 8


def test_a_larger_sample_holds_the_smaller_one_and_another_seed_is_another_one() -> None:
    def names(drawn: list[Drawn]) -> set[str]:
        return {one.case for one in drawn}

    assert names(draw(kinds(60, 200), 20)) < names(draw(kinds(60, 200), 50))
    assert names(draw(kinds(60, 200), 20)) != names(draw(kinds(60, 200), 20, 1))


def test_what_was_drawn_stands_in_an_order_that_tells_no_stratum() -> None:
    first = [one.stratum for one in draw(kinds(60, 940), 60)][:20]
    assert len(set(first)) == 2


def test_questions_about_one_trial_stand_together() -> None:
    population = [
        Candidate(f"c{at}", 0, item, STRATA[0]) for at in range(50) for item in ("two", "one")
    ]
    drawn = draw(population, 20)
    assert [one.item for one in drawn] == ["two", "one"] * 20
    assert all(drawn[at].case == drawn[at + 1].case for at in range(0, 40, 2))


def test_a_sample_of_nothing_is_refused() -> None:
    assert draw([], 5) == []
    with pytest.raises(ValueError, match="size must be at least 1"):
        draw([], 0)


CASE = Case(id="c", hash="", source=Source("a.yaml", 1), input="My fee is 17 EUR?")


def trial(*failed: str, verdict: str = "failed") -> Trial:
    return Trial(
        case="c", trial=0, verdict="passed" if verdict == "passed" else "failed", stop="answer",
        error=None, steps=1, tokens=None, cost=None, seconds=None, tool_errors=0, tools=(),
        failed_calls=(), checks=tuple(Check(name=name, passed=False, score=0.0) for name in failed),
    )  # fmt: skip


def said(answer: str | None, result: object = "") -> Trajectory:
    return Trajectory(
        case="c", answer=answer, steps=(Step(calls=(ToolCall(name="get", result=result),)),)
    )


@pytest.mark.parametrize(
    ("failed", "trajectory", "kind"),
    [
        ("state.bookings", said("I have cancelled it."), "claimed but not done"),
        ("tools.required[cancel]", said("All done!"), "claimed but not done"),
        ("state.bookings", said("I could not reach them."), "wrong number or state"),
        ("answer.numbers[320]", said("It is 300.", 300), "wrong number or state"),
        ("answer.contains[x]", said("It is 99.50 EUR.", {"fee": 98.5}), "invented figure"),
        ("answer.contains[x]", said("It is 98.50 EUR, not 17.", {"fee": 98.5}), "plain"),
        ("answer.contains[x]", said("It takes 3 days."), "plain"),
        ("answer.contains[x]", said("Well " * 100), "long answer"),
        ("answer.contains[x]", said(None), "plain"),
    ],
)
def test_a_trial_is_drawn_as_what_a_judge_gets_wrong(
    failed: str, trajectory: Trajectory, kind: str
) -> None:
    assert stratum_of(trial(failed), CASE, trajectory, None, 50).kind == kind


@pytest.mark.parametrize(
    ("verdict", "name"),
    [
        (True, "plain, passed, judge PASS"),
        ("fail", "plain, passed, judge FAIL"),
        (3, "plain, passed, judge FAIL"),
        (5, "plain, passed, judge PASS"),
        (None, "plain, passed, judge unread"),
    ],
)
def test_a_judge_that_is_there_has_a_say_in_the_strata(verdict: Said, name: str) -> None:
    judged = JudgeVerdict(case="c", verdict=verdict)
    told = stratum_of(trial(verdict="passed"), CASE, said("Yes."), judged, 50)
    assert told.name == name
    assert stratum_of(trial(verdict="passed"), CASE, said("Yes."), None, 50).name == "plain, passed"


@settings(max_examples=30)
@given(st.text(max_size=400), st.text(max_size=400))
def test_no_answer_and_no_result_breaks_it(answer: str, result: str) -> None:
    assert stratum_of(trial("state.x"), CASE, said(answer, result), None, 50).outcome == "failed"
