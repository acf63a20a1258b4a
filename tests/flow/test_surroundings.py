"""What an agent changes for itself is not changed for who runs it."""

import io
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from fairtrial.flow.surroundings import ended_in_order, kept_surroundings


def test_the_folder_and_the_streams_are_put_back_also_when_all_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    before = sys.stdout, sys.stderr

    def agent() -> None:
        os.chdir("inner")
        sys.stdout = sys.stderr = io.StringIO()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), kept_surroundings():
        agent()
    assert Path.cwd() == tmp_path
    assert (sys.stdout, sys.stderr) == before


def test_a_folder_that_was_renamed_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with kept_surroundings():
        os.chdir("/")
        (tmp_path / "here").rename(tmp_path / "there")
    assert Path.cwd() == tmp_path / "there"


def test_what_an_agent_prints_goes_to_standard_error() -> None:
    before = sys.stdout
    with kept_surroundings():
        assert sys.stdout is sys.stderr
    assert sys.stdout is before


def test_on_github_no_line_of_an_agent_is_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """BL-68."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with kept_surroundings():
        sys.stdout.write("::error::x\n")
    stop, said, go = capsys.readouterr().err.splitlines()
    token = stop.removeprefix("::stop-commands::")
    assert (said, go) == ("::error::x", f"::{token}::")
    assert len(token) == 32
    monkeypatch.delenv("GITHUB_ACTIONS")
    with kept_surroundings():
        pass
    assert capsys.readouterr().err == ""


def test_an_agent_that_leaves_at_once_ends_itself_alone() -> None:
    leave = os._exit
    with kept_surroundings(), pytest.raises(SystemExit) as end:
        os._exit(0)
    assert (end.value.code, os._exit) == (0, leave)


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals there")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_to_be_ended_is_an_interrupt_while_a_run_goes_on(name: str) -> None:
    number = signal.Signals[name]
    assert signal.getsignal(number) is signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt), ended_in_order():
        signal.raise_signal(number)
    assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals there")
def test_who_handles_the_signal_already_goes_on_to() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
    try:
        with ended_in_order():
            signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_run_in_another_thread_leaves_the_signals_alone() -> None:
    seen = []

    def run() -> None:
        with ended_in_order():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.SIG_DFL]
