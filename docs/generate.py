"""Write the generated parts of the pages in this folder; with --check, say which are out of date.

A generated part stands between `<!-- generated: NAME -->` and `<!-- /generated -->`.
"""

import difflib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from fairtrial.config import Config, wanted
from fairtrial.records import Json

DOCS = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- /generated -->)", re.DOTALL)
COMMAND_LIST = re.compile(r"^(?:\w[\w ]*)?Commands:\n((?:  .*\n)+)", re.MULTILINE)


def help_text(*command: str) -> str:
    """Give the help page of `fairtrial` or of a command below it, 80 columns wide."""
    program = Path(sys.executable).with_name("fairtrial")
    if not program.exists():
        sys.exit(f"{program}: not there; install the project into this environment")
    done = subprocess.run(  # noqa: S603 - our own program, and the names are from its own help page
        [program, *command, "--help"],
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(['fairtrial', *command])} --help failed:\n{done.stderr}")
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.strip().splitlines())


def commands_in(text: str) -> list[str]:
    """Give the names under every heading of a help page that ends in "Commands:"."""
    lists = COMMAND_LIST.findall(text + "\n")
    return [name for listed in lists for name in re.findall(r"^  (\S+)", listed, re.MULTILINE)]


def help_pages(*command: str) -> Iterator[tuple[str, str]]:
    """Give (command line, help text) of a command and of all below it, depth first."""
    text = help_text(*command)
    yield " ".join(["fairtrial", *command]), text
    for name in commands_in(text):
        yield from help_pages(*command, name)


def cli_reference() -> str:
    """Give the help pages of every command as Markdown."""
    return "".join(f"## {line}\n\n```text\n{text}```\n\n" for line, text in help_pages())


def settings_table() -> str:
    """Give every setting with what it wants and what holds without it, as Markdown."""
    rows = ["| setting | what it wants | unless said |", "| --- | --- | --- |"]
    return "\n".join([*rows, *_settings(Config)]) + "\n"


def _settings(kind: type[msgspec.Struct], prefix: str = "") -> Iterator[str]:
    """Give the rows of a table of settings, and those of the tables in it after them."""
    fields = msgspec.structs.fields(kind)
    for field in fields:
        if not isinstance(field.default, msgspec.Struct):
            said = wanted(field.name).replace("|", "\\|")
            yield f"| `{prefix}{field.name}` | {said} | {_default(field.default)} |"
    for field in fields:
        if isinstance(field.default, msgspec.Struct):
            yield from _settings(type(field.default), f"{prefix}{field.name}.")


def _default(default: Json) -> str:
    text = "" if default is msgspec.NODEFAULT else json.dumps(default)
    return f"`{text}`" if text not in {"", "null", "[]"} else "none"


PARTS: dict[str, Callable[[], str]] = {"cli": cli_reference, "settings": settings_table}


def fresh(text: str) -> str:
    """Give a page's text with every generated part made anew."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]().strip()}\n\n{part[3]}", text)


def main() -> int:
    """Write or check every page; 0 when there is nothing left to do."""
    checking = sys.argv[1:] == ["--check"]
    stale = 0
    for page in sorted(DOCS.rglob("*.md")):
        old = page.read_text(encoding="utf-8")
        new = fresh(old)
        if new == old:
            continue
        if not checking:
            page.write_text(new, encoding="utf-8")
            continue
        stale = 1
        names = (f"docs/{page.relative_to(DOCS)}", "as it should be (make docs writes it)")
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="")
        sys.stdout.write("\n".join(lines) + "\n")
    return stale


if __name__ == "__main__":
    sys.exit(main())
