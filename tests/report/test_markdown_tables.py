"""The tables of a comment: rates, what it takes, further trials."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fairtrial.records import (
    Adaptive,
    JudgedItem,
    JudgeUse,
    NumberDifference,
    Overview,
    RateOverview,
)
from fairtrial.report.markdown_tables import table_blocks

Page = Callable[..., Overview]


def rate(tag: str | None, **fields: float | tuple[float, float] | None) -> RateOverview:
    known = {"cases": 4, "rate": 0.75, "interval": (0.3, 0.95)} | fields
    return RateOverview(tag=tag, **known)  # type: ignore[arg-type]  # as the test says


def rates_of(page: Overview, *rates: RateOverview) -> list[str]:
    return next(iter(table_blocks(replace(page, rates=rates)))).splitlines()


def test_rates_without_a_baseline_stand_alone(page: Page) -> None:
    assert rates_of(page(), rate(None), rate("a|b")) == [
        "| Pass rate | cases | now [95 %] |",
        "| :-- | --: | --: |",
        "| all cases | 4 | 75 % [30, 95] |",
        r"| `a\x7cb` | 4 | 75 % [30, 95] |",
    ]


def test_changes_stand_beside_the_baseline_and_losses_are_bold(page: Page) -> None:
    fell = rate("a", shared=2, before=1.0, change=-0.25, change_interval=(-0.5, 0.01))
    same = rate(None, shared=4, before=0.75, change=0.0)
    fresh = rate("new")
    assert rates_of(page(), same, fell, fresh) == [
        "| Pass rate | cases | now [95 %] | baseline | change [95 %] |",
        "| :-- | --: | --: | --: | --: |",
        "| all cases | 4 | 75 % [30, 95] | 75 % | 0 |",
        "| `a` | 4 | 75 % [30, 95] | 100 % (2 shared) | **-25 points [-50.0, +1.0]** |",
        "| `new` | 4 | 75 % [30, 95] | - | - |",
    ]


def test_tags_beyond_the_table_are_counted_with_those_that_fell(page: Page) -> None:
    tags = [rate(f"t{n}", shared=1, before=1.0, change=-0.1) for n in range(20)]
    assert rates_of(page(), rate(None), *tags)[-1] == (
        "and 5 more tags, 5 of them lower than in the baseline"
    )


def numbers(page: Overview, *known: NumberDifference) -> str:
    assert page.difference is not None
    return list(table_blocks(replace(page, difference=replace(page.difference, numbers=known))))[1]


def test_what_it_takes_is_compared_where_both_sides_know_it(page: Page) -> None:
    text = numbers(
        page("EUR"),
        NumberDifference(name="steps", a=4.0, b=5.0, difference=1.0, cases=3),
        NumberDifference(name="tokens", a=None, b=None, difference=None, cases=0),
        NumberDifference(name="cost", a=0.0, b=0.002, difference=0.002, cases=1),
    )
    assert text.splitlines() == [
        "| It takes | baseline | now | change | over |",
        "| :-- | --: | --: | --: | --: |",
        "| steps a trial | 4 | 5 | +1 (+25 %) | 3 cases |",
        "| cost a trial, `EUR` | 0 | 0.002 | +0.002 | 1 case |",
    ]


def test_what_it_takes_is_told_where_nothing_is_to_compare(page: Page) -> None:
    blocks = list(table_blocks(page("EUR", gated=False)))
    assert blocks[1] == "A trial takes 1 steps, 410 tokens, 0.0012 `EUR`."


def test_further_trials_are_in_a_table_of_their_own(page: Page) -> None:
    text = list(table_blocks(page("c", cases=1)))[-1]
    assert "| `c0` | 3 of 3 | 1 of 3 | 1 of 4 | 97 %, likely |" in text
    assert text.endswith("No rate counts the 9 further trials.")


def test_no_further_trial_says_why(page: Page) -> None:
    given = page("c")
    none = Adaptive(margin=0.1, ended="no case fell")
    card = replace(given.scorecard, adaptive=none)
    assert list(table_blocks(replace(given, scorecard=card)))[-1] == (
        "**Further trials:** none: no case fell."
    )


def judged_of(page: Page, *items: JudgedItem, **fields: Any) -> str:
    use = JudgeUse(judge="sm|all", fingerprint="f", asks="replay", items=items, **fields)
    whole = page()
    blocks = table_blocks(replace(whole, scorecard=replace(whole.scorecard, judge=use)))
    return next(block for block in blocks if "Judge " in block)


def test_the_judge_stands_with_its_items_and_why_they_do_not_decide(page: Page) -> None:
    items = (
        JudgedItem(
            item="Is <b>", judged=4, rate=0.5, rate_interval=(0.1, 0.9), why_not="no *label*"
        ),
        JudgedItem(item="tone: warmth", judged=4, mean_score=3.5),
        JudgedItem(
            item="Says sorry",
            judged=4,
            rate=0.75,
            rate_interval=(0.3, 0.95),
            corrected=0.7,
            corrected_interval=(0.2, 0.9),
            decides=True,
        ),
    )
    assert judged_of(page, *items, verdicts=12, faults={"cut off": 2}).splitlines() == [
        "| Judged | the judge passes | people would pass | decides |",
        "| :-- | --: | --: | --: |",
        "| `Says sorry` | 75 % [30, 95] | 70 % [20, 90] | yes |",
        "| `Is <b>` | 50 % [10, 90] | - | no: no `*label*` |",
        "| `tone: warmth` | mean score 3.5 | - | no |",
        "",
        "Judge `sm|all`: 12 verdicts, 2 cut off. Its replies are from file.",
    ]


def test_items_beyond_the_table_are_counted(page: Page) -> None:
    items = [JudgedItem(item=f"i{number}", judged=1, rate=1.0) for number in range(13)]
    assert "and 3 more items" in judged_of(page, *items)
