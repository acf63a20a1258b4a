"""A fork that an agent made, and let come back to us: the run goes on in its parent alone."""

import os


class Home:
    """The process that a run is in.

    >>> Home().leave_fork(None)  # here it goes on
    """

    def __init__(self) -> None:
        """Take note of this process."""
        self._process = os.getpid()

    def leave_fork(self, error: BaseException | None) -> None:
        """End this process if it is not the run's own, before it waits for a lock of the run's.

        Whoever held a lock when the fork was made is not here to give it back.

        Args:
            error: What the agent raised: its exit code, as Python would give it, is this process'.
        """
        if os.getpid() == self._process:
            return
        code = error.code if isinstance(error, SystemExit) else error
        os._exit(code & 0xFF if isinstance(code, int) else int(code is not None))
