"""The shape of a matcher, a pattern or a plan: checked as what it will be compiled to."""

from collections.abc import Callable

from fairtrial.cases.hints import wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.mistakes import slips
from fairtrial.cases.shapes import BAD, Schema
from fairtrial.records import Json


class Compiled:
    """A matcher, pattern or plan: kept as written, and compiled to see that it can be."""

    def __init__(
        self,
        compile_it: Callable[[Json], object],
        schema: Schema,
        *,
        kinds: str = "",
        types: tuple[type, ...] = (),
        sound: Callable[[Json], bool] | None = None,
    ) -> None:
        self.compile_it = compile_it
        self.described = schema
        self.kinds = kinds
        """What is wanted where only some types will do."""
        self.types = types
        """These types; empty: any JSON."""
        self.sound = sound
        """Says of most sound values that they are, so that these need no compiling."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the value itself."""
        if self.types and not isinstance(value, self.types):
            notes.add(path, wanted(self.kinds, value))
            return BAD
        if self.sound is not None and self.sound(value):
            return value
        found = list(slips(self.compile_it, value))
        for error in found:
            notes.add((*path, *error.path), error.text)
        return BAD if found else value

    def schema(self) -> Schema:
        """Accept what the description says."""
        return self.described
