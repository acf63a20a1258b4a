"""The tools that a class declares, and whether what one returned is what it says."""

import typing
from typing import Any

from fairtrial.records import Json
from fairtrial.worlds.declared import declared_tools
from fairtrial.worlds.fitting import misfits, said
from fairtrial.worlds.kinds import unreadable
from fairtrial.worlds.world import World


def tool_names(world: type[World]) -> list[str]:
    """Give the names of the tools of a class, those that it inherits first.

    >>> tool_names(World)
    []
    """
    return list(declared_tools(world))


def result_misfits(world: type[World], tool: str, result: Json) -> list[str]:
    """Give what keeps a result from fitting the annotation of its tool; without one all fits.

    >>> from fairtrial.worlds import tool
    >>> class Desk(World):
    ...     @tool
    ...     def count(self) -> int:
    ...         return "three"
    >>> result_misfits(Desk, "count", "three")
    ["result: wanted a whole number, got 'three'"]
    """
    method = declared_tools(world)[tool].method
    kind = typing.get_type_hints(method, include_extras=True).get("return", Any)
    if kind is object or unreadable(kind, state=False):
        return []  # a class of the team's own: what it becomes as JSON nobody has said
    return [said(misfit) for misfit in misfits(result, kind, ("result",))]
