"""A calibration in the terminal: figures with bounds, why a judge only informs, where it parts."""

from fairtrial.judge import calibrate
from fairtrial.records import JudgeVerdict, Label
from fairtrial.report import Style, calibration_lines


def text(labels: list[Label], verdicts: list[JudgeVerdict], *, verbose: bool = False) -> str:
    lines = [*calibration_lines(calibrate(labels, verdicts), Style(width=72), verbose=verbose)]
    assert all(len(line) <= 72 for line in lines)
    return " ".join(" ".join(lines).split())


def said(count: int, item: str, label: str, verdict: str) -> tuple[list[Label], list[JudgeVerdict]]:
    labels = [Label(case=f"{label}{at}", item=item, label=label) for at in range(count)]
    verdicts = [
        JudgeVerdict(case=f"{label}{at}", item=item, verdict=verdict, fingerprint="f1")
        for at in range(count)
    ]
    return labels, verdicts


def test_each_item_has_its_figures_and_its_reasons() -> None:
    labels, verdicts = said(3, "Says sorry", "pass", "pass")
    more_labels, more_verdicts = said(2, "Names the fee", "fail", "pass")
    told = text(labels + more_labels, verdicts + more_verdicts)
    assert "The judge: 5 labels, trusted for 0 of 2 items." in told
    assert "Says sorry labels 3, 100 % of them passes accuracy 100 %" in told
    assert "Names the fee" in told
    assert "3 labels, and 50 are wanted" in told
    assert "people say fail, the judge pass" in told


def test_a_trusted_judge_is_said_to_be_one() -> None:
    labels, verdicts = said(90, "", "pass", "pass")
    more_labels, more_verdicts = said(60, "", "fail", "fail")
    assert "trusted it meets the bar" in text(labels + more_labels, verdicts + more_verdicts)


def test_unread_verdicts_and_many_disagreements_are_counted() -> None:
    labels, verdicts = said(30, "", "fail", "pass")
    labels.append(Label(case="x", label="fail"))
    verdicts.append(JudgeVerdict(case="x", verdict=None, fingerprint="f1"))
    told = text(labels, verdicts)
    assert "1 verdict could not be read" in told
    assert "and 20 more (show with --verbose)" in told
    assert "fail29" in text(labels, verdicts, verbose=True)
