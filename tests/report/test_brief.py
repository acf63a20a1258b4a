"""A case and a run in few words."""

from fairtrial.report import PLAIN, case_headline, case_lines
from tests.report.test_evidence import check, failed, result


def test_a_case_is_told_from_the_left_edge_without_commands() -> None:
    case = result(failed(0, [check("tools.plan", False, "::error::x\x1b[31m")]))
    lines = list(case_lines(case, PLAIN))
    assert lines[0] == "0 of 1 measured trial passed"
    assert lines[1] == "a.yaml:3"
    assert lines[-1] == "failed tools.plan: ::error::x\\x1b[31m"


def test_the_headline_is_the_first_check_that_failed() -> None:
    checks = [check("a", None), check("z", False, "too far"), check("b", False)]
    assert case_headline(result(failed(0, checks)), PLAIN) == "z: too far"
    assert case_headline(result(failed(0, [check("a", False, "x" * 900)])), PLAIN).endswith("…")
