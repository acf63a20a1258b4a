"""Anthropic's batch API by its SDK; the whole way is in tests/cli/test_judge_batch.py."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from fairtrial.errors import JudgeError
from fairtrial.judge import AnthropicModel, ModelSettings, request_name
from fairtrial.judge.batch_anthropic import AnthropicBatches
from fairtrial.records import Json, JudgePrompt
from tests.judge.batch_server import BatchServer
from tests.judge.conftest import Answer, Asked

PROMPT = JudgePrompt(text='{"marker": "m4rk"', schema={"type": "object"}, marker="m4rk")
SINCE = datetime(2026, 11, 30, tzinfo=UTC)
KEY = "ab" * 16


@pytest.fixture
def server() -> Iterator[BatchServer]:
    made = BatchServer()
    yield made
    made.close()


@pytest.fixture
def api(server: BatchServer) -> Iterator[AnthropicBatches]:
    model = AnthropicModel(ModelSettings(model="m-1", base_url=server.url, retries=1), "k")
    yield AnthropicBatches(model)
    model.close()


def requests(api: AnthropicBatches, count: int, key: str = KEY) -> list[tuple[str, Json]]:
    body = api.model.request(PROMPT)
    return [(request_name(key, number), body) for number in range(count)]


def test_requests_are_sent_as_one_by_one_ones_are(
    server: BatchServer, api: AnthropicBatches
) -> None:
    assert api.submit(KEY, requests(api, 2)) == "batch_0"
    first = server.made["batch_0"][0]
    assert first == {"custom_id": "abababababababab-0", "params": api.model.request(PROMPT)}
    assert first["params"]["temperature"] == 0.0


def test_whose_a_batch_is_shows_when_it_has_ended(
    server: BatchServer, api: AnthropicBatches
) -> None:
    server.looks = 2
    api.submit("cd" * 16, requests(api, 2, "cd" * 16))
    api.submit(KEY, requests(api, 2))
    api.submit(KEY, requests(api, 3))
    assert [one.ours for one in api.candidates(KEY, 2, SINCE)] == [None, None]
    found = [(one.id, one.ours) for one in api.candidates(KEY, 2, SINCE)]
    assert found == [("batch_1", True), ("batch_0", False)]
    assert api.candidates(KEY, 2, datetime(2100, 1, 2, tzinfo=UTC)) == []


def test_results_are_replies_or_say_why_not(server: BatchServer, api: AnthropicBatches) -> None:
    server.lost = lambda number: [None, "expired", "overloaded"][number]
    batch = api.submit(KEY, requests(api, 3))
    state = api.state(batch)
    assert (state.word, state.running, state.done, state.failed) == ("expired", False, 1, 2)
    outcomes = [*api.outcomes(batch)]
    assert [one.why for one in outcomes] == [None, "the batch expired", "overloaded"]
    assert api.model.read(outcomes[0].body).text.startswith("{")


def test_a_batch_is_made_once_though_the_provider_fails(
    server: BatchServer, api: AnthropicBatches
) -> None:
    server.answer = lambda asked: Answer({"error": {"message": "down"}}, 500)
    with pytest.raises(JudgeError, match=r"says 500, the provider failed: down"):
        api.submit(KEY, requests(api, 1))
    assert server.paths("POST", "/batches") == 1


def test_results_that_are_no_json_are_an_error(server: BatchServer, api: AnthropicBatches) -> None:
    batch = api.submit(KEY, requests(api, 1))
    api.state(batch)
    answer = server.answer

    def hostile(asked: Asked) -> Answer:
        return Answer(b"<html>\n") if asked.path.endswith("/results") else answer(asked)

    server.answer = hostile
    with pytest.raises(JudgeError, match="judge m-1"):
        list(api.outcomes(batch))
