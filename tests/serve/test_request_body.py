import asyncio
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.serve.request_body import MOST_BYTES, object_of, read_body
from fairtrial.serve.wire import RefusedError


def read(*messages: dict[str, Any], **headers: str) -> bytes:
    """Read a body that arrives in these messages."""
    coming = iter(messages)
    told = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}

    async def receive() -> dict[str, Any]:
        return next(coming)

    return asyncio.run(read_body(told, receive))


def part(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_in_parts_is_joined() -> None:
    assert read(part(b"a", more=True), part(b"", more=True), part(b"b")) == b"ab"
    assert read(part(b"a")) == b"a"
    assert read(part(b"")) == b""


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    with pytest.raises(RefusedError, match="larger than 64 MB") as caught:
        read(content_length=str(MOST_BYTES + 1))
    assert caught.value.status == 413


def test_a_body_that_turns_out_too_large_is_left() -> None:
    half = part(b" " * (MOST_BYTES // 2 + 1), more=True)
    with pytest.raises(RefusedError, match="larger than 64 MB"):
        read(half, half, half)


@pytest.mark.parametrize("before", [[], [part(b"a", more=True)]])
def test_a_client_that_goes_away_is_not_waited_for(before: list[dict[str, Any]]) -> None:
    with pytest.raises(RefusedError, match="went away"):
        read(*before, {"type": "http.disconnect"})


@given(st.binary())
def test_any_bytes_are_an_object_or_refused(raw: bytes) -> None:
    with suppress(RefusedError):
        assert isinstance(object_of(raw).value, dict)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "could not parse"),
        (b"{", "could not parse"),
        (b'{"a": NaN}', "could not parse"),
        (b'{"a": 1e999}', "could not parse"),
        (b'{"a": "\xff"}', "could not parse"),
        (rb'{"a": "\ud83d"}', "half of a surrogate pair"),
        (b"[]", "not an object"),
        (b"[" * 100_000, "nests deeper than 100"),
        (b'{"a":' * 101 + b"1" + b"}" * 101, "nests deeper than 100"),
    ],
)
def test_a_body_that_is_no_object_is_refused_in_words(raw: bytes, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        object_of(raw)


def test_the_characters_are_those_of_the_text() -> None:
    assert object_of(b'{"a": "bcd", "n": 12345}').characters == 5
