"""fairtrial.toml, or [tool.fairtrial] in pyproject.toml, found and read, mistakes with places."""

import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.config.project import OWN, SHARED, Project
from fairtrial.config.settings import (
    BarTable,
    Config,
    GateTable,
    JudgeModelTable,
    JudgeTable,
    fault_of,
)
from fairtrial.errors import ProblemsError, UsageError
from fairtrial.records import Json
from fairtrial.text import cut


def find_project(start: Path, file: Path | None = None) -> Project:
    """Read the configuration: the file given, else the nearest one in `start` or above it.

    Raises:
        UsageError: The file given is not there, or has no settings.
        ProblemsError: The file cannot be read as settings; every mistake with its place.

    >>> find_project(Path("/no/such/folder")).config.baseline
    'evals/baseline.json'
    """
    if file is not None:
        if not file.is_file():
            what = "a folder" if file.is_dir() else "no such file"
            raise UsageError(f"{file}: {what}; name a {OWN} or a {SHARED}")
        if file.name == SHARED and not _has_table(file):
            raise UsageError(f"{file}: no [tool.fairtrial] in it")
        return _read(file)
    for folder in (start, *start.parents):
        own = folder / OWN
        if own.is_file():
            return _read(own)
        shared = folder / SHARED
        if shared.is_file() and _has_table(shared):
            return _read(shared)
    return Project(config=Config(), root=start.absolute(), file=None)


def _tomllib() -> ModuleType:
    return importlib.import_module("tomllib")  # many suites have no settings


def _near(key: str, known: Sequence[str]) -> list[str]:
    near: list[str] = importlib.import_module("difflib").get_close_matches(key, known, 1)
    return near


def _has_table(pyproject: Path) -> bool:
    try:
        text = pyproject.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError):
        return False  # somebody else's file: its mistakes are for its own tools
    try:
        tool = _tomllib().loads(text).get("tool")
    except (ValueError, RecursionError):
        return re.search(r"^\s*\[\s*tool\s*\.\s*fairtrial\b", text, re.MULTILINE) is not None
    return isinstance(tool, dict) and "fairtrial" in tool


def _read(file: Path) -> Project:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 text; save the file as UTF-8") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    try:
        table: Json = _tomllib().loads(text)
    except _tomllib().TOMLDecodeError as error:
        raise ProblemsError([f"{file}:{_toml_place(str(error), text)}"]) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting that no one means
        raise UsageError(f"{file}: too long a number, or nested too deep") from error
    path: _Path = ()
    if file.name == SHARED:
        table, path = table["tool"]["fairtrial"], ("tool", "fairtrial")
    located = _Located(file, text)
    problems = list(_problems(table, Config, located, path))
    if problems:
        raise ProblemsError(problems)
    config = msgspec.convert(table, type=Config)
    return Project(config=config, root=file.absolute().parent, file=file)


def _toml_place(message: str, text: str) -> str:
    place = re.search(r"\(at line (\d+), column (\d+)\)", message)
    words = message.partition(" (at ")[0]
    line, column = (place[1], place[2]) if place else (str(text.count("\n") + 1), "1")
    return f"{line}:{column}: not TOML: {words}"


_Path: TypeAlias = tuple[str, ...]
_KEY = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_HEADER = re.compile(rf"\s*\[\[?\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_SETTING = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


class _Located:
    """Where each setting stands in a file."""

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._lines: dict[_Path, int] = {}
        table: _Path = ()
        for number, line in enumerate(text.splitlines(), 1):
            if header := _HEADER.match(line):
                table = _keys(header[1])
                self._stand((), table, number)
            elif setting := _SETTING.match(line):
                self._stand(table, _keys(setting[1]), number)

    def _stand(self, table: _Path, keys: _Path, line: int) -> None:
        """Note that a dotted name stands on this line, and the tables that it begins there."""
        for end in range(1, len(keys) + 1):
            self._lines.setdefault((*table, *keys[:end]), line)

    def told(self, path: _Path, name: str, text: str) -> str:
        """Give a mistake with its place: that of the setting, or of the nearest around it."""
        around = (path[:end] for end in range(len(path), 0, -1))
        line = next((self._lines[one] for one in around if one in self._lines), 1)
        return f"{self._file}:{line}: {name}: {text}"


def _keys(dotted: str) -> _Path:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))


def _problems(
    table: Json, kind: type[Struct], located: _Located, path: _Path, prefix: str = ""
) -> Iterator[str]:
    if not isinstance(table, dict):
        name = prefix.rstrip(".") or path[-1]
        yield located.told(path, name, f"wanted a table, got {cut(repr(table))}")
        return
    known = kind.__struct_fields__
    for key, value in table.items():
        place, name = (*path, key), f"{prefix}{key}"
        if key not in known:
            near = _near(key, known)
            hint = f"did you mean {near[0]!r}? " if near else ""
            text = f"unknown setting; {hint}known are {', '.join(sorted(known))}"
            yield located.told(place, name, text)
        elif (key, kind) in _TABLES and not (key == "judge" and isinstance(value, str)):
            yield from _problems(value, _TABLES[key, kind], located, place, f"{name}.")
        elif fault := fault_of(key, value, kind):
            yield located.told(place, name, fault)
        elif key == "panel":
            for one in value:
                yield from _problems(one, JudgeModelTable, located, place, f"{name}.")
        elif key == "variants":
            for variant, changed in value.items():
                yield from _of_variant(changed, located, (*place, variant), f"{name}.{variant}.")


_TABLES: dict[tuple[str, type[Struct]], type[Struct]] = {
    ("gate", Config): GateTable,
    ("judge", Config): JudgeTable,
    ("bar", JudgeTable): BarTable,
}
"""The tables within tables, whose settings are looked at one by one."""


def _of_variant(
    changed: dict[str, Json], located: _Located, path: _Path, prefix: str
) -> Iterator[str]:
    """Give what is wrong with a variant: it has all settings but variants, and `settings`."""
    if "variants" in changed:
        text = "a variant has no variants; name both beside each other"
        yield located.told((*path, "variants"), f"{prefix}variants", text)
    handed = changed.get("settings", {})
    if not isinstance(handed, dict):
        text = f"wanted a table for task.variant.settings, got {cut(repr(handed))}"
        yield located.told((*path, "settings"), f"{prefix}settings", text)
    others = {key: changed[key] for key in changed if key not in {"settings", "variants"}}
    yield from _problems(others, Config, located, path, prefix)
