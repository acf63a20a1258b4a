"""OpenAI's batch API by its SDK; the whole way is in tests/cli/test_judge_batch.py."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from fairtrial.errors import JudgeError
from fairtrial.judge import ModelSettings, OpenAIModel
from fairtrial.judge.batch_openai import OpenAIBatches
from fairtrial.records import Json, JudgePrompt
from tests.judge.batch_server import BatchServer
from tests.judge.conftest import Answer

PROMPT = JudgePrompt(text='{"marker": "m4rk"', schema={"type": "object"}, marker="m4rk")
SINCE = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[BatchServer]:
    made = BatchServer()
    yield made
    made.close()


@pytest.fixture
def api(server: BatchServer) -> Iterator[OpenAIBatches]:
    model = OpenAIModel(ModelSettings(model="m-1", base_url=f"{server.url}/v1", retries=1), "k")
    yield OpenAIBatches(model)
    model.close()


def requests(api: OpenAIBatches, count: int) -> list[tuple[str, Json]]:
    return [(f"r-{number}", api.model.request(PROMPT)) for number in range(count)]


def test_requests_go_up_in_a_file_and_the_batch_has_our_key(
    server: BatchServer, api: OpenAIBatches
) -> None:
    assert api.submit("key", requests(api, 2)) == "batch_0"
    first = server.made["batch_0"][0]
    assert {name: first[name] for name in ("custom_id", "method", "url")} == {
        "custom_id": "r-0",
        "method": "POST",
        "url": "/v1/chat/completions",
    }
    assert first["body"] == api.model.request(PROMPT)
    assert server.keys == {"batch_0": {"fairtrial": "key"}}
    assert [(one.id, one.ours) for one in api.candidates("key", 2, SINCE)] == [("batch_0", True)]
    assert api.candidates("another", 2, SINCE) == []


def test_a_batch_older_than_the_intent_is_not_looked_at(
    server: BatchServer, api: OpenAIBatches
) -> None:
    api.submit("key", requests(api, 1))
    assert api.candidates("key", 1, datetime(2100, 1, 2, tzinfo=UTC)) == []


def test_replies_and_errors_come_from_both_files(server: BatchServer, api: OpenAIBatches) -> None:
    server.lost = lambda number: [None, "expired", "too long"][number]
    batch = api.submit("key", requests(api, 3))
    state = api.state(batch)
    assert (state.word, state.running, state.done, state.failed, state.total) == (
        "completed",
        False,
        1,
        2,
        3,
    )
    found = {one.name: one.why for one in api.outcomes(batch)}
    assert found == {"r-0": None, "r-1": "not executed in time", "r-2": "too long"}


def test_a_batch_that_failed_as_a_whole_says_why(server: BatchServer, api: OpenAIBatches) -> None:
    server.word = "failed"
    batch = api.submit("key", requests(api, 1))
    state = api.state(batch)
    assert (state.word, state.running, state.why) == ("failed", False, "the file is too long")
    assert [*api.outcomes(batch)] == []


def test_a_batch_is_made_once_though_the_provider_fails(
    server: BatchServer, api: OpenAIBatches
) -> None:
    answer = server.answer

    def failing(asked: Any) -> Answer:
        return Answer({}, 500) if asked.path.endswith("/batches") else answer(asked)

    server.answer = failing
    with pytest.raises(JudgeError, match="says 500"):
        api.submit("key", requests(api, 1))
    assert server.paths("POST", "/batches") == 1


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[" * 100_000,
        b"7",
        b"{}",
        json.dumps({"custom_id": "r-0", "response": 7, "error": 8}).encode(),
        json.dumps({"custom_id": "r-0", "response": {"status_code": 500, "body": "x"}}).encode(),
    ],
)
def test_any_line_of_a_file_is_a_request_without_a_reply(
    server: BatchServer, api: OpenAIBatches, line: bytes
) -> None:
    batch = api.submit("key", requests(api, 1))
    api.state(batch)
    answer = server.answer

    def hostile(asked: Any) -> Answer:
        return Answer(line) if asked.path.endswith("/content") else answer(asked)

    server.answer = hostile
    assert all(one.body is None and one.why for one in api.outcomes(batch))
