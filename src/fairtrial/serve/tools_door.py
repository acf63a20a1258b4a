"""The tools of a trial's world over plain HTTP, for agents in any language."""

import asyncio
import difflib
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec

from fairtrial.errors import ToolError, TrialOverError
from fairtrial.ports import Tools
from fairtrial.records import Json
from fairtrial.serve.completing import TRIAL_OVER, over_words
from fairtrial.serve.mounts import Mounted
from fairtrial.serve.wire import Answer, RefusedError, encode
from fairtrial.text import cut

T = TypeVar("T")

_NO_WORLD = (
    "this trial has no tools: the suite names no world, and the case file has no stub tools; set"
    ' world = "module:Class", or write tools: in the case file'
)
_WORD = re.compile(r"[\w.-]+")
_LONGEST_NAME = 200  # of a tool, where it is compared or quoted


def tools_of(mounted: Mounted) -> Tools:
    """Give the trial's tools.

    Raises:
        RefusedError: It has none.
    """
    if mounted.tools is None:
        raise RefusedError(_NO_WORLD, status=404)
    return mounted.tools


def schemas_answer(tools: Tools) -> Answer:
    """Give the schemas of all tools, in each of the shapes that models take."""
    schemas = {
        "openai": tools.openai,
        "openai_responses": tools.openai_responses,
        "anthropic": tools.anthropic,
        "mcp": tools.mcp,
    }
    return Answer(200, encode(schemas))


async def call_answer(tools: Tools, name: str, raw: bytes) -> Answer:
    """Call a tool with the arguments of a request's body; none mean no arguments.

    Raises:
        RefusedError: The tool said no, there is no such tool, or the trial is over.
    """
    given = _arguments(raw)
    try:
        result = await in_daemon(lambda: tools.call(name, given))
    except TrialOverError as error:
        raise RefusedError(over_words(error), code=TRIAL_OVER) from error
    except ToolError as error:
        known = list(tools)
        if name in known:
            raise RefusedError(str(error), status=422) from error
        raise RefusedError(_unknown(name, str(error), known), status=404) from error
    return Answer(200, encode({"result": result}))


def _arguments(raw: bytes) -> dict[str, Json] | str:
    """Give an object, or the raw text of what is none: the world keeps it as malformed."""
    if not raw.strip():
        return {}
    with suppress(msgspec.DecodeError, ValueError, RecursionError):
        value = msgspec.json.decode(raw)
        if isinstance(value, dict):
            return value
    return raw.decode(errors="replace")


def _unknown(name: str, told: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name[:_LONGEST_NAME], known, 3)
    told = told or f"there is no tool {cut(name, _LONGEST_NAME)!r}"
    if not near or not set(near).isdisjoint(_WORD.findall(told)):
        return told  # as the world says it, which is what its record holds
    return f"{told.rstrip('.')}; did you mean {' or '.join(near)}?"


async def in_daemon(work: Callable[[], T]) -> T:
    """Do blocking work in a daemon thread: a tool that hangs holds up neither others nor the exit.

    A pool's threads would be waited for when the process ends.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return  # the listener was closed meanwhile
        if error is None:
            done.set_result(result)  # type: ignore[arg-type] # without an error there is a result
        else:
            done.set_exception(error)

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the one who waits gets it
            failure = error
        with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
            loop.call_soon_threadsafe(tell, result, failure)

    threading.Thread(target=run, name="fairtrial-tool", daemon=True).start()
    return await done
