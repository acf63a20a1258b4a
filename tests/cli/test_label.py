"""fairtrial judge label: from the command line, in a terminal, and killed in the middle."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

ITEM = "Says sorry"
HOSTILE = "Sorry\x1b[2J\x1b]0;owned\x07 about that."


def graded(desk: "Desk", count: int = 6) -> None:
    cases = [
        desk.case(f"c{at}") | {"expect": {"answer": {"contains": "Sorry"}, "rubric": [ITEM]}}
        for at in range(count)
    ]
    desk.cases(*cases)
    desk.record(*(desk.recording(f"c{at}", HOSTILE) for at in range(count)))
    desk.graded()


def labels(desk: "Desk") -> list[Json]:
    path = desk.folder / "evals" / "labels.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Window:
    """A terminal window with `judge label` in it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.person, own = pty.openpty()
        termios.tcsetwinsize(own, (20, 70))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fairtrial", "judge", "label", "--labeller", "ana", *options],
            cwd=folder,
            env=os.environ | {"TERM": "xterm", "PYTHONUTF8": "1"},
            stdin=own,
            stdout=own,
            stderr=own,
            start_new_session=True,
        )
        os.close(own)
        self.written = ""

    def wait_for(self, text: str) -> None:
        """Read what is written until a text comes."""
        end = time.monotonic() + 60
        while text not in self.written:
            assert time.monotonic() < end, self.written
            if select.select([self.person], [], [], 0.5)[0]:
                with contextlib.suppress(OSError):  # the process has ended
                    self.written += os.read(self.person, 65536).decode("utf-8", "replace")

    def press(self, keys: str, until: str) -> None:
        self.written = ""
        os.write(self.person, keys.encode())
        self.wait_for(until)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.person)


def test_a_kill_in_the_middle_loses_nothing_that_was_said(desk: "Desk") -> None:
    graded(desk)
    window = Window(desk.folder)
    try:
        window.wait_for("1 of 6, 0 answered")
        assert "\x1b[2J" not in window.written
        assert "\x1b]0;" not in window.written
        assert "Sorry\\x1b[2J" in window.written
        window.press("p", "2 of 6, 1 answered")
        window.press("n", "note (Enter keeps it")
        window.press("hm\r", "note: hm")
        window.press("f", "3 of 6, 2 answered")
        window.process.kill()
        window.process.wait()
    finally:
        window.close()
    assert [(row["label"], row.get("note")) for row in labels(desk)] == [
        ("pass", None),
        ("fail", "hm"),
    ]
    window = Window(desk.folder)
    try:
        window.wait_for("3 of 6, 2 answered")
        window.press("q", "2 of 6 questions answered by ana, in evals/labels.jsonl")
        assert window.process.wait(timeout=60) == 0
    finally:
        window.close()


def test_without_a_terminal_it_says_the_way_round(desk: "Desk") -> None:
    graded(desk, 1)
    ran = desk.run("judge", "label", "--labeller", "ana")
    assert ran.code == 2
    assert "`--export FILE` writes the questions out" in ran.err


def test_questions_go_out_and_answers_come_in(desk: "Desk") -> None:
    graded(desk)
    ran = desk.run("judge", "label", "latest", "--labeller", "ana", "--export", "q.jsonl")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("6 questions written to q.jsonl: fill in each `label`, then\n")
    text = (desk.folder / "q.jsonl").read_text(encoding="utf-8")
    desk.write("q.jsonl", text.replace('"label":""', '"label":"pass"'))
    ran = desk.run("judge", "label", "latest", "--labeller", "bo", "--import", "q.jsonl")
    assert (ran.code, ran.out) == (0, "6 answers taken over into evals/labels.jsonl\n")
    assert {row["labeller"] for row in labels(desk)} == {"ana"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--export", "a", "--import", "b"), "one at a time"),
        (("--sample", "0"), "--sample"),
        (("--item", "polite", "--export", "a"), "no item holds 'polite'"),
        (("--import", "none"), "none: cannot be read"),
        (("nothing",), "no run 'nothing'"),
    ],
)
def test_what_does_not_fit_is_said(desk: "Desk", options: tuple[str, ...], said: str) -> None:
    graded(desk, 1)
    ran = desk.run("judge", "label", "--labeller", "ana", *options)
    assert (ran.code, said in ran.err) == (2, True), ran.err


def test_an_export_is_never_written_over_the_labels(desk: "Desk") -> None:
    graded(desk, 1)
    desk.write("evals/labels.jsonl", "")
    ran = desk.run("judge", "label", "--labeller", "a", "--export", "evals/labels.jsonl")
    assert (ran.code, "would be lost" in ran.err) == (2, True)
