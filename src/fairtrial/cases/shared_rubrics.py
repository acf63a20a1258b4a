"""The rubrics that the cases of one file may name: the file's own, then those beside it."""

from collections.abc import Iterable
from typing import Final

from msgspec import structs, to_builtins

from fairtrial.cases.case_fields import RUBRICS
from fairtrial.cases.hints import nearest
from fairtrial.cases.located import Notes
from fairtrial.cases.rubric_files import RubricFolder
from fairtrial.cases.shapes import BAD
from fairtrial.records import Json, Rubric, RubricItem, plain
from fairtrial.text import cut

_MOST_NAMED: Final = 20
"""Names that a message lists."""


class SharedRubrics:
    """Finds what a case's name of a rubric stands for."""

    def __init__(self, folder: RubricFolder | None = None) -> None:
        """Look in a folder too, if there may be one."""
        self._folder = folder
        self._own: dict[str, Json] = {}
        self._written: frozenset[str] = frozenset()

    def read(self, written: Json, notes: Notes) -> None:
        """Take in the file's section `rubrics`."""
        self._written = frozenset(written if isinstance(written, dict) else ())
        read = RUBRICS.read(written, ("rubrics",), notes)
        self._own = {} if read is BAD else read

    def named(self, name: str) -> Rubric | None:
        """Give the rubric of this name; None: there is none, or something is wrong with it."""
        if name in self._written:
            return self._own.get(name)
        file = self._folder.files.get(name) if self._folder else None
        return file.rubric if file else None

    def normal(self, name: str) -> dict[str, Json]:
        """Give a rubric as plain JSON, by its name; what has its default is left out."""
        rubric = self.named(name)
        return {name: None if rubric is None else plain(to_builtins(rubric))}

    def standing_for(self, name: str, notes: Notes) -> str | tuple[RubricItem, ...]:
        """Give what a case's lone text stands for: items, or the name of what is more than items.

        A sentence that is no name, and looks like none, is an item.
        """
        rubric = self.named(name)
        if rubric is not None:
            return _binary_items(rubric) or name
        if name in self._known():
            return name  # what is wrong with it is said where it stands
        close = nearest(name, self._known())
        if close is None and " " in name.strip():
            return (RubricItem(item=name),)
        hint = f"; did you mean {close}?" if close else ""
        notes.add(("expect", "rubric"), f"no shared rubric {cut(name)!r}: {self._places()}{hint}")
        return name

    def _known(self) -> frozenset[str]:
        return self._written | (self._folder.files.keys() if self._folder else frozenset())

    def _places(self) -> str:
        own = f"neither under rubrics of this file ({_listed(self._written)})"
        if self._folder is None:
            return own.replace("neither", "not")
        beside = _listed(self._folder.files) if self._folder.exists else "no such folder"
        return f"{own} nor in {self._folder.name} ({beside})"


def _listed(names: Iterable[str]) -> str:
    listed = [cut(name) for name in sorted(names)]
    more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more if listed else "none"


def _binary_items(rubric: Rubric) -> tuple[RubricItem, ...]:
    """Give the items of a rubric that is nothing but items."""
    if rubric != Rubric(description=rubric.description, items=rubric.items, gate=rubric.gate):
        return ()
    return tuple(structs.replace(item, gate=item.gate or rubric.gate) for item in rubric.items)
