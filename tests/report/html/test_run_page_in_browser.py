"""The page of a run in Chromium: what is on it, the filter, the order, the keys, the way back."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fairtrial.report import figures

if TYPE_CHECKING:
    from tests.report.html.conftest import Opened

Open = Callable[..., "Opened"]

ROWS = "#cases tbody a.open"


def test_the_decision_and_its_reasons_come_first(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    assert page.texts("#decision h2") == ["Fail"]
    reasons = page.texts("#decision .reason")
    assert "refund-late is protected and passed 2 of 2, now 0 of 2" in reasons[0]
    assert (
        page.tab.locator("#decision .reason a").first.get_attribute("href") == "#case=refund-late"
    )
    assert "baseline" in page.texts(".tile.wide")[0]
    assert "Not measured: 1 case: broken" in page.texts("#notes")[0]
    assert "No model was seen" in page.texts("#notes")[0]


def test_one_file_is_asked_for_and_a_policy_forbids_all_else(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    assert [url for url in page.requests if url != "about:blank"] == [run_page.as_uri()]
    policy = page.tab.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("field", "value", "count"),
    [("status", "failed", "2 of 67 cases"), ("status", "flaky", "1 of 67 cases"),
     ("tag", "hello", "2 of 67 cases"), ("change", "worse", "2 of 67 cases")],
)  # fmt: skip
def test_each_filter_narrows_and_the_count_is_told(
    opened: Open, run_page: Path, field: str, value: str, count: str
) -> None:
    page = opened(run_page)
    page.tab.select_option(f"#filter-{field}", value)
    assert page.texts("#cases [role=status]") == [count]
    assert len(page.texts(ROWS)) == int(count.split()[0])


def test_a_text_finds_ids_tags_and_reasons(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.fill("#filter-text", "REFUND wanted")
    assert page.texts(ROWS) == ["refund-late"]
    page.tab.fill("#filter-text", "nothing like it")
    assert page.texts("#cases tbody td") == ["No case fits the filter."]
    page.tab.keyboard.press("Escape")
    assert page.texts("#cases [role=status]") == ["67 cases"]


def test_protected_cases_alone(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.check("#filter-only")
    assert page.texts(ROWS) == ["refund-late"]
    page.tab.click("text=Clear the filter")
    assert page.texts("#cases [role=status]") == ["67 cases"]


def test_cases_are_drawn_a_page_at_a_time(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    assert len(page.texts(ROWS)) == 50
    page.tab.click("text=Show 17 more")
    assert len(page.texts(ROWS)) == 67
    assert page.tab.evaluate("document.activeElement.textContent") == page.texts(ROWS)[50]


def test_a_heading_sorts_both_ways_and_says_so(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    assert page.texts(ROWS)[0] == "broken"  # the worst first
    head = page.tab.locator("th[data-column=passed]")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    page.tab.fill("#filter-text", "refund-late")
    page.tab.fill("#filter-text", "")
    assert page.texts(ROWS)[0] == "refund-late"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert page.texts(ROWS)[0] == "plain-059"
    assert page.tab.locator("th[data-column=status]").get_attribute("aria-sort") == "none"


def test_keys_lead_from_the_filter_to_a_case_and_back(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    keys = page.tab.keyboard
    keys.press("/")
    keys.type("refund")
    keys.press("ArrowDown")
    assert page.tab.evaluate("document.activeElement.textContent") == "refund-late"
    keys.press("Enter")
    page.tab.wait_for_selector("#case-title:visible")
    assert page.tab.evaluate("document.activeElement.id") == "case-title"
    keys.press("Escape")
    page.tab.wait_for_selector("#cases:visible")
    assert page.tab.evaluate("document.activeElement.textContent") == "refund-late"


def test_j_and_k_go_down_and_up_the_table(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        page.tab.keyboard.press(key)
        assert page.tab.evaluate("document.activeElement.textContent") == page.texts(ROWS)[at]


def test_a_tag_of_the_chart_filters_the_table(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.click("#charts button:has-text('hello')")
    assert sorted(page.texts(ROWS)) == ["greet", "sometimes"]


def test_every_drawing_has_a_name_or_is_hidden(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    nameless = page.tab.evaluate(
        "[...document.querySelectorAll('svg')].filter((one) => one.getAttribute('aria-hidden')"
        " !== 'true' && !(one.getAttribute('role') === 'img' && one.getAttribute('aria-label')))"
        ".length"
    )
    assert nameless == 0


def test_marks_are_told_apart_by_shape(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    shapes = page.tab.evaluate(
        "['passed', 'failed', 'flaky', 'error'].map((kind) =>"
        " document.querySelector(`#cases .badge.${kind} svg > *`)?.tagName)"
    )
    assert shapes == ["circle", "rect", "path", "path"]
    names = page.tab.locator("#cases .strip").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert "2 trials: 1 passed, 1 failed" in names


def test_the_colours_can_be_chosen(opened: Open, run_page: Path) -> None:
    page = opened(run_page, scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.tab.evaluate(ground)
    page.tab.select_option("#theme", "dark")
    assert page.tab.evaluate(ground) != light
    page.tab.select_option("#theme", "auto")  # which is kept, as the others are
    assert page.tab.evaluate(ground) == light


@pytest.mark.parametrize("width", [390, 700, 910, 1280, 1920])
@pytest.mark.parametrize("at", ["", "#case=refund-late"])
def test_nothing_is_wider_than_the_window(
    opened: Open, compared_page: Path, width: int, at: str
) -> None:
    page = opened(compared_page, at, width=width)
    page.tab.wait_for_selector("#trial .facts" if at else "#cases tbody tr")
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 650, 760, 905, 1000, 1190])
def test_further_trials_make_no_table_wider_than_the_window(
    opened: Open, dice_page: Path, width: int
) -> None:
    page = opened(dice_page, width=width)
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_help_lists_the_keys(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.keyboard.press("?")
    assert "back, or clear the filter" in page.texts("#help")[0]
    page.tab.keyboard.press("Escape")
    assert not page.tab.locator("#help").is_visible()


def test_numbers_are_rounded_as_in_the_terminal(tab: Any) -> None:
    source = resources.files("fairtrial.report.html") / "assets" / "figures.js"
    shares = [0.0625, 0.1875, 1 / 3, 0.99951, 0.0001, 0.15, 1.0, 0.0]
    values = [398.5, 399.5, 0.25, 2.25, 2.75, 0.15, 1_250_000.0, 12.0, 100.4999, 1e9]
    tab.goto("about:blank")
    shown = tab.evaluate(
        "([shares, values]) => {"
        + source.read_text(encoding="utf-8")
        + "return [shares.map(percent), values.map(amount)]; }",
        [shares, values],
    )
    assert shown == [
        [figures.percent(one) for one in shares],
        [figures.amount(one) for one in values],
    ]


@pytest.mark.parametrize("chosen", ["auto", "dark"])
def test_paper_is_light_whatever_the_screen_is(opened: Open, run_page: Path, chosen: str) -> None:
    page = opened(run_page, scheme="dark")
    page.tab.evaluate(f"document.documentElement.dataset.theme = '{chosen}'")
    page.tab.emulate_media(media="print", color_scheme="dark")
    for place, ink in (("body", "rgb(26, 32, 39)"), ("#decision h2", "rgb(179, 32, 47)")):
        assert (
            page.tab.evaluate(f"getComputedStyle(document.querySelector('{place}')).color") == ink
        )
    ground = "getComputedStyle(document.querySelector('.card')).backgroundColor"
    assert page.tab.evaluate(ground) == "rgb(255, 255, 255)"
    assert not page.tab.locator(".jumps").is_visible()


def test_no_card_is_pushed_from_paper_that_it_is_too_long_for(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.emulate_media(media="print")
    inside = "getComputedStyle(document.querySelector('#decision')).breakInside"
    assert page.tab.evaluate(inside) == "auto"
    row = inside.replace("#decision", ".reason")
    assert page.tab.evaluate(row) == "avoid"


def test_further_trials_of_an_adaptive_run_stand_apart(opened: Open, dice_page: Path) -> None:
    page = opened(dice_page)
    named = page.tab.locator("#cases tbody tr:has-text('hard-8') .strip").first
    assert named.get_attribute("aria-label") == (
        "5 trials: 4 passed, 1 failed; 25 further: 14 passed, 11 failed"
    )
    assert named.bounding_box()["width"] > 150  # many are bars, which a narrow cell can hold
    assert "80 trials, to tell which cases pass less often" in page.texts("#further")[0]
    page = opened(dice_page, "#case=hard-8&trial=29")
    page.tab.wait_for_selector("#trial .facts")
    assert len(page.texts("[role=tab]")) == 30
    assert page.texts("[role=tab][aria-selected=true]") == ["Trial 29 failed"]
    assert "/extra/trials.jsonl" in page.texts(".facts")[0]
    assert page.texts(".bubble.answer") == ["No."]


def test_the_judge_stands_with_what_it_decides_and_why_not_the_rest(
    opened: Open, judged_page: Path
) -> None:
    page = opened(judged_page)
    (told,) = page.texts("#judge")
    assert "judge:ask: 160 verdicts. Its replies are from file." in told
    rows = page.texts("#judge tbody tr")
    assert "Says sorry for what went wrong" in rows[0]
    assert rows[0].endswith("yes")
    assert "no: 24 human fails among them, and 25 are wanted" in rows[1]


def test_print_opens_what_matters(opened: Open, run_page: Path) -> None:
    page = opened(run_page, "#case=refund-late")
    page.tab.wait_for_selector("details.rest")
    page.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.tab.emulate_media(media="print")
    assert page.tab.evaluate("document.querySelector('details.rest').open")
    assert not page.tab.locator(".head-tools").is_visible()
    page.tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.tab.evaluate("document.querySelector('details.rest').open")
