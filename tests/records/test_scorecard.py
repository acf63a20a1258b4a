import msgspec
import pytest

from fairtrial.records import CurvePoint, RunInfo, Status, TagCount
from fairtrial.records.scorecard import status_of


@pytest.mark.parametrize(
    ("passed", "measured", "status"),
    [(0, 0, "error"), (1, 1, "passed"), (0, 1, "failed"), (1, 2, "flaky"), (2, 2, "passed")],
)
def test_a_status_is_over_the_measured_trials(passed: int, measured: int, status: Status) -> None:
    assert status_of(passed, measured) == status


def test_json_has_the_names_that_people_know() -> None:
    point = CurvePoint(pass_at=0.5, pass_hat=0.25, cases=3)
    assert msgspec.to_builtins(point) == {"pass@k": 0.5, "pass^k": 0.25, "cases": 3}
    info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    assert msgspec.to_builtins(info)["filter"] is None


def test_a_rate_that_was_not_measured_is_null() -> None:
    assert msgspec.json.encode(TagCount(passed=0, total=0, pass_rate=None)) == (
        b'{"passed":0,"total":0,"pass_rate":null}'
    )
