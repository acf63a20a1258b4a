"""Which trial an address leads to at this moment."""

import re
import secrets
import threading
from collections.abc import Callable

from fairtrial.ports import Model, Tools
from fairtrial.records import Addresses, Step
from fairtrial.serve.wire import Family, RefusedError

NO_TRIAL = "fairtrial_no_trial"
"""The code of requests that belong to no trial."""

_NOWHERE = "nowhere"  # shorter than any token, so none can be it
_MOST_REFUSALS = 100  # kept of one trial: an agent may ask in an endless loop
_ALIAS = re.compile(r"[A-Za-z0-9_-]{1,200}")


def _allow() -> None:
    """Let every completion be made."""


class Mounted:
    """One trial as the listener serves it, and what the listener saw of it.

    Attributes:
        tools: The world's tools; None: the trial has no world.
        model: Who speaks for the model; None: nobody does.
        before_completion: Called before each completion; may raise TrialOverError.
        model_name: The name that the trial's model goes by; None: that of the last request.
        steps: Each successful completion, in the order served.
        refusals: Why the model, or a tool that broke, gave no answer; for people, at most 100.
    """

    def __init__(
        self,
        *,
        tools: Tools | None = None,
        model: Model | None = None,
        before_completion: Callable[[], None] = _allow,
        model_name: str | None = None,
    ) -> None:
        self.tools = tools
        self.model = model
        self.before_completion = before_completion
        self.model_name = model_name
        self.steps: list[Step] = []
        self.refusals: list[str] = []
        self.lock = threading.Lock()  # held while a completion is made, so that steps keep order
        self.calls = 0  # how many the model has made; their ids are counted
        self.kept_responses: set[str] = set()  # ids that `previous_response_id` may name

    def refuse(self, text: str) -> None:
        """Note why there was no answer, though the agent did nothing wrong."""
        if len(self.refusals) < _MOST_REFUSALS:
            self.refusals.append(text)


class Mounts:
    """The trials that are served now, by token.

    >>> mounts = Mounts("http://127.0.0.1:80")
    >>> trial = Mounted()
    >>> mounts.find(mounts.mount(trial).token, "openai") is trial
    True
    """

    def __init__(self, base: str) -> None:
        """Take the scheme, host and port of all addresses."""
        self._base = base
        self._mounted: dict[str, Mounted] = {}
        self._aliases: dict[str, str | None] = {}
        # All our tokens begin with it: what begins so and is not mounted was, and has ended.
        self._mark = secrets.token_hex(4)
        self.refused = 0
        """Requests that belonged to no trial."""
        self.nowhere = self.addresses(_NOWHERE)
        """Addresses of no trial, ever."""

    def addresses(self, token: str) -> Addresses:
        """Give what is served under a token."""
        root = f"{self._base}/t/{token}"
        return Addresses(
            token=token,
            openai=f"{root}/openai/v1",
            anthropic=f"{root}/anthropic",
            tools=f"{root}/tools",
        )

    def mount(self, mounted: Mounted) -> Addresses:
        """Serve a trial under a token that nobody can guess."""
        token = self._mark + secrets.token_hex(18)
        self._mounted[token] = mounted
        return self.addresses(token)

    def unmount(self, token: str) -> None:
        """Serve the trial no more; a second time changes nothing."""
        self._mounted.pop(token, None)

    def point(self, alias: str, token: str | None) -> Addresses:
        """Let an alias lead to the trial of a token from now on; None: to no trial.

        Raises:
            ValueError: The alias cannot stand in an address.
        """
        if not _ALIAS.fullmatch(alias) or alias == _NOWHERE:
            raise ValueError(f"alias {alias[:80]!r}: wanted 1 to 200 letters, digits, - and _")
        self._aliases[alias] = token
        return self.addresses(alias)

    def find(self, token: str, family: Family) -> Mounted:
        """Give the trial that a token, or an alias, leads to now.

        Raises:
            RefusedError: To none; it is counted.
        """
        mounted = self._mounted.get(token)
        if mounted is not None:
            return mounted
        behind = self._aliases.get(token, token)
        mounted = None if behind is None else self._mounted.get(behind)
        if mounted is not None:
            return mounted
        ended = behind is None or behind.startswith(self._mark)
        raise self.no_trial(family, ended=ended)

    def no_trial(self, family: Family, *, ended: bool = False) -> RefusedError:
        """Count a request that belongs to no trial, and give the words for it."""
        self.refused += 1
        return RefusedError(_words(family, ended=ended), status=404, code=NO_TRIAL)


def _words(family: Family, *, ended: bool) -> str:
    if family == "tools":
        way_out = "use task.tools_url, or FAIRTRIAL_TOOLS_URL, of the trial at hand"
    else:
        base = "anthropic_base_url" if family == "anthropic" else "base_url"
        way_out = (
            f"pass base_url=task.model.{base} when you make it in the agent, or set isolation ="
            ' "process"'
        )
    if ended:
        what = "this trial has ended"
        return f"{what}: address taken from an earlier trial, or the agent went on; {way_out}"
    if family == "tools":
        return f"this request belongs to no trial: {way_out}"
    return (
        f"this request belongs to no trial: the client was made before the trial began ({way_out})"
    )
