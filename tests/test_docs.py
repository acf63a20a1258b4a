"""Pages are programs: what a page shows is run, and what it points at exists.

```pycon blocks run as doctests. ```console blocks are shell sessions: `$ ` begins a command, what
follows is its output and its errors, and a line `...` stands for any lines. Each page has a fresh
copy of examples/ and docs/ to work in; each block is one session. FAIRTRIAL_UPDATE_DOCS=1 writes
real output into blocks that differ.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
UPDATE = os.environ.get("FAIRTRIAL_UPDATE_DOCS", "") not in {"", "0"}
ANY_LINES = "..."
OF_THIS_RUN = re.compile(r"^.*\b\d{8}-\d{6}-\d{3}-[0-9a-f]{6}\b.*$", re.MULTILINE)  # a run's id
DOCTEST_OPTIONS = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS

RUN_PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
LINKED_PAGES = [*RUN_PAGES, ROOT / "CHANGELOG.md", ROOT / "AGENTS.md"]

FENCE = re.compile(r"^(`{3,})(\w*)[^\n`]*\n(.*?)^\1`*[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Block(NamedTuple):
    """One fenced block of a page."""

    language: str
    body: str
    start: int  # offset of the body in the page
    end: int


class Command(NamedTuple):
    """One command of a console block with what the page says that it prints."""

    shown: str  # as on the page, prompts included
    script: str
    output: str


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks_of(text: str) -> Iterator[Block]:
    for found in FENCE.finditer(text):
        yield Block(found[2], found[3], found.start(3), found.end(3))


def without_blocks(text: str, languages: set[str] | None = None) -> str:
    """Blank the blocks of these languages (None: all) and keep every line where it was."""
    for block in reversed(list(blocks_of(text))):
        if languages is None or block.language in languages:
            text = text[: block.start] + "\n" * block.body.count("\n") + text[block.end :]
    return text


def only_blocks(text: str, language: str) -> str:
    """Blank all that is not a block of this language and keep every line where it was."""
    out, at = "", 0
    for block in blocks_of(text):
        if block.language == language:
            out += "\n" * text.count("\n", at, block.start) + block.body
            at = block.end
    return out


# Console blocks


def commands_of(body: str) -> list[Command]:
    """Split a console block. A command goes on in `> ` lines, as a shell shows it."""
    commands: list[Command] = []
    for line in body.splitlines(keepends=True):
        last = commands[-1] if commands else None
        if line.startswith("$ "):
            commands.append(Command(line, line[2:], ""))
        elif last is None:
            raise ValueError(f"a console block begins with a command, not with {line!r}")
        elif line.startswith("> ") and not last.output and goes_on(last.script):
            commands[-1] = Command(last.shown + line, last.script + line[2:], "")
        else:
            commands[-1] = last._replace(output=last.output + line)
    return commands


def goes_on(script: str) -> bool:
    """Say whether a shell would ask for more: after a backslash, or inside a here-document."""
    if script.endswith("\\\n"):
        return True
    opened = re.search(r"<<-?\s*['\"]?(\w+)", script)
    return opened is not None and f"\n{opened[1]}\n" not in script


def environment(home: Path) -> dict[str, str]:
    """Give what a command may rely on: this fairtrial, 80 columns, no colour, no keys, no CI."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {
        "PATH": path,
        "HOME": str(home),
        "COLUMNS": "80",
        "LINES": "24",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "GIT_CEILING_DIRECTORIES": str(home),
    }


def outputs_of(commands: list[Command], *, cwd: Path, logs: Path) -> list[str]:
    """Run the commands in one shell and give what each printed: its output, then its errors."""
    logs.mkdir()
    script = "".join(
        f"{{\n{one.script}}} >'{logs}/{at}.out' 2>'{logs}/{at}.err' </dev/null\n"
        for at, one in enumerate(commands)
    )
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=cwd,
        env=environment(logs.parent),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "", f"the shell says: {done.stderr}"
    return [
        printed(logs / f"{at}.out") + printed(logs / f"{at}.err") for at in range(len(commands))
    ]


def printed(file: Path) -> str:
    """Give the lines of a file without blanks at their ends; nothing for a missing file."""
    if not file.exists():
        return ""
    return "".join(f"{line.rstrip()}\n" for line in file.read_text(encoding="utf-8").splitlines())


def says(shown: str, real: str) -> bool:
    """Say whether the output on a page stands for the real one."""
    if shown == real:
        return True
    lines = [line.rstrip() for line in shown.rstrip().splitlines()]
    parts = [r"(?:.*\n)*?" if line == ANY_LINES else re.escape(line) + r"\n" for line in lines]
    return re.fullmatch("".join(parts) + r"\n*", real) is not None


