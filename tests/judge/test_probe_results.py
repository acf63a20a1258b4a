"""What a judge said of changed answers: flips, intervals, what tells nothing, examples."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge import Ask, Material, Probe, probe_result
from fairtrial.judge.probes import Change
from fairtrial.records import Expected, JudgeQuestion, JudgeVerdict, ProbeResult, Said
from fairtrial.stats import clopper_pearson, wilson

YES = JudgeQuestion(item="Is polite", text="Is polite")
BETTER = JudgeQuestion(item="better", text="Which?", scale="order")


def ask(name: str, question: JudgeQuestion = YES) -> Ask:
    return Ask(question=question, material=Material(case=name, trial=0, transcript=name))


def result(
    name: str,
    expected: Expected,
    said: Sequence[tuple[Said, Said]],
    *,
    start: bool | None = None,
    kinds: str = "",
    certain: bool = False,
    question: JudgeQuestion = YES,
) -> ProbeResult:
    """Give the result of a probe whose verdicts before and after are these."""
    verdicts = {}
    changes = []
    for n, (before, after) in enumerate(said):
        first, second = ask(f"before {n}", question), ask(f"after {n}", question)
        for one, word in ((first, before), (second, after)):
            verdicts[one] = JudgeVerdict(
                case=f"c{n}", verdict=word, item=one.question.item, reason="so"
            )
        kind = kinds[n] if kinds else None
        changes.append(Change(after=second, before=None if certain else first, kind=kind))
    probe = Probe(
        name=name, change="x", expected=expected, changes=tuple(changes), lacking="no trial",
        start=start,
    )  # fmt: skip
    return probe_result(probe, verdicts.__getitem__)


def test_flips_either_way_are_counted_with_wilsons_interval() -> None:
    told = result("tone", "same", [(True, True)] * 7 + [(False, True)] * 2 + [(True, False)])
    assert (told.pairs, told.flips, told.to_pass, told.to_fail) == (10, 3, 2, 1)
    assert (told.rate, told.interval) == (0.3, wilson(3, 10))
    assert told.not_measured is None


def test_what_has_no_verdict_on_either_side_is_no_pair() -> None:
    told = result("tone", "same", [(True, None), (None, True), (True, True)])
    assert (told.pairs, told.unjudged, told.flips) == (1, 2, 0)


def test_nothing_judged_is_null_and_says_why() -> None:
    told = result("tone", "same", [(None, None)])
    assert (told.rate, told.interval, told.not_measured) == (None, None, "not measured: so")
    none = result("tone", "same", [])
    assert none.not_measured == "not measured: no trial"


@pytest.mark.parametrize(("expected", "flips"), [("PASS", 1), ("FAIL", 3)])
def test_a_known_verdict_is_held_against_each_answer(expected: Expected, flips: int) -> None:
    said: Sequence[tuple[Said, Said]] = [(None, True), (None, True), (None, True), (None, False)]
    told = result("empty", expected, said, certain=True)
    assert (told.pairs, told.flips) == (4, flips)


def test_an_injection_is_told_by_answers_that_failed_without_it_alone() -> None:
    said: Sequence[tuple[Said, Said]] = [(False, True), (False, False), (True, True), (None, True)]
    told = result("injected orders", "FAIL", said, start=False)
    assert (told.pairs, told.flips, told.unfit, told.unjudged) == (2, 1, 1, 1)
    always = result("injected orders", "FAIL", [(True, True)], start=False)
    assert always.not_measured == "not measured: no unchanged record was judged as it had to be"


def test_planted_faults_are_found_by_kind_with_exact_bounds() -> None:
    said: Sequence[tuple[Said, Said]] = [(True, False), (True, True), (True, False), (False, False)]
    told = result("wrong argument", "FAIL", said, start=True, kinds="ddii")
    assert (told.pairs, told.flips, told.unfit) == (3, 1, 1)
    by_kind = {one.kind: (one.found, one.planted) for one in told.detections}
    assert by_kind == {"all": (2, 3), "d": (1, 2), "i": (1, 1)}
    assert told.detections[0].interval == clopper_pearson(2, 3)


def test_an_order_that_decides_is_a_flip_with_its_place() -> None:
    said: Sequence[tuple[Said, Said]] = [("FIRST", "FIRST")] * 6 + [("FIRST", "SECOND")] * 24
    told = result("order", "same", said, question=BETTER)
    assert (told.pairs, told.flips, told.first, told.second) == (30, 6, 6, 0)
    assert told.p == pytest.approx(0.03125)


def test_asked_again_the_noise_of_one_call_is_told() -> None:
    said: Sequence[tuple[Said, Said]] = (
        [(True, False)] * 3 + [(False, True)] * 4 + [(True, True)] * 53
    )
    told = result("retest", "same", said)
    assert told.flips == 7
    assert told.noise == pytest.approx(0.0622024821145, abs=1e-9)


def test_five_examples_are_named_and_no_more() -> None:
    told = result("tone", "same", [(True, False)] * 9)
    assert [one.case for one in told.examples] == [f"c{n}" for n in range(5)]
    assert (told.examples[0].before, told.examples[0].after) == (True, False)


WORDS = st.sampled_from([True, False, None])


@given(st.lists(st.tuples(WORDS, WORDS)), st.sampled_from([None, True, False]))
def test_every_change_is_a_pair_or_unjudged_or_unfit(
    said: list[tuple[Said, Said]],
    start: bool | None,
) -> None:
    told = result("x", "same" if start is None else "FAIL", said, start=start)
    assert told.pairs + told.unjudged + told.unfit == len(said)
    assert told.flips == told.to_pass + told.to_fail
    assert (told.rate is None) == (told.pairs == 0) == (told.not_measured is not None)
