"""Whose fault an exception is: an agent's, a provider's, or that of the script."""

import http.client
import json
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

import anthropic
import httpx2
import openai
import pytest
import requests

from fairtrial.agents import AgentFailedError, ProviderFailedError, failure_of, retry_after_of
from fairtrial.errors import PluginError, ProviderError, ScriptError, ToolError, TrialOverError
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.agents.conftest import Serve, Served


def caught(action: Callable[[], object]) -> BaseException:
    try:
        action()
    except BaseException as error:  # noqa: BLE001 - whatever it is
        return error
    raise AssertionError("nothing was raised")


def chained(error: BaseException, cause: BaseException) -> BaseException:
    def act() -> None:
        raise error from cause

    return caught(act)


def while_handling(error: BaseException, handled: BaseException) -> BaseException:
    def act() -> None:
        try:
            raise handled  # noqa: TRY301 - to be handled here
        except BaseException:  # noqa: BLE001 - handled, badly
            raise error  # noqa: B904 - without a named cause, which is the point

    return caught(act)


class StatusError(Exception):
    def __init__(self, **fields: Json) -> None:
        super().__init__("status")
        vars(self).update(fields)


class Response:
    def __init__(self, status_code: Json) -> None:
        self.status_code = status_code


class APIConnectionError(Exception):
    pass


class ServerDisconnectedError(Exception):
    pass


class OfClientError(ServerDisconnectedError):
    pass


@pytest.mark.parametrize(
    "error",
    [
        ProviderError("down"),
        ProviderFailedError("down"),
        ConnectionError("x"),
        ConnectionRefusedError("x"),
        BrokenPipeError("x"),
        socket.gaierror("no such host"),
        http.client.RemoteDisconnected("x"),
        requests.ConnectionError("x"),
        requests.ReadTimeout("x"),
        httpx2.ConnectError("x"),
        httpx2.ReadTimeout("x"),
        httpx2.RemoteProtocolError("x"),
        APIConnectionError("x"),
        OfClientError("x"),
        StatusError(status_code=429),
        StatusError(status_code=408),
        StatusError(status=529),
        StatusError(code=500),
        StatusError(code=HTTPStatus.SERVICE_UNAVAILABLE),
        StatusError(response=Response(503)),
        chained(RuntimeError("agent"), StatusError(status_code=503)),
        while_handling(KeyError("a"), ConnectionResetError("x")),
        chained(RuntimeError("a"), chained(ValueError("b"), ProviderError("c"))),
        ExceptionGroup("all", [ProviderError("a"), ExceptionGroup("b", [ConnectionError("c")])]),
        chained(RuntimeError("a"), ExceptionGroup("all", [ProviderError("a")])),
    ],
)
def test_a_provider_failure_is_known(error: BaseException) -> None:
    assert failure_of(error).kind == "provider"


@pytest.mark.parametrize(
    "error",
    [
        ValueError("503"),
        TimeoutError("too slow"),
        TimeoutError(),
        OSError("disk full"),
        FileNotFoundError("x"),
        ToolError("no"),
        TrialOverError("over"),
        KeyboardInterrupt(),
        SystemExit(500),
        StatusError(status_code=400),
        StatusError(status_code=401),
        StatusError(status_code=True),
        StatusError(status_code="503"),
        StatusError(status_code=503.0),
        StatusError(code=1006),
        StatusError(response=Response(404)),
        StatusError(response=Response(None)),
        httpx2.PoolTimeout("x"),
        ExceptionGroup("mixed", [ProviderError("a"), ValueError("b")]),
        subprocess.CalledProcessError(1, "x"),
        AgentFailedError("`./agent` ended with exit code 1", code=1),
        chained(AgentFailedError("slow"), httpx2.ReadTimeout("x")),
    ],
)
def test_all_else_is_the_agents(error: BaseException) -> None:
    assert failure_of(error).kind == "agent"


