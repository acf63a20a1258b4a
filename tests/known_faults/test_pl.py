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
