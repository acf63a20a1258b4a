"""What a tool of a world is to the world that runs it, wherever the tool was declared."""

from collections.abc import Callable
from typing import Protocol

from fairtrial.records import Json
from fairtrial.worlds.schema import Shown


class Runner(Protocol):
    """A tool: a method of the world's class, or a stub from the case file."""

    name: str
    quiet: bool
    """True: it surely changes nothing in the world."""
    takes: str
    """The parameters, for messages."""

    @property
    def shown(self) -> Shown:
        """What a model is told of it."""
        ...

    def bind(self, arguments: tuple[object, ...], named: dict[str, object]) -> dict[str, object]:
        """Give a name to arguments that came by position.

        Raises:
            ToolError: There are too many, or one is there twice.
        """
        ...

    def accept(self, arguments: dict[str, Json]) -> dict[str, object]:
        """Read the arguments, which are the tool's to keep.

        Raises:
            ToolError: They do not fit; the text says what does.
        """
        ...

    def run(self, world: object, arguments: dict[str, object]) -> object:
        """Do the work. Whatever a stranger's code raises comes out as it is."""
        ...

    def join(
        self,
        world: object,
        arguments: tuple[object, ...],
        named: dict[str, object],
        method: Callable[..., object] | None,
    ) -> object:
        """Do the work for another tool, as a plain call of Python: unrecorded, and read by nobody.

        Args:
            world: Whose tool it is.
            arguments: Those given by position.
            named: Those given by name.
            method: What stands behind it where that is not this tool: the method of a base class.
        """
        ...
