"""The story of calibrating: files in, figures or words out."""

from pathlib import Path

import pytest

from fairtrial.errors import ProblemsError, StoreError, UsageError
from fairtrial.flow.calibrate import calibrate_files


def files(folder: Path, labels: str, verdicts: str) -> tuple[Path, Path]:
    paths = folder / "labels.jsonl", folder / "verdicts.jsonl"
    for path, text in zip(paths, (labels, verdicts), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_labels_and_verdicts_are_compared(tmp_path: Path) -> None:
    told = calibrate_files(
        *files(
            tmp_path,
            '{"case": "a", "label": true, "note": "mine"}\n\n{"case": "b", "label": "fail"}\n',
            '{"case": "a", "verdict": "PASS"}\n{"case": "b", "verdict": "PASS"}\n',
        )
    )
    assert (told.overall.labels, told.overall.accuracy, told.overall.false_pass) == (2, 0.5, 1.0)


def test_bad_lines_are_named_all_at_once(tmp_path: Path) -> None:
    labels, verdicts = files(tmp_path, '{"case": "a"}\nnonsense\n{"label": 1}\n', "")
    with pytest.raises(ProblemsError) as error:
        calibrate_files(labels, verdicts)
    places = [problem.partition(": ")[0] for problem in error.value.problems]
    assert places == [f"{labels}:{number}" for number in (1, 2, 3)]


def test_a_missing_file_and_a_contradiction_are_said(tmp_path: Path) -> None:
    labels, verdicts = files(tmp_path, '{"case": "a", "label": 1}\n{"case": "a", "label": 2}\n', "")
    with pytest.raises(UsageError, match="labelled both 1 and 2"):
        calibrate_files(labels, verdicts)
    with pytest.raises(StoreError, match="cannot be read"):
        calibrate_files(tmp_path / "none", verdicts)
