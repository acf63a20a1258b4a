"""What axe says of the pages, in both colour schemes and widths, and what it cannot see."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.report.html.conftest import Opened

Open = Callable[..., "Opened"]


def faults(page: "Opened") -> list[str]:
    """Give what axe-core finds, one line a rule with the first element that breaks it."""
    axe = resources.files("axe_playwright_python") / "axe.min.js"
    page.tab.evaluate(axe.read_text(encoding="utf-8"))
    found = page.tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_first_page_breaks_no_rule(
    opened: Open, compared_page: Path, scheme: str, width: int
) -> None:
    page = opened(compared_page, scheme=scheme, width=width)
    page.tab.select_option("#filter-status", "bad")  # fewer rows, and each kind of them
    assert faults(page) == []


@pytest.mark.parametrize(("scheme", "case"), [("light", "refund-late"), ("dark", "long")])
def test_a_case_breaks_no_rule(opened: Open, compared_page: Path, scheme: str, case: str) -> None:
    page = opened(compared_page, f"#case={case}", scheme=scheme)
    page.tab.wait_for_selector("#trial .facts")
    assert faults(page) == []


def test_the_history_breaks_no_rule(opened: Open, history_file: Path) -> None:
    assert faults(opened(history_file, scheme="dark")) == []


def test_the_first_stop_of_the_tab_key_skips_the_head(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.keyboard.press("Tab")
    assert page.tab.evaluate("document.activeElement.className") == "skip"
    page.tab.keyboard.press("Enter")
    assert page.tab.evaluate("document.activeElement.id") == "main"
    assert page.texts("#decision h2") == ["Fail"]


def test_focus_is_seen(opened: Open, run_page: Path) -> None:
    page = opened(run_page)
    page.tab.keyboard.press("j")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.tab.evaluate(outline) == "solid"
