"""What a judge said over a run, item by item, and what people would say by its measured errors."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from fairtrial.flow.judge_tally import Amount, JudgeTally
from fairtrial.judge import calibrate
from fairtrial.records import (
    Calibration,
    Case,
    Expectation,
    JudgeQuestion,
    JudgeVerdict,
    Label,
    NaturalMix,
    RubricItem,
    Source,
    Tokens,
    Trust,
)
from fairtrial.stats import ppi_mean, rogan_gladen

ITEM = "Is polite"
QUESTION = JudgeQuestion(item=ITEM, text=ITEM)


def case_of(name: str, *, gate: bool = False) -> Case:
    expect = Expectation(rubric=(RubricItem(item=ITEM, gate=gate),))
    return Case(id=name, hash="", source=Source("a.yaml", 1), expect=expect)


def tally(
    *verdicts: JudgeVerdict,
    calibration: Calibration | None = None,
    trust: Trust | None = None,
    gate: bool = False,
) -> Any:
    cases = [case_of(name, gate=gate) for name in ("a", "b", "c", "d")]
    questions = {case.id: [QUESTION] for case in cases}
    made = JudgeTally(cases, questions, trust or Trust(), calibration)
    made.add(verdicts)
    return made.use("small", "f1", "live")


def said(case: str, verdict: Any, **fields: Any) -> JudgeVerdict:
    fields.setdefault("calls", 1)
    return JudgeVerdict(case=case, item=ITEM, verdict=verdict, asks=1, **fields)


def measured(cells: Sequence[tuple[bool, bool, int]], *, random: bool = False) -> Calibration:
    """Calibrate on so many labels of each pair of what people and the judge say."""
    labels, verdicts, number = [], [], 0
    for human, judge, count in cells:
        for _ in range(count):
            labels.append(Label(case=f"l{number}", item=ITEM, label=human))
            verdicts.append(
                JudgeVerdict(case=f"l{number}", item=ITEM, verdict=judge, fingerprint="f1")
            )
            number += 1
    found = calibrate(labels, verdicts)
    return found if not random else type(found)(**_fields(found, random=True))


def _fields(record: Any, **changed: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__} | changed


def test_rates_are_means_over_cases_and_what_is_no_verdict_is_in_none() -> None:
    use = tally(
        said("a", True), said("a", True), said("a", False), said("b", False), said("c", None)
    )
    (item,) = use.items
    assert (item.judged, item.unjudged) == (4, 1)
    assert item.rate == pytest.approx((2 / 3 + 0) / 2)
    assert item.corrected is None


def test_an_item_that_nobody_judged_has_no_rate() -> None:
    (item,) = tally(said("a", None, fault="no reply")).items
    assert (item.judged, item.rate, item.rate_interval, item.mean_score) == (0, None, None, None)


def test_scores_have_a_mean_and_no_rate() -> None:
    (item,) = tally(said("a", 4), said("b", 3)).items
    assert (item.rate, item.mean_score, item.judged) == (None, 3.5, 2)


def test_money_and_tokens_are_of_the_calls_made_now_and_unknown_where_one_is() -> None:
    tokens = Tokens(input=10, output=2)
    one = said("a", True, tokens=tokens, cost=0.1, seconds=1.0)
    old = said("b", True, tokens=tokens, cost=0.1, seconds=1.0, mode="replayed", calls=0)
    use = tally(one, one, old)
    assert (use.verdicts, use.calls, use.replayed) == (3, 2, 1)
    assert (use.tokens, use.cost, use.seconds) == (24, 0.2, 2.0)
    use = tally(one, said("c", True))
    assert (use.calls, use.tokens, use.cost) == (2, None, None)
    use = tally(old)
    assert (use.calls, use.tokens, use.cost) == (0, None, None)


def test_faults_are_counted_by_kind() -> None:
    use = tally(said("a", None, fault="cut off"), said("b", None, fault="cut off"), said("c", True))
    assert use.faults == {"cut off": 2}
    assert use.commonest_fault == "cut off"


def test_why_most_verdicts_are_none_is_told_in_words() -> None:
    lost = [
        said("a", None, fault="no reply", reason="the server is down"),
        said("b", None, fault="unreadable", reason="no JSON object"),
        said("c", None, fault="no reply", reason="the server is down"),
    ]
    assert tally(*lost).commonest_fault == "the server is down"
    assert tally(*reversed(lost)).commonest_fault == "the server is down"
    assert tally(said("a", True)).commonest_fault is None


def test_a_judged_rate_is_corrected_by_the_judges_errors() -> None:
    cells = [(True, True, 45), (True, False, 5), (False, False, 40), (False, True, 10)]
    verdicts = [said(name, name != "d") for name in "abcd"]
    (item,) = tally(*verdicts, calibration=measured(cells)).items
    told = rogan_gladen(3, 4, 45, 50, 40, 50)
    assert (item.rate, item.corrected) == (0.75, told["corrected_clipped"])
    assert item.corrected_interval == told["ci_lang_reiczigel"]
    assert item.correction == "rogan-gladen"


def test_a_judge_without_an_error_is_corrected_to_what_it_says() -> None:
    calibration = measured([(True, True, 40), (False, False, 40)])
    halves = [said("a", True), said("a", False), said("b", True), said("c", False)]
    (item,) = tally(*halves, calibration=calibration).items
    assert item.corrected == pytest.approx(item.rate)


def test_labels_with_weights_correct_by_the_errors_of_the_natural_mix() -> None:
    cells = [(True, True, 45), (True, False, 5), (False, False, 40), (False, True, 10)]
    calibration = measured(cells)
    agreement = calibration.items[0].agreement
    natural = NaturalMix(
        accuracy=0.9, accuracy_interval=(0.8, 0.95), false_pass=0.1, false_fail=0.02
    )
    weighted = msgspec.structs.replace(agreement, natural=natural)
    item = msgspec.structs.replace(calibration.items[0], agreement=weighted)
    calibration = msgspec.structs.replace(calibration, items=(item,), random=True)
    (found,) = tally(said("a", True), said("b", False), calibration=calibration).items
    told = rogan_gladen(1, 2, 0.98 * 50, 50, 0.9 * 50, 50)
    assert (found.corrected, found.correction) == (told["corrected_clipped"], "rogan-gladen")


def test_labels_drawn_at_random_correct_by_prediction_powered_inference() -> None:
    cells = [(True, True, 60), (True, False, 10), (False, False, 40), (False, True, 10)]
    calibration = measured(cells, random=True)
    (item,) = tally(said("a", True), said("b", False), calibration=calibration).items
    labels = [1.0] * 70 + [0.0] * 50
    judged = [1.0] * 60 + [0.0] * 10 + [0.0] * 40 + [1.0] * 10
    told = ppi_mean(labels, judged, [1.0, 0.0])
    assert (item.corrected, item.correction) == (told["estimate_power_tuned"], "ppi++")


def test_an_item_decides_where_a_case_lets_it_and_the_judge_may() -> None:
    trusted = Trust(trusted=frozenset({ITEM}))
    assert tally(said("a", True), trust=trusted, gate=True).items[0].decides
    assert not tally(said("a", True), trust=trusted).items[0].decides
    (item,) = tally(said("a", True), gate=True).items
    assert not item.decides
    assert item.why_not is not None


@pytest.mark.parametrize(
    ("parts", "total"), [([], None), ([1.5, 2], 3.5), ([1.5, None], None), ([None], None)]
)
def test_an_amount_is_known_where_all_parts_are(
    parts: list[float | None], total: float | None
) -> None:
    amount = Amount()
    for part in parts:
        amount.add(part)
    assert (amount.total, amount.parts) == (total, len(parts))
