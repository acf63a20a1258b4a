"""A provider's model asked by the provider's own SDK: what is the same for all of them."""

import importlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import ClassVar, Generic, Protocol, TypeVar

from msgspec.structs import replace

from fairtrial.errors import JudgeError
from fairtrial.judge.failures import Reached, explain
from fairtrial.judge.model_settings import ModelSettings, Price, is_address, shown_address
from fairtrial.judge.offers import Offer, Offers
from fairtrial.records import Json, JudgePrompt, JudgeReply

_NO_KEY = "none"  # servers of one's own want none, and the SDKs want one


class Client(Protocol):
    """What is needed of every SDK's client."""

    @property
    def base_url(self) -> object:
        """The address in use."""
        ...

    def close(self) -> None:
        """Let go of the connections."""
        ...


_C = TypeVar("_C", bound=Client)


class SdkModel(ABC, Generic[_C]):
    """Asks by an SDK, which waits and tries again as the provider says. Thread-safe.

    Attributes:
        provider: Its name, and that of its SDK and of the extra that installs it.
        name: The model.
        described: Provider, model, address and settings; never the key.
        client: The SDK's.
    """

    provider: ClassVar[str]
    _key_variable: ClassVar[str]

    def __init__(
        self,
        settings: ModelSettings,
        api_key: str | None,
        *,
        price: Price | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Make the client; nothing is asked yet.

        Args:
            settings: The model and how it is asked.
            api_key: None: there is none, which only a server of one's own may want.
            price: Gives what tokens cost.
            clock: Tells the seconds of a reply.

        Raises:
            JudgeError: The SDK is not installed, there is no key for the provider itself, or the
                base URL or the key is none.
        """
        self.name = settings.model
        self._settings = settings
        self._price = price
        self._clock = clock
        self._sdk = self._loaded()
        variable = settings.key_variable or self._key_variable
        key = (api_key or "").strip()  # of a file it often has a line's end
        if not key and settings.base_url is None:
            raise JudgeError(f"judge {self.name}: there is no key; set {variable}")
        if not (key.isascii() and key.isprintable()):
            raise JudgeError(f"judge {self.name}: {variable} holds what is no key")
        if settings.base_url is not None and not is_address(settings.base_url):
            raise JudgeError(
                f"judge {self.name}: base URL {settings.base_url!r}: wanted http:// or https://"
                " and a host"
            )
        self.client = self._made(self._sdk, key or _NO_KEY)
        address = str(self.client.base_url)
        self.described = settings.described(self.provider, address)
        self._reached = Reached(self._sdk, self.name, address, key, variable, settings.timeout)
        self._offers = Offers({"schema", "temperature"})

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        """Ask the model.

        Raises:
            JudgeError: No reply is to be had.
        """
        refused = (self._sdk.BadRequestError, self._sdk.UnprocessableEntityError)
        began = self._clock()
        with self.failing():
            content = self._offers.ask(
                lambda offered: self._send(self.request(prompt, offered)), refused
            )
        reply = self.read(_decoded(content))
        return replace(reply, seconds=self._clock() - began)

    def request(self, prompt: JudgePrompt, offered: frozenset[Offer] | None = None) -> Json:
        """Give the body of a request.

        Args:
            prompt: What is asked.
            offered: What it holds beyond the prompt; None: all that was not refused so far.
        """
        offered = self._offers.offered if offered is None else offered
        body = self._body(prompt, offered)
        temperature = self._settings.temperature
        if temperature is None or "temperature" not in offered:
            return body
        return body | {"temperature": temperature}

    def read(self, body: Json) -> JudgeReply:
        """Read a reply as the provider sent it.

        Raises:
            JudgeError: It is none.
        """
        reply = self._read(body)
        if reply is None:
            where = shown_address(self._reached.address)
            raise JudgeError(
                f"judge {self.name}: {where} sent something else than a reply of a model;"
                " is that the base URL?"
            )
        if self._price is None or reply.tokens is None:
            return reply
        return replace(reply, cost=self._price(reply.tokens))

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Turn what the SDK raises within into one clear line.

        Raises:
            JudgeError: The SDK raised.
        """
        try:
            yield
        except JudgeError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an SDK raises, it is no reply
            raise JudgeError(explain(error, self._reached)) from None  # its cause may show the key

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()

    @abstractmethod
    def _made(self, sdk: ModuleType, api_key: str) -> _C:
        """Make the client."""

    @abstractmethod
    def _body(self, prompt: JudgePrompt, offered: frozenset[Offer]) -> dict[str, Json]:
        """Give the body of a request, its temperature apart."""

    @abstractmethod
    def _send(self, body: dict[str, Json]) -> bytes:
        """Send a request and give what came, raw: not everybody sends what the SDK expects."""

    @abstractmethod
    def _read(self, body: Json) -> JudgeReply | None:
        """Read a reply; None where it is none."""

    def _loaded(self) -> ModuleType:
        try:
            return importlib.import_module(self.provider)  # heavy, and only needed to ask
        except ImportError as error:
            raise JudgeError(
                f"judge {self.name}: the {self.provider} package is missing;"
                f" pip install 'fairtrial[{self.provider}]'"
            ) from error


def _decoded(content: bytes) -> Json:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
