"""Platform: nothing calls home, and nothing that is not asked for is loaded."""

import socket
import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_no_command_opens_a_connection(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    """BL-70."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a connection")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    desk.cases()
    desk.record(desk.recording())
    talk = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "done"}]
    desk.record({"case": "greet", "messages": talk}, name="chat.jsonl")
    codes = [
        desk.run(*line.split()).code
        for line in (
            "--version", "--help", "lint cases.json", "schema",
            "import chat.jsonl --out other.jsonl",
            "grade cases.json --recordings runs.jsonl --json out.json",
            "accept", "gate", "report", "diff latest out.json",
        )
    ]  # fmt: skip
    assert codes == [0] * 10


def test_grading_json_loads_no_yaml_and_no_client(desk: "Desk") -> None:
    """BL-71."""
    desk.cases()
    desk.record(desk.recording())
    code = (
        "import sys\nfrom fairtrial.cli import main\n"
        "try:\n    main('grade cases.json --recordings runs.jsonl -q'.split())\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=desk.folder
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    heavy = {"yaml", "asyncio", "http", "urllib3", "ssl", "sqlite3", "rich", "numpy", "pandas"}
    assert loaded & heavy == set()


RUNS = """
import httpx2

def agent(task):
    body = {"model": "m", "messages": list(task.messages)}
    reply = httpx2.post(f"{task.model.base_url}/chat/completions", json=body, trust_env=False)
    return reply.json()["choices"][0]["message"]["content"]
"""


@pytest.mark.parametrize("live", [False, True])
def test_a_run_connects_to_this_machine_alone(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch, live: bool
) -> None:
    """BL-70."""
    asked: list[object] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connected(self: socket.socket, address: object) -> None:
        asked.append(address[0] if isinstance(address, tuple) else address)
        connect(self, address)  # type: ignore[arg-type]

    def looked_up(host: object, *rest: object, **more: object) -> object:
        asked.append(host)
        return look_up(host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connected)
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    desk.cases(desk.case("greet", script=[{"say": "done"}]))
    desk.write("local_agent.py", RUNS if not live else "def agent(task):\n    return 'done'\n")
    options = ["--live", "--model", "gpt-5-mini", "--max-cost", "1"] if live else []
    desk.run("run", "cases.json", "--agent", "local_agent:agent", "-k", "2", *options)
    assert len(desk.runs()) == 1
    assert {host for host in asked if host} <= {"127.0.0.1", "localhost", b"127.0.0.1"}
    assert live or asked


def test_running_a_function_that_asks_no_model_loads_no_server_and_no_client(desk: "Desk") -> None:
    """BL-71."""
    desk.cases()
    desk.write("plain_agent.py", "def agent(task):\n    return 'done'\n")
    code = (
        "import sys\nfrom fairtrial.cli import main\n"
        "try:\n    main('run cases.json --agent plain_agent:agent -q'.split())\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=desk.folder
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    heavy = {"yaml", "asyncio", "ssl", "uvicorn", "starlette", "httpx2", "genai_prices", "sqlite3"}
    assert loaded & heavy == set()
