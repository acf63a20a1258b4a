"""The judge of a run in the terminal: what it was, took and said, at any width and of any name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import JudgedItem, JudgeUse
from fairtrial.report.judge_use import judge_lines
from fairtrial.report.measure import cells
from fairtrial.report.style import Style

WIDE = Style(width=200)
NOT_CALIBRATED = "it is not calibrated: `fairtrial judge calibrate` measures it against people"
DECIDES = JudgedItem(
    item="Is polite",
    judged=80,
    unjudged=3,
    rate=0.5,
    rate_interval=(0.25, 0.75),
    corrected=0.4,
    corrected_interval=(0.2, 0.6),
    correction="rogan-gladen",
    decides=True,
)
INFORMS = JudgedItem(
    item="Is short", judged=80, rate=1.0, rate_interval=(0.9, 1.0), why_not="24 human fails"
)
SCORED = JudgedItem(item="tone: warm", judged=1, mean_score=4.5, why_not=NOT_CALIBRATED)
SILENT = JudgedItem(item="Says why", judged=0, unjudged=80, why_not=NOT_CALIBRATED)


def use(**fields: Any) -> JudgeUse:
    return JudgeUse(**({"judge": "small", "fingerprint": "f", "asks": "live"} | fields))


def lines(told: JudgeUse, style: Style = WIDE, *, verbose: bool = False) -> list[str]:
    return [*judge_lines(told, "USD", style, verbose=verbose)]


def text(told: JudgeUse, *, verbose: bool = False) -> str:
    return "\n".join(lines(told, verbose=verbose))


def test_a_live_judge_says_what_it_took() -> None:
    told = text(use(verdicts=9, calls=7, replayed=2, tokens=1200, cost=0.05, seconds=9.0))
    assert "small, live: 9 verdicts, 2 of them from replies on file; 7 calls, " in told
    assert "tokens, 0.05 USD" in told


def test_what_is_not_known_is_said_and_is_no_zero() -> None:
    told = text(use(verdicts=1, calls=1))
    assert told.endswith("small, live: 1 verdict; 1 call, tokens unknown, cost unknown")


def test_a_cost_of_nothing_is_a_cost() -> None:
    assert "unknown" not in text(use(verdicts=1, calls=1, tokens=0, cost=0.0))


def test_a_live_judge_that_found_all_on_file_asked_nothing() -> None:
    told = text(use(verdicts=9, replayed=9))
    assert told.endswith("9 verdicts, 9 of them from replies on file; nothing was asked")


def test_a_live_judge_that_was_asked_in_vain_does_not_say_that_nothing_was_asked() -> None:
    told = text(use(verdicts=2, faults={"no reply": 2}))
    assert told.endswith("2 verdicts; no call was answered; no verdict: 2 no reply")


def test_a_judge_by_its_replies_on_file_took_nothing_and_says_no_price() -> None:
    told = text(use(asks="replay", verdicts=9, replayed=9))
    assert told == "judge        small, replayed from file: 9 verdicts"


def test_verdicts_that_are_none_are_counted_by_what_was_wrong() -> None:
    told = text(use(asks="replay", verdicts=1500, faults={"no reply": 1200, "unreadable": 1}))
    assert told.endswith("1,500 verdicts; no verdict: 1,200 no reply, 1 unreadable")


def test_a_dry_run_says_what_a_live_one_would_take() -> None:
    priced = use(asks="dry", wanted_calls=4, wanted_tokens=900, wanted_cost=0.5)
    first, second = lines(priced)
    assert first == "judge        small, not asked: 0 verdicts"
    assert second.startswith("would ask    4 calls, about 900 tokens, about 0.50 USD")
    assert "`--judge live`" in second
    assert "the price is not known" in text(use(asks="dry", wanted_calls=1, wanted_tokens=9))
    assert "0 calls: all replies are on file" in text(use(asks="dry", wanted_calls=0))


def test_only_a_dry_run_says_what_it_would_ask() -> None:
    assert "would ask" not in text(use(asks="replay", wanted_calls=4))


def test_an_item_has_its_rate_its_bounds_and_what_people_would_say() -> None:
    told = text(use(asks="replay", items=(DECIDES,)))
    assert "Is polite: 50 % [25, 75], 80 trials, 3 without a verdict" in told
    assert "; people would say 40 % [20, 60], by its measured errors; decides" in told


@pytest.mark.parametrize(
    ("correction", "said"),
    [
        ("ppi", "from labels drawn at random"),
        ("ppi++", "from labels drawn at random"),
        ("rogan-gladen", "by its measured errors"),
    ],
)
def test_a_corrected_rate_says_what_it_rests_on(correction: str, said: str) -> None:
    item = JudgedItem(
        item="a",
        judged=9,
        rate=0.5,
        rate_interval=(0.25, 0.75),
        corrected=0.5,
        correction=correction,  # type: ignore[arg-type]  # each of them
    )
    assert f", {said}" in text(use(items=(item,)))


def test_scores_have_a_mean_and_no_rate() -> None:
    told = text(use(items=(SCORED,)))
    assert "tone: warm: mean score 4.5, 1 trial" in told
    assert "tone: warm: mean score 4.5, 1 trial;" not in told
    assert "%" not in told


def test_an_item_without_a_verdict_is_not_judged_and_not_at_zero() -> None:
    told = text(use(items=(SILENT,)))
    assert "Says why: not judged" in told
    assert "%" not in told


def test_what_decides_comes_first_and_why_the_others_only_inform_last() -> None:
    told = text(use(asks="replay", items=(INFORMS, SCORED, SILENT, DECIDES)))
    order = ["Is polite: ", "Is short: ", "tone: warm: ", "Says why: ", "1 item only informs"]
    places = [told.index(one) for one in order]
    assert places == sorted(places)
    assert "1 item only informs: 24 human fails" in told
    assert f"2 items only inform: {NOT_CALIBRATED}" in told


def test_a_reason_that_holds_for_all_is_said_once() -> None:
    told = text(use(items=(SCORED, SILENT)))
    assert told.count("not calibrated") == 1
    assert f"all items only inform: {NOT_CALIBRATED}" in told


def many(count: int) -> tuple[JudgedItem, ...]:
    return tuple(
        JudgedItem(item=f"item {n}", judged=1, rate=1.0, why_not=f"reason {n}")
        for n in range(count)
    )


def test_of_many_items_few_are_shown_unless_all_are_wanted() -> None:
    told = text(use(items=many(40)))
    assert "and 28 more items (show with --verbose)" in told
    assert len(told.splitlines()) < 30
    every = text(use(items=many(40)), verbose=True)
    assert all(f"item {n}: " in every for n in range(40))
    assert all(f"1 item only informs: reason {n}\n" in f"{every}\n" for n in range(40))
    assert "more item" not in every


def test_twelve_items_are_all_shown() -> None:
    assert "more item" not in text(use(items=many(12)))
    assert "and 1 more item (show" in text(use(items=many(13)))


def test_of_many_items_those_that_decide_are_among_the_shown() -> None:
    assert "Is polite: " in text(use(items=(*many(40), DECIDES)))


@pytest.mark.parametrize("width", [40, 60, 72, 80, 100, 120, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_no_line_is_wider_than_the_terminal(width: int, unicode: bool) -> None:
    items = (DECIDES, INFORMS, SCORED, SILENT, *many(3))
    long = use(
        judge="module.of.a.panel:judge + " * 9,
        verdicts=10**9,
        calls=10**9,
        tokens=10**12,
        cost=1e9,
        faults=dict.fromkeys(["unreadable", "cut off", "refused", "contradiction"], 10**6),
        items=(*items, JudgedItem(item="wide \u6f22" * 60, judged=1, rate=0.0, why_not="x" * 900)),
    )
    for asks in ("live", "replay", "dry"):
        told = JudgeUse(
            **{name: getattr(long, name) for name in long.__struct_fields__} | {"asks": asks}
        )
        for line in lines(told, Style(width=width, unicode=unicode)):
            assert cells(line) <= width, line
            assert unicode or line.isascii()


def test_hostile_names_are_inert(hostile: str) -> None:
    item = JudgedItem(item=hostile, judged=1, rate=1.0, why_not=f"because {hostile}")
    told = use(judge=hostile, verdicts=1, calls=1, cost=0.5, items=(item,))
    for line in judge_lines(told, hostile, Style(width=80)):
        assert cells(line) <= 80
        assert line.isprintable()
        line.encode()
        assert "\x1b" not in line


@given(
    item=st.text(max_size=80),
    rate=st.none() | st.floats(min_value=0, max_value=1),
    score=st.none() | st.floats(min_value=1, max_value=5),
    why=st.none() | st.text(max_size=200),
    width=st.integers(min_value=60, max_value=120),
)
def test_whatever_was_judged_fits_and_is_on_lines_of_its_own(
    item: str, rate: float | None, score: float | None, why: str | None, width: int
) -> None:
    told = JudgedItem(item=item, judged=1, rate=rate, mean_score=score, why_not=why)
    for line in lines(use(judge=item, items=(told, told)), Style(width=width)):
        assert cells(line) <= width
        assert line.isprintable()


def test_it_has_colour_nowhere() -> None:
    told = use(items=(DECIDES, INFORMS))
    assert lines(told, Style(colour=True, width=200)) == lines(told, WIDE)


def test_why_there_is_no_verdict_stands_below_how_many_there_are() -> None:
    shown = lines(use(verdicts=2, faults={"no reply": 2}, commonest_fault="it raised \x1b[31mno"))
    assert shown[-1].strip() == r"why: it raised \x1b[31mno"


def test_of_several_kinds_of_fault_the_commonest_is_told() -> None:
    faults = {"cut off": 1, "no reply": 2}
    shown = lines(use(verdicts=3, faults=faults, commonest_fault="it is down"))
    assert shown[-1].strip() == "why most: it is down"


def test_what_a_dry_run_did_not_ask_is_no_fault_to_explain() -> None:
    told = use(asks="dry", faults={"no reply": 2}, commonest_fault="not on file", wanted_calls=2)
    assert not [line for line in lines(told) if "why" in line]
