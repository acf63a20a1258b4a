"""Errors that no server of ours gives; the others are in the tests of the models."""

import httpx2
import openai

from fairtrial.judge.failures import Reached, explain

AT = Reached(openai, "m", "http://u:p@host/v1/", "sk-1", "MY_KEY", 30.0)


def test_a_request_that_takes_too_long_says_how_long() -> None:
    error = openai.APITimeoutError(httpx2.Request("POST", AT.address))
    assert explain(error, AT) == (
        "judge m: http://host/v1 gave no reply within 30 seconds; allow more, or ask less at once"
    )


def test_whatever_is_raised_is_one_line_without_the_key() -> None:
    told = explain(ValueError("a\nb sk-1 " + "x" * 1000), AT)
    assert told.startswith("judge m: ValueError: a b [key] xxx")
    assert len(told) < 400
