"""Where an agent finds its model: offline the listener and nothing else."""

import os
import socket

import httpx2
import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.endpoints import OFFLINE_KEY, open_endpoints
from fairtrial.serve import Mounted

NAMES = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment name a provider, its key, and no proxy."""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://provider.invalid/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-TEST-0123456789")
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_offline_an_sdk_without_an_address_finds_refusals_alone() -> None:
    before = dict(os.environ)
    with open_endpoints(live=False) as endpoints:
        url = os.environ["OPENAI_BASE_URL"]
        assert url.startswith("http://127.0.0.1:")
        assert os.environ["OPENAI_API_KEY"] == os.environ["ANTHROPIC_API_KEY"] == OFFLINE_KEY
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        reply = httpx2.post(f"{url}/chat/completions", json=body, trust_env=False)
        assert reply.status_code >= 400
        assert "isolation" in reply.text
        assert endpoints.listener.refused == 1
    assert dict(os.environ) == before


def test_offline_the_agent_is_handed_the_listener_and_no_key() -> None:
    with open_endpoints(live=False) as endpoints:
        mounted = Mounted(tools=None, model=None, before_completion=lambda: None)
        model = endpoints.model(endpoints.listener.mount(mounted), "m-1")
    assert model.base_url.startswith("http://127.0.0.1:")
    assert (model.api_key, model.anthropic_api_key, model.name) == (OFFLINE_KEY, OFFLINE_KEY, "m-1")


def test_live_the_environment_says_where_the_model_is() -> None:
    with open_endpoints(live=True) as endpoints:
        assert os.environ["OPENAI_API_KEY"] == "sk-TEST-0123456789"
        mounted = Mounted(tools=None, model=None, before_completion=lambda: None)
        model = endpoints.model(endpoints.listener.mount(mounted), None)
    assert (model.base_url, model.api_key) == ("https://provider.invalid/v1", "sk-TEST-0123456789")
    assert (model.anthropic_base_url, model.anthropic_api_key) == (
        "https://api.anthropic.com",
        None,
    )


def test_hidden_keys_are_known_as_secrets_all_the_same() -> None:
    for live in (False, True):
        with open_endpoints(live=live) as endpoints:
            assert "sk-TEST-0123456789" in endpoints.secrets


def test_the_environment_is_put_back_when_a_run_breaks() -> None:
    before = dict(os.environ)
    with pytest.raises(ZeroDivisionError), open_endpoints(live=False):
        raise ZeroDivisionError
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ({}, "127.0.0.1"),
        ({"NO_PROXY": "corp.example"}, "corp.example,127.0.0.1"),
        ({"NO_PROXY": "upper", "no_proxy": "lower"}, "lower,127.0.0.1"),
    ],
)
def test_a_proxy_does_not_stand_before_the_listener(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], becomes: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    with open_endpoints(live=False) as endpoints:
        assert os.environ["NO_PROXY"] == os.environ["no_proxy"] == becomes
        assert httpx2.get(endpoints.listener.nowhere.openai).status_code >= 400


def test_where_no_proxy_stands_before_anything_nothing_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with open_endpoints(live=False):
        assert os.environ["NO_PROXY"] == "*"


def test_a_port_that_is_taken_is_told_and_nothing_is_changed() -> None:
    before = dict(os.environ)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError), open_endpoints(live=False, port=taken.getsockname()[1]):
            raise AssertionError("it is taken")
    assert dict(os.environ) == before
