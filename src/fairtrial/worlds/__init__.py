"""Worlds: a stateful fake made afresh for each trial, its tools, and the calls it saw."""

from fairtrial.worlds.blueprint import Blueprint, prepare
from fairtrial.worlds.clock import Clock
from fairtrial.worlds.declared import tool
from fairtrial.worlds.returned import result_misfits, tool_names
from fairtrial.worlds.toolbox import Tool, Toolbox
from fairtrial.worlds.world import World

__all__ = [
    "Blueprint",
    "Clock",
    "Tool",
    "Toolbox",
    "World",
    "prepare",
    "result_misfits",
    "tool",
    "tool_names",
]
