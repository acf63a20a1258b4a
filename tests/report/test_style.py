"""Width, colour and alphabet follow the stream and the environment."""

import io

import pytest

from fairtrial.report import Style, style_for


class Stream(io.StringIO):
    """A stream that says of itself what the test wants."""

    def __init__(self, *, terminal: bool, encoding: str | None = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    @property
    def encoding(self) -> str | None:  # type: ignore[override]  # the base class has a plain attribute
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


PIPE = Stream(terminal=False)
TERMINAL = Stream(terminal=True)


def test_a_pipe_gets_80_plain_columns() -> None:
    assert style_for(PIPE, {}) == Style(width=80, colour=False, unicode=True, piped=True)


@pytest.mark.parametrize(
    ("said", "width"),
    [
        ("120", 120),
        ("1", 40),
        ("9999", 200),
        ("", 80),
        ("-5", 80),
        ("wide", 80),
        ("0", 80),
        ("9" * 5000, 80),
        ("١٢٠", 80),
    ],
)
def test_columns_are_taken_from_the_environment_within_bounds(said: str, width: int) -> None:
    assert style_for(PIPE, {"COLUMNS": said}).width == width


def test_a_terminal_without_a_size_has_80_columns() -> None:
    assert style_for(TERMINAL, {}).width == 80


@pytest.mark.parametrize(
    ("stream", "environ", "colour"),
    [
        (TERMINAL, {}, True),
        (TERMINAL, {"CI": "true"}, True),
        (TERMINAL, {"NO_COLOR": "1"}, False),
        (TERMINAL, {"NO_COLOR": ""}, True),
        (TERMINAL, {"TERM": "dumb"}, False),
        (PIPE, {"FORCE_COLOR": "1"}, True),
        (PIPE, {"FORCE_COLOR": "0"}, False),
        (PIPE, {"FORCE_COLOR": "1", "CI": "true"}, False),
        (PIPE, {"FORCE_COLOR": "1", "CI": "false"}, True),
        (PIPE, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_needs_a_terminal_or_force_outside_ci(
    stream: Stream, environ: dict[str, str], colour: bool
) -> None:
    assert style_for(stream, environ).colour is colour


@pytest.mark.parametrize(
    ("encoding", "unicode"),
    [
        ("utf-8", True),
        ("UTF8", True),
        ("ascii", False),
        ("cp1252", False),
        ("no-such-codec", False),
        (None, True),
    ],
)
def test_unicode_is_for_streams_that_can_hold_it(encoding: str | None, unicode: bool) -> None:
    assert style_for(Stream(terminal=False, encoding=encoding), {}).unicode is unicode


def test_nothing_is_painted_without_colour_and_no_empty_text_ever() -> None:
    assert Style().paint("x", "red") == "x"
    assert Style(colour=True).paint("", "red") == ""
    assert Style(colour=True).paint("x", "bold") == "\x1b[1mx\x1b[0m"
