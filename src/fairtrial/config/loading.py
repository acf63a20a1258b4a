"""Names to objects: the only place where that happens."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fairtrial.errors import PluginError
from fairtrial.ports import Agent, Grader
from fairtrial.records import Addresses, Json

if TYPE_CHECKING:
    from fairtrial.worlds import World

Point: TypeAlias = Callable[[str, str | None], Addresses]
"""Leads the addresses of a worker process, by its alias, to the trial of a token."""


def onto_import_path(root: Path) -> None:
    """Put a suite's folder and its `src` first where Python looks for modules."""
    for folder in (str(root / "src"), str(root)):
        if folder in sys.path:
            sys.path.remove(folder)
        sys.path.insert(0, folder)


def load_grader(name: str) -> Grader:
    """Give a team's own grader by `module:function`.

    Raises:
        PluginError: The name does not lead to a function marked with `fairtrial.grader`.
    """
    from fairtrial.agents import find_target  # noqa: PLC0415 - plain grading needs no agent

    found = find_target(name, "grader")
    if not isinstance(found, Grader):
        raise PluginError(f"grader {name!r} is not a grader: put @fairtrial.grader above it")
    return found


def load_world(name: str) -> "type[World]":
    """Give a world's class by `module:Class`.

    Raises:
        PluginError: The name does not lead to a subclass of `fairtrial.World`.
    """
    from fairtrial.agents import find_target  # noqa: PLC0415 - grading needs neither of these
    from fairtrial.worlds import World  # noqa: PLC0415 - see above

    found = find_target(name, "world")
    if not isinstance(found, type) or not issubclass(found, World):
        raise PluginError(
            f"world {name!r} is no world: write `class {name.rpartition(':')[2]}(fairtrial.World)`"
        )
    return found


def make_agent(
    said: Json, root: Path, point: Point, *, isolation: str | None, timeout: float, live: bool
) -> Agent:
    """Give the agent that a setting names.

    Args:
        said: `module:name`, or a table with `command`, `url` or `loop`.
        root: The suite's folder.
        point: For agents in processes of their own.
        isolation: `process`: a Python agent runs in processes of its own.
        timeout: Seconds that a request may take.
        live: A real provider is asked.

    Raises:
        PluginError: The name leads nowhere, or to nothing that can be called.
    """
    from fairtrial import agents  # noqa: PLC0415 - grading needs no agent

    if isinstance(said, str):
        if isolation == "process":
            import_from = (root, root / "src")
            return agents.ProcessAgent(said, import_from=import_from, point=point, live=live)
        onto_import_path(root)
        return agents.callable_agent(agents.find_target(said), said)
    assert isinstance(said, dict)  # as the settings were checked
    if "command" in said:
        command = said["command"]
        words = shlex.split(command) if isinstance(command, str) else list(command)
        name = shlex.join(words)
        words[0] = _program(words[0], root)
        return agents.CommandAgent(words, cwd=root, env=said.get("env", {}), name=name)
    if "url" in said:
        return agents.UrlAgent(said["url"], headers=said.get("headers", {}), timeout=timeout)
    loop: Mapping[str, Json] = said["loop"]
    return agents.LoopAgent(
        model=loop.get("model"),
        system=loop.get("system"),
        step_cap=loop.get("step_cap", 50),
        api=loop.get("api", "openai"),
        timeout=timeout,
    )


def _program(word: str, root: Path) -> str:
    """Give a program's path: below the suite's folder, or wherever the shell would find it.

    `python` is the Python that runs fairtrial, so that a suite needs no other to be there.

    Raises:
        PluginError: There is none.
    """
    if word in {"python", "python3"}:
        return sys.executable
    below = root / word
    if os.sep in word:
        if not below.is_file():
            raise PluginError(f"agent: {below}: no such program")
        if not os.access(below, os.X_OK):
            raise PluginError(f"agent: {below} is not executable; chmod +x it, or name its program")
        return str(below)
    import shutil  # noqa: PLC0415 - only programs are looked for

    found = shutil.which(word)
    if found is None:
        raise PluginError(
            f"agent: no program {word!r} on the PATH; install it, or give its path from {root}"
        )
    return found
