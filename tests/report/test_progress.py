"""What is shown while trials run."""

import io

from fairtrial.records import Case, Check, Source, Trial
from fairtrial.report import Progress, Style

CASE = Case(id="pay", hash="0", source=Source("a.yaml", 1))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def trial(verdict: str = "passed", *, reason: str = "it did not", **fields: object) -> Trial:
    check = Check(name="finished", passed=verdict == "passed", score=1.0, reason=reason)
    said: dict[str, object] = {
        "case": "pay", "trial": 0, "verdict": verdict, "stop": "answer", "error": None,
        "steps": 1, "tokens": None, "cost": None, "seconds": 1.0, "tool_errors": 0,
        "tools": (), "failed_calls": (), "checks": (check,),
    }  # fmt: skip
    return Trial(**said | fields)  # type: ignore[arg-type]  # fields of many types


def looking(*, piped: bool, width: int = 80) -> tuple[Progress, io.StringIO, Clock]:
    out, clock = io.StringIO(), Clock()
    style = Style(piped=piped, width=width)
    return Progress(out, style, clock=clock, currency="USD"), out, clock


def test_a_pipe_gets_one_line_and_then_one_each_half_minute() -> None:
    progress, out, clock = looking(piped=True)
    progress.began(10, 4)
    progress.trial(CASE, trial("failed", cost=0.5))
    progress.tick()
    assert out.getvalue() == "running 6 trials, 4 of 10 done before\n"
    clock.now = 31
    progress.tick()
    progress.tick()
    last = out.getvalue().splitlines()[1:]
    assert last == ["5 of 10 trials, 1 failed, 0.50 USD so far, 0:31"]


def test_a_terminal_gets_what_failed_at_once_and_a_line_that_moves() -> None:
    progress, out, _ = looking(piped=False)
    progress.began(2, 0)
    progress.trial(CASE, trial())
    progress.tick()
    progress.trial(CASE, trial("failed"))
    progress.tick()
    progress.close()
    text = out.getvalue()
    assert "\r\x1b[K1 of 2 trials, 0:00" in text
    assert "failed  pay #0: finished: it did not\n" in text
    assert text.endswith("\r\x1b[K2 of 2 trials, 1 failed, 0:00\r\x1b[K")


def test_what_could_not_be_measured_says_why() -> None:
    progress, out, _ = looking(piped=False)
    progress.began(1, 0)
    progress.trial(CASE, trial("error", error="script: the script ran out"))
    assert "error  pay #0: script: the script ran out\n" in out.getvalue()


def test_hostile_text_cannot_steer_the_terminal_or_break_the_line() -> None:
    progress, out, _ = looking(piped=False, width=40)
    progress.began(1, 0)
    progress.trial(CASE, trial("failed", reason="\x1b[2J\r\nall passed " * 30))
    shown = out.getvalue().splitlines()[1]
    assert "\x1b[2J" not in shown
    assert len(shown) <= 40


def test_a_terminal_that_is_gone_costs_nothing() -> None:
    progress, out, _ = looking(piped=False)
    out.close()
    progress.began(1, 0)
    progress.trial(CASE, trial("failed"))
    progress.tick()
    progress.close()


def test_after_twenty_failures_the_rest_is_counted() -> None:
    progress, out, _ = looking(piped=False)
    progress.began(50, 0)
    for number in range(50):
        progress.trial(CASE, trial("failed", trial=number))
    assert out.getvalue().count("failed  pay") == 20
    assert "further ones are only counted here" in out.getvalue()
