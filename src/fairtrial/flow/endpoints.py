"""Where an agent finds its model and tools: the run's listener, and offline nothing else."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

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
    listener = Listener(port=port)
    before = {name: os.environ.get(name) for name in _VARIABLES}
    secrets = known_secrets(os.environ)
    try:
        os.environ.update(_past_proxies(before))
        if not live:
            os.environ.update(
                OPENAI_BASE_URL=listener.nowhere.openai,
                ANTHROPIC_BASE_URL=listener.nowhere.anthropic,
                OPENAI_API_KEY=OFFLINE_KEY,
                ANTHROPIC_API_KEY=OFFLINE_KEY,
            )
        provider = _provider(before)
        yield Endpoints(listener=listener, live=live, provider=provider, secrets=secrets)
    finally:
        _restore(before)
        listener.close()


def _past_proxies(environ: Mapping[str, str | None]) -> dict[str, str]:
    """Give what lets clients reach the listener where the environment names a proxy."""
    said = environ.get("no_proxy") or environ.get("NO_PROXY")
    if said == "*":
        return {}
    # The proxy would look for 127.0.0.1 on its own machine.
    return dict.fromkeys(_DIRECT, f"{said},127.0.0.1" if said else "127.0.0.1")


def _provider(environ: Mapping[str, str | None]) -> ModelAddress:
    openai, anthropic = environ.get("OPENAI_API_KEY"), environ.get("ANTHROPIC_API_KEY")
    return ModelAddress(
        base_url=environ.get("OPENAI_BASE_URL") or _OPENAI,
        anthropic_base_url=environ.get("ANTHROPIC_BASE_URL") or _ANTHROPIC,
        api_key=openai,
        anthropic_api_key=anthropic,
    )


def _restore(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
