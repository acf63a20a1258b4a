from collections.abc import Callable

from fairtrial.records import Check, Expectation, RubricItem, Trajectory, Trial

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]

POLITE = RubricItem(item="Is polite", gate=True)


def test_an_item_without_a_judge_is_not_judged_and_never_passes(check: Checked, did: Did) -> None:
    one = check("rubric[Is polite]", did(), expect=Expectation(rubric=(POLITE,)))
    assert (one.passed, one.score, one.decides) == (None, None, False)
    assert one.reason.startswith("not judged")


def test_a_shared_rubric_stands_under_its_name(check: Checked, did: Did) -> None:
    one = check("rubric[tone]", did(), expect=Expectation(rubric="tone"))
    assert (one.passed, one.decides) == (None, False)


def test_no_rubric_is_no_check(grade: Graded, did: Did) -> None:
    names = [check.name for check in grade(did(), expect=Expectation(rubric=())).checks]
    assert [name for name in names if name.startswith("rubric")] == []


def test_a_case_of_nothing_but_a_rubric_is_not_measured(grade: Graded, did: Did) -> None:
    trial = grade(did(), expect=Expectation(rubric=(POLITE,)))
    assert trial.verdict == "error"
    assert "rubric[Is polite]: not judged" in (trial.error or "")
