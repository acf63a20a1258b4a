"""Cases that were loaded, and where each is written: what lint needs to say where."""

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import NamedTuple

from fairtrial.cases.defaults import from_defaults
from fairtrial.cases.loading import read_source
from fairtrial.cases.located import Document, Notes, Path, spell
from fairtrial.cases.reading import parts_of
from fairtrial.cases.suite import CaseFile, Suite
from fairtrial.records import Case, Json

Told = tuple[str, int, int, str]
"""A warning with its file, line and column."""


class Warned(NamedTuple):
    """A warning, and where in the case."""

    path: Path
    text: str
    of_key: bool = False


class Placed(NamedTuple):
    """A case and where it is written."""

    case: Case
    file: str
    document: Document
    at: Path
    raw: dict[str, Json]
    defaults: dict[str, Json]

    def told(self, warning: Warned) -> Told:
        """Give a warning with its place in the file."""
        at, path = self.written_at(warning.path)
        position = self.document.position((*at, *path), of_key=warning.of_key)
        return self.file, *position, f"{spell(path) or 'case'}: {warning.text}"

    def written_at(self, path: Path) -> tuple[Path, Path]:
        """Give the part in which a path of the merged case is written, and the path from there."""
        if from_defaults(path, self.raw, self.defaults):
            return (), ("defaults", *path)
        return self.at, path


def placed_cases(suite: Suite) -> Iterator[Placed]:
    """Give the cases of a suite with their places, for which its files are read again.

    >>> list(placed_cases(Suite(cases=(), files=())))
    []
    """
    cases = iter(suite.cases)
    for file in suite.files:
        for document, at, raw, defaults in _written(file):
            case = next(cases, None)
            if case is None or case.source.file != file.name:
                return  # the file has changed since it was loaded
            yield Placed(case, file.name, document, at, raw, defaults)


def _written(file: CaseFile) -> Iterator[tuple[Document, Path, dict[str, Json], dict[str, Json]]]:
    path = FilePath(file.path)
    for document in read_source(path).documents:
        if path.suffix.lower() == ".jsonl":
            yield document, (), document.value, {}
            continue
        parts = parts_of(document.value, Notes())
        for index, raw in enumerate(parts.cases):
            at = (*parts.at, index) if document.value is not raw else ()
            yield document, at, raw, parts.shared.get("defaults") or {}
