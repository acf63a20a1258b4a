"""A trial as a line: what trials share is encoded once, and secrets are in neither part."""

import json
from collections.abc import Callable

import pytest

from fairtrial.records import Trial
from fairtrial.store import Redactor
from fairtrial.store.trial_lines import TrialLines, tail_of

MakeTrial = Callable[..., Trial]


def test_a_line_is_its_trial_without_the_closing_brace(make_trial: MakeTrial) -> None:
    line = TrialLines(Redactor()).parts(make_trial(), b"", clean=True)
    assert json.loads(line.head + b"}")["case"] == "a"
    assert line.tail == b""


def test_memory_does_not_grow_with_trials_that_come_out_differently(
    make_trial: MakeTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairtrial.store.trial_lines._KEPT", 1000)
    lines = TrialLines(Redactor())
    for number in range(50):
        lines.parts(make_trial(trial=number, reason=f"{number}" * 100), b"", clean=True)
        assert len(lines._checks) < 10


def test_a_secret_in_one_part_is_taken_out_of_the_other(make_trial: MakeTrial) -> None:
    lines = TrialLines(Redactor())
    tail = b'{"case":"a","args":{"password":"hunter2-x"}}'
    line = lines.parts(make_trial(reason="got hunter2-x"), tail, clean=False)
    assert b"hunter2" not in line.head + line.tail
    assert json.loads(line.tail)["args"] == {"password": "[redacted]"}


def test_trajectories_are_cleared_together_or_one_by_one() -> None:
    lines = TrialLines(Redactor(["sk-0123456789"]))
    assert lines.clean([b'{"a":1}', b'{"b":2}']) == [True, True]
    assert lines.clean([b'{"a":1}', b'{"b":"sk-0123456789"}']) == [True, False]


def test_a_trajectory_on_several_lines_becomes_one(make_trial: MakeTrial) -> None:
    assert tail_of(make_trial(), b'{"a":\n1,\r\n"b":2}') == b'{"a": 1,  "b":2}'
    assert tail_of(make_trial(), None) == b""
