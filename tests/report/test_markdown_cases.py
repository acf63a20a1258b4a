"""The lists of a comment: what was lost, what is not sure, what else changed."""

from collections.abc import Callable

from msgspec.structs import replace

from fairtrial.records import Decision, Overview, RateOverview, Reason
from fairtrial.report.markdown_cases import MOST_LOST, beside_blocks, case_blocks, lost_ids
from fairtrial.report.markdown_tables import table_blocks

Page = Callable[..., Overview]


def with_reasons(page: Overview, *reasons: Reason) -> Overview:
    assert page.gated is not None
    decision = Decision(decision="fail", exit=1, spent=None, reasons=reasons)
    return replace(page, gated=replace(page.gated, decision=decision))


def lost(case: str, text: str = "passed 3 of 3, now 0 of 1") -> Reason:
    return Reason(rule="case", kind="fail", case=case, text=f"{case} {text}")


def test_a_case_says_its_name_once_and_its_reason_uncut_and_apart(page: Page) -> None:
    reason = "tools.required: " + "a" * 250
    given = page("c")
    cases = (replace(given.cases[0], reason=reason), *given.cases[1:])
    told = lost("c0", f"passed 3 of 3, now 0 of 1; first: {reason[:199]}…")
    (block,) = case_blocks(with_reasons(replace(given, cases=cases), told))
    assert block == (
        "#### Lost\n\n- **`c0`** passed 3 of 3, now 0 of 1 · `c.yaml:1`<br>`" + reason + "`"
    )


def test_a_case_that_is_gone_has_its_name_and_no_place(page: Page) -> None:
    told = lost("old", "is gone from the files (it passed 3 of 3)")
    (block,) = case_blocks(with_reasons(page("c"), told))
    assert block == "#### Lost\n\n- **`old`** is gone from the files (it passed 3 of 3)"
    assert lost_ids(with_reasons(page("c"), told)) == {"old"}


def test_reasons_without_a_case_come_apart_and_doubts_last(page: Page) -> None:
    rate = Reason(rule="rate", kind="fail", tag="fee", text="the pass rate of tag fee fell")
    doubt = Reason(rule="case", kind="inconclusive", case="c1", text="c1 passed 3 of 3, now 2 of 3")
    blocks = list(case_blocks(with_reasons(page("c"), lost("c0"), rate, doubt)))
    assert [block.splitlines()[0] for block in blocks] == [
        *("#### Lost", "#### Also against it", "#### Not sure"),
    ]
    assert "- **rate** the pass rate of tag fee fell" in blocks[1]


def test_tags_that_fell_are_named_once_and_the_table_has_their_numbers(page: Page) -> None:
    given = page("c")
    tags = [f"t{n}|" for n in range(12)]
    rates = [RateOverview(tag=None, cases=1, rate=0.5, interval=None)]
    rates += [replace(rates[0], tag=tag, shared=1, before=1.0, change=-0.5) for tag in tags]
    told = [
        Reason(rule="rate", kind="fail", tag=tag, text=f"the pass rate of tag {tag} fell")
        for tag in [*tags[:11], "elsewhere"]
    ]
    overview = with_reasons(replace(given, rates=tuple(rates)), lost("c0"), *told)
    block = list(case_blocks(overview))[1]
    named = ", ".join(f"`{tag}`" for tag in tags[:10])
    assert block.splitlines()[2:] == [
        "- **rate** the pass rate of tag elsewhere fell",
        f"- **rate** of tags {named} and 1 more: fell by more than is allowed, ❌ in the table",
    ]
    rows = next(iter(table_blocks(overview))).splitlines()[3:]
    assert [row.endswith("**-50 points** ❌ |") for row in rows] == [True] * 11 + [False]


def test_places_are_links_where_the_address_of_the_files_is_known(page: Page) -> None:
    blob = "https://github.example/octo/shop/blob/12"
    overview = with_reasons(page("c"), lost("c0"))
    assert f"· [`c.yaml:1`]({blob}/c.yaml#L1)<br>" in next(case_blocks(overview, blob))
    alone = page("c", gated=False)
    assert f"· [`c.yaml:1`]({blob}/c.yaml#L1)" in next(case_blocks(alone, blob))
    away = replace(alone.cases[0], source="/away/c.yaml:1")
    assert "· `/away/c.yaml:1`" in next(case_blocks(replace(alone, cases=(away,)), blob))


def test_where_no_case_was_lost_the_reasons_are_the_why(page: Page) -> None:
    rate = Reason(rule="not_measured", kind="error", text="3 of 9 planned trials were not measured")
    (block,) = case_blocks(with_reasons(page("c"), rate))
    assert block == "#### Why\n\n- **not measured** 3 of 9 planned trials were not measured"


def test_the_worst_are_kept_and_the_others_counted(page: Page) -> None:
    given = page("c", cases=60)
    told = [lost(case.id) for case in given.cases]
    (block,) = case_blocks(with_reasons(given, *told))
    lines = block.splitlines()[2:]
    assert len(lines) == MOST_LOST + 1
    assert lines[0].startswith("- **`c0`**")
    assert lines[-1] == f"- and {60 - MOST_LOST} more"


def test_without_a_gate_protected_cases_lead_and_informing_ones_come_last(page: Page) -> None:
    given = page("c", gated=False)
    informs = replace(given.cases[0], id="i", informs=True)
    flaky = replace(given.cases[1], id="f", status="flaky", protected=True, passed=1, measured=2)
    none = replace(given.cases[1], id="n", status="error", measured=0, errors=1)
    some = replace(given.cases[1], id="s", status="passed", passed=1, planned=3, errors=2)
    whole = replace(given.cases[1], id="w", status="passed", passed=1)
    (block,) = case_blocks(replace(given, cases=(informs, none, some, flaky, whole)))
    heads = [line.partition(" · ")[0] for line in block.splitlines()[2:]]
    assert heads == [
        "- **`f`** passed 1 of 2 (protected)",
        "- **`n`** was not measured",
        "- **`s`** passed 1 of 1, 2 not measured",
        "- **`i`** passed 0 of 1 (protected, only informs)",
    ]


def beside(page: Overview) -> str:
    return "\n".join(beside_blocks(page))


def test_what_was_not_measured_is_told_with_the_cases_of_which_nothing_is_known(page: Page) -> None:
    given = page("c")
    none = replace(given.cases[0], status="error", measured=0, planned=4, errors=1)
    text = beside(replace(given, cases=(none, *given.cases[1:])))
    assert "**Not measured:** 4 of 7 planned trials; no trial of `c0`." in text
    assert "Not measured" not in beside(given)


def test_protected_cases_are_counted_and_those_that_do_not_pass_named(page: Page) -> None:
    assert "**Protected:** 0 of 1 case passed; not `c0`." in beside(page("c"))


def test_what_changed_is_folded_under_its_counts(page: Page) -> None:
    text = beside(page("c", cases=1))
    assert (
        "<details><summary>Changes: 1 better, 1 worse, 1 changed, so not compared, 1 new," in text
    )
    assert "- `c0` (protected) 3 of 3, now 0 of 3: `c0`, `c1`, `c2`, `c3` and 2 more" in text
    assert "Note: c" in text


def test_nothing_that_changed_is_said_too(page: Page) -> None:
    given = page("c", cases=0)
    assert "**Changes:** none; 4 the same." in beside(given)
