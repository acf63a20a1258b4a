"""Rubric items that a check answers, and those that need a reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.item_checks import needs_no_judge


@pytest.mark.parametrize(
    ("item", "check"),
    [
        ('Says "no fee"', "expect.answer.contains: ['no fee']"),
        ("Mentions the word 'escrow'", "expect.answer.contains: ['escrow']"),
        ("Contains the phrase “get well soon”", "expect.answer.contains: ['get well soon']"),
        ('Does not say "guaranteed"', "expect.answer.excludes: ['guaranteed']"),
        ('Never uses the word "guarantee"', "expect.answer.excludes: ['guarantee']"),
        ("Sagt „kostenlos“", "expect.answer.contains: ['kostenlos']"),
        ("Mentionne «sans frais»", "expect.answer.contains: ['sans frais']"),
        ("States that the refund is 320 EUR", "expect.answer.numbers: [320]"),
        ("Says that it costs $1,280.50", "expect.answer.numbers: [1280.5]"),
        ("Gives the fee as 5%", "expect.answer.numbers: [5]"),
        ("Mentions 4512 as the ticket", "expect.answer.numbers: [4512]"),
        ("Calls the tool cancel", "expect.tools.required: [cancel]"),
        ("The agent calls get_booking first", "expect.tools.required: [get_booking]"),
        ("Uses the calculator tool", "expect.tools.required: [calculator]"),
        ("Does not call refund_order", "expect.tools.forbidden: [refund_order]"),
        ("Calls `lookup()` before it answers", "expect.tools.required: [lookup]"),
    ],
)
def test_what_a_check_can_tell_is_told_with_the_check(item: str, check: str) -> None:
    assert needs_no_judge(item) == f"a judge need not be asked for this; write {check}"


@pytest.mark.parametrize(
    "item",
    [
        "Explains what 'escrow' means",
        'Does what the guest means by "the usual"',
        "Says sorry in at most 3 sentences",
        "Mentions two options",
        "Gives 3 reasons",
        "Says that the guest has 24-hour access",
        "Refers to section 230 of the act",
        "Says that Windows 11 is needed",
        "Mentions what changed in 2024",
        "Explains the fee within 50 words",
        "Uses the right tool for the job",
        "Says which tool the guest should buy",
        "Calls the guest by name",
        "Uses the tool that fits",
        "Rests on the result of the tool",
        "Doesn't say that it's the guest's fault",
        "Is polite",
    ],
)
def test_what_needs_a_reader_is_left_to_the_judge(item: str) -> None:
    assert needs_no_judge(item) is None


@given(st.text() | st.text("says calls tool_ 320'\"$", max_size=200))
def test_any_text_at_all_can_be_looked_at(item: str) -> None:
    needs_no_judge(item)


@pytest.mark.parametrize("piece", ["calls the tool ", "says '", "says 320 ", "calls a_", "uses "])
def test_a_hostile_item_takes_no_time(piece: str) -> None:
    needs_no_judge(piece * 10_000)
