"""The action's script that comments: one comment, its own, and never a red build because of it."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from fairtrial.records import Json

SCRIPT = Path(__file__).parents[2] / "action" / "comment.py"
MARKER = "<!-- fairtrial: shop -->"
BOT, PERSON = {"login": "github-actions[bot]", "type": "Bot"}, {"login": "eve", "type": "User"}


class Ran(NamedTuple):
    """What the script came to."""

    code: int
    out: str


class GitHub(ThreadingHTTPServer):
    """The part of GitHub's API that the script uses, with one repository and one token."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.comments: list[dict[str, Json]] = []
        self.asked: list[str] = []
        self.status: dict[str, list[int]] = {"GET /user": [403]}
        self.me: dict[str, str] = BOT
        self.odd: bytes | None = None
        """What is answered to anything, as it goes over the wire."""

    def add(self, body: str, user: Json) -> dict[str, Json]:
        comment = {"id": 3_000_000_000 + len(self.comments), "body": body, "user": user}
        self.comments.append(comment)
        return comment

    def bodies(self) -> list[str]:
        return [one["body"] for one in self.comments]


class _Answer(BaseHTTPRequestHandler):
    server: GitHub

    def log_message(self, *words: object) -> None:
        return

    def _reply(self, status: int, content: Json) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _take(self) -> None:
        assert self.headers["Authorization"] == "Bearer t0ken"
        path, _, query = self.path.partition("?")
        asked = f"{self.command} {path}"
        self.server.asked.append(asked)
        size = int(self.headers["Content-Length"] or 0)
        content = json.loads(self.rfile.read(size)) if size else {}
        planned = self.server.status.get(asked) or self.server.status.get("*") or []
        status = planned[0] if planned else 200
        if len(planned) > 1:
            planned.pop(0)
        if self.server.odd is not None:
            self.wfile.write(self.server.odd)
        elif status != 200:
            self._reply(status, {"message": "no"})
        elif path == "/user":
            self._reply(200, self.server.me)
        elif self.command == "GET":
            page = int(query.rpartition("page=")[2])
            self._reply(200, self.server.comments[100 * (page - 1) : 100 * page])
        elif self.command == "POST":
            self._reply(201, self.server.add(content["body"], self.server.me))
        else:
            number = int(path.rpartition("/")[2])
            (found,) = (one for one in self.server.comments if one["id"] == number)
            found["body"] = content["body"]
            self._reply(200, found)

    do_GET = do_POST = do_PATCH = _take  # noqa: N815 - as the library calls them


