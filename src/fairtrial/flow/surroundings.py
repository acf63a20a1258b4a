"""What an agent in this process may change for itself, and not for who runs it."""

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn, TextIO


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end a run as Ctrl-C does, so that no program of an agent is left."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    process = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() != process:  # a fork of the agent's has this handler too
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        signal.default_int_handler(number, frame)

    try:
        for number in ours:
            signal.signal(number, end)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def kept_surroundings() -> Iterator[None]:
    """Be back in the same folder afterwards, with the same standard streams, and alive.

    Agents change folders, and redirect what they print, in many threads at once: what one of them
    puts back may be what another one put there. What they print goes to standard error, because
    standard output is for what came of the run. `os._exit`, which would end the run with a code
    that means something else, ends the agent alone; a fork of the agent's it ends as ever. On
    GitHub nothing that is printed meanwhile is a command to the build.
    """
    here = os.open(".", os.O_RDONLY)
    streams = sys.stdout, sys.stderr
    process, leave = os.getpid(), os._exit

    def refuse(code: int) -> NoReturn:
        if os.getpid() != process:
            leave(code)
        raise SystemExit(code)

    sys.stdout = sys.stderr
    os._exit = refuse  # type: ignore[assignment]  # put back below
    try:
        with _unheeded(streams[1]):
            yield
    finally:
        os._exit = leave
        sys.stdout, sys.stderr = streams
        try:
            os.fchdir(here)
        finally:
            os.close(here)


@contextlib.contextmanager
def _unheeded(stream: TextIO) -> Iterator[None]:
    """Let a build on GitHub take nothing that is printed for a command to itself.

    An agent prints what its model said, and GitHub looks for commands in both streams.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        yield
        return
    token = importlib.import_module("secrets").token_hex(16)  # not needed elsewhere
    _tell(stream, f"::stop-commands::{token}")
    try:
        yield
    finally:
        _tell(stream, f"::{token}::")


def _tell(stream: TextIO, line: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody reads it
        stream.write(f"{line}\n")
        stream.flush()
