"""Trajectories from other formats, one file a format; what is not read is named with its place."""

import importlib
from typing import TYPE_CHECKING

from fairtrial.traces.reading import Returned
from fairtrial.traces.returned import read_returned

if TYPE_CHECKING:
    from fairtrial.traces.imported import Imported
    from fairtrial.traces.openai_chat import END_MARKS, END_TOOLS, read_openai_chat

_LATER = {
    "END_MARKS": "openai_chat",
    "END_TOOLS": "openai_chat",
    "Imported": "imported",
    "read_openai_chat": "openai_chat",
}
"""What a run does not need, and where it is."""

__all__ = [
    "END_MARKS",
    "END_TOOLS",
    "Imported",
    "Returned",
    "read_openai_chat",
    "read_returned",
]


def __getattr__(name: str) -> object:
    """Load what only importing files needs when it is asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
