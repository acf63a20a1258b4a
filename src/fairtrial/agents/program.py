"""A program in a process group of its own: started, waited for without threads, killed whole."""

import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from fairtrial.errors import PluginError
from fairtrial.records import clean_text

_IN = select.POLLIN | select.POLLHUP | select.POLLERR
_UNTOLD = 0.05  # seconds between looks where the system does not tell of a program's end
_TAIL = 16_000  # bytes kept of what a program writes to its error stream
_TAIL_TEXT = 4_000  # characters shown of them


class Program:
    """A program that runs, in its own session, so that it is killed with all that it started."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        pass_fds: Sequence[int] = (),
        piped: bool = True,
    ) -> None:
        """Start the program.

        Args:
            command: The program and its arguments.
            env: The whole environment.
            cwd: Where it runs; None: here.
            pass_fds: Descriptors that it inherits.
            piped: True: stdin, stdout and stderr are pipes. False: no stdin, and one pipe for
                both outputs, `stderr`.

        Raises:
            PluginError: It cannot be started.
        """
        clean = {
            clean_text(name): clean_text(value).replace("\0", "") for name, value in env.items()
        }
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - the command is the team's own
                list(command),
                stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if piped else subprocess.STDOUT,
                cwd=cwd,
                env=clean,
                pass_fds=pass_fds,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise PluginError(_not_started(command, cwd, error)) from error
        self.pid = self._popen.pid
        self._lock = Lock()
        self._buried = False
        self._told = _told_of_the_end(self.pid)
        out, err = self._popen.stdout, self._popen.stderr
        self.stdin = -1 if self._popen.stdin is None else self._popen.stdin.fileno()
        self.stdout = out.fileno() if piped and out else -1
        self.stderr = next((one.fileno() for one in (err, out) if one), -1)
        for fd in (self.stdin, self.stdout, self.stderr):
            if fd >= 0:
                os.set_blocking(fd, False)

    def close_stdin(self) -> None:
        """Let the program read the end of its input."""
        if self._popen.stdin is not None:
            self._popen.stdin.close()
        self.stdin = -1

    def ended(self) -> bool:
        """Say whether the program itself has ended; what it started may still run."""
        if self._told is not None:
            return bool(poll({self._told: _IN}, 0))
        return self._popen.poll() is not None

    def wait(self, wanted: Mapping[int, int]) -> dict[int, int]:
        """Wait until a descriptor is ready or the program ends, and give what is ready.

        Args:
            wanted: What to wait for, by descriptor, as `select.poll` has it.
        """
        if self._told is not None:
            ready = poll({**wanted, self._told: _IN}, None)
            ready.pop(self._told, None)
            return ready
        while True:
            ready = poll(wanted, _UNTOLD)
            if ready or self._popen.poll() is not None:
                return ready

    def kill(self) -> None:
        """Kill the program and all that is in its group, at once; from any thread, at any time."""
        with self._lock:
            if not self._buried:
                self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # all have ended
            os.killpg(self.pid, signal.SIGKILL)

    def bury(self) -> int:
        """Kill what is left, wait for the end, and let go of everything, once.

        Returns:
            The exit code, or the negative number of the signal.
        """
        with self._lock:
            if self._buried:
                return self._popen.wait()
            # Until it was waited for, the program's number, and so its group's, is not reused.
            self._kill()
            code = self._popen.wait()
            self._buried = True
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()
        if self._told is not None:
            os.close(self._told)
            self._told = None
        return code


class Tail:
    """The end of what was written."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._bytes = b""

    def add(self, chunk: bytes) -> None:
        """Keep the end of what there is now."""
        self._bytes = (self._bytes + chunk)[-_TAIL:]

    def __str__(self) -> str:
        return self._bytes.decode(errors="replace").strip()[-_TAIL_TEXT:]


def poll(wanted: Mapping[int, int], seconds: float | None) -> dict[int, int]:
    """Give which descriptors are ready, at the latest after some seconds (None: no end)."""
    # Not select(): with many trials at once descriptors go past its 1,024.
    waiting = select.poll()
    for fd, events in wanted.items():
        waiting.register(fd, events)
    return dict(waiting.poll(None if seconds is None else seconds * 1000))


def read_ready(fd: int) -> bytes | None:
    """Give what is there on a descriptor that does not block: b"" at its end, None if nothing."""
    try:
        return os.read(fd, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def ending_of(code: int) -> tuple[str, str | None]:
    """Give words for how a program ended, and the signal's name if one ended it.

    >>> ending_of(3), ending_of(-9)
    (('ended with exit code 3', None), ('was ended by SIGKILL', 'SIGKILL'))
    """
    if code >= 0:
        return f"ended with exit code {code}", None
    try:
        name = signal.Signals(-code).name
    except ValueError:  # real-time signals have no name
        name = f"signal {-code}"
    return f"was ended by {name}", name


def _told_of_the_end(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # Linux alone, and not in every sandbox
        return None


def _not_started(command: Sequence[str], cwd: Path | None, error: Exception) -> str:
    shown = f"command {list(command)!r}: cannot be started"
    if cwd is not None and not cwd.is_dir():
        return f"{shown}: its folder {cwd} is not there"
    reason = (isinstance(error, OSError) and error.strerror) or str(error)
    if isinstance(error, FileNotFoundError) and (cwd or Path()).joinpath(command[0]).is_file():
        return f"{shown}: the program that its first line (#!) names is not there"
    if isinstance(error, FileNotFoundError):
        return f"{shown}: {command[0]}: no such program; give its path, or put it on the PATH"
    if isinstance(error, PermissionError):
        return f"{shown}: {command[0]}: {reason}; make it executable: chmod +x {command[0]}"
    return f"{shown}: {reason}"
