"""Regular expressions: searched, bounded in time and size."""

import subprocess
import sys

import pytest

from fairtrial.match import MatcherError, MatchTimeoutError, compile_matcher
from fairtrial.match import expression as expressions
from fairtrial.match.expression import Expression


def test_an_expression_is_searched_anywhere() -> None:
    assert Expression("\\d{4}").search("code 1234 here")
    assert not Expression("^\\d{4}$").search("code 1234 here")


def test_an_endless_search_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "SECONDS", 0.05)
    with pytest.raises(MatchTimeoutError, match=r"needs more than 0\.05 second on a text of 5000"):
        Expression("(x+x+)+y").search("x" * 5_000)


def test_running_out_of_time_is_no_answer_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "SECONDS", 0.05)
    matcher = compile_matcher({"not": {"matches": "(x+x+)+y"}})
    with pytest.raises(MatchTimeoutError):
        matcher.matches("x" * 5_000)


@pytest.mark.parametrize("pattern", ["(", "[a-", "a**", "(?P<x", "\\y", "(?:" * 500 + ")" * 500])
def test_what_is_no_expression_is_refused(pattern: str) -> None:
    with pytest.raises(MatcherError, match="is no regular expression"):
        Expression(pattern)


@pytest.mark.parametrize(
    "pattern", ["a{1000000000}", "(a{1000}){1000}", "((a{99}){99}){99}", "a" * 200_000]
)
def test_an_expression_that_would_fill_the_memory_is_refused(pattern: str) -> None:
    with pytest.raises(MatcherError, match="with its repeats written out"):
        Expression(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\d{4}-\d{2}", "(ab){3,}", "a{,5}", "[{}]{2}", r"\{99999999\}"]
)
def test_ordinary_repeats_are_welcome(pattern: str) -> None:
    Expression(pattern)


def test_the_library_is_loaded_by_the_first_expression() -> None:
    code = (
        "import sys; from fairtrial.match import compile_matcher; compile_matcher({'min': 1});"
        "assert 'regex' not in sys.modules; compile_matcher({'matches': 'x'});"
        "assert 'regex' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