class Build:
    """A build of pull request 7."""

    def __init__(self, folder: Path, github: GitHub) -> None:
        self.folder = folder
        self.github = github
        self.event: Json = {"pull_request": {"number": 7}}

    def comment(self, scorecard: str | None = "### all", **environment: str) -> Ran:
        """Let the script comment."""
        (self.folder / "event.json").write_text(json.dumps(self.event), encoding="utf-8")
        if scorecard is not None:
            (self.folder / "scorecard.md").write_text(scorecard, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", _SLEEPLESS, str(SCRIPT)],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONUTF8": "1",
                "GITHUB_API_URL": f"http://127.0.0.1:{self.github.server_port}",
                "GITHUB_REPOSITORY": "octo/shop",
                "GITHUB_TOKEN": "t0ken",
                "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
                "GITHUB_SERVER_URL": "https://github.example",
                "GITHUB_RUN_ID": "42",
                "FAIRTRIAL_SCORECARD": str(self.folder / "scorecard.md"),
                "FAIRTRIAL_KEY": "shop",
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert "t0ken" not in done.stdout
        return Ran(done.returncode, done.stdout)


_SLEEPLESS = """
import runpy, sys, time
time.sleep = lambda seconds: None
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Give a build whose GitHub is in this process."""
    with GitHub() as github:
        thread = threading.Thread(target=github.serve_forever, args=(0.01,))
        thread.start()
        yield Build(tmp_path, github)
        github.shutdown()
        thread.join()


def test_the_first_build_posts_and_the_next_ones_change_that_one(build: Build) -> None:
    build.github.add("hello", PERSON)
    for text in ("### one", "### two"):
        ran = build.comment(text)
        assert ran == Ran(0, "fairtrial: the comment on pull request 7 is up to date\n")
        log = "[Log and artifacts](https://github.example/octo/shop/actions/runs/42)"
        assert build.github.bodies() == ["hello", f"{MARKER}\n{text}\n{log}\n"]


def test_an_equal_comment_is_left_alone(build: Build) -> None:
    build.comment()
    build.github.asked.clear()
    build.comment()
    assert [one.split()[0] for one in build.github.asked] == ["GET", "GET"]


def test_suites_have_a_comment_each(build: Build) -> None:
    build.comment("### a", FAIRTRIAL_KEY="a")
    build.comment("### b", FAIRTRIAL_KEY="b")
    build.comment("### c", FAIRTRIAL_KEY="a")
    assert [body.splitlines()[1] for body in build.github.bodies()] == ["### c", "### b"]


def test_nobody_elses_comment_is_changed_whatever_it_begins_with(build: Build) -> None:
    build.github.add(f"{MARKER}\nmine", PERSON)
    build.github.add(f"I quote: {MARKER}", BOT)
    build.comment()
    assert build.github.bodies()[:2] == [f"{MARKER}\nmine", f"I quote: {MARKER}"]
    assert len(build.github.comments) == 3


def test_a_persons_token_finds_its_own_comment(build: Build) -> None:
    build.github.status = {}
    build.github.me = PERSON
    build.github.add(f"{MARKER}\nof the bot", BOT)
    build.comment("### one")
    build.comment("### two")
    assert len(build.github.comments) == 2


def test_the_comment_is_found_behind_many_others(build: Build) -> None:
    for number in range(250):
        build.github.add(str(number), PERSON)
    build.comment("### one")
    build.comment("### two")
    assert len(build.github.comments) == 251


@pytest.mark.parametrize("status", [401, 403, 404])
def test_where_it_may_not_comment_it_says_so_and_fails_nothing(build: Build, status: int) -> None:
    build.github.status["*"] = [status]
    ran = build.comment()
    assert ran.code == 0
    assert ran.out.startswith("::notice::fairtrial may not comment here")


def test_a_server_that_fails_is_asked_again_and_a_post_is_sent_once(build: Build) -> None:
    path = "/repos/octo/shop/issues/7/comments"
    build.github.status[f"GET {path}"] = [502, 502, 200]
    assert "up to date" in build.comment().out
    build.github.comments.clear()
    build.github.asked.clear()
    build.github.status[f"POST {path}"] = [502]
    assert build.comment().out.startswith("::warning::fairtrial could not comment (502")
    assert build.github.asked.count(f"POST {path}") == 1


def test_a_server_that_is_not_there_fails_nothing(build: Build) -> None:
    ran = build.comment(GITHUB_API_URL="http://127.0.0.1:9")
    assert ran.code == 0
    assert ran.out.startswith("::warning::fairtrial could not comment")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no HTTP at all\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n[",
        b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"message": "x"}',
        b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n[null]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull",
    ],
)
def test_an_answer_of_no_sense_fails_nothing(build: Build, answer: bytes) -> None:
    build.github.odd = answer
    ran = build.comment()
    assert ran.code == 0
    assert ran.out.startswith("::warning::fairtrial could not comment")
    assert ran.out.count("\n") == 1


def test_a_scorecard_that_is_no_text_fails_nothing(build: Build) -> None:
    (build.folder / "scorecard.md").write_bytes(b"\xff\xfe\x00")
    assert "could not comment: UnicodeDecodeError" in build.comment(None).out


@pytest.mark.parametrize("event", [{}, {"pull_request": None}, [], {"pull_request": {}}])
def test_a_build_for_no_pull_request_asks_nothing(build: Build, event: Json) -> None:
    build.event = event
    assert build.comment().code == 0
    assert build.github.asked == []


def test_no_scorecard_is_said(build: Build) -> None:
    ran = build.comment(None)
    assert ran.code == 0
    assert "could not comment: FileNotFoundError" in ran.out


def test_a_long_scorecard_is_cut_to_what_github_takes(build: Build) -> None:
    build.comment("x" * 100_000)
    (body,) = build.github.bodies()
    assert len(body) <= 65_536
    assert body.endswith("actions/runs/42)\n")


def test_a_key_cannot_end_the_marker(build: Build) -> None:
    build.comment(FAIRTRIAL_KEY="a --> <script>\n@all")
    (body,) = build.github.bodies()
    assert body.startswith("<!-- fairtrial: a_script_all -->\n")
