"""JSON by HTTP within bounds."""

import socket
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import AgentFailedError, ProviderFailedError
from fairtrial.agents import posting as postings
from fairtrial.agents.in_flight import Attempt
from fairtrial.agents.posting import Poster, shown_url
from fairtrial.errors import TrialOverError

if TYPE_CHECKING:
    from tests.agents.conftest import Serve, TaskMaker


@pytest.fixture
def poster() -> Iterator[Poster]:
    made = Poster(10)
    yield made
    made.close()


@pytest.fixture
def attempt(make_task: "TaskMaker") -> Attempt:
    return Attempt(make_task())


def test_a_reply_is_given_with_its_type(poster: Poster, attempt: Attempt, serve: "Serve") -> None:
    server = serve(lambda request: (201, b"Done.", {"content-type": "text/plain"}))
    assert poster.post(server.url, b"{}", {"x-own": "1"}, attempt) == ("text/plain", b"Done.")
    (request,) = server.requests
    assert request.body == b"{}"
    assert request.headers["x-own"] == "1"
    assert request.headers["content-type"] == "application/json"


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(
    poster: Poster, attempt: Attempt, serve: "Serve", monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server = serve(lambda request: (200, {}))
    assert poster.post(server.url, b"", {}, attempt).body == b"{}"


def test_connections_are_kept(poster: Poster, attempt: Attempt, serve: "Serve") -> None:
    ports = set[int]()
    server = serve(lambda request: (200, {}))
    original = server._server.process_request

    def process(request: socket.socket, address: tuple[str, int]) -> None:
        ports.add(address[1])
        original(request, address)

    server._server.process_request = process  # type: ignore[method-assign,assignment] # to look
    for _ in range(5):
        poster.post(server.url, b"", {}, attempt)
    assert len(ports) == 1


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_a_provider_status_keeps_its_wait(
    status: int, poster: Poster, attempt: Attempt, serve: "Serve"
) -> None:
    server = serve(lambda request: (status, b"busy \x00\xff", {"retry-after": "3"}))
    with pytest.raises(ProviderFailedError) as told:
        poster.post(server.url, b"", {}, attempt)
    assert f"HTTP {status}: busy " in str(told.value)
    assert told.value.retry_after == 3.0


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_another_status_says_how_the_body_begins(
    status: int, poster: Poster, attempt: Attempt, serve: "Serve"
) -> None:
    server = serve(lambda request: (status, b"no" * 5_000))
    with pytest.raises(AgentFailedError, match=f"HTTP {status}: nono") as told:
        poster.post(server.url, b"", {}, attempt)
    assert len(str(told.value)) < 700


def test_a_redirect_is_not_followed(poster: Poster, attempt: Attempt, serve: "Serve") -> None:
    server = serve(lambda request: (307, b"", {"location": "http://example.org/a?key=1"}))
    with pytest.raises(AgentFailedError, match=r"\(to http://example.org/a; give that address\)"):
        poster.post(server.url, b"", {}, attempt)


def test_no_connection_is_the_providers(poster: Poster, attempt: Attempt) -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}/agent"
    with pytest.raises(ProviderFailedError, match="no connection: ConnectError"):
        poster.post(url, b"", {}, attempt)


def test_garbage_is_the_providers(poster: Poster, attempt: Attempt) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"\x00\xff garbage\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ProviderFailedError):
            poster.post(f"http://127.0.0.1:{server.getsockname()[1]}", b"", {}, attempt)
        thread.join()


def test_a_server_that_says_nothing_is_not_waited_for_for_ever(attempt: Attempt) -> None:
    poster = Poster(0.05)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(AgentFailedError, match=r"no answer for 0.05 seconds"),
    ):
        poster.post(f"http://127.0.0.1:{server.getsockname()[1]}", b"", {}, attempt)
    poster.close()


def test_a_reply_without_end_is_cut_off(
    poster: Poster, attempt: Attempt, serve: "Serve", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "LONGEST_OUTPUT", 1 << 20)
    server = serve(lambda request: (200, b"x" * (2 << 20)))
    with pytest.raises(AgentFailedError, match="sent more than 1 MB"):
        poster.post(server.url, b"", {}, attempt)


def test_a_reply_under_way_is_hung_up_from_another_thread(poster: Poster, attempt: Attempt) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        failed = list[BaseException]()

        def post() -> None:
            try:
                poster.post(f"http://127.0.0.1:{server.getsockname()[1]}", b"", {}, attempt)
            except BaseException as error:  # noqa: BLE001 - kept for the test
                failed.append(error)

        begun, real = threading.Event(), attempt.on_stop

        def watched(stop: Callable[[], None] | None) -> None:
            real(stop)
            begun.set()

        attempt.on_stop = watched  # type: ignore[method-assign] # to know when
        thread = threading.Thread(target=post)
        thread.start()
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun")
            assert begun.wait(5)
            attempt.stop()
            thread.join(5)
        assert [type(error) for error in failed] == [TrialOverError]


def test_an_address_is_shown_without_secrets() -> None:
    assert shown_url("http://u:p@h:1/a?k=1#f") == "http://h:1/a"
