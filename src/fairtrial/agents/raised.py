"""What agents reached from outside raise: their own failure, and that of a provider."""

from fairtrial.errors import ProviderError
from fairtrial.records import ErrorKind


class AgentFailedError(Exception):
    """An agent in another process or on another machine failed. The text is for people.

    Attributes:
        kind: Whose fault it was.
        retry_after: Seconds that a provider asked to wait; None when none did.
        details: The traceback, or the end of what the program wrote to its error stream.
        code: The exit code of a program; None when it did not exit.
        signal: The signal's name where one ended the program.

    >>> raise AgentFailedError("`./agent` ended with exit code 3", code=3)
    Traceback (most recent call last):
    fairtrial.agents.raised.AgentFailedError: `./agent` ended with exit code 3
    """

    def __init__(
        self,
        message: str,
        *,
        kind: ErrorKind = "agent",
        retry_after: float | None = None,
        details: str = "",
        code: int | None = None,
        signal: str | None = None,
    ) -> None:
        """Keep the facts beside the text."""
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.retry_after = retry_after
        self.details = details
        self.code = code
        self.signal = signal


class ProviderFailedError(ProviderError):
    """A provider failed, and may have said how long to wait.

    Attributes:
        retry_after: Seconds; None when it did not say.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Keep the wait beside the text."""
        super().__init__(message)
        self.retry_after = retry_after
