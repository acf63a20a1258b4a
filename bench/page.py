"""Measure the page of a run: CPU to make it, its size, and how long a browser takes over it.

    python bench/page.py [--cases 1000] [--trials 5] [--rounds 3]

runs the benchmark's agent once, makes the page in each round, then opens and filters it in Chromium
where Playwright and one are there. See docs/report.md.
"""

import argparse
import importlib
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import measure
import running

FAIRTRIAL = str(Path(sys.executable).with_name("fairtrial"))
KEPT = ("PATH", "HOME", "LANG")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]


def made(suite: Path, out: Path, *, rounds: int) -> list[measure.Measurement]:
    """Make the page some times and give what each took."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    settings = ["--config", str(suite / "fairtrial.toml")]
    command = [FAIRTRIAL, "report", "--html", str(out), *settings]
    found = []
    for turn in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            found.append(measure.measure(command, cwd=Path(name, str(turn)), env=env))
    return found


def opened(page: Path) -> tuple[float, float] | None:
    """Give the seconds until the page stands and until a filter has answered; None: no browser."""
    chromium = shutil.which("chromium")
    try:
        start: Any = importlib.import_module("playwright.sync_api").sync_playwright
    except ImportError:
        return None
    if chromium is None:
        return None
    with start() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        tab = browser.new_page()
        began = time.perf_counter()
        tab.goto(page.as_uri())
        tab.wait_for_selector("#cases tbody tr")
        stood = time.perf_counter()
        tab.fill("#filter-text", "wanted true")
        tab.wait_for_function(
            "document.querySelector('[role=status]').textContent.includes(' of ')"
        )
        answered = time.perf_counter()
        browser.close()
    return stood - began, answered - stood


def main() -> int:
    """Run, measure and print; 1 when a page could not be made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        suite, page = Path(name, "suite"), Path(name, "page.html")
        settings = running.write(suite, cases=given.cases)
        run = [FAIRTRIAL, "run", "-q", "--config", str(settings), "-k", str(given.trials)]
        env = {key: os.environ[key] for key in KEPT if key in os.environ}
        measure.measure(run, cwd=Path(name, "run"), env=env)
        rounds = made(suite, page, rounds=given.rounds)
        if any(one.exit for one in rounds):
            print(rounds[0].output.decode(errors="replace"))
            return 1
        cpu = statistics.median(one.cpu for one in rounds)
        peak = max(one.rss for one in rounds)
        print(
            f"{given.cases * given.trials:,} trials: {page.stat().st_size / 1e6:.2f} MB, ", end=""
        )
        print(f"{cpu:.3f} s of CPU, peak {peak / 1e6:.0f} MB")
        seen = opened(page)
        print(
            "no browser"
            if seen is None
            else f"opens in {seen[0]:.2f} s, filters in {seen[1]:.2f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
