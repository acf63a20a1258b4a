"""Pages in a real browser: a suite with all that a page shows, and a Chromium without a network."""

import contextlib
import importlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from fairtrial.cli import main
from fairtrial.records import Json

REQUIRED = "FAIRTRIAL_BROWSER_TESTS"
"""Set to `required` where these tests must not be skipped, as on the build server."""

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

HOSTILE = (
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ]]> "
    "::error::pwned\x1b[31m\u202egnp.exe\u202c | a | b |\n<style>*{display:none}</style> &lt;b&gt;"
)


@pytest.fixture(scope="module")  # while it is open, no other test can run an event loop
def tab() -> Iterator[Any]:
    """Give a tab of a headless Chromium, or say why there is none."""
    try:
        sync_playwright = importlib.import_module("playwright.sync_api").sync_playwright
    except ImportError:
        missing("playwright is not installed: .ci/venv dev installs it")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        missing("no Chromium on the path: on Debian or Ubuntu: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        context = chromium.new_context(reduced_motion="reduce")
        context.set_default_timeout(20_000)
        yield context.new_page()
        chromium.close()


def missing(why: str) -> NoReturn:
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(why)
    pytest.skip(why)


class Opened:
    """A page in the tab, which notes what it should never do."""

    def __init__(self, tab: Any, file: Path) -> None:
        self.tab = tab
        self.file = file
        self.requests: list[str] = []
        self.said: list[str] = []
        self._notes = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "dialog": self._refuse,
            "download": lambda download: self.said.append("download"),
        }
        for event, note in self._notes.items():
            tab.on(event, note)

    def go(self, at: str = "") -> Any:
        """Open the page at a place and give the tab."""
        self.tab.goto("about:blank")  # else another place on the same page would load nothing anew
        self.tab.goto(self.file.as_uri() + at)
        self.tab.wait_for_selector("main h2:visible")
        return self.tab

    def _refuse(self, dialog: Any) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self) -> None:
        """Note nothing more."""
        for event, note in self._notes.items():
            self.tab.remove_listener(event, note)

    def texts(self, selector: str) -> list[str]:
        """Give the texts of what is seen, in order, each on one line."""
        return [" ".join(text.split()) for text in self.tab.locator(selector).all_inner_texts()]


@pytest.fixture
def opened(tab: Any) -> Iterator[Callable[..., Opened]]:
    """Give what opens a file in the tab; at the end nothing was said and nothing asked for."""
    pages: list[Opened] = []

    def open_file(file: Path, at: str = "", *, width: int = 1280, scheme: str = "light") -> Opened:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(media="screen", color_scheme=scheme)
        for one in pages:
            one.close()
        pages.append(Opened(tab, file))
        pages[-1].go(at)
        return pages[-1]

    yield open_file
    for one in pages:
        one.close()
        assert one.said == []
        assert one.requests == ["about:blank", one.file.as_uri()] or all(
            url == "about:blank" or url.startswith(one.file.as_uri()) for url in one.requests
        )


def ran(folder: Path, *arguments: str) -> int:
    """Run `fairtrial` in a folder and give its exit code."""
    with contextlib.chdir(folder), pytest.raises(SystemExit) as end:
        main(list(arguments))
    assert isinstance(end.value.code, int)
    return end.value.code


def call(name: str, arguments: Json, **more: Json) -> Json:
    return {"name": name, "arguments": arguments} | more


def recording(case: str, trial: int, answer: str, *steps: Json, **more: Json) -> Json:
    last = {"text": answer, "tokens": {"input": 300, "output": 20}, "seconds": 0.5}
    return {"case": case, "trial": trial, "answer": answer, "steps": [*steps, last]} | more


CASES: list[Json] = [
    {
        "id": "refund-late",
        "tags": ["refund", "lang:en"],
        "protected": True,
        "description": "Ticket 4512: too much was paid back",
        "input": "My parcel is late, I want my money back.",
        "expect": {
            "answer": {"contains": ["paid back"]},
            "tools": {"required": [{"name": "refund", "args": {"amount": {"max": 50}}}]},
            "state": {"refunds": [{"amount": 40}]},
        },
    },
    {
        "id": "greet",
        "tags": ["hello"],
        "input": "Hello?",
        "expect": {"answer": {"contains": ["done"]}},
    },
    {
        "id": "sometimes",
        "tags": ["hello"],
        "input": "Again?",
        "expect": {"answer": {"contains": ["done"]}},
    },
    {"id": "broken", "input": "Out?", "expect": {"answer": {"contains": ["done"]}}},
    {
        "id": HOSTILE[:60],
        "tags": ["<b>bold</b>"],
        "input": HOSTILE,
        "description": HOSTILE[:100].replace("\x1b", ""),
        "expect": {"answer": {"contains": ["done"]}},
    },
    {"id": "deep", "input": "Deep?", "expect": {"answer": {"contains": ["done"]}}},
    {"id": "long", "input": "Long?", "expect": {"answer": {"contains": ["done"]}}},
    *(
        {
            "id": f"plain-{n:03d}",
            "tags": ["plain"],
            "input": "x",
            "expect": {"answer": {"contains": ["done"]}},
        }
        for n in range(60)
    ),
]


