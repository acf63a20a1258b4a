"""Trajectories from other formats, one file a format; what is not read is named with its place."""

from fairtrial.traces.imported import Imported
from fairtrial.traces.openai_chat import END_MARKS, END_TOOLS, read_openai_chat

__all__ = ["END_MARKS", "END_TOOLS", "Imported", "read_openai_chat"]
