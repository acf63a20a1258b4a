"""Thresholds of scores: chosen on one half of the labels, measured on the other."""

import pytest

from fairtrial.judge import calibrate
from fairtrial.judge.sweep import score_of
from fairtrial.records import ItemCalibration, JudgeVerdict, Label, Said
from fairtrial.stats import hash_sampling


def item(rows: list[tuple[Said, Said]]) -> ItemCalibration:
    labels = [Label(case=f"c{at}", label=label) for at, (label, _) in enumerate(rows)]
    verdicts = [JudgeVerdict(case=f"c{at}", verdict=said) for at, (_, said) in enumerate(rows)]
    return calibrate(labels, verdicts).items[0]


def test_people_who_pass_and_a_judge_who_scores_meet_at_the_usual_threshold() -> None:
    told = item([("pass", 5), ("pass", 4), ("fail", 3), ("pass", 2)] * 10)
    assert (told.agreement.accuracy, told.agreement.false_fail) == (0.75, 1 / 3)
    assert told.sweep is not None
    assert told.sweep.thresholds == (2.0, 3.0, 4.0, 5.0)
    assert told.sweep.accuracy == (0.75, 0.5, 0.75, 0.5)


def test_the_threshold_is_measured_on_labels_that_did_not_choose_it() -> None:
    keeps = [hash_sampling(f"c{at}", 0.5)["keep"] for at in range(40)]
    # Those that choose speak for 3, the others for 5.
    rows: list[tuple[Said, Said]] = [
        ("pass" if (at % 5 + 1) >= (3 if keep else 5) else "fail", at % 5 + 1)
        for at, keep in enumerate(keeps)
    ]
    sweep = item(rows).sweep
    assert sweep is not None
    assert sweep.chosen == 3
    assert (sweep.chosen_on, sweep.held) == (sum(keeps), 40 - sum(keeps))
    held = [at for at, keep in enumerate(keeps) if not keep]
    right = sum(at % 5 + 1 in {1, 2, 5} for at in held)
    assert sweep.held_accuracy == right / len(held)


def test_people_who_score_pass_at_four() -> None:
    sweep = item([(4, 5), (2, 3), (5, 4), (3, 1)] * 5).sweep
    assert sweep is not None
    assert max(sweep.accuracy) == 1.0


def test_trials_of_one_case_stand_on_one_side_and_then_nothing_is_held() -> None:
    labels = [Label(case="c", trial=at, label="pass" if at % 2 else "fail") for at in range(20)]
    verdicts = [JudgeVerdict(case="c", trial=at, verdict=at % 5 + 1) for at in range(20)]
    sweep = calibrate(labels, verdicts).items[0].sweep
    assert sweep is not None
    assert (sweep.chosen, sweep.held_accuracy, sweep.held_interval) == (None, None, None)


@pytest.mark.parametrize(
    "rows",
    [
        [("pass", "pass"), ("fail", "fail")],
        [("1", "2"), ("2", "1")],
        [(0, 1), (1, 2), (2, 0)],
        [("pass", 4), ("fail", 4)],
        [("pass", 4), ("fail", "tie")],
        [("pass", None)],
    ],
)
def test_what_is_no_score_has_no_sweep(rows: list[tuple[Said, Said]]) -> None:
    assert item(rows).sweep is None


@pytest.mark.parametrize("said", [True, None, "pass", 0, 6, "nan"])
def test_only_one_to_five_is_a_score(said: Said) -> None:
    assert score_of(said) is None
