"""Warnings about rubrics: items that a judge cannot answer as they are, or need not."""

import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Final

from fairtrial.cases.case_fields import CASE
from fairtrial.cases.defaults import merged
from fairtrial.cases.item_checks import needs_no_judge
from fairtrial.cases.item_wording import asks_two_things, weak_wording
from fairtrial.cases.loading import read_source
from fairtrial.cases.located import Document, Path, spell
from fairtrial.cases.placed import Placed, Told, Warned
from fairtrial.cases.rubric_files import RubricFile, RubricFiles
from fairtrial.cases.suite import Suite
from fairtrial.records import Case, Json, RubricItem

_AT: Final = ("expect", "rubric")
_TWO_THINGS: Final = (
    "asks two things; a judge and a person may agree on one and not on the other; split it"
)


def rubric_warnings(item: Placed) -> Iterator[Warned]:
    """Give what is weak about the items that stand in a case.

    >>> from fairtrial.cases.json_source import read_json
    >>> from fairtrial.records import Expectation, Source
    >>> document = read_json('{"expect": {"rubric": ["Is polite and concise"]}}').documents[0]
    >>> expect = Expectation(rubric=(RubricItem(item="Is polite and concise"),))
    >>> case = Case(id="a", hash="", source=Source("a.json", 1), expect=expect)
    >>> item = Placed(case, "a.json", document, (), document.value, {})
    >>> [warned.path for warned in rubric_warnings(item)]
    [('expect', 'rubric', 0)]
    """
    written = _rubric_of(item)
    is_name = isinstance(written, str) and item.case.expect.rubric != (RubricItem(item=written),)
    if not is_name:
        yield from (Warned(path, text) for path, text in _weak_items(written, _AT))


def _rubric_of(item: Placed) -> Json:
    expect = merged(item.raw, item.defaults, CASE).get("expect")
    return expect.get("rubric") if isinstance(expect, dict) else None


def gates(case: Case) -> bool:
    """Say whether any of a case's rubric may decide once the judge is calibrated for it.

    >>> from fairtrial.records import Expectation, Source
    >>> expect = Expectation(rubric=(RubricItem(item="Is polite", gate=True),))
    >>> gates(Case(id="a", hash="", source=Source("a.json", 1), expect=expect))
    True
    """
    rubric = case.expect.rubric
    if not isinstance(rubric, str):
        return any(item.gate for item in rubric)
    shared = (case.rubrics or {}).get(rubric) or {}
    return any(item.get("gate") for item in (shared, *shared.get("items", ())))


def shared_rubric_warnings(suite: Suite, placed: list[Placed]) -> Iterator[Told]:
    """Give what is weak about the shared rubrics of a suite, named or not.

    >>> list(shared_rubric_warnings(Suite(cases=(), files=()), []))
    []
    """
    named: defaultdict[str, set[str]] = defaultdict(set)
    for item in placed:
        if isinstance(written := _rubric_of(item), str):
            named[item.file].add(written)
    for name, document in {item.file: item.document for item in placed}.items():
        yield from _of_section(name, document, named[name])
    yield from _of_folders(suite, named)


def _of_section(file: str, document: Document, named: set[str]) -> Iterator[Told]:
    """Look at the rubrics of a case file, and take their names out of those that it names."""
    value = document.value
    section = value.get("rubrics") if isinstance(value, dict) and "cases" in value else None
    for name, rubric in (section or {}).items():
        path: Path = ("rubrics", name)
        if name not in named:
            place = document.position(path, of_key=True)
            yield file, *place, f"{spell(path)}: no case of the file names this rubric"
        named.discard(name)
        yield from _at_places(file, document, rubric, path)


def _of_folders(suite: Suite, named: dict[str, set[str]]) -> Iterator[Told]:
    files = RubricFiles(read_source)
    found: dict[str, RubricFile] = {}
    used: set[str] = set()
    for file in suite.files:
        folder = files.beside(file.name, FilePath(file.path))
        for name, rubric in folder.files.items():
            found[rubric.name] = rubric
            if name in named.get(file.name, ()):
                used.add(rubric.name)
    for rubric in found.values():
        yield from _of_file(rubric, is_named=rubric.name in used)
    for name, fault in files.faults():
        yield name, *fault.position, f"{fault.field}: {fault.text}"


def _of_file(file: RubricFile, *, is_named: bool) -> Iterator[Told]:
    if not is_named:
        yield file.name, 1, 1, "rubric: no case that was looked at names this rubric"
    if file.rubric is not None and file.document is not None:
        yield from _at_places(file.name, file.document, file.document.value, ())


def _at_places(file: str, document: Document, rubric: Json, at: Path) -> Iterator[Told]:
    for path, text in _weak_items(rubric, at):
        yield file, *document.position(path), f"{spell(path)}: {text}"


def _weak_items(rubric: Json, at: Path) -> Iterator[tuple[Path, str]]:
    for path, item in _items(rubric, at):
        for text in _weaknesses(item):
            yield path, text


def _items(rubric: Json, at: Path) -> Iterator[tuple[Path, str]]:
    """Give the items and the goal of a rubric that loads, as it is written."""
    if isinstance(rubric, str):
        yield at, rubric
    elif isinstance(rubric, list):
        for index, item in enumerate(rubric):
            yield from _items(item, (*at, index))
    elif isinstance(rubric, dict):
        for name in ("item", "items", "goal"):
            yield from _items(rubric.get(name), (*at, name))


@functools.lru_cache(10_000)
def _weaknesses(item: str) -> tuple[str, ...]:
    double = _TWO_THINGS if asks_two_things(item) else None
    return tuple(filter(None, (double, weak_wording(item), needs_no_judge(item))))