def workplace(page: Path, folder: Path) -> Path:
    """Copy what pages work on into a fresh folder; give the place where this page runs."""
    for name in ("examples", "docs"):
        if (ROOT / name).exists():
            unwanted = shutil.ignore_patterns(".fairtrial", "__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    in_example = page.is_relative_to(ROOT / "examples")
    return folder / page.parent.relative_to(ROOT) if in_example else folder


@pytest.mark.parametrize("page", RUN_PAGES, ids=name_of)
def test_every_command_on_the_page_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    text = text_of(page)
    work = tmp_path / "project"
    work.mkdir()
    cwd = workplace(page, work)
    written, wrong, at = "", [], 0
    for number, block in enumerate(one for one in blocks_of(text) if one.language == "console"):
        commands = commands_of(block.body)
        outputs = outputs_of(commands, cwd=cwd, logs=tmp_path / f"block-{number}")
        written += text[at : block.start]
        at = block.end
        for command, real in zip(commands, outputs, strict=True):
            same = says(command.output, real)
            written += command.shown + (
                command.output if same else OF_THIS_RUN.sub(ANY_LINES, real)
            )
            if not same:
                line = text.count("\n", 0, block.start) + 1
                wrong.append(f"{name_of(page)}:{line}: {command.shown}{real}")
    if UPDATE and wrong:
        page.write_text(written + text[at:], encoding="utf-8")
    assert UPDATE or wrong == [], "Really printed (make docs writes it):\n" + "\n".join(wrong)


@pytest.mark.parametrize("page", RUN_PAGES, ids=name_of)
def test_every_prompt_on_the_page_gives_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workplace(page, tmp_path))
    source = only_blocks(text_of(page), "pycon")
    script = doctest.DocTestParser().get_doctest(source, {}, name_of(page), str(page), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=DOCTEST_OPTIONS)
    assert runner.run(script, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("page", RUN_PAGES, ids=name_of)
def test_no_prompt_stands_where_it_is_not_run(page: Path) -> None:
    rest = without_blocks(text_of(page), {"pycon", "console"})
    assert re.findall(r"^\s*(?:>>> |\$ ).*", rest, re.MULTILINE) == []


# Links


def slug(heading: str) -> str:
    """Give the anchor that a heading gets where Markdown is rendered."""
    words = re.sub(r"[^\w\s-]", "", heading.strip().lower())
    return re.sub(r"\s", "-", words)


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#{1,6}\s+(.*?)\s*#*$", without_blocks(text_of(page)), re.MULTILINE)
    return {slug(re.sub(r"\]\([^)]*\)", "", heading)) for heading in headings}


def links_of(page: Path) -> list[str]:
    """Give the links of a page that lead somewhere in the repository."""
    prose = re.sub(r"`[^`\n]*`", "", without_blocks(text_of(page)))
    targets = [found[1] or found[2] for found in LINK.finditer(prose)]
    return [target for target in targets if not SCHEME.match(target)]


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists() or not target.is_relative_to(ROOT.resolve()):
        return False
    return not anchor or target.suffix != ".md" or anchor in anchors_of(target)


@pytest.mark.parametrize("page", LINKED_PAGES, ids=name_of)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    assert [link for link in links_of(page) if not leads_somewhere(page, link)] == []


# Generated parts


def test_generated_parts_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# The machinery above


def test_dots_alone_on_a_line_stand_for_any_lines_and_nothing_else_does() -> None:
    assert says("a\n...\nd\n", "a\nb\nc\nd\n")
    assert says("a\n...\n", "a\n")
    assert not says("a\n...\nd\n", "a\nb\n")
    assert not says("a...\n", "abc\n")
    assert not says("a\n", "a\nb\n")
    assert not says("", "unexpected\n")


def test_a_block_is_one_session_that_knows_the_last_status(tmp_path: Path) -> None:
    body = (
        "$ cd /\n$ pwd\n/\n$ ls no-such \\\n>   2>/dev/null\n$ test $? = 0 || echo failed\nfailed\n"
    )
    commands = commands_of(body)
    assert [one.output for one in commands] == ["", "/\n", "", "failed\n"]
    assert outputs_of(commands, cwd=tmp_path, logs=tmp_path / "logs") == ["", "/\n", "", "failed\n"]


def test_errors_come_after_output(tmp_path: Path) -> None:
    commands = commands_of("$ echo wrong >&2; echo right\n")
    assert outputs_of(commands, cwd=tmp_path, logs=tmp_path / "logs") == ["right\nwrong\n"]


def test_a_block_of_four_fences_holds_one_of_three() -> None:
    text = "````text\n```console\n$ no\n```\n````\n```console\n$ yes\n```\n"
    assert [(one.language, one.body) for one in blocks_of(text)] == [
        ("text", "```console\n$ no\n```\n"),
        ("console", "$ yes\n"),
    ]
