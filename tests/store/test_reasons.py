import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Trajectory
from fairtrial.store.reasons import decode_reason


def reason_of(line: bytes) -> str:
    with pytest.raises((msgspec.DecodeError, RecursionError)) as caught:
        msgspec.json.decode(line, type=Trajectory)
    return decode_reason(caught.value, line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"case":"a","cost":NaN}', "NaN is not JSON; write null (byte 20)"),
        (b'{"case":"a","cost":-Infinity}', "Infinity is not JSON; write null (byte 21)"),
        (b'{"case":"a","answer":None}', "None is Python, not JSON; write null (byte 22)"),
        (b'{"case":"a","trial":"1"}', "trial: wanted a whole number or null, got text"),
        (b'{"case":"a","stop":"done"}', "stop: 'done' is not known; one of answer, steps, "),
        (b'[{"case":"a"}]', "wanted an object, got a list"),
        (b'{"trial":0}', "`case` is missing"),
        (b'{"case":"a"', "the line ends before its JSON does"),
        (b'{"case":"\xff"}', "not UTF-8 from byte 10 on; write the file as UTF-8"),
        (b'{"case":"a","state":{"x":1e999}}', "state[...]: Number out of range"),
        (
            b'{"case":"a","steps":[{"calls":[{"name":5}]}]}',
            "steps[0].calls[0].name: wanted text, got a whole number",
        ),
        (b"{'case':'a'}", "not JSON: object keys must be strings (byte 2)"),
        (b'{"case":"a","x":' + b"[" * 5000, "nested far too deeply"),
    ],
)
def test_a_reason_says_where_and_what_was_wanted(line: bytes, reason: str) -> None:
    assert reason_of(line).startswith(reason)


def test_a_huge_value_is_cut_in_the_reason() -> None:
    assert len(reason_of(b'{"case":"a","stop":"' + b"x" * 100_000 + b'"}')) < 200


@given(st.binary(max_size=40))
def test_every_refusal_has_a_short_reason_on_one_line(junk: bytes) -> None:
    try:
        msgspec.json.decode(b'{"case":' + junk, type=Trajectory)
    except msgspec.DecodeError as error:
        reason = decode_reason(error, b'{"case":' + junk)
        assert 0 < len(reason) < 300
        assert "\n" not in reason
        assert reason.isprintable()
