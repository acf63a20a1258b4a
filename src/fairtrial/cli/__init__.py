"""The command line: one thin file a command, each loaded only when it is called."""

from fairtrial.cli.entry import main

__all__ = ["main"]
