"""Case files in, a suite out; or every mistake of every file at once."""

import gc
import importlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path as FilePath
from typing import Final

from fairtrial.cases.hints import nearest
from fairtrial.cases.json_source import read_json, read_jsonl
from fairtrial.cases.located import Fault, Parsed, Position
from fairtrial.cases.reading import FileReader, Shared
from fairtrial.cases.rubric_files import RubricFiles
from fairtrial.cases.rules import SuiteRule
from fairtrial.cases.suite import CaseFile, Suite
from fairtrial.errors import ProblemsError
from fairtrial.records import Case

_START: Final = Position(1, 1)


def _read_yaml(text: str) -> Parsed:
    # PyYAML is slow to import, and suites in JSON do without it.
    read: Callable[[str], Parsed] = importlib.import_module("fairtrial.cases.yaml_source").read_yaml
    return read(text)


_READERS: Final[dict[str, Callable[[str], Parsed]]] = {
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".json": read_json,
    ".jsonl": read_jsonl,
}


def load_suite(
    paths: Iterable[str | PathLike[str]],
    *,
    protected_tags: Iterable[str] = (),
    root: str | PathLike[str] | None = None,
) -> Suite:
    """Read case files into a suite: all of them, or no suite.

    Args:
        paths: The files; globs are for the caller to expand. A file named twice is read once.
        protected_tags: Cases with one of these tags are protected.
        root: The folder that relative paths start from, and that names are relative to; this one
            unless given.

    Raises:
        ProblemsError: Anything is wrong with any file: all of it, `file:line:column: field: what`.

    >>> load_suite(["no-such-file.yaml"])
    Traceback (most recent call last):
    fairtrial.errors.ProblemsError: no-such-file.yaml:1:1: file: no such file
    """
    # A lone path is a sequence of characters, and nobody means that.
    listed = [paths] if isinstance(paths, str | PathLike) else paths
    with collector_paused():
        return _loaded(listed, Shared(protected_tags=frozenset(protected_tags)), root)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cycle collector from walking a growing heap again and again.

    Ten thousand YAML cases load in a third of the time, and there is nothing to collect.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _loaded(
    paths: Iterable[str | PathLike[str]], shared: Shared, root: str | PathLike[str] | None
) -> Suite:
    cases: list[Case] = []
    files: list[CaseFile] = []
    rules: list[SuiteRule] = []
    problems: dict[str, None] = {}
    seen: set[FilePath] = set()
    rubrics = RubricFiles(read_source)
    for given in paths:
        name, path = _named(given, root)
        if _whole_path(path) in seen:
            continue
        seen.add(_whole_path(path))
        before = len(cases)
        reader = FileReader(name, shared, rubrics.beside(name, path))
        faults = _read_file(path, reader, cases, rules)
        files.append(CaseFile(name=name, path=str(path), cases=len(cases) - before))
        # A mistake in a default is met by every case, and told once.
        problems.update(dict.fromkeys(_told(name, fault) for fault in sorted(faults)))
    problems.update(dict.fromkeys(_told(name, fault) for name, fault in rubrics.faults()))
    if not files:
        raise ProblemsError(["no case files were given; name at least one .yaml, .json or .jsonl"])
    if problems:
        raise ProblemsError(list(problems))
    return Suite(cases=tuple(cases), files=tuple(files), rules=tuple(rules))


def _whole_path(path: FilePath) -> FilePath:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return path  # a link to itself, a null character: reading says what is wrong


def load_cases(
    *paths: str | PathLike[str] | Iterable[str | PathLike[str]], protected_tags: Iterable[str] = ()
) -> tuple[Case, ...]:
    """Read case files into cases: all of them, or none. Files may be named one by one or in lists.

    Raises:
        ProblemsError: Anything is wrong with any file: all of it, `file:line:column: field: what`.

    >>> load_cases("no-such-file.yaml")
    Traceback (most recent call last):
    fairtrial.errors.ProblemsError: no-such-file.yaml:1:1: file: no such file
    """
    files: list[str | PathLike[str]] = []
    for given in paths:
        files += [given] if isinstance(given, str | PathLike) else given
    return load_suite(files, protected_tags=protected_tags).cases


def _named(given: str | PathLike[str], root: str | PathLike[str] | None) -> tuple[str, FilePath]:
    """Give a file's name for people, and the path to open."""
    path = FilePath(given)
    if root is None:
        return path.as_posix(), path
    full = FilePath(root) / path
    if full.is_relative_to(root):
        return full.relative_to(root).as_posix(), full
    return path.as_posix(), full


def _told(name: str, fault: Fault) -> str:
    return f"{name}:{fault.position.line}:{fault.position.column}: {fault.field}: {fault.text}"


def _read_file(
    path: FilePath, reader: FileReader, cases: list[Case], rules: list[SuiteRule]
) -> list[Fault]:
    """Add what the file holds to `cases` and `rules`, and give what is wrong with it."""
    source = read_source(path)
    faults = list(source.faults)
    if path.suffix.lower() == ".jsonl":
        cases += reader.lines(source.documents)
    else:
        for document in source.documents:
            cases += reader.whole(document)
    faults += reader.faults
    rules += reader.rules
    if not source.documents and not faults:
        faults.append(Fault(_START, "cases", "the file holds no case"))
    return faults


def read_source(path: FilePath) -> Parsed:
    """Read a file into located values, by its ending; what cannot be read is a fault.

    >>> read_source(FilePath("suite.toml")).faults[0].field
    'file'
    """
    ending = path.suffix.lower()
    if not path.exists() and path.parent.exists():
        return Parsed([], [Fault(_START, "file", "no such file")])
    if ending not in _READERS:
        close = nearest(ending, _READERS)
        hint = f"; did you mean {close}?" if close else ""
        text = f"unknown ending {ending!r}; case files end in {', '.join(_READERS)}{hint}"
        return Parsed([], [Fault(_START, "file", text)])
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        said = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return Parsed([], [Fault(_START, "file", f"cannot be read: {said}")])
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Parsed([], [Fault(_START, "file", "UTF-16 text; save the file as UTF-8")])
    try:
        return _READERS[ending](raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        # Read on with replacement characters, so that other mistakes are shown too.
        source = _READERS[ending](raw.decode("utf-8-sig", "replace"))
        return Parsed(source.documents, [*_not_utf8(raw), *source.faults])


def _not_utf8(raw: bytes) -> list[Fault]:
    faults = []
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode()) + 1
            text = f"the byte 0x{line[error.start]:02x} is not UTF-8; save the file as UTF-8"
            faults.append(Fault(Position(number, column), "file", text))
    return faults
