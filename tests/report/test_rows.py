"""A case on one line."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from fairtrial.records import CaseResult, Trial
from fairtrial.report import CaseView, Style
from fairtrial.report.rows import head_row, row

STYLE = Style(width=80)


def trial(verdict: str = "passed", **changes: object) -> Trial:
    one = Trial(
        case="c1",
        trial=0,
        verdict="passed",
        stop="answer",
        error=None,
        steps=2,
        tokens=410,
        cost=0.0012,
        seconds=None,
        tool_errors=0,
        tools=(),
        failed_calls=(),
        checks=(),
    )
    return replace(one, verdict=verdict, **changes)


def result(*trials: Trial, name: str = "c1") -> CaseResult:
    return CaseResult(
        id=name,
        tags=(),
        protected=False,
        hash="0",
        status="passed",
        pass_rate=1.0,
        trials=trials,
        planned=len(trials),
    )


def figures(*trials: Trial) -> list[str]:
    (line,) = row(CaseView.of(result(*trials)), STYLE)
    return line.removeprefix("passed  c1").split("  ")


def cells_of(*trials: Trial) -> list[str]:
    return [text.strip() for text in figures(*trials) if text.strip()]


def test_figures_stand_under_their_heads() -> None:
    (head,) = head_row(STYLE, "EUR")
    (line,) = row(CaseView.of(result(trial())), STYLE)
    assert len(head) == len(line) == 80
    assert head.split() == ["status", "case", "passed", "steps", "tokens", "cost", "EUR"]


def test_steps_are_a_range_and_tokens_a_mean() -> None:
    assert cells_of(trial(steps=2, tokens=400), trial(steps=5, tokens=500)) == [
        "2 of 2",
        "2-5",
        "450",
        "0.0012",
    ]


def test_trials_that_were_not_measured_count_nowhere() -> None:
    assert cells_of(trial(), trial("failed"), trial("error", steps=99, tokens=99))[:2] == [
        "1 of 2",
        "2",
    ]


def test_unknown_amounts_are_dashes_and_never_0() -> None:
    unknown = trial(steps=None, tokens=None, cost=None)
    assert cells_of(unknown) == ["1 of 1", "-", "-", "-"]


def test_partly_known_amounts_are_at_least_what_is_known() -> None:
    dark = trial(steps=None, tokens=None, cost=None, known_tokens=90)
    assert cells_of(trial(tokens=410), dark) == ["2 of 2", "2?", "≥250", "≥0.0006"]


def test_an_amount_of_0_that_is_known_is_0() -> None:
    assert cells_of(trial(tokens=0, cost=0.0))[2:] == ["0", "0"]


def test_estimated_tokens_are_marked() -> None:
    assert cells_of(trial(estimated=True))[2] == "~410"


def test_a_long_name_has_a_line_of_its_own() -> None:
    lines = list(row(CaseView.of(result(trial(), name="n" * 60)), STYLE))
    assert lines[0] == "passed  " + "n" * 60
    assert lines[1].split() == ["1", "of", "1", "2", "410", "0.0012"]


@pytest.mark.parametrize("make", [lambda: Style(width=50), lambda: Style(width=59)])
def test_narrow_lines_say_what_each_figure_is(make: Callable[[], Style]) -> None:
    assert list(head_row(make(), "USD")) == []
    lines = list(row(CaseView.of(result(trial())), make()))
    assert lines[0] == "passed  c1"
    assert " ".join(lines[1:]).split() == (
        ["passed", "1", "of", "1,", "steps", "2,", "tokens", "410,", "cost", "0.0012"]
    )


def test_figures_too_wide_for_their_column_are_said_in_words() -> None:
    lines = list(row(CaseView.of(result(trial(steps=1), trial(steps=123_456))), STYLE))
    assert lines[1] == "        passed 2 of 2, steps 1-123,456, tokens 410, cost 0.0012"
