"""Where an agent finds its model and tools: the run's listener, and offline nothing else."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from msgspec import Struct

from fairtrial.records import Addresses, ModelAddress
from fairtrial.serve import Listener
from fairtrial.store import known_secrets

OFFLINE_KEY = "offline"
"""The API key that agents are given offline; SDKs want one, and the listener asks for none."""

_PROVIDERS = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_DIRECT = ("NO_PROXY", "no_proxy")
_VARIABLES = (*_PROVIDERS, *_DIRECT)
_OPENAI = "https://api.openai.com/v1"
_ANTHROPIC = "https://api.anthropic.com"


class Endpoints(Struct, frozen=True, kw_only=True):
    """The listener of a run, and whether models are asked for real."""

    listener: Listener
    live: bool
    provider: ModelAddress
    """Where the environment says that models are; used live alone."""
    secrets: tuple[str, ...] = ()
    """Values of the environment that must reach no file, those that are hidden offline too."""

    def model(self, addresses: Addresses, name: str | None) -> ModelAddress:
        """Give where the agent of one trial finds its model."""
        if self.live:
            return ModelAddress(
                base_url=self.provider.base_url,
                anthropic_base_url=self.provider.anthropic_base_url,
                api_key=self.provider.api_key,
                anthropic_api_key=self.provider.anthropic_api_key,
                name=name,
            )
        return ModelAddress(
            base_url=addresses.openai,
            anthropic_base_url=addresses.anthropic,
            api_key=OFFLINE_KEY,
            anthropic_api_key=OFFLINE_KEY,
            name=name,
        )


@contextmanager
def open_endpoints(*, live: bool, port: int = 0) -> Iterator[Endpoints]:
    """Open the listener; offline, let SDKs that are given no address find only its refusals.

    Open them before the agent is imported: many agents make their client then.

    Raises:
        UsageError: No port can be had.
    """
    with open_listener(live=live, port=port) as endpoints, led_to(endpoints):
        yield endpoints


@contextmanager
def open_listener(*, live: bool, port: int = 0) -> Iterator[Endpoints]:
    """Open the listener, and leave the environment alone until `led_to` changes it.

    Raises:
        UsageError: No port can be had.
    """
    listener = Listener(port=port)
    before = {name: value or "" for name, value in _ENVIRONMENT.before().items()}
    try:
        yield Endpoints(
            listener=listener,
            live=live,
            provider=_provider(before),
            secrets=known_secrets({**os.environ, **before}),
        )
    finally:
        listener.close()


@contextmanager
def led_to(endpoints: Endpoints) -> Iterator[None]:
    """Lead SDKs that are given no address to the listener while this goes on, save live."""
    nowhere = endpoints.listener.nowhere
    hidden: dict[str, str] = {}
    if not endpoints.live:
        hidden = {
            "OPENAI_BASE_URL": nowhere.openai,
            "ANTHROPIC_BASE_URL": nowhere.anthropic,
            "OPENAI_API_KEY": OFFLINE_KEY,
            "ANTHROPIC_API_KEY": OFFLINE_KEY,
        }
    with _ENVIRONMENT.changed(hidden):
        yield


@contextmanager
def surroundings_of_before() -> Iterator[None]:
    """Let the environment be for a while what it was before any run: for what is no agent.

    No trial may be under way.
    """
    with _ENVIRONMENT.shown():
        yield


def variable_of_before(name: str) -> str | None:
    """Give a variable of the environment as it was before any run.

    >>> variable_of_before("NO_SUCH_VARIABLE_HERE") is None
    True
    """
    before = _ENVIRONMENT.before()
    return before[name] if name in before else os.environ.get(name)


class _Environment:
    """The variables of this process, which are as they were when the last of its runs has ended."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._before: dict[str, str | None] = {}
        self._runs = 0

    def before(self) -> dict[str, str | None]:
        """Give what the variables were before the first of the runs that go on."""
        with self._lock:
            return self._before if self._runs else _now()

    @contextmanager
    def changed(self, hidden: Mapping[str, str]) -> Iterator[None]:
        """Hide variables while a run goes on."""
        with self._lock:
            if not self._runs:
                self._before = _now()
            self._runs += 1
            before = self._before
            os.environ.update(_past_proxies(before))
            os.environ.update(hidden)
        try:
            yield
        finally:
            with self._lock:
                self._runs -= 1
                if not self._runs:
                    _restore(before)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the variables as they were before, for a while."""
        with self._lock:
            hidden = _now()
            if self._runs:
                _restore(self._before)
        try:
            yield
        finally:
            with self._lock:
                if self._runs:
                    _restore(hidden)


_ENVIRONMENT = _Environment()


def _now() -> dict[str, str | None]:
    return {name: os.environ.get(name) for name in _VARIABLES}


def _past_proxies(environ: Mapping[str, str | None]) -> dict[str, str]:
    """Give what lets clients reach the listener where the environment names a proxy."""
    said = environ.get("no_proxy") or environ.get("NO_PROXY")
    if said == "*":
        return {}
    # The proxy would look for 127.0.0.1 on its own machine.
    return dict.fromkeys(_DIRECT, f"{said},127.0.0.1" if said else "127.0.0.1")


def _provider(environ: Mapping[str, str]) -> ModelAddress:
    return ModelAddress(
        base_url=environ["OPENAI_BASE_URL"] or _OPENAI,
        anthropic_base_url=environ["ANTHROPIC_BASE_URL"] or _ANTHROPIC,
        api_key=environ["OPENAI_API_KEY"] or None,
        anthropic_api_key=environ["ANTHROPIC_API_KEY"] or None,
    )


def _restore(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
