import logging
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.serve.conftest import Stage


def test_the_server_writes_no_log_of_its_own(
    stage: "Stage", caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert stage.chat(stage.trial("Hi")).status == 200
    stage.listener.close()
    ours = {"uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio"}
    assert [one for one in caplog.records if one.name in ours] == []


def test_the_logging_of_other_servers_is_as_it_was_afterwards(stage: "Stage") -> None:
    logger = logging.getLogger("uvicorn.error")
    before = (logger.level, logger.propagate, list(logger.handlers), list(logger.filters))
    stage.chat(stage.trial("Hi"))
    stage.listener.close()
    after = (logger.level, logger.propagate, list(logger.handlers), list(logger.filters))
    assert after == before


def test_it_serves_without_the_faster_parser_too() -> None:
    code = """
import sys
sys.modules["httptools"] = None
import http.client
from fairtrial.serve import Listener, Mounted
with Listener() as listener:
    path = listener.mount(Mounted()).openai.partition(str(listener.port))[2]
    line = http.client.HTTPConnection("127.0.0.1", listener.port)
    for _ in range(2):
        line.request("GET", path + "/models")
        reply = line.getresponse()
        print(reply.status, b"scripted" in reply.read(), "h11" in sys.modules)
    line.close()
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("200 True True\n" * 2, "")


def test_replies_bear_no_date_and_no_maker(stage: "Stage") -> None:
    headers = stage.chat(stage.trial("Hi")).headers
    assert set(headers) == {"content-type", "content-length"}
