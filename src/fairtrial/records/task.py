"""What an agent is handed: the situation, its tools and world, and where its model is."""

from typing import Any

from msgspec import Struct

from fairtrial.records.case import Limits
from fairtrial.records.json import Json


class ModelAddress(Struct, frozen=True, kw_only=True):
    """Where the agent finds its model. Offline these are addresses of the run's own listener."""

    base_url: str
    """For OpenAI's SDK and all that speaks like it; ends in `/v1`."""
    anthropic_base_url: str
    """For Anthropic's SDK, which adds `/v1/messages` itself."""
    api_key: str | None = None
    """None: the provider's own variable is not set."""
    anthropic_api_key: str | None = None
    name: str | None = None
    """The model asked for by the settings; None: the agent's own choice."""


class Addresses(Struct, frozen=True, kw_only=True):
    """Where the listener serves one trial. All begin with `http://127.0.0.1:PORT/t/TOKEN`."""

    token: str
    openai: str
    """Ends in `/openai/v1`."""
    anthropic: str
    """Ends in `/anthropic`."""
    tools: str
    """Ends in `/tools`."""


class Variant(Struct, frozen=True, kw_only=True):
    """A named change to the agent. Without one `name` is None and `settings` empty."""

    name: str | None = None
    settings: dict[str, Json] = {}


class Task(Struct, frozen=True, kw_only=True):
    """One trial as the agent meets it.

    >>> address = ModelAddress(base_url="http://127.0.0.1/v1", anthropic_base_url="")
    >>> Task(case="c1", input="Hi", messages=[], model=address, trial=0, seed=7).variant.settings
    {}
    """

    case: str
    """The id of the case."""
    input: str | None
    """The last user text."""
    messages: list[Json]
    """The conversation so far, ending with what is to be answered: `{role, content}` each."""
    context: Json = None
    tools: Any = None
    """A mapping of names to the world's tools; see `fairtrial.ports.Tools`."""
    world: Any = None
    """The world of this trial; None where the agent runs in another process."""
    model: ModelAddress
    variant: Variant = Variant()
    trial: int
    """0 and up."""
    limits: Limits = Limits()
    seed: int
    """0 to 2**31 - 1; the same for the same suite seed, case and trial."""
    tools_url: str | None = None
    """Where the tools are served over HTTP: `POST {tools_url}/NAME`; None without a listener."""
    token: str | None = None
    """The trial's own part of the listener's addresses; None without a listener."""