def test_a_cause_that_was_taken_back_does_not_count() -> None:
    def act() -> None:
        try:
            raise ConnectionError("x")  # noqa: TRY301 - to be handled here
        except ConnectionError:
            raise ValueError("mine") from None

    assert failure_of(caught(act)).kind == "agent"


@pytest.mark.parametrize("code", ["fairtrial_no_trial", "fairtrial_no_model", "fairtrial_script"])
def test_what_the_listener_refused_is_the_scripts(code: str) -> None:
    assert failure_of(RuntimeError(f"HTTP 400: {code}")).kind == "script"
    assert failure_of(chained(ValueError("a"), StatusError(body={"code": code}))).kind == "script"
    assert failure_of(StatusError(body={"error": {"code": code}})).kind == "script"
    group = ExceptionGroup("all", [ValueError("a"), StatusError(body=f'{{"code": "{code}"}}')])
    assert failure_of(group).kind == "script"
    assert failure_of(AgentFailedError("broke", code=1, details=f"... {code}")).kind == "script"


def test_other_bodies_are_not() -> None:
    bodies: list[Json] = [{"error": []}, {"code": 5}, {"code": ["fairtrial_script"]}, [], 5, b"x"]
    for body in bodies:
        assert failure_of(StatusError(body=body)).kind == "agent"
    assert failure_of(ScriptError("no step")).kind == "script"


def test_what_broke_in_the_listener_is_nobodys_but_the_set_ups() -> None:
    assert failure_of(StatusError(status_code=500, body={"code": "fairtrial_failure"})).kind == (
        "world"
    )


def test_a_broken_set_up_is_not_the_agents_fault() -> None:
    assert failure_of(PluginError("agent 'a:b': no")).kind == "world"


def test_an_agents_own_kind_is_kept() -> None:
    error = AgentFailedError("down", kind="provider", retry_after=3.0)
    assert failure_of(error).kind == "provider"
    assert failure_of(error).message == "down"
    assert retry_after_of(error) == 3.0


def test_the_message_names_type_text_and_the_place_in_the_agents_code() -> None:
    error = caught(lambda: json.loads("{"))
    message = failure_of(error).message
    assert message.startswith("JSONDecodeError: Expecting property name")
    assert message.endswith(")")
    assert "tests/agents/test_failure.py:" in message


def test_a_message_without_a_text_is_the_type() -> None:
    assert failure_of(ValueError()).message == "ValueError"


def test_a_long_message_is_cut_and_keeps_the_place() -> None:
    def act() -> None:
        raise ValueError("x" * 5_000)

    message = failure_of(caught(act)).message
    assert len(message) == 2_000
    assert "… (" in message


def test_a_group_says_what_is_in_it() -> None:
    group = ExceptionGroup("two", [ValueError("first"), ExceptionGroup("in", [KeyError("second")])])
    message = failure_of(group).message
    assert "ValueError: first" in message
    assert "KeyError: 'second'" in message


def test_lone_surrogates_do_not_reach_the_message() -> None:
    failure_of(ValueError("\ud800")).message.encode()


class HostileError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(f"no {name}")


class HostileHeaders:
    def get(self, name: str) -> str:
        raise RuntimeError(name)


def test_an_exception_that_cannot_be_asked_is_still_told() -> None:
    assert (
        failure_of(HostileError()).message == "HostileError: (its text cannot be had: RuntimeError)"
    )
    assert retry_after_of(HostileError()) is None
    assert retry_after_of(StatusError(headers=HostileHeaders())) is None


def test_a_cycle_of_causes_ends() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert failure_of(first).kind == "agent"
    group = ExceptionGroup("g", [first])
    first.__cause__ = group
    assert failure_of(group).kind == "agent"
    assert retry_after_of(group) is None


def test_a_chain_without_end_ends() -> None:
    error: BaseException = ProviderError("at the bottom")
    for _ in range(10_000):
        error = chained(ValueError("a"), error)
    assert failure_of(error).kind == "agent"


def test_groups_nested_deep_end() -> None:
    group: BaseException = ProviderError("at the bottom")
    for _ in range(5_000):
        group = ExceptionGroup("g", [group])  # type: ignore[type-var] # all are exceptions
    assert failure_of(group).kind in ("agent", "provider")


