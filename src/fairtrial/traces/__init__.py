"""Trajectories from other formats, one file a format; what is not read is named with its place."""

from fairtrial.traces.imported import Imported
from fairtrial.traces.openai_chat import END_MARKS, END_TOOLS, read_openai_chat
from fairtrial.traces.returned import Returned, read_returned

__all__ = [
    "END_MARKS",
    "END_TOOLS",
    "Imported",
    "Returned",
    "read_openai_chat",
    "read_returned",
]
