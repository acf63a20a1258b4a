"""The gate's decision as it is printed."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Decision, Outcome, Reason
from fairtrial.report import Style, decision_lines
from fairtrial.report.measure import cells

NAME = "evals/baseline.json"


def decision(outcome: Outcome, exit_code: int, *reasons: Reason) -> Decision:
    return Decision(decision=outcome, exit=exit_code, spent=None, reasons=reasons)


def note(case: str) -> Reason:
    return Reason(rule="new", kind="note", case=case, text=f"{case} is new")


def test_a_failed_gate_reads_as_a_headline_all_reasons_and_the_exit_code() -> None:
    lost = Reason(rule="case", kind="fail", case="c1", text="c1 passed 3 of 3, now 1 of 3")
    slow = Reason(rule="growth", kind="warning", text="mean steps rose from 3 to 4 (+33 %)")
    lines = decision_lines(decision("fail", 1, lost, slow, note("c9")), Style(), baseline_name=NAME)
    assert list(lines) == [
        "FAIL: the run does not hold against evals/baseline.json",
        "1 fail, 1 warning, 1 note",
        "",
        "fail [case] c1 passed 3 of 3, now 1 of 3",
        "warning [growth] mean steps rose from 3 to 4 (+33 %)",
        "note [new] c9 is new",
        "",
        "exit 1: fail: something got worse, or a protected case or a bar does not hold",
    ]


def test_no_failing_reason_is_left_out_however_many_there_are() -> None:
    reasons = [Reason(rule="case", kind="fail", text=f"case {n} lost") for n in range(500)]
    lines = list(decision_lines(decision("fail", 1, *reasons), Style(), baseline_name=NAME))
    assert sum(line.startswith("fail [case]") for line in lines) == 500


def test_many_notes_of_one_rule_are_folded_into_their_cases() -> None:
    reasons = [note(f"c{n}") for n in range(30)]
    lines = list(decision_lines(decision("pass", 0, *reasons), Style(), baseline_name=NAME))
    assert sum(line.startswith("note [new]") for line in lines) == 10
    assert any(line.startswith("note new: 20 more like it: c10, c11") for line in lines)
    assert "c29" in "\n".join(lines)


def test_a_reason_that_does_not_name_its_case_or_tag_gets_the_name() -> None:
    reasons = [
        Reason(rule="protected", kind="error", case="c1", text="not measured"),
        Reason(rule="rate", kind="error", tag="fee", text="the rate fell"),
    ]
    lines = list(decision_lines(decision("error", 3, *reasons), Style(), baseline_name=NAME))
    assert "error [protected] c1: not measured" in lines
    assert "error [rate] tag fee: the rate fell" in lines


def test_exit_0_of_an_inconclusive_gate_is_explained() -> None:
    lines = list(decision_lines(decision("inconclusive", 0), Style(), baseline_name=NAME))
    assert lines[0].startswith("INCONCLUSIVE: ")
    assert "warning" in lines[-1]
    assert "--strict" in lines[-1]


def test_without_a_baseline_that_is_said() -> None:
    lines = list(decision_lines(decision("pass", 0), Style(), baseline_name=None))
    assert lines[0] == "PASS: there is no baseline; protected cases and absolute bars hold"


def test_what_confirming_cost_is_said() -> None:
    spent = Decision(decision="pass", exit=0, spent={"trials": 12, "cost": 0.04}, reasons=())
    lines = list(decision_lines(spent, Style(), baseline_name=NAME))
    assert "Spent on confirming: trials 12, cost 0.04" in lines


@given(st.lists(st.text(max_size=300), min_size=4, max_size=4), st.integers(40, 200))
def test_no_reason_breaks_out(texts: list[str], width: int) -> None:
    rule, text, case, name = texts
    reason = Reason(rule=rule, kind="fail", text=text, case=case)
    lines = decision_lines(decision("fail", 1, reason), Style(width=width), baseline_name=name)
    assert all(line.isprintable() and cells(line) <= width for line in lines)
