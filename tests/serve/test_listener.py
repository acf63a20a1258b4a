import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

import pytest

from fairtrial.errors import UsageError
from fairtrial.records import Json
from fairtrial.serve import Listener, Mounted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.serve.conftest import Stage


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


HEAVY = """
import sys
from fairtrial.serve import Listener, Mounted
def heavy():
    return sorted({"asyncio", "uvicorn", "starlette", "httptools", "h11"} & set(sys.modules))
listener = Listener()
at = listener.mount(Mounted())
"""


def test_nothing_heavy_is_loaded_before_the_first_connection() -> None:
    assert run_python(HEAVY + "print(heavy())\nlistener.close()\nprint(heavy())") == "[]\n[]\n"


def test_the_first_connection_loads_the_server() -> None:
    ask = """
import http.client
line = http.client.HTTPConnection("127.0.0.1", listener.port)
line.request("GET", at.openai.partition(str(listener.port))[2] + "/models")
print(line.getresponse().status, "uvicorn" in heavy())
line.close()
listener.close()
"""
    assert run_python(HEAVY + ask) == "200 True\n"


@pytest.mark.parametrize("asked", ["", "socket.create_connection(('127.0.0.1', listener.port))"])
def test_a_listener_that_nobody_closes_does_not_hold_up_the_exit(asked: str) -> None:
    code = "import socket\nfrom fairtrial.serve import Listener\nlistener = Listener()\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}line = {asked or None}"], timeout=60, check=False
    )
    assert done.returncode == 0


def test_a_tool_that_hangs_does_not_hold_up_the_exit() -> None:
    code = """
import http.client, threading
from fairtrial.serve import Listener, Mounted
began = threading.Event()
class Tools(dict):
    def call(self, name, arguments):
        began.set()
        threading.Event().wait()
listener = Listener()
at = listener.mount(Mounted(tools=Tools()))
line = http.client.HTTPConnection("127.0.0.1", listener.port)
line.request("POST", at.tools.partition(str(listener.port))[2] + "/hang")
began.wait()
line.close()
listener.close()
"""
    assert run_python(code) == ""


def test_a_port_that_is_taken_is_said_with_the_way_out() -> None:
    with Listener() as first:
        words = rf"cannot listen on '127.0.0.1', port {first.port}: .*in use; .* or 0 for any"
        with pytest.raises(UsageError, match=words):
            Listener(port=first.port)


@pytest.mark.parametrize(
    ("host", "port"),
    [("203.0.113.7", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1), ("a\0b", 0), ("é" * 99, 0)],
)
def test_what_cannot_be_bound_is_a_usage_error(host: str, port: int) -> None:
    with pytest.raises(UsageError, match="cannot listen on"):
        Listener(host, port, token="T")


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "203.0.113.7"])
def test_others_than_this_machine_need_a_token(host: str) -> None:
    with pytest.raises(UsageError, match="give a token"):
        Listener(host)
    with pytest.raises(UsageError, match="give a token"):
        Listener(host, token="")


def test_a_listener_with_a_token_asks_every_client_for_it(stage: "Stage") -> None:
    with Listener("0.0.0.0", token="T-1") as listener:
        at = listener.mount(Mounted(model_name="m"))
        assert at.openai.startswith(f"http://127.0.0.1:{listener.port}/t/")
        assert [x.id for x in stage.openai(at, api_key="T-1").models.list()] == ["m"]
        assert [x.id for x in stage.anthropic(at, api_key="T-1").models.list()] == ["m"]
        assert stage.ask(f"{at.openai}/models").status == 401


def test_it_serves_the_other_kind_of_address_too(stage: "Stage") -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        listener = Listener("::1")
    except UsageError:
        pytest.skip("this machine has no IPv6")
    with listener:
        at = listener.mount(Mounted())
        assert at.openai.startswith("http://[::1]:")
        assert [x.id for x in stage.openai(at).models.list()] == ["scripted"]


def test_a_closed_listener_answers_nobody(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    assert stage.chat(shown).status == 200
    stage.listener.close()
    with pytest.raises(ConnectionError):
        stage.chat(shown)


def test_closing_twice_and_from_several_threads_is_fine(
    stage: "Stage", together: "Callable[[list[Callable[[], Any]]], list[Any]]"
) -> None:
    stage.chat(stage.trial("Hi"))
    together([stage.listener.close] * 8)
    stage.listener.close()
    assert "fairtrial-listener" not in [one.name for one in threading.enumerate()]


def test_closing_does_not_wait_for_open_connections_or_requests_in_flight(stage: "Stage") -> None:
    began, go_on = threading.Event(), threading.Event()

    def slow() -> Json:
        began.set()
        return go_on.wait(20)

    shown = stage.trial("Hi", tools=stage.tools(slow=slow))
    place = ("127.0.0.1", stage.listener.port)
    path = f"/t/{shown.at.token}/tools/slow".encode()
    with closing(socket.create_connection(place)), closing(socket.create_connection(place)) as busy:
        busy.sendall(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" % path)
        assert began.wait(20)
        start = time.monotonic()
        stage.listener.close()
        assert time.monotonic() - start < 2
        go_on.set()
        assert is_ended(busy)


def is_ended(line: socket.socket) -> bool:
    """Say whether the other side has ended the connection, in whichever way."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_closing_under_load_ends_every_client(
    stage: "Stage", together: "Callable[[list[Callable[[], Any]]], list[Any]]"
) -> None:
    shown = stage.trial(*["Hi"] * 100_000)
    served = threading.Semaphore(0)

    def ask() -> bool:
        try:
            while True:
                stage.chat(shown)
                served.release()
        except (OSError, HTTPException):  # the latter: cut off in the middle of a reply
            return True

    def close() -> bool:
        for _ in range(50):
            served.acquire(timeout=20)
        stage.listener.close()
        return True

    assert together([ask] * 8 + [close]) == [True] * 9


def test_steps_are_timed_by_the_clock_that_is_handed_in(stage: "Stage") -> None:
    ticks = iter([10.0, 12.5])
    with Listener(clock=lambda: next(ticks)) as listener:
        shown = stage.trial("Hi")
        at = listener.mount(shown.mounted)
        stage.ask(f"{at.openai}/chat/completions", {"messages": [{}]})
    assert shown.mounted.steps[0].seconds == 2.5
