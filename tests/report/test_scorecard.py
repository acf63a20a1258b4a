"""Whole scorecards, compared as they are printed; `GOLDEN=write` writes them anew."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fairtrial.records import CaseResult, Check, Mode, RunInfo, Scorecard, Trial
from fairtrial.report import PLAIN, Style, scorecard_lines
from fairtrial.report.measure import cells

GOLDEN = Path(__file__).parent / "golden"
CLOSING = "exit 1: a trial failed"
SGR = re.compile(r"\x1b\[[0-9]+m")


class Run(Protocol):
    """What the fixtures give."""

    info: RunInfo
    scorecard: Scorecard
    results: tuple[CaseResult, ...]


def written(run: Run, style: Style = PLAIN, *, verbose: bool = False) -> list[str]:
    return list(
        scorecard_lines(
            run.info, run.scorecard, run.results, style, closing=CLOSING, verbose=verbose
        )
    )


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *(("small", width) for width in (60, 80, 120)),
        *(("hostile", width) for width in (60, 200)),
        ("large", 80),
        ("empty", 80),
        ("unknown", 80),
    ],
)
def test_a_scorecard_reads_as_the_golden_file(
    name: str, width: int, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(f"{name}_run")
    path = GOLDEN / f"{name}-{width}.txt"
    text = "\n".join([*written(run, Style(width=width)), ""])
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["small", "hostile"])
def test_colour_changes_nothing_but_the_colour(name: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(f"{name}_run")
    painted = written(run, Style(colour=True))
    assert [SGR.sub("", line) for line in painted] == written(run)
    assert any("\x1b[" in line for line in painted)


def test_without_unicode_every_line_is_ascii(hostile_run: Run) -> None:
    assert all(line.isascii() for line in written(hostile_run, Style(unicode=False)))


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("none", "No model was seen"),
        ("scripted", "a prompt or model change cannot show"),
        ("live", "Live"),
        ("replayed", "Replayed"),
    ],
)
def test_the_first_words_say_who_spoke_for_the_model(
    small_run: Run, mode: Mode, words: str
) -> None:
    lines = scorecard_lines(
        replace(small_run.info, mode=mode), small_run.scorecard, small_run.results, Style(width=200)
    )
    assert words in next(lines)


def test_the_last_line_says_what_the_exit_code_means(small_run: Run) -> None:
    assert written(small_run)[-1] == CLOSING


def test_bad_cases_come_before_the_passed_ones(small_run: Run) -> None:
    lines = written(small_run)
    starts = [line.split(" ")[0] for line in lines]
    assert starts.index("passed") > max(starts.index(word) for word in ("FAILED", "FLAKY", "ERROR"))


def test_many_passed_cases_are_counted_and_shown_on_request(large_run: Run) -> None:
    assert "488 passed (show with --verbose)" in written(large_run)
    shown = [line for line in written(large_run, verbose=True) if line.startswith("passed ")]
    assert len(shown) == 488


def test_a_check_is_said_once_for_all_trials(small_run: Run) -> None:
    text = "\n".join(written(small_run, Style(width=200)))
    assert text.count("state.cancellations in 3 of 3 trials: ") == 1


def test_an_informing_check_that_failed_is_shown_and_says_that_it_informs(small_run: Run) -> None:
    lines = written(small_run, Style(width=200))
    assert any(line.strip().startswith("(informs) failed limits.seconds") for line in lines)
    assert "  limits.seconds           0 %  0 of 2 (informs)" in lines


def test_other_reasons_are_counted(small_run: Run, make_run: Callable[..., Run]) -> None:
    trials = small_run.results[1].trials
    other = tuple(
        replace(check, reason="something else") if not check.passed else check
        for check in trials[0].checks
    )
    mixed = replace(small_run.results[1], trials=(replace(trials[0], checks=other), *trials[1:]))
    text = "\n".join(written(make_run([mixed], k=3), Style(width=200)))
    assert "state.cancellations in 3 of 3 trials, 1 other reason: cancellations[0].fee" in text


def test_the_number_of_bad_cases_in_full_is_bounded_and_none_is_hidden(
    small_run: Run, make_run: Callable[..., Run]
) -> None:
    bad = small_run.results[1]
    run = make_run([replace(bad, id=f"case-{n}") for n in range(100)], k=3)
    lines = written(run)
    assert sum(line.startswith("FAILED") for line in lines) == 100
    assert sum("state.cancellations in" in line for line in lines) == 40
    assert "60 cases without details (show with --verbose)" in lines


def test_results_are_read_as_they_are_written(large_run: Run) -> None:
    taken: list[str] = []

    def reading() -> Iterator[CaseResult]:
        for result in large_run.results:
            taken.append(result.id)
            yield result

    lines = scorecard_lines(large_run.info, large_run.scorecard, reading(), PLAIN)
    assert next(line for line in lines if line.startswith("FAILED"))
    assert len(taken) == 41


def test_a_passed_case_with_unmeasured_trials_is_shown_in_full(large_run: Run) -> None:
    short = replace(large_run.results[0], planned=3)
    run = (large_run.info, large_run.scorecard, [short])
    assert "        1 of 3 planned trials measured" in list(scorecard_lines(*run, PLAIN))


def test_an_agent_that_raised_is_quoted_unless_a_check_does_so(small_run: Run) -> None:
    trial = replace(small_run.results[1].trials[0], error="ValueError: no room")
    once = replace(small_run.results[1], trials=(trial,), planned=1)
    run = (small_run.info, small_run.scorecard)
    assert "        agent error: ValueError: no room" in list(scorecard_lines(*run, [once], PLAIN))
    told = replace(trial.checks[0], passed=False, reason="ValueError: no room, raised in step 2")
    said = replace(once, trials=(replace(trial, checks=(told,)),))
    assert not any("agent error" in line for line in scorecard_lines(*run, [said], PLAIN))


TEXT = st.text(
    st.characters() | st.sampled_from("\x1b\x9b\u202e\u200b\u0301日🎉\n\ud800 x>!"), max_size=120
)
AMOUNT = st.none() | st.integers(0, 10**12)


@st.composite
def case_results(draw: st.DrawFn) -> CaseResult:
    checks = st.builds(
        Check,
        name=TEXT,
        passed=st.sampled_from([True, False, None]),
        score=st.none(),
        decides=st.booleans(),
        reason=TEXT,
    )
    trials = st.builds(
        Trial,
        case=TEXT,
        trial=st.integers(0, 99),
        verdict=st.sampled_from(["passed", "failed", "error"]),
        stop=st.just("answer"),
        error=st.none() | TEXT,
        steps=AMOUNT,
        tokens=AMOUNT,
        cost=st.none() | st.floats(0, 1e12),
        seconds=st.none(),
        tool_errors=st.none(),
        tools=st.lists(TEXT, max_size=9).map(tuple),
        failed_calls=st.just((0, 2)),
        checks=st.lists(checks, max_size=3).map(tuple),
        estimated=st.booleans(),
    )
    return CaseResult(
        id=draw(TEXT),
        tags=tuple(draw(st.lists(TEXT, max_size=3))),
        protected=draw(st.booleans()),
        hash="0",
        status=draw(st.sampled_from(["passed", "failed", "flaky", "error"])),
        pass_rate=draw(st.none() | st.floats(0, 1)),
        trials=tuple(draw(st.lists(trials, max_size=3))),
        planned=draw(st.integers(0, 9)),
        informs=draw(st.booleans()),
        source=None,
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    results=st.lists(case_results(), max_size=4),
    width=st.integers(40, 200),
    unicode=st.booleans(),
    note=TEXT,
)
def test_no_line_is_wider_than_asked_and_nothing_steers_the_terminal(
    make_run: Callable[..., Run],
    results: list[CaseResult],
    width: int,
    unicode: bool,
    note: str,
) -> None:
    run = make_run(results, k=2, notes=[note])
    for line in written(run, Style(width=width, colour=True, unicode=unicode), verbose=True):
        bare = SGR.sub("", line)
        assert bare.isprintable()
        assert cells(bare) <= width or line.startswith("saved in")
