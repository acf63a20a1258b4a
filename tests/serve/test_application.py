import socket
from contextlib import closing
from typing import TYPE_CHECKING, Any

import anthropic
import openai
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.serve.conftest import Shown, Stage

ASKED: list[Any] = [{"role": "user", "content": "Hi"}]
BODY = {"model": "m", "messages": ASKED}


def exchange(stage: "Stage", *sent: bytes) -> bytes:
    """Send raw bytes, say that they are all, and give all that comes back."""
    with closing(socket.create_connection(("127.0.0.1", stage.listener.port), 20)) as line:
        for one in sent:
            line.sendall(one)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


def request(shown: "Shown", body: bytes, head: bytes = b"Host: localhost\r\n") -> bytes:
    path = f"/t/{shown.at.token}/openai/v1/chat/completions".encode()
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST %s HTTP/1.1\r\n%s%s\r\n%s" % (path, head, length, body)


def test_a_client_made_before_any_trial_is_told_so_and_does_not_ask_twice(stage: "Stage") -> None:
    at = stage.listener.nowhere
    client, other = stage.openai(at, max_retries=2), stage.anthropic(at, max_retries=2)
    with pytest.raises(openai.NotFoundError, match="belongs to no trial") as caught:
        client.chat.completions.create(model="m", messages=ASKED)
    assert caught.value.code == "fairtrial_no_trial"
    with pytest.raises(anthropic.NotFoundError, match="fairtrial_no_trial"):
        other.messages.create(model="m", max_tokens=9, messages=ASKED)
    assert stage.ask(f"{at.tools}/pay", {}).json["code"] == "fairtrial_no_trial"
    assert stage.listener.refused == 3


def test_an_ended_trial_says_that_it_has_ended(stage: "Stage") -> None:
    shown = stage.trial("Hi", "Hi")
    client = stage.openai(shown.at)
    client.chat.completions.create(model="m", messages=ASKED)
    stage.listener.unmount(shown.at.token)
    with pytest.raises(openai.NotFoundError, match="this trial has ended"):
        client.chat.completions.create(model="m", messages=ASKED)
    assert len(shown.mounted.steps) == stage.listener.refused == 1


@pytest.mark.parametrize(
    "path",
    ["/", "/v1/chat/completions", "/t", "/t/", "/t/x", "/t//openai/v1/models", "/%00/é", "//"],
)
def test_a_path_that_is_none_of_ours_belongs_to_no_trial(stage: "Stage", path: str) -> None:
    raw = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    back = exchange(stage, raw)
    assert back.startswith(b"HTTP/1.1 404 ") or (not path.isascii() and b" 400 " in back[:20])


def test_an_anthropic_client_reads_its_own_shape_even_at_the_root(stage: "Stage") -> None:
    root = stage.listener.nowhere.anthropic.partition("/t/")[0]
    client = stage.anthropic(stage.listener.nowhere, base_url=root)
    with pytest.raises(anthropic.NotFoundError, match="'type': 'not_found_error'"):
        client.messages.create(model="m", max_tokens=9, messages=ASKED)


@pytest.mark.parametrize(
    "path", ["openai/v1/embeddings", "openai/v1/responses/resp_1", "anthropic/v1/files", "openai"]
)
def test_what_is_not_served_is_refused_in_words_and_not_asked_again(
    stage: "Stage", path: str
) -> None:
    base = stage.trial().at.tools.removesuffix("tools")
    reply = stage.ask(base + path, {})
    assert (reply.status, reply.headers["x-should-retry"]) == (501, "false")
    assert "fairtrial serves chat/completions" in reply.json["error"]["message"]


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT", "DELETE"])
def test_another_method_is_refused_and_no_page_may_ask(stage: "Stage", method: str) -> None:
    url = f"{stage.trial().at.openai}/chat/completions"
    reply = stage.ask(url, method=method, Origin="http://attacker.example")
    assert reply.status == 405
    assert not any(name.startswith("access-control") for name in reply.headers)


