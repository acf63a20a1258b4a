"""The story of `judge calibrate`: a judge's verdicts held against what people said."""

from pathlib import Path

from fairtrial.errors import UsageError
from fairtrial.judge import calibrate
from fairtrial.records import Calibration, JudgeVerdict, Label, TrustBar
from fairtrial.store import read_records


def calibrate_files(labels: Path, verdicts: Path, bar: TrustBar | None = None) -> Calibration:
    """Measure the verdicts of one file against the labels of another.

    Args:
        labels: `Label` records, a line each.
        verdicts: `JudgeVerdict` records of one judge, a line each.
        bar: What the judge must reach; None: the usual one.

    Raises:
        StoreError: A file cannot be read.
        ProblemsError: Lines that are no labels or no verdicts.
        UsageError: Somebody says two things of the same item, or there are several judges.
    """
    said = [*read_records(labels, Label)]
    judged = [*read_records(verdicts, JudgeVerdict)]
    try:
        return calibrate(said, judged, bar)
    except ValueError as error:
        raise UsageError(f"{labels} and {verdicts}: {error}") from error
