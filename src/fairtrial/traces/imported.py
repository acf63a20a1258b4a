"""What reading one conversation of a foreign file gives: a trajectory, or why there is none."""

from msgspec import Struct

from fairtrial.records import Trajectory


class Imported(Struct, frozen=True, kw_only=True):
    """One conversation of a file: exactly one of `trajectory` and `refusal` is there.

    >>> str(Imported(file="log.jsonl", line=3, refusal="not JSON"))
    'log.jsonl:3: not JSON'
    """

    file: str
    line: int | None = None
    """1 and up in a file of lines; None in a file that is one document."""
    item: int | None = None
    """Position from 0 where the document is a list of conversations."""
    trajectory: Trajectory | None = None
    refusal: str | None = None
    """What was found and what is accepted."""
    notes: tuple[str, ...] = ()
    """What was left out or understood with a grain of salt; also in the trajectory's `extra`."""

    @property
    def place(self) -> str:
        """Where the conversation stands: `file`, `file:line` or `file[item]`."""
        line = "" if self.line is None else f":{self.line}"
        item = "" if self.item is None else f"[{self.item}]"
        return f"{self.file}{line}{item}"

    def __str__(self) -> str:
        return f"{self.place}: {self.refusal or 'imported'}"