def test_a_foreign_host_is_refused_before_anything_else(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    url = f"{shown.at.openai}/chat/completions"
    reply = stage.ask(url, BODY, Host="attacker.example")
    assert (reply.status, reply.json["error"]["code"]) == (403, "fairtrial_host")
    assert shown.model.asked == []


def test_a_connection_is_kept_for_the_next_request(stage: "Stage") -> None:
    shown = stage.trial("one", "two")
    body = b'{"messages": [{}]}'
    back = exchange(stage, request(shown, body), request(shown, body))
    assert back.count(b"HTTP/1.1 200 OK") == 2
    assert b'"one"' in back
    assert b'"two"' in back


def test_a_body_may_come_in_chunks(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    path = f"/t/{shown.at.token}/openai/v1/chat/completions".encode()
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" % path
    back = exchange(stage, head, b'9\r\n{"message\r\n', b'9\r\ns": [{}]}\r\n0\r\n\r\n')
    assert back.startswith(b"HTTP/1.1 200 ")


def test_a_client_of_http_1_0_is_served_a_stream_too(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    body = b'{"messages": [{}], "stream": true}'
    back = exchange(stage, request(shown, body).replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    assert b"transfer-encoding" not in back.lower()
    assert back.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"messages": NaN}',
        rb'{"messages": ["\ud800"]}',
        b"[" * 200_000,
        b"\0",
    ],
)
def test_a_hostile_body_is_a_bad_request_and_nothing_worse(stage: "Stage", body: bytes) -> None:
    shown = stage.trial("Hi")
    back = exchange(stage, request(shown, body, b"Host: localhost\r\nConnection: close\r\n"))
    assert back.startswith(b"HTTP/1.1 400 ")
    assert b'"error"' in back
    assert b"Traceback" not in back
    assert shown.model.asked == []


@pytest.mark.parametrize(
    "raw",
    [
        b"\0" * 100,
        b"HELLO\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ],
)
def test_what_is_hardly_http_does_no_harm(stage: "Stage", raw: bytes) -> None:
    back = exchange(stage, raw)
    assert back == b"" or back.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 403 ", b"HTTP/1.1 404 "))
    assert stage.chat(stage.trial("Hi")).status == 200


def test_a_client_that_goes_away_in_the_middle_is_forgotten(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    exchange(stage, request(shown, b"x" * 1000)[:-500])
    assert stage.chat(shown).status == 200
    assert len(shown.model.asked) == 1


def test_a_body_that_says_it_is_huge_is_refused_before_it_comes(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    head = request(shown, b"").replace(b"Content-Length: 0", b"Content-Length: 99999999999")
    back = exchange(stage, head, b"x" * 1000)
    assert back.startswith(b"HTTP/1.1 413 ")


def test_many_clients_at_once_each_keep_to_their_trial(
    stage: "Stage", together: "Callable[[list[Callable[[], Any]]], list[Any]]"
) -> None:
    trials = [stage.trial(*[f"trial {x}, step {y}" for y in range(10)]) for x in range(50)]

    def talk(shown: "Shown") -> list[str]:
        said = [stage.chat(shown).json["choices"][0]["message"] for _ in range(10)]
        return [one["content"] for one in said]

    said = together([lambda shown=shown: talk(shown) for shown in trials])  # type: ignore[misc] # bound now
    wanted = [[f"trial {x}, step {y}" for y in range(10)] for x in range(50)]
    assert said == wanted
    assert [[one.text for one in shown.mounted.steps] for shown in trials] == wanted


def test_many_clients_of_one_trial_share_its_steps_without_losing_any(
    stage: "Stage", together: "Callable[[list[Callable[[], Any]]], list[Any]]"
) -> None:
    shown = stage.trial(*[stage.says(None, stage.call("a", str(x))) for x in range(50)])
    replies = together([lambda: stage.chat(shown).json] * 50)
    ids = {one["choices"][0]["message"]["tool_calls"][0]["id"] for one in replies}
    assert len(ids) == 50
    kept = [(one.calls[0].arguments, one.calls[0].id) for one in shown.mounted.steps]
    assert kept == [(str(x), f"call_{x + 1}") for x in range(50)]