def refund_of(trial: int, amount: int) -> Json:
    look = {
        "text": "Let me look.",
        "calls": [call("get_order", {"order": "S-1"}, result={"paid": 40})],
        "seconds": 0.2,
    }
    pay = {
        "calls": [
            call(
                "refund", {"order": "S-1", "amount": amount}, result="ok", changed=True, seconds=0.1
            )
        ]
    }
    return recording(
        "refund-late", trial, f"The money, {amount}, is paid back.", look, pay,
        turns=[{"user": "My parcel is late, I want my money back."}],
        initial_state={"refunds": [], "orders": {"S-1": {"paid": 40}}},
        state={"refunds": [{"amount": amount}], "orders": {"S-1": {"paid": 40}}},
        cost=0.01 * (trial + 1), tokens={"input": 900, "output": 80},
    )  # fmt: skip


def recordings(amount: int, *, worse: bool) -> list[Json]:
    bad = [call("search", {"q": HOSTILE}, error=HOSTILE)]
    long = call("read", {"page": 1}, result="z" * 20_000, seconds=3)
    return [
        *(refund_of(trial, amount) for trial in range(2)),
        *(recording("greet", trial, "All done.") for trial in range(2)),
        recording("sometimes", 0, "All done."),
        recording("sometimes", 1, "No." if worse else "All done."),
        {"case": "broken", "trial": 0, "error": {"kind": "provider", "message": "429 too many"}},
        recording(
            "deep", 0, "done", {"calls": [call("look", json.loads('{"k":' * 60 + "1" + "}" * 60))]}
        ),
        recording(HOSTILE[:60], 0, HOSTILE, {"text": HOSTILE, "calls": bad}),
        recording(
            "long",
            0,
            "done " + "w" * 5000,
            {"calls": [long]},
            {"calls": [call("raw", "{not json")]},
        ),
        *(recording(f"plain-{n:03d}", 0, "done") for n in range(60)),
    ]


def write_lines(file: Path, rows: list[Json]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs: `before` was accepted, `after` is worse and was gated."""
    folder = tmp_path_factory.mktemp("suite")
    (folder / "fairtrial.toml").write_text('cases = ["cases.json"]\nbaseline = "baseline.json"\n')
    (folder / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    write_lines(folder / "before.jsonl", recordings(40, worse=False))
    write_lines(folder / "after.jsonl", recordings(90, worse=True))
    for name in ("before", "after"):
        ran(folder, "grade", "--recordings", f"{name}.jsonl", "--json", f"{name}.json", "-q")
        if name == "before":
            ran(folder, "accept", "latest", "--baseline", "baseline.json")
    assert ran(folder, "gate", "latest") == 1
    return folder


@pytest.fixture(scope="session")
def run_page(suite: Path) -> Path:
    assert ran(suite, "report", "--html", "run.html") == 0
    return suite / "run.html"


@pytest.fixture(scope="session")
def compared_page(suite: Path) -> Path:
    assert ran(suite, "report", "--html", "two.html", "--compare", "before.json") == 0
    return suite / "two.html"


@pytest.fixture(scope="session")
def bare_page(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page from a JSON report whose run folder is gone."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    text = (suite / "after.json").read_text(encoding="utf-8")
    (elsewhere / "after.json").write_text(text.replace(str(suite), "/gone"), encoding="utf-8")
    assert ran(elsewhere, "report", "after.json", "--html", "bare.html") == 0
    return elsewhere / "bare.html"


@pytest.fixture(scope="session")
def dice_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a run that was really adaptive: the dice of the examples, with the hasty prompt."""
    folder = tmp_path_factory.mktemp("adaptive") / "dice"
    shutil.copytree(EXAMPLES / "dice", folder, ignore=shutil.ignore_patterns(".fairtrial"))
    assert ran(folder, "run", "--variant", "hasty", "--adaptive", "--quiet") == 1
    assert ran(folder, "report", "--html", "dice.html") == 0
    return folder / "dice.html"


@pytest.fixture(scope="session")
def judged_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a judged run: the letters of the examples."""
    folder = tmp_path_factory.mktemp("judged") / "complaints"
    shutil.copytree(EXAMPLES / "complaints", folder, ignore=shutil.ignore_patterns(".fairtrial"))
    assert ran(folder, "grade", "--recordings", "letters.jsonl", "--quiet") == 1
    assert ran(folder, "report", "--html", "letters.html") == 0
    return folder / "letters.html"


@pytest.fixture(scope="session")
def history_file(suite: Path) -> Path:
    assert ran(suite, "report", "--history", "--html", "history.html") == 0
    return suite / "history.html"
