"""What an agent in this process may change for itself, and not for who runs it."""

import contextlib
import os
import sys
from collections.abc import Iterator

from fairtrial.cli.options import json_on_stdout


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
