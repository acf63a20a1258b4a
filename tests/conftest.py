"""A desk: a folder with case files and recordings in it, and the command line at hand."""

import gc
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple, NoReturn

import cmarkgfm  # type: ignore[import-untyped]  # it has no types
import pytest
from hypothesis import settings

from fairtrial.cli import main
from fairtrial.records import Json

# Who starts tests in the background lets them ignore Ctrl-C, and all their children too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line of standard output."""
        return self.out.rstrip("\n").rpartition("\n")[2]


def strict(text: str) -> Json:
    """Read JSON as its standard has it: no NaN, no infinity, no key twice."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        assert len(dict(pairs)) == len(pairs), "a key stands twice"
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


class Desk:
    """A working folder and the command line in it."""

    def __init__(self, folder: Path, command: Callable[..., Ran]) -> None:
        self.folder = folder
        self.run = command

    strict = staticmethod(strict)

    @staticmethod
    def case(name: str = "greet", *contains: str, **fields: Json) -> dict[str, Json]:
        """Give a case that wants the phrases, "done" unless told otherwise, and other fields."""
        expect = {"answer": {"contains": list(contains or ("done",))}}
        return {"id": name, "input": "Hello?", "expect": expect} | fields

    @staticmethod
    def recording(name: Json = "greet", answer: Json = "All done.", **fields: Json) -> Json:
        """Give a recording of one step without a call."""
        return {"case": name, "answer": answer, "steps": [{"text": answer}]} | fields

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file, with the folders above it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def cases(self, *cases: Json, name: str = "cases.json") -> Path:
        """Write a case file; as it stands, greet wants "done"."""
        return self.write(name, json.dumps(list(cases or (self.case(),))))

    def record(self, *rows: Json, name: str = "runs.jsonl") -> Path:
        """Write recordings; text rows as they are."""
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        return self.write(name, "".join(f"{line}\n" for line in lines))

    def grade(self, *options: str, out: str = "out.json") -> Ran:
        """Grade cases.json by runs.jsonl and write the report."""
        return self.run(
            "grade", "cases.json", "--recordings", "runs.jsonl", "--json", out, *options
        )

    def graded(self, *options: str, out: str = "out.json") -> Json:
        """Give the report of `grade`."""
        ran = self.grade(*options, out=out)
        assert ran.code in {0, 1, 3}, ran.err
        return self.read(out)

    def trial(self, expect: Json, *calls: Json, **recorded: Json) -> Json:
        """Give the graded trial of one recording: a step a call, a list for parallel calls."""
        self.cases({"id": "greet", "input": "Hello?", "expect": expect})
        steps = [{"calls": call if isinstance(call, list) else [call]} for call in calls]
        self.record(self.recording(**({"steps": steps or [{}]} | recorded)))
        return self.graded()["cases"][0]["trials"][0]

    def read(self, name: str) -> Json:
        """Read a JSON file strictly."""
        return strict((self.folder / name).read_text(encoding="utf-8"))

    @staticmethod
    def check(trial: Json, name: str) -> Json:
        """Give one check of a trial; None when it was not asked."""
        return next((one for one in trial["checks"] if one["name"] == name), None)

    def runs(self) -> list[Path]:
        """Give the folders of the saved runs, oldest first."""
        return sorted((self.folder / ".fairtrial" / "runs").glob("*"))


@pytest.fixture
def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Desk]:
    """Give a desk in an empty folder, with an environment that says nothing."""
    monkeypatch.chdir(tmp_path)
    for name in ("CI", "NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "path", [*sys.path])
    thresholds, modules = gc.get_threshold(), set(sys.modules)

    def command(*arguments: str | Path) -> Ran:
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        assert isinstance(end.value.code, int)
        printed = capsys.readouterr()
        return Ran(end.value.code, printed.out, printed.err)

    yield Desk(tmp_path, command)
    gc.set_threshold(*thresholds)
    for name in set(sys.modules) - modules:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


class Read(HTMLParser):
    """A page of Markdown as GitHub's own reader makes it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.prose = ""
        self.code = ""
        self._open: list[str] = []
        unsafe = cmarkgfm.Options.CMARK_OPT_UNSAFE  # GitHub cleans tags later, and keeps some
        self.feed(cmarkgfm.github_flavored_markdown_to_html(text, unsafe))

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append(" ".join([tag, *(f"{name}={value}" for name, value in attrs)]))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_comment(self, data: str) -> None:
        self.tags.append(f"<!--{data}")

    def handle_data(self, data: str) -> None:
        if "code" in self._open:
            self.code += data + "\n"
        else:
            self.prose += data


@pytest.fixture(scope="session")
def read_page() -> Callable[[str], Read]:
    """Read Markdown as GitHub does."""
    return Read


HOSTILE = (
    "@octocat",
    "#12 GH-12 octo/repo#3 a5c3785ed8d6a35868bc169f07e40e889087fd2e",
    "http://evil.example www.evil.example evil@evil.example",
    "[x](http://evil.example) ![i](//e/x)",
    "[x]: http://evil.example",
    "[^1]: note",
    "- [ ] task",
    "<script>alert(1)</script><img src=x onerror=y><!-- c -->",
    "</details>",
    "| a | b |\n| - | - |",
    "a\\|b|c\\",
    "# head\n## head\n---\n===",
    "```\ncode\n```",
    "` `` ```",
    "`",
    "\\`",
    "~~~\n~~~",
    "*bold* _it_ ~~no~~ $`x`$ $$x$$ :tada:",
    "]]>",
    "&lt; &#42; &amp;",
    "\u202egnp.exe \u200b\ufeff",
    "\x00\x07\x1b[31mred\x9b2J\r\n::error::x",
    "::error file=a,line=1::x%0A::set-output name=a::b",
    "##[error]x ##vso[task.complete result=Failed;]x",
    "\ud800",
    "e\u0301" * 40 + "\u0301" * 40,
    " ",
    "",
    "x" * 100_000,
    "\U0001f600" * 50,
)
"""Texts that mean something to a terminal, a browser, a build, or a reader of Markdown or XML."""


@pytest.fixture(scope="session", params=HOSTILE, ids=lambda text: ascii(text)[:24])
def hostile(request: pytest.FixtureRequest) -> str:
    """Give a text that means something to somebody who shows it."""
    return str(request.param)
