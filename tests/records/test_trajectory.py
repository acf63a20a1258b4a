import msgspec
import pytest

from fairtrial.records import Tokens, Trajectory

WHOLE = b"""{"case": "cancel", "trial": 0, "answer": "Done.", "stop": "answer", "error": null,
 "model": "scripted", "steps": [{"text": "Let me look.", "calls": [{"id": "c1", "name": "get",
 "arguments": {"booking": "H-204"}, "result": {"price": 320}, "error": null, "seconds": 0.01}],
 "tokens": {"input": 210, "output": 25}, "seconds": 0.8}], "state": {"cancellations": []},
 "tokens": {"input": 210, "output": 25}, "cost": 0.0012, "seconds": 2.4, "from_the_future": 1}"""


def read(line: bytes) -> Trajectory:
    return msgspec.json.decode(line, type=Trajectory)


def test_a_recorded_line_is_read_and_unknown_fields_are_passed_over() -> None:
    trajectory = read(WHOLE)
    assert trajectory.steps is not None
    (call,) = trajectory.steps[0].calls
    assert (call.name, call.arguments, call.result) == ("get", {"booking": "H-204"}, {"price": 320})
    assert trajectory.tokens == Tokens(input=210, output=25)


def test_only_the_case_is_required_and_the_rest_is_unknown() -> None:
    trajectory = read(b'{"case": "c"}')
    assert (trajectory.stop, trajectory.steps, trajectory.state) == (None, None, None)
    assert (trajectory.tokens, trajectory.cost, trajectory.model) == (None, None, "none")
    with pytest.raises(msgspec.ValidationError, match="case"):
        read(b"{}")


def test_a_null_result_is_told_from_none_at_all() -> None:
    trajectory = read(b'{"case": "c", "steps": [{"calls": [{"name": "a", "result": null},'
                      b' {"name": "b"}]}]}')  # fmt: skip
    assert trajectory.steps is not None
    told, untold = trajectory.steps[0].calls
    assert told.result is None
    assert untold.result is msgspec.UNSET


@pytest.mark.parametrize("arguments", [b'"{oops"', b'""', b"null", b"{}", b'{"a": [1]}'])
def test_arguments_are_kept_as_they_were_written(arguments: bytes) -> None:
    line = b'{"case": "c", "steps": [{"calls": [{"name": "a", "arguments": %s}]}]}' % arguments
    trajectory = read(line)
    assert trajectory.steps is not None
    assert trajectory.steps[0].calls[0].arguments == msgspec.json.decode(arguments)


@pytest.mark.parametrize("line", [b'{"case": "c", "stop": "done"}', b'{"case": "c", "error": {}}'])
def test_a_closed_list_is_closed(line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(line)
