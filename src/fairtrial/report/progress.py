"""What is shown while trials run: a live line on a terminal, a plain one now and then elsewhere."""

import contextlib
from collections.abc import Callable
from typing import TextIO

from fairtrial.records import Case, Trial
from fairtrial.report.figures import counted, money
from fairtrial.report.measure import cells, ellipsis, seen
from fairtrial.report.style import Paint, Style

_QUIET = 30.0
"""Seconds between two lines where nothing can be drawn over."""

_MOST_SHOWN = 20
"""Trials that did not pass and are named while the run goes on; the others are counted."""

_CLEAR = "\r\x1b[K"
_REASON = 300


class Progress:
    r"""Looks on while a run goes. On a terminal what failed stays, and one line below it moves.

    Elsewhere a line says how far the run is, every half minute; nothing else, because what comes
    out then would depend on timing. It never raises: a terminal that goes away costs no trial.

    >>> import io
    >>> out = io.StringIO()
    >>> progress = Progress(out, Style(piped=True), clock=lambda: 0.0, currency="USD")
    >>> progress.began(30, 0)
    >>> out.getvalue()
    'running 30 trials\n'
    """

    def __init__(
        self, stream: TextIO, style: Style, *, clock: Callable[[], float], currency: str
    ) -> None:
        """Keep where to write and how; `clock` gives seconds."""
        self._stream = stream
        self._style = style
        self._clock = clock
        self._currency = currency
        self._live = not style.piped and style.width > 0
        self._planned = self._before = self._done = 0
        self._failed = self._errors = self._shown = self._judging = 0
        self._spent: float | None = None
        self._start = self._last = 0.0
        self._drawn = False

    def began(self, planned: int, done: int) -> None:
        """Say how many trials there are, and how many were done before."""
        self._planned, self._before, self._done = planned, done, done
        self._start = self._last = self._clock()
        rest = "" if not done else f", {done:,} of {planned:,} done before"
        self._line(f"running {counted(planned - done, 'trial')}{rest}")

    def trial(self, case: Case, trial: Trial) -> None:
        """Take a trial that is graded and saved."""
        self.unjudged(trial)
        self._tell(case, trial)

    def unjudged(self, trial: Trial) -> None:
        """Take a trial that is saved and waits for the judge."""
        self._done += 1
        if trial.cost is not None:
            self._spent = (self._spent or 0.0) + trial.cost

    def judging(self, trials: int) -> None:
        """Say how many trials wait for the judge."""
        self._judging = trials
        self._line(f"judging {counted(trials, 'trial')}")

    def judged(self, case: Case, trial: Trial) -> None:
        """Take a trial that waited for the judge."""
        self._judging -= 1
        self._tell(case, trial)

    def _tell(self, case: Case, trial: Trial) -> None:
        if trial.verdict == "passed":
            return
        self._failed += trial.verdict == "failed"
        self._errors += trial.verdict == "error"
        if self._live and case.informs is not True:
            self._name(case, trial)

    def tick(self) -> None:
        """Draw the moving line anew, or write a line where it is time for one."""
        if self._live:
            self._draw()
            return
        now = self._clock()
        if now - self._last >= _QUIET:
            self._last = now
            self._line(self._state())

    def close(self) -> None:
        """Take the moving line away."""
        if self._drawn:
            self._drawn = False
            self._write(_CLEAR)

    def _name(self, case: Case, trial: Trial) -> None:
        self._shown += 1
        if self._shown > _MOST_SHOWN:
            return
        word, paint = _WORDS[trial.verdict]
        text = f"{case.id} #{trial.trial}: {_why(trial)}"
        room = self._style.width - len(word) - 2
        if self._drawn:
            self._write(_CLEAR)
            self._drawn = False
        line = _cut(seen(text, unicode=self._style.unicode, most=_REASON), room, self._style)
        self._line(f"{self._style.paint(word, paint)}  {line}")
        if self._shown == _MOST_SHOWN:
            self._line(self._style.paint("further ones are only counted here", "dim"))

    def _draw(self) -> None:
        line = _cut(self._state(), self._style.width - 1, self._style)
        self._drawn = True
        self._write(f"{_CLEAR}{self._style.paint(line, 'dim')}")

    def _state(self) -> str:
        parts = [f"{self._done:,} of {self._planned:,} trials"]
        if self._judging:
            parts.append(f"{self._judging:,} to be judged")
        if self._failed:
            parts.append(f"{self._failed:,} failed")
        if self._errors:
            parts.append(f"{self._errors:,} not measured")
        if self._spent is not None:
            parts.append(f"{money(self._spent)} {self._currency} so far")
        parts.append(_clock_time(self._clock() - self._start))
        return ", ".join(parts)

    def _line(self, text: str) -> None:
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


_WORDS: dict[str, tuple[str, Paint]] = {"failed": ("failed", "red"), "error": ("error", "yellow")}


def _why(trial: Trial) -> str:
    if trial.verdict == "error" and trial.error:
        return trial.error
    wanted = False if trial.verdict == "failed" else None
    for check in trial.checks:
        if check.decides and check.passed is wanted:
            return f"{check.name}: {check.reason}"
    return trial.error or "no check decided"


def _cut(text: str, room: int, style: Style) -> str:
    if cells(text) <= room:
        return text
    mark = ellipsis(unicode=style.unicode)
    while text and cells(text) > room - len(mark):
        text = text[:-1]
    return text + mark


def _clock_time(seconds: float) -> str:
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
