import json
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.store import shown_cases, shown_states, shown_trials

TRIAL = {
    "case": "a", "trial": 0, "verdict": "passed", "stop": "answer", "error": None, "steps": 1,
    "tokens": None, "cost": None, "seconds": None, "tool_errors": 0, "tools": [],
    "failed_calls": [], "checks": [],
}  # fmt: skip


def line(**more: object) -> bytes:
    return json.dumps(TRIAL | more, separators=(",", ":")).encode() + b"\n"


def test_cases_come_with_what_they_ask(tmp_path: Path) -> None:
    rows = [{"id": "a", "hash": "0", "asks": "Hi", "about": "greets"}, {"id": "b", "hash": "1"}]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second = shown_cases(tmp_path)
    assert (first.asks, first.about) == ("Hi", "greets")
    assert (second.asks, second.about) == (None, None)


def test_trials_come_with_their_lines_undecoded(tmp_path: Path) -> None:
    lines = [line(), line(trial=1, trajectory={"case": "a", "steps": "not steps at all"})]
    (tmp_path / "trials.jsonl").write_bytes(b"".join(lines))
    found = list(shown_trials(tmp_path))
    assert [one.line for one in found] == lines
    assert [one.number for one in found] == [1, 2]
    assert [one.trial.trial for one in found] == [0, 1]


def test_checks_are_read_whoever_wrote_the_line_and_however_often(tmp_path: Path) -> None:
    named = [
        {"name": f"x{n % 300}", "passed": None, "reason": ',"known_tokens":'} for n in range(900)
    ]
    as_written = [line(checks=[one], known_tokens=1) for one in named]
    by_hand = [line(known_tokens=1, checks=[named[7]]), json.dumps(TRIAL).encode() + b"\n"]
    (tmp_path / "trials.jsonl").write_bytes(b"".join([*as_written, *by_hand]))
    *found, seven, none = (one.trial for one in shown_trials(tmp_path))
    assert [one.checks[0].name for one in found] == [one["name"] for one in named]
    assert {(one.known_tokens, one.checks[0].reason) for one in found} == {(1, ',"known_tokens":')}
    assert (seven.checks[0].name, none.checks) == ("x7", ())


@pytest.mark.parametrize("checks", [[{"name": 1}], {"a": 1}, "x", [[]]])
def test_broken_checks_are_named(tmp_path: Path, checks: object) -> None:
    (tmp_path / "trials.jsonl").write_bytes(line(checks=checks, known_tokens=1))
    with pytest.raises(StoreError, match=r"trials\.jsonl:1: .*checks"):
        list(shown_trials(tmp_path))


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "trials.jsonl").write_bytes(b"junk\n" + line())
    with pytest.raises(StoreError, match=r"trials\.jsonl:1: "):
        list(shown_trials(tmp_path))


def test_a_broken_case_is_named(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_bytes(b'{"id":1}\n')
    with pytest.raises(StoreError, match=r"cases\.jsonl:1: "):
        list(shown_cases(tmp_path))


def test_large_states_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "aa.json").write_text("{}")
    (tmp_path / "states" / "bb.json").write_text("[" + "1," * 900 + "1]")
    assert list(shown_states(tmp_path, 100)) == [("aa", b"{}")]
