"""Annotations: at the line of the case, the most important first, and never anybody else's."""

import re
from collections.abc import Callable

from msgspec.structs import replace

from fairtrial.records import Decision, Overview, Reason, ReasonKind
from fairtrial.report import annotation_lines
from fairtrial.report.annotations import MOST

Page = Callable[..., Overview]

COMMAND = re.compile(
    r"::(error|warning) (?:file=[^:,\r\n]+,)?(?:line=\d+,)?title=[^:,\r\n]+::[^\r\n]*"
)


def reasons(page: Overview, *given: Reason) -> Overview:
    assert page.gated is not None
    decision = Decision(decision="fail", exit=1, spent=None, reasons=given)
    return replace(page, gated=replace(page.gated, decision=decision))


def many(kind: ReasonKind, count: int) -> list[Reason]:
    return [
        Reason(rule="case", kind=kind, case=f"c{n}", text=f"{kind} {n}", source=f"c.yaml:{n + 1}")
        for n in range(count)
    ]


def test_a_reason_stands_at_the_line_of_its_case(page: Page) -> None:
    told = Reason(rule="case", kind="fail", case="c1", text="c1 passed 100 %, now\n50 %: a, b")
    assert list(annotation_lines(reasons(page("c"), told))) == [
        "::error file=c.yaml,line=2,title=fairtrial%3A c1::c1 passed 100 %25, now\\n50 %25: a, b"
    ]


def test_what_has_no_case_has_no_place(page: Page) -> None:
    told = Reason(rule="rate", kind="error", tag="t", text="the rate fell")
    assert list(annotation_lines(reasons(page("c"), told))) == [
        "::error title=fairtrial%3A rate::the rate fell"
    ]


def test_ten_of_a_kind_are_all_shown_and_of_more_the_tenth_counts_the_rest(page: Page) -> None:
    lines = list(annotation_lines(reasons(page("x"), *many("fail", 10), *many("warning", 11))))
    assert len(lines) == 2 * MOST
    assert [line.partition(" ")[0] for line in lines] == ["::error"] * 10 + ["::warning"] * 10
    assert lines[9].endswith("::fail 9")
    assert lines[18].endswith("::warning 8")
    assert "::and 2 more warnings: fairtrial report 2026" in lines[19]


def test_doubts_are_warnings_and_notes_are_nothing(page: Page) -> None:
    given = reasons(page("c"), *many("inconclusive", 1), *many("note", 5))
    (line,) = annotation_lines(given)
    assert line.startswith("::warning ")


def test_without_a_gate_failing_cases_are_errors_and_informing_ones_warnings(page: Page) -> None:
    given = page("c", cases=4, gated=False)
    a, b, c, d = given.cases
    cases = (
        replace(a, protected=False),
        replace(b, protected=True, status="flaky", passed=1, measured=2),
        replace(c, informs=True),
        replace(d, status="passed", passed=1),
    )
    lines = list(annotation_lines(replace(given, cases=cases)))
    assert lines == [
        "::error file=c.yaml,line=2,title=fairtrial%3A c1::protected, passed 1 of 2; first: c: c",
        "::error file=c.yaml,line=1,title=fairtrial%3A c0::passed 0 of 1; first: c: c",
        "::warning file=c.yaml,line=3,title=fairtrial%3A c2::passed 0 of 1; first: c: c",
    ]


def test_all_that_passed_needs_no_word(page: Page) -> None:
    assert list(annotation_lines(page("c", cases=0, gated=False))) == []


def test_no_text_from_outside_is_a_command_or_a_property(page: Page, hostile: str) -> None:
    """BL-68."""
    for gated in (True, False):
        lines = list(annotation_lines(page(hostile, gated=gated)))
        assert lines
        for line in lines:
            assert COMMAND.fullmatch(line), line
            assert not {one for one in line if ord(one) < 32 or one in "\x7f\x9b\u202e\u2028"}
            assert len(line) < 6000
