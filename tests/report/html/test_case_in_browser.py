"""A case in Chromium: transcript, evidence, two runs side by side, hostile and long texts."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from tests.report.html.conftest import Opened

Open = Callable[..., "Opened"]
STEPS = "#trial [data-step]"
HOSTILE_ID = "</script><script>alert(1)</script><!-- <img src=x onerror=al"


def ready(page: "Opened") -> "Opened":
    page.tab.wait_for_selector("#trial .facts")
    return page


def test_a_transcript_is_stepped_through_by_keyboard(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=refund-late"))
    at = "document.activeElement.dataset.step"
    for key, step in (("j", "0"), ("j", "1"), ("ArrowDown", "2"), ("j", "2"), ("k", "1")):
        page.tab.keyboard.press(key)
        assert page.tab.evaluate(at) == step
    assert len(page.texts(STEPS)) == 3


def test_a_conversation_tells_what_was_said_called_and_given_back(
    opened: Open, run_page: Path
) -> None:
    page = ready(opened(run_page, "#case=refund-late&trial=1"))
    said = page.texts(".conversation > li")
    assert "My parcel is late" in said[0]
    assert "Let me look." in said[1]
    assert "get_order" in said[1]
    assert '{"paid": 40}' in said[1]
    assert "changed the state" in said[2]
    assert "100 ms" in said[2]
    assert "It ended with an answer." in said[-1]
    assert "line 2 of .fairtrial/runs/" in page.texts(".facts")[0]


def test_a_link_leads_to_a_trial(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=sometimes&trial=0"))
    assert page.texts("[role=tab][aria-selected=true]") == ["Trial 0 passed"]
    page = ready(opened(run_page, "#case=sometimes"))  # the first that failed, unless one is named
    assert page.texts("[role=tab][aria-selected=true]") == ["Trial 1 failed"]
    page.tab.keyboard.press("n")
    page.tab.wait_for_url("**trial=0")
    page.tab.keyboard.press("ArrowRight")
    page.tab.wait_for_url("**trial=1")


def test_a_link_to_no_case_says_so(opened: Open, run_page: Path) -> None:
    page = opened(run_page, "#case=%E0%A4%A&trial=x")
    assert page.texts("#case-title") == ["No such case"]
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_selector("#cases:visible")


def test_evidence_stands_where_it_was_found(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=refund-late"))
    assert page.texts(".arguments .blamed dt") == ["amount (named by a failed check)"]
    assert "tools.arguments" in page.texts(f"{STEPS}.blamed .chip.failed")[0]
    assert page.texts(".conversation mark") == ["paid back"]
    page.tab.click(".checks .pick:has-text('step 2')")
    assert page.tab.evaluate("document.activeElement.dataset.step") == "1"


def test_the_state_is_told_as_what_changed(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=refund-late"))
    assert page.texts(".state-diff .path") == ["refunds[0]"]
    assert page.texts(".state-diff .ins")[0].endswith('{"amount": 90}')
    assert "1 change between start and end." in page.texts(".state-side")[0]


def test_two_runs_stand_side_by_side_from_where_they_part(
    opened: Open, compared_page: Path
) -> None:
    page = opened(compared_page, "#case=refund-late")
    page.tab.wait_for_selector(".side.parting")
    assert "the argument amount of refund is 40 in a, 90 in b" in page.texts(".parting-text")[0]
    assert page.texts(".beside > details summary") == ["1 step alike before"]
    was, now = page.texts(".side.parting")
    assert ("40" in was, "90" in now) == (True, True)
    assert page.texts(".end-side .badge") == ["passed", "failed"]


def test_two_runs_are_summed_up_on_the_first_page(opened: Open, compared_page: Path) -> None:
    page = opened(compared_page)
    told = page.texts("#compare")[0]
    assert "2 worse" in told
    assert "2 of 2 → 0 of 2" in told
    assert "before" in page.texts(".tile.wide")[0]


def test_hostile_text_is_text(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    scripts = page.tab.locator("script").count()
    ready_page = ready(opened(run_page, f"#case={quote(HOSTILE_ID, safe='')}"))
    tab = ready_page.tab
    assert ready_page.texts("#case-title") == [HOSTILE_ID]
    told = ready_page.texts("#trial")[0]
    assert "<img src=x onerror=alert(2)>" in told
    assert "]]> ::error::pwned" in told
    assert "\\u001b[31m" in told
    assert "\\u202egnp.exe" in told
    assert tab.locator("script").count() == scripts
    assert tab.locator("img, iframe, object, embed, base").count() == 0
    assert tab.locator("main style, main link").count() == 0
    assert tab.locator("main b:has-text('bold')").count() == 0


def test_a_deep_value_is_written_in_no_time(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=deep"))
    page.tab.click(".arguments button.more")
    assert page.texts(".arguments .text")[0].count("k") == 59  # the first one is the name


def test_long_texts_are_cut_with_a_word_on_it(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=long"))
    assert "malformed arguments, kept as written" in page.texts("#trial")[0]
    button = page.tab.locator("button.more").first
    assert button.inner_text() == "Cut here: show all 20,000 characters"
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    assert len(page.texts(".call .value .text")[0]) == 20_000


def test_a_case_without_a_measured_trial_says_why(opened: Open, run_page: Path) -> None:
    page = ready(opened(run_page, "#case=broken"))
    assert "not measured: provider: 429 too many" in page.texts(".trial-error")[0]
    assert "The steps were not recorded." in page.texts(".conversation")[0]


def test_a_page_without_transcripts_says_so(opened: Open, bare_page: Path) -> None:
    page = opened(bare_page, "#case=refund-late")
    page.tab.wait_for_selector("#trial .cut")
    assert "There are no transcripts on this page" in page.texts("#trial .cut")[0]
    assert "There are no transcripts on this page" in ready_overview(page)


def ready_overview(page: "Opened") -> str:
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_selector("#notes:visible")
    return page.texts("#notes")[0]


def test_the_history_shows_a_line_a_case(opened: Open, history_file: Path) -> None:
    page = opened(history_file)
    assert page.texts("#cases [role=status]") == ["2 of 67 cases"]
    names = page.tab.locator(".spark").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert "refund-late, oldest first: 2 of 2, 0 of 2" in names
    page.tab.uncheck("#cases input[type=checkbox]")
    assert page.texts("#cases [role=status]") == ["67 of 67 cases"]