@pytest.mark.parametrize(
    ("value", "wait"),
    [(2, 2.0), (0, 0.0), (1.5, 1.5), (-1, None), (float("inf"), None), (True, None), ("3", None)],
)
def test_a_stated_wait_is_taken_if_it_is_one(value: Json, wait: float | None) -> None:
    assert retry_after_of(StatusError(retry_after=value)) == wait


def test_a_wait_in_plain_headers_is_found_whatever_their_case() -> None:
    assert retry_after_of(StatusError(headers={"Retry-After": "4"})) == 4.0
    assert retry_after_of(chained(ValueError(), StatusError(headers={"retry-after": "4"}))) == 4.0


# The real SDKs, against a server on loopback.

CLIENTS: dict[str, Callable[[str], openai.OpenAI | anthropic.Anthropic]] = {
    "openai": lambda url: openai.OpenAI(base_url=url, api_key="k", max_retries=0),
    "anthropic": lambda url: anthropic.Anthropic(base_url=url, api_key="k", max_retries=0),
}


def ask(sdk: str, url: str) -> BaseException:
    messages: list[Json] = [{"role": "user", "content": "Hi"}]

    def act() -> None:
        with CLIENTS[sdk](url) as client:
            if isinstance(client, openai.OpenAI):
                client.chat.completions.create(model="m", messages=messages)
            else:
                client.messages.create(model="m", messages=messages, max_tokens=5)

    return caught(act)


@pytest.mark.parametrize("sdk", CLIENTS)
@pytest.mark.parametrize(
    ("status", "kind"),
    [(408, "provider"), (429, "provider"), (500, "provider"), (529, "provider"), (400, "agent")],
)
def test_a_status_that_an_sdk_raises(sdk: str, status: int, kind: str, serve: "Serve") -> None:
    server = serve(lambda request: (status, {"error": {"message": "no"}}, {"retry-after": "7"}))
    error = ask(sdk, server.url)
    assert failure_of(error).kind == kind
    assert retry_after_of(error) == 7.0
    assert "test_failure.py:" in failure_of(error).message


@pytest.mark.parametrize("sdk", CLIENTS)
def test_a_refusal_of_the_listener_that_an_sdk_raises(sdk: str, serve: "Serve") -> None:
    body = {"error": {"message": "no step is left", "code": "fairtrial_script", "type": "x"}}
    server = serve(lambda request: (400, body))
    assert failure_of(ask(sdk, server.url)).kind == "script"


def closed(served: "Served") -> str:
    served.close()
    return served.url


@pytest.mark.parametrize("sdk", CLIENTS)
def test_no_connection_that_an_sdk_raises(sdk: str) -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}"
    error = ask(sdk, url)
    assert type(error).__name__ == "APIConnectionError"
    assert failure_of(error).kind == "provider"


def test_statuses_that_other_clients_raise(serve: "Serve") -> None:
    server = serve(lambda request: (503, {"code": "x"}, {"retry-after": "2"}))
    errors = [
        caught(lambda: httpx2.post(server.url, trust_env=False).raise_for_status()),
        caught(lambda: requests.post(server.url, timeout=5).raise_for_status()),
        caught(lambda: urllib.request.urlopen(server.url)),
    ]
    assert [failure_of(error).kind for error in errors] == ["provider"] * 3
    assert [retry_after_of(error) for error in errors] == [2.0] * 3
    assert isinstance(errors[2], urllib.error.HTTPError)
    errors[2].close()


def test_a_body_that_only_the_response_holds_is_looked_at(serve: "Serve") -> None:
    server = serve(lambda request: (400, {"error": {"code": "fairtrial_no_trial"}}))
    errors = [
        caught(lambda: httpx2.post(server.url, trust_env=False).raise_for_status()),
        caught(lambda: requests.post(server.url, timeout=5).raise_for_status()),
    ]
    assert [failure_of(error).kind for error in errors] == ["script"] * 2
