"""Case files as pytest collects them: a file of cases, and a test for each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import FairtrialError, ProblemsError
from fairtrial.pytest_plugin.asked import our_flags
from fairtrial.pytest_plugin.evals import Evals
from fairtrial.pytest_plugin.marks import mark_of, name_of
from fairtrial.pytest_plugin.told import Told, of_case
from fairtrial.records import Case
from fairtrial.report import Style, inert, problem_lines
from fairtrial.text import cut

CASE_FILES = (".yaml", ".yml", ".jsonl", ".json")

_LONGEST = 4000  # characters of one mistake


class CaseFile(pytest.File):
    """A case file. Mistakes of all files are told once, in the first."""

    evals: Evals
    style: Style

    def collect(self) -> Iterator["CaseItem"]:
        """Give a test for each case.

        Raises:
            CollectError: Mistakes in the files, every one of them, or in the settings.
        """
        told = self.config.stash.get(_TOLD, False)
        if told:
            return
        try:
            suite = self.evals.suite()
        except FairtrialError as error:
            self.config.stash[_TOLD] = True
            raise self.CollectError("\n".join(_lines(error, self.style))) from None
        ours = {file.name for file in suite.files if Path(file.path) == self.path}
        taken: set[str] = set()
        for case in suite.cases:
            if case.source.file in ours:
                name = name_of(case.id, taken)
                taken.add(name)
                item: CaseItem = CaseItem.from_parent(self, name=name)
                item.show(case, self.evals, self.style)
                yield item


_TOLD = pytest.StashKey[bool]()
"""The mistakes were told."""

_MARKS = pytest.StashKey[set[str]]()
"""Marks that pytest was told of."""


def _lines(error: FairtrialError, style: Style) -> Iterator[str]:
    if isinstance(error, ProblemsError):
        yield from map(inert, problem_lines(error.problems, style))
    else:
        yield inert(cut(our_flags(str(error)), _LONGEST))


class CaseItem(pytest.Item):
    """A case: its trials are its setup, so what cannot be measured is an error and no failure."""

    case: Case
    evals: Evals
    style: Style
    told: Told | None = None

    def show(self, case: Case, evals: Evals, style: Style) -> None:
        """Take a case, and its tags and protection as marks."""
        self.case, self.evals, self.style = case, evals, style
        marks = dict.fromkeys(map(mark_of, case.tags), "a tag of cases")
        if case.protected:
            marks["protected"] = "a case that must pass and may never be lost"
        known = self.config.stash.setdefault(_MARKS, set())
        for name, meaning in marks.items():
            if name not in known:  # pytest looks through all that were said
                known.add(name)
                self.config.addinivalue_line("markers", f"{name}: {meaning}")
            self.add_marker(name)

    def setup(self) -> None:
        """Run the trials.

        Raises:
            Told: Not all of them could be measured.
        """
        option = self.config.option
        # Who stops at the first failure wants nothing to have been run past it.
        ahead = not (
            hasattr(self.config, "workerinput")
            or option.maxfail
            or getattr(option, "usepdb", False)
            or getattr(option, "stepwise", False)
        )
        result, why = self.evals.run(self.case, ahead=ahead)
        if result is None:
            lines = [inert(cut(line, _LONGEST)) for line in why.splitlines()]
            raise Told("error", lines[0], lines)
        self.told = of_case(result, why, self.style)
        if self.told is not None and self.told.kind == "error":
            raise self.told

    def runtest(self) -> None:
        """Say what the trials came to.

        Raises:
            Told: One of them failed.
        """
        if self.told is not None:
            raise self.told

    def reportinfo(self) -> tuple[Path, int, str]:
        """Give the place of the case."""
        return self.path, self.case.source.line - 1, self.name

    @property
    def place(self) -> tuple[Path, int]:
        """Where the case stands."""
        return self.path, self.case.source.line


def file_from(parent: pytest.Collector, path: Path, evals: Evals, style: Style) -> CaseFile:
    """Give a case file to be collected."""
    made: Any = CaseFile.from_parent(parent, path=path)
    file: CaseFile = made
    file.evals, file.style = evals, style
    return file
