"""An agent at an address."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import AgentFailedError, ProviderFailedError, UrlAgent, failure_of
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.agents.conftest import Serve, TaskMaker

Reach = Callable[..., UrlAgent]


@pytest.fixture
def reach(serve: "Serve") -> Iterator[Reach]:
    made: list[UrlAgent] = []

    def make(*answer: Json, **headers: str) -> UrlAgent:
        server = serve(lambda request: answer)
        made.append(UrlAgent(f"{server.url}/agent", headers=headers, timeout=10))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


def test_the_task_is_posted_with_the_headers(serve: "Serve", make_task: "TaskMaker") -> None:
    server = serve(lambda request: (200, "Done."))
    agent = UrlAgent(f"{server.url}/agent", headers={"authorization": "Bearer k"}, timeout=10)
    assert agent(make_task()) == "Done."
    agent.close()
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/agent")
    assert request.json["case"] == "c1"
    assert request.headers["authorization"] == "Bearer k"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("Done.", "Done."),
        ({"answer": "Done."}, {"answer": "Done."}),
        ([{"role": "user"}], [{"role": "user"}]),
        ({"messages": []}, {"messages": []}),
        ({"refund": 5}, '{"refund": 5}'),
        (5, "5"),
        (None, "null"),
    ],
)
def test_json_is_a_trajectory_messages_or_the_answer(
    body: Json, value: Json, reach: Reach, make_task: "TaskMaker"
) -> None:
    assert reach(200, body)(make_task()) == value
    typed = {"content-type": "application/problem+json; charset=utf-8"}
    assert reach(200, json.dumps(body).encode(), typed)(make_task()) == value


def test_another_type_is_the_answer_as_it_stands(reach: Reach, make_task: "TaskMaker") -> None:
    answer = (200, b'{"answer": "x"}\n', {"content-type": "text/plain"})
    assert reach(*answer)(make_task()) == '{"answer": "x"}'


def test_json_that_is_none_is_the_agents_failure(reach: Reach, make_task: "TaskMaker") -> None:
    for body in (b"{", b"", b"[" * 100_000, b"\xff"):
        with pytest.raises(AgentFailedError, match="says application/json and is not JSON"):
            reach(200, body)(make_task())


def test_a_busy_server_is_a_provider_that_failed(reach: Reach, make_task: "TaskMaker") -> None:
    with pytest.raises(ProviderFailedError) as told:
        reach(429, {}, {"retry-after": "2"})(make_task())
    assert (failure_of(told.value).kind, told.value.retry_after) == ("provider", 2.0)


def test_a_server_whose_model_had_no_script_is_not_at_fault(
    reach: Reach, make_task: "TaskMaker"
) -> None:
    for status in (400, 500):
        with pytest.raises((AgentFailedError, ProviderFailedError)) as told:
            reach(status, {"detail": "400 fairtrial_script"})(make_task())
        assert failure_of(told.value).kind == "script"


def test_an_abandoned_task_is_not_begun(reach: Reach, make_task: "TaskMaker") -> None:
    agent, task = reach(200, "Done."), make_task()
    agent.abandon(task)
    with pytest.raises(TrialOverError):
        agent(task)
    assert agent(make_task()) == "Done."


def test_a_closed_agent_asks_nothing(reach: Reach, make_task: "TaskMaker") -> None:
    agent = reach(200, "Done.")
    agent.close()
    with pytest.raises(TrialOverError):
        agent(make_task())


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://a/b", "http://", "http://[", 5])
def test_what_is_no_address_is_refused(url: Json) -> None:
    with pytest.raises(PluginError, match="agent url: wanted an address such as"):
        UrlAgent(url, headers={}, timeout=1)


@pytest.mark.parametrize("headers", [{"a": "b\nc"}, {"a\n": "b"}, {"a": "\u20ac"}, {"a": 5}])
def test_a_header_that_http_cannot_hold_is_refused(headers: dict[str, Json]) -> None:
    with pytest.raises(PluginError, match="wants one line of Latin characters"):
        UrlAgent("http://127.0.0.1/", headers=headers, timeout=1)


def test_a_password_is_not_in_its_name() -> None:
    agent = UrlAgent("https://me:secret@example.org/agent?key=1", headers={}, timeout=1)
    assert agent.name == "https://example.org/agent"
