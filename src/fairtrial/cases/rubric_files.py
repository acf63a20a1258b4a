"""Shared rubrics in files of their own: the folder `rubrics` beside case files, read when named."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path as FilePath
from typing import Final

from fairtrial.cases.located import Document, Fault, Notes, Parsed, Position, spell
from fairtrial.cases.rubric_fields import SharedRubric
from fairtrial.cases.shapes import BAD
from fairtrial.records import RUBRIC_FOLDER, Rubric

_ENDINGS: Final = (".yaml", ".yml", ".json")
_RUBRIC: Final = SharedRubric()
_START: Final = Position(1, 1)

Read = Callable[[FilePath], Parsed]


class RubricFile:
    """One rubric in a file of its own."""

    def __init__(self, name: str, path: FilePath, read: Read) -> None:
        """Name the file for people and for opening; nothing is read yet."""
        self.name = name
        self._path = path
        self._read = read
        self.is_read = False

    @cached_property
    def _source(self) -> Parsed:
        self.is_read = True
        return self._read(self._path)

    @property
    def document(self) -> Document | None:
        """What the file holds; None: it holds nothing that can be read."""
        return next(iter(self._source.documents), None)

    @cached_property
    def _result(self) -> tuple[Rubric | None, list[Fault]]:
        faults = list(self._source.faults)
        if self.document is None:
            return None, faults
        notes = Notes()
        rubric = _RUBRIC.read(self.document.value, (), notes)
        for path, of_key, text in notes:
            place = self.document.position(path, of_key=of_key)
            faults.append(Fault(place, spell(path) or "rubric", text))
        return (None if rubric is BAD else rubric), sorted(faults)

    @property
    def rubric(self) -> Rubric | None:
        """The rubric; None: something is wrong with it."""
        return self._result[0]

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with it."""
        return self._result[1]


class RubricFolder:
    """The rubrics beside a case file. Names are compared with what is there: none is a path."""

    def __init__(self, name: str, path: FilePath, read: Read) -> None:
        """Name the folder for people and for opening; nothing is looked up yet."""
        self.name = name
        self._path = path
        self._read = read
        self.twice: list[tuple[str, Fault]] = []
        """Files whose name another one has too."""

    @cached_property
    def files(self) -> dict[str, RubricFile]:
        """The files by the names of their rubrics, in the order of the names."""
        found: dict[str, RubricFile] = {}
        for path in self._listed():
            name = f"{self.name}/{path.name}"
            if path.stem in found:
                text = f"{path.stem!r} is {found[path.stem].name} too; keep one of them"
                self.twice.append((name, Fault(_START, "file", text)))
            else:
                found[path.stem] = RubricFile(name, path, self._read)
        return found

    @cached_property
    def exists(self) -> bool:
        """Whether there is such a folder."""
        try:
            return self._path.is_dir()
        except (OSError, ValueError):
            return False

    def _listed(self) -> list[FilePath]:
        try:
            within = sorted(self._path.iterdir()) if self.exists else []
        except OSError as error:
            fault = Fault(_START, "file", f"cannot be read: {error.strerror or error}")
            self.twice.append((self.name, fault))
            return []
        return [path for path in within if path.suffix.lower() in _ENDINGS and path.is_file()]


class RubricFiles:
    """The rubric files of a suite; what is wrong with those that were read is told once."""

    def __init__(self, read: Read) -> None:
        """Start with no folder; `read` parses a file by its ending."""
        self._read = read
        self._folders: dict[FilePath, RubricFolder] = {}

    def beside(self, name: str, path: FilePath) -> RubricFolder:
        """Give the folder beside a case file, known by its name for people and its path."""
        place = path.parent / RUBRIC_FOLDER
        if place not in self._folders:
            shown = (FilePath(name).parent / RUBRIC_FOLDER).as_posix()
            self._folders[place] = RubricFolder(shown, place, self._read)
        return self._folders[place]

    def faults(self) -> Iterator[tuple[str, Fault]]:
        """Give what is wrong with the files that were read, each with the file's name."""
        for folder in self._folders.values():
            if "files" not in vars(folder):
                continue  # no case looked there
            for file in folder.files.values():
                if file.is_read:
                    yield from ((file.name, fault) for fault in file.faults)
            yield from folder.twice
