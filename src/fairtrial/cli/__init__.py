"""The command line: one thin file a command, each loaded only when it is called."""

import gc

# Modules and cases are many small objects that live to the end and hold no cycles: looking through
# all of them again and again, as the default does, would cost more than grading.
gc.set_threshold(100_000, 50, 100)

from fairtrial.cli.entry import main  # noqa: E402 - what it loads is what is not to be looked at

__all__ = ["main"]
