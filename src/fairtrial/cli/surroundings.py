"""What an agent in this process may change for itself, and not for who runs it."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from fairtrial.cli.options import json_on_stdout


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
    """Be back in the same folder afterwards, with the same standard streams.

    Agents change folders, and redirect what they print, in many threads at once: what one of them
    puts back may be what another one put there. While standard output is for JSON, what they print
    goes to standard error.
    """
    here = os.open(".", os.O_RDONLY)
    streams = sys.stdout, sys.stderr
    if json_on_stdout():
        sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        try:
            os.fchdir(here)
        finally:
            os.close(here)
