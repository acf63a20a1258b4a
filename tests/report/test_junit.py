"""JUnit XML: what Jenkins and GitLab read, whatever the texts in it."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fairtrial.records import (
    CaseOverview,
    CaseResult,
    Check,
    Decision,
    Overview,
    Reason,
    ReasonKind,
    Trial,
)
from fairtrial.report import junit_lines
from fairtrial.report.junit import Ending

Page = Callable[..., Overview]

ATTRIBUTES = {  # of the schema that Jenkins publishes, and `file` and `line` that GitLab reads
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "timestamp"},
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"name", "classname", "file", "line", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
INSIDE = {
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase"],
    "properties": ["property"],
    "testcase": ["skipped", "error", "failure", "system-out"],
}


def trial(case: str, index: int, *reasons: str, verdict: str = "failed") -> Trial:
    checks = [Check(name=f"{one}", passed=False, score=0.0, reason=one) for one in reasons]
    return Trial(
        case=case, trial=index, verdict=verdict, stop="answer",  # type: ignore[arg-type]  # given
        error=None, steps=1, tokens=1, cost=None, seconds=0.5, tool_errors=0, tools=(),
        failed_calls=(), checks=tuple(checks),
    )  # fmt: skip


def results_of(page: Overview, trials: Sequence[Trial] = ()) -> list[CaseResult]:
    return [
        CaseResult(
            id=case.id, tags=(), protected=False, hash="h", status=case.status, pass_rate=None,
            trials=tuple(trials), planned=case.planned,
        )
        for case in page.cases
    ]  # fmt: skip


def read(page: Overview, trials: Sequence[Trial] = ()) -> ET.Element:
    """Read the XML, and hold it against the schema."""
    text = "\n".join(junit_lines(page, results_of(page, trials)))
    root = ET.fromstring(text.encode())
    for parent in root.iter():
        assert parent.attrib.keys() <= ATTRIBUTES[parent.tag], parent.tag
        for child in parent:
            assert child.tag in INSIDE[parent.tag]
    for test in root.iter("testcase"):
        endings = [one.tag for one in test if one.tag != "system-out"]
        assert len(endings) <= 1
    assert counts(root) == {
        "tests": len(list(root.iter("testcase"))),
        **{
            f"{one}s".replace("skippeds", "skipped"): len(list(root.iter(one)))
            for one in ("failure", "error", "skipped")
        },
    }
    return root


def counts(root: ET.Element) -> dict[str, int]:
    names = ("tests", "failures", "errors", "skipped")
    both = [{name: int(one.attrib[name]) for name in names} for one in (root, root[0])]
    assert both[0] == both[1]
    return both[0]


def endings(root: ET.Element) -> list[str]:
    return [
        next((one.tag for one in test if one.tag != "system-out"), "passed")
        for test in root.iter("testcase")
    ]


def decided(page: Overview, exit_code: int, *reasons: Reason) -> Overview:
    assert page.gated is not None
    words = {0: "pass", 1: "fail", 3: "error", 4: "inconclusive"}
    decision = Decision(
        decision=words[exit_code],  # type: ignore[arg-type]  # one of them
        exit=exit_code, spent=None, reasons=reasons,
    )  # fmt: skip
    return replace(page, gated=replace(page.gated, decision=decision))


def case(name: str, base: CaseOverview, passed: int, measured: int, errors: int) -> CaseOverview:
    status = "error" if not measured else "passed" if passed == measured else "flaky"
    return replace(
        base, id=name, status=status, passed=passed, measured=measured, errors=errors, planned=3,
        source=f"evals/{name}.yaml:{measured}",
    )  # fmt: skip


def test_pass_fail_error_and_not_run_are_told_apart(page: Page) -> None:
    """BL-68."""
    given = page("c", gated=False)
    base = replace(given.cases[0], protected=False)
    cases = (
        case("a", base, 3, 3, 0),
        case("b", base, 1, 3, 0),
        case("c", base, 0, 0, 3),
        case("d", base, 0, 0, 0),
    )
    root = read(replace(given, cases=cases))
    assert counts(root) == {"tests": 4, "failures": 1, "errors": 1, "skipped": 1}
    assert endings(root) == ["passed", "failure", "error", "skipped"]
    first = next(root.iter("testcase"))
    assert first.attrib == {
        "name": "a", "classname": "evals.a", "file": "evals/a.yaml", "line": "3",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("passed", "measured", "errors", "informs", "ending"),
    [
        (3, 3, 0, True, "passed"),
        (1, 3, 0, True, "skipped"),
        (0, 0, 3, True, "skipped"),
        (2, 2, 1, False, "error"),
        (1, 2, 1, False, "failure"),
        (2, 2, 0, False, "error"),
    ],
)
def test_what_only_informs_never_fails_and_what_is_missing_is_an_error(
    page: Page, passed: int, measured: int, errors: int, informs: bool, ending: Ending
) -> None:
    given = page("c", cases=1, gated=False)
    one = replace(case("a", given.cases[0], passed, measured, errors), informs=informs)
    assert endings(read(replace(given, cases=(one,)))) == [ending]


def test_trials_are_inside_their_case_with_their_checks(page: Page) -> None:
    given = page("c", cases=1, gated=False)
    trials = [trial("c0", 0, "x", "y"), trial("c0", 1, verdict="passed"), trial("c0", 2, "z")]
    (failure,) = read(given, trials).iter("failure")
    assert failure.attrib == {"message": "passed 0 of 1; first: c: c", "type": "failed"}
    assert (failure.text or "").splitlines() == [
        "trial 0: failed", "  failed x: x", "  failed y: y", "trial 2: failed", "  failed z: z",
    ]  # fmt: skip


def test_five_thousand_failing_trials_stay_short(page: Page) -> None:
    given = page("c", cases=1, gated=False)
    trials = [trial("c0", n, *(["x" * 9000] * 20)) for n in range(5000)]
    lines = list(junit_lines(given, results_of(given, trials)))
    assert sum(map(len, lines)) < 400_000
    (failure,) = read(given, trials).iter("failure")
    assert (failure.text or "").endswith("and 4,980 more trials that did not pass")
    assert "  and 12 more checks" in (failure.text or "")


def reason(kind: ReasonKind, name: str | None = "c0") -> Reason:
    return Reason(rule="case", kind=kind, case=name, text=f"{name} says so")


@pytest.mark.parametrize(
    ("code", "given", "wanted"),
    [
        (1, [reason("fail")], ["failure", "failure"]),
        (1, [reason("fail", None)], ["skipped", "failure"]),
        (3, [reason("error")], ["error", "error"]),
        (4, [reason("inconclusive")], ["skipped", "error"]),
        (0, [reason("inconclusive")], ["skipped", "passed"]),
        (0, [reason("warning")], ["skipped", "passed"]),
        (0, [], ["skipped", "passed"]),
    ],
)
def test_where_the_gate_decided_a_case_fails_where_the_gate_says_so(
    page: Page, code: int, given: list[Reason], wanted: list[str]
) -> None:
    """GX: no failure and no error is what exit code 0 is."""
    root = read(decided(page("c", cases=1), code, *given))
    assert endings(root) == wanted
    found = counts(root)
    assert (found["failures"] + found["errors"] == 0) is (code == 0)


def test_an_inconclusive_gate_that_stops_nothing_is_skipped(page: Page) -> None:
    given = page("c", cases=0)
    assert given.gated is not None
    decision = Decision(decision="inconclusive", exit=0, spent=None, reasons=())
    root = read(replace(given, gated=replace(given.gated, decision=decision)))
    assert endings(root) == ["skipped"]


def test_a_skipped_case_says_why(page: Page) -> None:
    root = read(decided(page("c", cases=1), 0))
    (skipped,) = root.iter("skipped")
    assert skipped.attrib["message"] == "passed 0 of 1; first: c: c; the gate lets it be"


def test_the_gate_is_a_test_case_with_all_its_reasons(page: Page) -> None:
    root = read(decided(page("c", cases=1), 1, *([reason("fail")] * 150)))
    gate = list(root.iter("testcase"))[-1]
    assert (gate.attrib["name"], gate.attrib["classname"]) == ("gate", "fairtrial")
    text = gate[0].text or ""
    assert text.splitlines()[0] == "fail [case] c0 says so"
    assert text.endswith("and 50 more reasons")


def test_no_text_from_outside_breaks_the_xml(page: Page, hostile: str) -> None:
    """BL-68."""
    for gated in (True, False):
        given = page(hostile, gated=gated)
        trials = [trial(hostile, 0, hostile), trial(hostile, 1, verdict="error")]
        root = read(given, trials)
        assert len(list(root.iter("testcase"))) == 3 + gated
        texts = [text for one in root.iter() for text in (*one.attrib.values(), one.text or "")]
        seen = {
            char for text in texts for char in text if ord(char) < 32 or ord(char) in {127, 155}
        }
        assert seen <= {"\n"}


@settings(max_examples=40)
@given(text=st.text(max_size=30))
def test_no_text_at_all_breaks_the_xml(page: Page, text: str) -> None:
    read(page(text, cases=1), [trial(text, 0, text)])
