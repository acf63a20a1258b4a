from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.records import Check, Expectation, Json, Span, SpanExpectation, Trajectory, Trial

Checked = Callable[..., Check]
Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


def spanned(check: Checked, did: Did, *spans: Span, **wanted: Any) -> Check:
    expect = Expectation(spans=(SpanExpectation(name="find", **wanted),))
    return check("spans[find]", did(spans=spans), expect=expect)


def find(**fields: Any) -> Span:
    return Span(name="find", **fields)


def test_without_a_count_there_must_be_such_a_span(check: Checked, did: Did) -> None:
    assert spanned(check, did, find()).passed is True
    one = spanned(check, did, Span(name="other"))
    assert (one.passed, one.reason) == (False, "there is no such span")


def test_spans_that_were_not_recorded_cannot_be_told(check: Checked, did: Did) -> None:
    expect = Expectation(spans=(SpanExpectation(name="find"),))
    one = check("spans[find]", did(), expect=expect)
    assert (one.passed, one.decides) == (None, True)


def test_the_count_is_as_its_matcher_says(check: Checked, did: Did) -> None:
    assert spanned(check, did, find(), find(), count=2).passed is True
    assert spanned(check, did, count=0).passed is True
    assert spanned(check, did, find(), count={"min": 2}).reason == (
        "count: wanted at least 2, got 1"
    )


def test_a_kind_tells_spans_of_one_name_apart(check: Checked, did: Did) -> None:
    spans = (find(kind="retriever"), find(kind="guard"), find())
    assert spanned(check, did, *spans, kind="guard", count=1).passed is True
    assert spanned(check, did, *spans, count=3).passed is True


def test_every_such_span_must_be_fast_enough(check: Checked, did: Did) -> None:
    spans = (find(seconds=1.0), find(seconds=3.0))
    one = spanned(check, did, *spans, seconds={"max": 2})
    assert (one.passed, one.reason) == (False, "seconds: wanted at most 2, got 3.0")
    assert spanned(check, did, *spans, seconds={"max": 3}).passed is True


def test_unknown_seconds_cannot_be_told_unless_another_span_fails(check: Checked, did: Did) -> None:
    assert spanned(check, did, find(), find(seconds=1.0), seconds={"max": 2}).passed is None
    assert spanned(check, did, find(), find(seconds=9.0), seconds={"max": 2}).passed is False
    assert spanned(check, did, find()).passed is True


def test_attributes_are_as_their_matcher_says(check: Checked, did: Did) -> None:
    spans = (find(attributes={"k": 4, "model": "m"}), find(attributes={"k": 5}))
    assert spanned(check, did, *spans, attributes={"k": {"min": 4}}).passed is True
    assert spanned(check, did, *spans, attributes={"k": 4}).reason == "k: wanted 4, got 5"


def documents(check: Checked, did: Did, found: Json, **wanted: Json) -> Check:
    span = find(attributes={"documents": found})
    return spanned(check, did, span, documents={"of": ["d1", "d4"], **wanted})


@pytest.mark.parametrize(
    ("found", "recall", "precision"),
    [
        (["d1", "d4"], 1, 1),
        (["d4", "d9", "d8", "d7"], 0.5, 0.25),
        ([{"id": "d1", "text": "x"}, {"id": "d4"}, {}], 1, 1),
        (["d1", "d1", "d1"], 0.5, 1),
        ([], 0, 0),
        (None, 0, 0),
        ("d1", 0, 0),
        ([None, ["d1"], {"id": {"d1": 1}}], 0, 0),
    ],
)
def test_documents_are_compared_with_the_wanted_ids(
    check: Checked, did: Did, found: Json, recall: float, precision: float
) -> None:
    assert documents(check, did, found, recall=recall, precision=precision).passed is True
    assert documents(check, did, found, recall={"above": recall}).passed is False
    assert documents(check, did, found, precision={"above": precision}).passed is False


def test_documents_are_pooled_over_the_spans(check: Checked, did: Did) -> None:
    spans = [find(attributes={"documents": [name]}) for name in ("d1", "d4")]
    wanted = {"of": ["d1", "d4"], "recall": 1}
    assert spanned(check, did, *spans, documents=wanted).passed is True


def test_documents_that_were_not_found_are_named(check: Checked, did: Did) -> None:
    assert documents(check, did, ["d1"], recall={"min": 0.8}).reason == (
        "documents.recall: wanted at least 0.8, got 0.5 (not found: d4)"
    )


def test_no_document_is_too_odd(check: Checked, did: Did) -> None:
    oddities: tuple[Json, ...] = (10**5000, float("nan"), "\ud800", [[[]]] * 3)
    for odd in oddities:
        assert documents(check, did, [odd, {"id": odd}], recall=0).passed is True


def test_numbers_are_ids_too(check: Checked, did: Did) -> None:
    span = find(attributes={"documents": [1, 2.0]})
    assert spanned(check, did, span, documents={"of": [1, 2], "recall": 1}).passed is True


def test_expectations_of_one_name_are_checks_of_their_own(grade: Graded, did: Did) -> None:
    expect = Expectation(spans=(SpanExpectation(name="find"), SpanExpectation(name="find")))
    trial = grade(did(), expect=expect)
    asked = [check for check in trial.checks if check.asked is not False]
    assert [(check.name, check.passed) for check in asked] == [
        ("spans[find]", None),
        ("spans[find] #2", None),
    ]
