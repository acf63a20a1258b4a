"""Calibration: what is compared with what, what is counted apart, and when a judge is trusted."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.judge import calibrate
from fairtrial.records import (
    Calibration,
    ItemCalibration,
    JudgeVerdict,
    Label,
    Said,
    TrustBar,
)


def measured(
    rows: Sequence[tuple[Said, Said]], bar: TrustBar | None = None, item: str = "polite"
) -> Calibration:
    """Calibrate on pairs of what a person and what the judge said."""
    labels = [Label(case=f"c{at}", item=item, label=label) for at, (label, _) in enumerate(rows)]
    verdicts = [
        JudgeVerdict(case=f"c{at}", item=item, verdict=verdict, judge="j", fingerprint="f1")
        for at, (_, verdict) in enumerate(rows)
    ]
    return calibrate(labels, verdicts, bar)


AGREED: tuple[Said, Said] = ("pass", "pass")
ALSO: tuple[Said, Said] = ("fail", "fail")
GOOD = [AGREED] * 120 + [ALSO] * 80


def test_a_judge_that_agrees_is_trusted_for_its_item() -> None:
    told = measured(GOOD)
    assert (told.judge, told.fingerprint) == ("j", "f1")
    assert [(item.item, item.trusted, item.why_not) for item in told.items] == [
        ("polite", True, ())
    ]
    assert (told.overall.accuracy, told.overall.kappa, told.overall.false_pass) == (1.0, 1.0, 0.0)
    assert told.disagreements == ()


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (GOOD[100:140], "40 labels, and 50 are wanted"),
        ([("pass", "pass")] * 90 + [("fail", "fail")] * 9, "9 human fails among them"),
        ([*GOOD, *[("fail", "pass")] * 30], "it passes up to"),
        ([*GOOD, *[("pass", "fail")] * 40], "accuracy is at least"),
        ([("pass", "pass")] * 400 + [("fail", "pass")] * 30, "kappa is"),
        ([(at % 3, at % 3) for at in range(99)], "are not passes and fails"),
    ],
)
def test_a_judge_that_lacks_something_is_told_what(rows: list[tuple[Said, Said]], why: str) -> None:
    item = measured(rows).items[0]
    assert not item.trusted
    assert any(why in reason for reason in item.why_not), item.why_not


def test_bounds_are_held_against_the_bar_and_not_points() -> None:
    rows = [*GOOD[:25], *GOOD[-25:]]
    rows[0] = ("pass", "fail")
    told = measured(rows)
    assert told.overall.accuracy == 0.98
    assert not told.items[0].trusted  # one of 25 fails may yet be passed
    lenient = TrustBar(accuracy=0.8, false_pass=0.2)
    assert measured(rows, lenient).items[0].trusted


def test_a_judge_that_passes_all_has_accuracy_and_no_kappa() -> None:
    told = measured([("pass", "pass")] * 95 + [("fail", "pass")] * 5).overall
    assert (told.accuracy, told.kappa, told.false_pass) == (0.95, 0.0, 1.0)


def test_what_cannot_be_read_is_counted_apart() -> None:
    told = measured([("pass", "pass")] * 3 + [("pass", None), ("fail", "")]).overall
    assert (told.labels, told.unreadable) == (3, 2)
    assert (told.accuracy, told.accuracy_strict) == (1.0, 0.6)


def test_nothing_to_compare_is_nothing_measured() -> None:
    told = calibrate([], [])
    assert told.overall.labels == 0
    assert told.overall.accuracy is None
    assert told.items == ()


def test_several_labellers_the_majority_counts_and_a_split_is_left_out() -> None:
    labels = [
        Label(case=case, label=label, labeller=f" l{at}")
        for case, said in {"a": "ppf", "b": "pf", "c": "fff"}.items()
        for at, label in enumerate({"p": "pass", "f": "fail"}[one] for one in said)
    ]
    verdicts = [JudgeVerdict(case=case, verdict="pass") for case in "abcd"]
    told = calibrate(labels, verdicts)
    assert (told.overall.labels, told.overall.accuracy, told.labellers.split) == (2, 0.5, 1)
    assert [(one.case, one.label, one.verdict) for one in told.disagreements] == [
        ("c", "fail", "pass")
    ]
    assert set(told.labellers.pairs) == {"l0 and l1", "l0 and l2", "l1 and l2"}
    assert (told.unlabelled, told.unjudged) == (1, 0)


def test_each_item_is_measured_by_itself() -> None:
    labels = [
        Label(case=f"c{at}", item=item, label="pass") for at in range(4) for item in ("one", "two")
    ]
    verdicts = [
        JudgeVerdict(case=f"c{at}", item=item, verdict="pass" if item == "one" else "fail")
        for at in range(4)
        for item in ("one", "two")
    ]
    told = calibrate(labels, verdicts)
    assert [(item.item, item.agreement.accuracy) for item in told.items] == [
        ("one", 1.0),
        ("two", 0.0),
    ]
    assert told.overall.accuracy == 0.5


def test_scores_have_a_weighted_kappa_and_a_distance_and_few_numbers_are_names() -> None:
    scores = measured([(at % 5 + 1, min(5, at % 5 + 2)) for at in range(50)]).overall
    assert scores.mean_difference == 0.8
    assert scores.kappa_weighted is not None
    assert scores.kappa is not None
    assert scores.kappa_weighted > scores.kappa
    names = measured([(at % 3, at % 3) for at in range(30)]).overall
    assert (names.kappa_weighted, names.mean_difference, names.accuracy) == (None, None, 1.0)


@pytest.mark.parametrize(
    ("labels", "verdicts", "said"),
    [
        ([Label(case="a", label=1), Label(case="a", label=2)], [], "labelled both 1 and 2"),
        ([], [JudgeVerdict(case="a", verdict=1)] * 2, "case 'a', trial 0: two verdicts"),
        (
            [],
            [JudgeVerdict(case=c, verdict=1, judge=c) for c in "ab"],
            "several judges (judge a and b)",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(
    labels: list[Label], verdicts: list[JudgeVerdict], said: str
) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the words are looked at below
        calibrate(labels, verdicts)
    assert said in str(error.value)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from(["pass", "fail"]), st.sampled_from(["pass", "fail", None])),
        min_size=1,
        max_size=20,
    )
)
def test_order_and_spelling_change_nothing(rows: list[tuple[Said, Said]]) -> None:
    spelt: list[tuple[Said, Said]] = [
        (label == "pass", None if verdict is None else f" {verdict}".upper())
        for label, verdict in rows
    ]
    one, other = measured(rows), measured(spelt)
    assert one == other
    assert measured(rows[::-1]).overall == one.overall


def test_a_verdict_that_could_not_be_read_counts_against_the_bar() -> None:
    assert measured(GOOD).items[0].trusted
    item = measured([*GOOD, *[("pass", None)] * 40]).items[0]
    assert item.agreement.accuracy == 1.0
    assert [why.partition(", and")[0] for why in item.why_not] == ["accuracy is at least 78.1 %"]


def test_a_judge_without_a_fingerprint_is_never_trusted() -> None:
    labels = [Label(case=f"c{at}", label=label) for at, (label, _) in enumerate(GOOD)]
    verdicts = [JudgeVerdict(case=f"c{at}", verdict=said) for at, (_, said) in enumerate(GOOD)]
    item = calibrate(labels, verdicts).items[0]
    assert (item.trusted, item.agreement.accuracy) == (False, 1.0)
    assert item.why_not[0].startswith("its verdicts name no fingerprint")


def test_an_item_keeps_what_was_asked_and_is_not_trusted_when_that_differs() -> None:
    labels = [Label(case=f"c{at}", label=label) for at, (label, _) in enumerate(GOOD)]

    def item(*questions: str) -> ItemCalibration:
        verdicts = [
            JudgeVerdict(
                case=f"c{at}",
                verdict=said,
                fingerprint="f",
                question=questions[at % len(questions)],
            )
            for at, (_, said) in enumerate(GOOD)
        ]
        return calibrate(labels, verdicts).items[0]

    assert (item("q1").trusted, item("q1").question) == (True, "q1")
    assert (item("q1", "q2").trusted, item("q1", "q2").question) == (False, "q1 q2")
    assert "was asked it in 2 ways" in item("q1", "q2").why_not[0]


def test_the_bar_is_met_by_weight_too() -> None:
    rows: list[tuple[str, str, float]] = [("pass", "pass", 1.0)] * 190
    rows += [("fail", "fail", 1.0)] * 78
    rows += [("fail", "pass", 30.0)] * 2

    def item(*, weighed: bool) -> ItemCalibration:
        labels = [
            Label(case=f"c{at}", label=label, weight=weight if weighed else None)
            for at, (label, _, weight) in enumerate(rows)
        ]
        verdicts = [
            JudgeVerdict(case=f"c{at}", verdict=said, fingerprint="f")
            for at, (_, said, _) in enumerate(rows)
        ]
        return calibrate(labels, verdicts).items[0]

    assert item(weighed=False).trusted
    assert any("it passes up to" in why for why in item(weighed=True).why_not)


def test_scores_of_both_sides_meet_the_bar_as_what_is_good_enough() -> None:
    scores = [(5, 4), (4, 5), (2, 1), (1, 2), (3, 2), (5, 5), (4, 4), (1, 1)] * 20
    labels = [Label(case=f"c{n}", item="warmth", label=a) for n, (a, _) in enumerate(scores)]
    verdicts = [
        JudgeVerdict(case=f"c{n}", item="warmth", verdict=b, fingerprint="f")
        for n, (_, b) in enumerate(scores)
    ]
    (item,) = calibrate(labels, verdicts).items
    assert item.agreement.accuracy == pytest.approx(3 / 8)
    assert item.as_passes is not None
    assert (item.as_passes.accuracy, item.as_passes.fails) == (1.0, 80)
    assert item.trusted
    assert item.decisive is item.as_passes


def test_a_score_on_the_wrong_side_of_good_is_a_fault_however_near() -> None:
    scores = [(5, 4), (3, 4), (4, 4), (1, 1), (2, 2)] * 20
    labels = [Label(case=f"c{n}", label=a) for n, (a, _) in enumerate(scores)]
    verdicts = [
        JudgeVerdict(case=f"c{n}", verdict=b, fingerprint="f") for n, (_, b) in enumerate(scores)
    ]
    (item,) = calibrate(labels, verdicts).items
    assert item.as_passes is not None
    assert item.as_passes.false_pass == pytest.approx(1 / 3)
    assert not item.trusted


def test_where_the_judge_was_not_asked_there_is_no_verdict_to_hold_against_it() -> None:
    labels = [Label(case=f"c{n}", label=n % 2 == 0) for n in range(4)]
    verdicts = [
        JudgeVerdict(case="c0", verdict=True, fingerprint="f"),
        JudgeVerdict(case="c1", verdict=None, fingerprint="f", fault="cut off"),
        JudgeVerdict(case="c2", verdict=None, fingerprint="f", fault="no reply"),
    ]
    found = calibrate(labels, verdicts)
    assert (found.overall.labels, found.overall.unreadable, found.unjudged) == (1, 1, 2)
