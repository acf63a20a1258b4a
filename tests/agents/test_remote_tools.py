"""Tools of a world in another process, over HTTP."""

import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import remote_tools
from fairtrial.agents.remote_tools import RemoteTools, RemoteWorld
from fairtrial.errors import ToolError, TrialOverError
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.agents.conftest import MiniListener, Serve, Shop

NAMES = ["get_order", "cancel"]


@pytest.fixture(autouse=True)
def hung_up() -> Iterator[None]:
    yield
    connection = getattr(remote_tools._threads, "connection", None)
    if connection is not None:
        connection.close()
        remote_tools._threads.connection = None


@pytest.fixture
def tools(listener: "MiniListener", shop: "Shop") -> RemoteTools:
    listener.mounted["t1"] = shop
    return RemoteTools(listener.addresses("t1").tools, NAMES)


def test_it_is_a_mapping_of_tools(tools: RemoteTools, shop: "Shop") -> None:
    assert (list(tools), len(tools), "cancel" in tools, "pay" in tools) == (NAMES, 2, True, False)
    assert tools["get_order"](order="o1") == {"order": {"order": "o1"}, "price": 5}
    assert tools.get_order("o2") == {"order": {"order": "o2"}, "price": 5}
    assert [tool.name for tool in tools.values()] == NAMES
    assert (tools.get("pay"), tools.get("pay", 5)) == (None, 5)
    assert tools.get("get_order") is tools["get_order"]
    with pytest.raises(
        AttributeError, match="there is no tool 'pay'; the tools are: get_order, cancel"
    ):
        _ = tools.pay


def test_a_tool_that_is_not_there_fails_when_called_and_the_world_hears_of_it(
    tools: RemoteTools, shop: "Shop"
) -> None:
    with pytest.raises(ToolError, match="there is no tool 'pay'"):
        tools["pay"](amount=5)
    with pytest.raises(ToolError, match="there is no tool 'pay'"):
        tools["pay"](5, note="n")
    with pytest.raises(ToolError, match="there is no tool 'None'"):
        tools[None]()  # type: ignore[index]  # an agent may hand in anything
    assert shop.calls == [("pay", {"amount": 5}), ("pay", [5, {"note": "n"}]), ("None", {})]


def test_arguments_by_position_that_do_not_fit_are_type_errors(tools: RemoteTools) -> None:
    with pytest.raises(TypeError, match="takes 1 arguments, got 2"):
        tools.get_order("o1", "o2")
    with pytest.raises(TypeError, match="got 'order' twice"):
        tools.get_order("o1", order="o2")


def test_schemas_are_fetched_once_and_only_when_wanted(
    tools: RemoteTools, shop: "Shop", listener: "MiniListener"
) -> None:
    assert listener.served.requests == []
    assert (tools.openai, tools.anthropic, tools.mcp) == (shop.openai, shop.anthropic, shop.mcp)
    assert tools.openai_responses == shop.openai_responses
    assert tools.get_order.description == "Look an order up."
    assert tools.get_order.openai == shop.openai[0]
    assert tools.get_order.openai_responses == shop.openai_responses[0]
    assert tools.get_order.anthropic == shop.anthropic[0]
    assert tools.cancel.anthropic == {}
    assert len(listener.served.requests) == 1


def test_calls_with_objects_raw_text_and_nothing(tools: RemoteTools, shop: "Shop") -> None:
    tools.call("get_order", {"order": "o1"})
    tools.call("get_order", '{"order": ')
    tools.call("get_order")
    assert shop.calls == [
        ("get_order", {"order": "o1"}),
        ("get_order", '{"order": '),
        ("get_order", {}),
    ]


def test_an_error_of_the_tool_is_raised_or_told(tools: RemoteTools) -> None:
    with pytest.raises(ToolError, match=r"Too late\."):
        tools.cancel()
    assert tools.reply("cancel", "{}") == "Too late."
    assert tools.reply("get_order", {"order": 1}) == '{"order":{"order":1},"price":5}'


def test_any_name_and_any_arguments_reach_the_world(tools: RemoteTools, shop: "Shop") -> None:
    with pytest.raises(ToolError):
        tools.call("no/such tool\ud800?", {"a\ud800": "\udfff"})
    assert shop.calls == [("no%2Fsuch%20tool%3F%3F", {"a\ufffd": "\ufffd"})]


def test_a_trial_that_has_ended_is_over(listener: "MiniListener") -> None:
    gone = RemoteTools(listener.addresses("old").tools, NAMES)
    for act in (lambda: gone.call("cancel"), lambda: gone.reply("cancel"), lambda: gone.mcp):
        with pytest.raises(TrialOverError, match="this trial has ended"):
            act()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [(500, b"<html>", "not JSON"), (200, b"[]", "not JSON"), (500, {}, "HTTP 500")],
)
def test_a_reply_that_is_none_is_an_error_of_the_tool(
    status: int, body: Json, words: str, serve: "Serve"
) -> None:
    server = serve(lambda request: (status, body))
    with pytest.raises(ToolError, match=words):
        RemoteTools(f"{server.url}/t/k/tools", NAMES).call("cancel")


def test_connections_are_kept_by_thread_and_made_anew_when_hung_up() -> None:
    accepted = list[int]()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer_twice() -> None:
            for turns in (2, 1):  # hangs up after the second, as an idle server does
                connection, _ = server.accept()
                accepted.append(turns)
                with connection:
                    for _ in range(turns):
                        asked = b""
                        while not asked.endswith(b"{}"):  # in one piece or in two
                            asked += connection.recv(65_536)
                        body = b'{"result": 1}'
                        head = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body)
                        connection.sendall(head + body)
                closed.set()

        closed = threading.Event()
        thread = threading.Thread(target=answer_twice)
        thread.start()
        tools = RemoteTools(f"http://127.0.0.1:{server.getsockname()[1]}/t/k/tools", NAMES)
        assert [tools.call("cancel"), tools.call("cancel")] == [1, 1]
        assert closed.wait(5)
        assert tools.call("cancel") == 1
        thread.join()
    assert accepted == [2, 1]


def test_the_world_gives_its_tools_and_says_where_its_data_is(
    tools: RemoteTools, shop: "Shop"
) -> None:
    world = RemoteWorld(tools)
    assert world.get_order("o1") == {"order": {"order": "o1"}, "price": 5}
    assert world.tools is tools
    with pytest.raises(AttributeError, match="lives in the run's process; use its tools"):
        _ = world.bookings
    assert getattr(world, "_private", None) is None
