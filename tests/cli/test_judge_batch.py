"""fairtrial judge batch, from the command line, with the real SDKs and a provider of ours."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json
from tests.judge.batch_server import BatchServer

if TYPE_CHECKING:
    from tests.cli.conftest import Bench
    from tests.conftest import Ran

KEY = "sk-secret-4711"
AGENT = "def agent(task):\n    return 'Get well.'\n"
CASES: list[Json] = [
    {
        "id": f"c{number}",
        "input": "I am ill.",
        "expect": {"answer": {"contains": ["well"]}, "rubric": ["Is polite", "Says sorry"]},
    }
    for number in range(3)
]


@pytest.fixture
def server() -> Iterator[BatchServer]:
    made = BatchServer()
    yield made
    made.close()


@pytest.fixture(params=["openai", "anthropic"])
def shop(
    request: pytest.FixtureRequest,
    bench: "Bench",
    server: BatchServer,
    monkeypatch: pytest.MonkeyPatch,
) -> "Bench":
    """Give a suite of three cases with two items each, run once, whose judge is at our server."""
    base = f"{server.url}/v1" if request.param == "openai" else server.url
    settings = (
        f'[judge]\nmodel = "m-1"\nprovider = "{request.param}"\nbase_url = "{base}"\n'
        'key = "JUDGE_KEY"\n[prices.m-1]\ninput = 2\noutput = 4\n'
    )
    monkeypatch.setenv("JUDGE_KEY", KEY)
    bench.suite(AGENT, *CASES, settings=settings)
    assert bench.run().code == 0
    return bench


def batch(shop: "Bench", *options: str) -> "Ran":
    return shop.desk.run("judge", "batch", "latest", "--every", "0.01", *options)


def batches(shop: "Bench") -> list[Json]:
    kept: list[Json] = json.loads((shop.desk.runs()[0] / "batch.json").read_text())["batches"]
    return kept


def replies(shop: "Bench") -> list[Json]:
    return [json.loads(line) for line in shop.lines(".fairtrial/judge.jsonl")]


def judged(shop: "Bench") -> list[bool | None]:
    """Grade the run again with what is on file; give what became of its rubric items."""
    ran = shop.desk.run("grade", "latest", "--judge", "replay", "--json", "out.json", "--no-save")
    assert ran.code == 0, ran.err
    return [
        check["passed"]
        for case in shop.desk.read("out.json")["cases"]
        for check in case["trials"][0]["checks"]
        if check["name"].startswith("rubric")
    ]


def test_without_submit_nothing_is_sent_and_the_price_is_said(
    shop: "Bench", server: BatchServer
) -> None:
    ran = batch(shop)
    assert (ran.code, server.asked) == (0, [])
    assert "missing      6 replies, about " in ran.out
    assert " USD in batches (half the price)" in ran.out
    assert "fairtrial judge batch latest --submit" in ran.out
    assert not (shop.desk.runs()[0] / "batch.json").exists()


def test_a_run_is_judged_in_a_batch(shop: "Bench", server: BatchServer) -> None:
    ran = batch(shop, "--submit", "--json", "use.json")
    assert ran.code == 0, ran.err
    assert len(server.made) == 1
    use = shop.desk.read("use.json")
    assert (use["asked"], use["replies"], use["missing"]) == (6, 6, 0)
    # 20 tokens read and 5 written each: one at the full price, five at half of it
    assert use["cost"] == pytest.approx(60e-6 + 5 * 30e-6)
    assert judged(shop) == [True] * 6
    (kept,) = batches(shop)
    assert (kept["id"], kept["ended"], kept["replies"]) == ("batch_0", "completed", 5)
    assert "asks" not in kept
    before = len(server.asked)
    assert batch(shop, "--submit").code == 0
    assert len(server.asked) == before


def test_what_a_model_does_not_take_is_in_no_batch(shop: "Bench", server: BatchServer) -> None:
    server.refuses = "temperature"
    assert batch(shop, "--submit").code == 0
    (sent,) = server.made.values()
    assert all("temperature" not in (one.get("body") or one["params"]) for one in sent)


def test_replies_that_cannot_be_read_are_asked_for_in_a_second_batch(
    shop: "Bench", server: BatchServer
) -> None:
    passing = server.said
    server.said = lambda prompt: passing(prompt) if "no verdict" in prompt else "Hm."
    ran = batch(shop, "--submit")
    assert ran.code == 0, ran.err
    # the first prompt was answered alone, and asked again with those of the first batch
    assert [len(one) for one in server.made.values()] == [5, 6]
    assert judged(shop) == [True] * 6


def test_requests_that_come_to_nothing_are_said_and_can_be_asked_again(
    shop: "Bench", server: BatchServer
) -> None:
    server.lost = lambda number: {1: "expired", 2: "overloaded"}.get(number)
    server.word = "expired"
    ran = batch(shop, "--submit")
    assert ran.code == 3
    assert "expired" in ran.out
    assert "overloaded" in ran.out
    assert "left         2 replies" in ran.out
    assert judged(shop).count(None) == 2
    server.lost, server.word = lambda number: None, "completed"
    assert batch(shop, "--submit").code == 0
    assert judged(shop) == [True] * 6
    assert len(replies(shop)) == 6


def test_who_does_not_wait_fetches_later(shop: "Bench", server: BatchServer) -> None:
    server.looks = 3
    ran = batch(shop, "--submit", "--no-wait")
    assert (ran.code, "waiting      5 requests" in ran.out) == (0, True)
    assert batch(shop, "--submit", "--no-wait").code == 0  # it runs still, and nothing is sent
    assert len(server.made) == 1
    assert batch(shop).code == 0
    assert judged(shop) == [True] * 6


def poll(shop: "Bench") -> "subprocess.Popen[str]":
    return shop.start("judge", "batch", "latest", "--every", "0.05", "--submit")


def test_a_killed_poll_resumes_and_sends_nothing_twice(shop: "Bench", server: BatchServer) -> None:
    server.looks = 1_000_000
    process = poll(shop)
    assert process.stdout is not None
    for line in process.stdout:
        if "in_progress" in line:
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)
    (kept,) = batches(shop)
    assert (kept["id"], len(kept["asks"])) == ("batch_0", 5)
    server.looks = 1
    assert batch(shop, "--submit").code == 0
    assert len(server.made) == 1
    assert judged(shop) == [True] * 6


def test_a_kill_between_sending_and_writing_the_id_sends_nothing_twice(
    shop: "Bench", server: BatchServer
) -> None:
    started: list[subprocess.Popen[str]] = []
    server.on_made = lambda: os.killpg(started[0].pid, signal.SIGKILL)
    started.append(poll(shop))
    started[0].wait(60)
    (kept,) = batches(shop)
    assert (kept.get("id"), len(kept["asks"]), len(server.made)) == (None, 5, 1)
    server.on_made = lambda: None
    ran = batch(shop, "--submit")
    assert ran.code == 0, ran.err
    assert "found again" in ran.out
    assert len(server.made) == 1
    assert judged(shop) == [True] * 6


def test_a_batch_that_was_never_sent_is_sent_then(shop: "Bench", server: BatchServer) -> None:
    server.looks = 9
    assert batch(shop, "--submit", "--no-wait").code == 0
    server.looks = 1
    server.made.clear()
    file = shop.desk.runs()[0] / "batch.json"
    kept = json.loads(file.read_text())
    kept["batches"][0]["id"] = None
    file.write_text(json.dumps(kept))
    ran = batch(shop, "--submit")
    assert ran.code == 0, ran.err
    assert "never was" in ran.out
    assert len(server.made) == 1
    assert judged(shop) == [True] * 6


def test_two_processes_do_not_wait_for_the_same_batches(shop: "Bench", server: BatchServer) -> None:
    server.looks = 1_000_000
    process = poll(shop)
    assert process.stdout is not None
    for line in process.stdout:
        if "in_progress" in line:
            break
    ran = batch(shop, "--submit")
    assert (ran.code, "in another process" in ran.err) == (2, True)


def test_ctrl_c_leaves_the_batch_to_be_fetched(shop: "Bench", server: BatchServer) -> None:
    server.looks = 1_000_000
    process = poll(shop)
    assert process.stdout is not None
    for line in process.stdout:
        if "in_progress" in line:
            break
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "the same command fetches them" in out
    server.looks = 1
    assert batch(shop).code == 0
    assert judged(shop) == [True] * 6


def test_no_key_is_on_disk_or_printed(shop: "Bench", server: BatchServer) -> None:
    ran = batch(shop, "--submit")
    assert KEY not in ran.out + ran.err
    folder = shop.desk.runs()[0]
    for file in (*folder.glob("*.json*"), shop.folder / ".fairtrial/judge.jsonl"):
        assert KEY not in Path(file).read_text()


def test_a_batch_of_another_judge_is_not_fetched_by_this_one(
    shop: "Bench", server: BatchServer
) -> None:
    server.looks = 9
    assert batch(shop, "--submit", "--no-wait").code == 0
    settings = (shop.folder / "fairtrial.toml").read_text()
    (shop.folder / "fairtrial.toml").write_text(settings.replace('"m-1"', '"m-2"'))
    ran = batch(shop)
    assert (ran.code, "a batch was sent for judge m-1" in ran.err) == (2, True)


def test_what_is_read_is_not_written_over(shop: "Bench", server: BatchServer) -> None:
    server.looks = 9
    assert batch(shop, "--submit", "--no-wait").code == 0
    ran = batch(shop, "--json", str(shop.desk.runs()[0] / "batch.json"))
    assert (ran.code, "would be lost" in ran.err) == (2, True)


def test_a_judge_that_is_a_function_has_no_batches(bench: "Bench") -> None:
    bench.desk.write("own_judge.py", "def ask(prompt):\n    return prompt\n")
    bench.suite(AGENT, *CASES, settings='judge = "own_judge:ask"\n')
    assert bench.run().code == 0
    ran = bench.desk.run("judge", "batch", "latest")
    assert (ran.code, "is a function, which has no batches" in ran.err) == (2, True)
