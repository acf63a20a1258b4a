import json
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import StoreError
from fairtrial.records import Case, CaseResult, RunInfo, Scorecard, Trial
from fairtrial.store import Redactor, RunWriter, SavedRun

MakeTrial = Callable[..., Trial]


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "trials.jsonl").read_bytes().splitlines()]


def test_a_trial_is_on_disk_when_add_returns(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(make_trial(), b'{"case":"a","answer":"1.0"}')
        (line,) = lines(runs / "r")
    assert line["trajectory"] == {"case": "a", "answer": "1.0"}
    assert line["verdict"] == "passed"


def test_the_trajectory_is_spliced_in_as_it_was_written(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    raw = b'{"case": "a",  "state": {"n": 1.00, "big": 123456789012345678901234567890}}'
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(make_trial(), raw)
    assert raw in (runs / "r" / "trials.jsonl").read_bytes()


def test_a_trajectory_over_several_lines_becomes_one_line(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(make_trial(), b'{\r\n"case":\n"a"}')
        writer.add(make_trial(trial=1), b'{"case":"a"}')
    assert len(lines(runs / "r")) == 2


def test_a_folder_that_is_there_is_never_overwritten(
    info: RunInfo, cases: list[Case], runs: Path
) -> None:
    RunWriter.start(info, cases, folder=runs / "r").close()
    with pytest.raises(StoreError, match="never overwrites"):
        RunWriter.start(info, cases, folder=runs / "r")


@pytest.mark.parametrize("saved", [True, False])
def test_the_report_has_trials_in_order_however_they_ended(
    info: RunInfo,
    cases: list[Case],
    make_trial: MakeTrial,
    scorecard: Scorecard,
    results: list[CaseResult],
    runs: Path,
    *,
    saved: bool,
) -> None:
    folder = runs / "r" if saved else None
    with RunWriter.start(info, cases, folder=folder) as writer:
        for case, trial in (("b", 1), ("a", 2), ("b", 0), ("a", 0)):
            writer.add(make_trial(case, trial), b'{"case":"x"}')
        writer.report(runs / "out.json", scorecard, results)
        writer.add(make_trial("a", 1), b'{"case":"x"}')
        writer.report(runs / "again.json", scorecard, results)
    report = json.loads((runs / "out.json").read_bytes())
    assert [[row["trial"] for row in case["trials"]] for case in report["cases"]] == [
        [0, 2],
        [0, 1],
    ]
    assert "trajectory" not in report["cases"][0]["trials"][0]
    again = json.loads((runs / "again.json").read_bytes())
    assert [row["trial"] for row in again["cases"][0]["trials"]] == [0, 1, 2]


def test_what_is_known_only_at_the_end_reaches_the_folder_and_the_report(
    info: RunInfo, cases: list[Case], scorecard: Scorecard, runs: Path
) -> None:
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.finish(scorecard, msgspec.structs.replace(info, mode="live"))
        writer.report(runs / "out.json", scorecard, [])
    assert json.loads((runs / "r" / "run.json").read_bytes())["mode"] == "live"
    assert json.loads((runs / "out.json").read_bytes())["run"]["mode"] == "live"
    assert json.loads((runs / "r" / "scorecard.json").read_bytes())["pass@k"] == 1.0


@pytest.mark.parametrize("saved", [True, False])
def test_no_secret_is_written_anywhere(
    info: RunInfo,
    cases: list[Case],
    make_trial: MakeTrial,
    scorecard: Scorecard,
    results: list[CaseResult],
    runs: Path,
    *,
    saved: bool,
) -> None:
    info = msgspec.structs.replace(info, settings={"api_key": "from-settings", "url": "known-val"})
    raw = json.dumps(
        {
            "case": "a",
            "steps": [{"calls": [{"name": "login", "arguments": '{"password": "p-TEST-1"}'}]}],
            "initial_state": {"db": "known-val"},
        }
    ).encode()
    redactor = Redactor(["known-val"])
    folder = runs / "r" if saved else None
    with RunWriter.start(info, cases, folder=folder, redactor=redactor) as writer:
        writer.add(make_trial(reason="wanted 'x', got 'p-TEST-1'"), raw)
        writer.finish(scorecard)
        writer.report(runs / "out.json", scorecard, results)
    for file in runs.rglob("*.json*"):
        data = file.read_bytes()
        assert b"p-TEST-1" not in data
        assert b"known-val" not in data
        assert b"from-settings" not in data
    rows = json.loads((runs / "out.json").read_bytes())["cases"][0]["trials"]
    assert rows[0]["checks"][0]["reason"] == "wanted 'x', got '[redacted]'"


def test_a_reason_with_a_lone_surrogate_or_nan_costs_nothing_else(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    trial = msgspec.structs.replace(make_trial(reason="\ud800"), cost=float("nan"))
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(trial, b'{"case":"a"}')
        writer.add(make_trial(trial=1), b'{"case":"a"}')
    first, second = SavedRun.read_folder(runs / "r").trials()
    assert (first.cost, first.checks[0].reason, second.trial) == (None, "\ufffd", 1)


def test_resuming_drops_the_torn_line_and_knows_the_rest(
    info: RunInfo,
    cases: list[Case],
    make_trial: MakeTrial,
    scorecard: Scorecard,
    results: list[CaseResult],
    runs: Path,
) -> None:
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(make_trial("a", 0), b'{"case":"a"}')
        writer.add(make_trial("a", 1), b'{"case":"a"}')
    file = runs / "r" / "trials.jsonl"
    os.truncate(file, file.stat().st_size - 5)
    with RunWriter.resume(runs / "r") as writer:
        assert writer.info == info
        assert (writer.has("a", 0), writer.has("a", 1)) == (True, False)
        writer.add(make_trial("a", 1), b'{"case":"a"}')
        writer.report(runs / "out.json", scorecard, results)
    assert [line["trial"] for line in lines(runs / "r")] == [0, 1]
    rows = json.loads((runs / "out.json").read_bytes())["cases"][0]["trials"]
    assert [row["trial"] for row in rows] == [0, 1]


def test_resuming_after_a_line_that_lacks_only_its_newline_keeps_it(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(make_trial("a", 0))
    file = runs / "r" / "trials.jsonl"
    os.truncate(file, file.stat().st_size - 1)
    with RunWriter.resume(runs / "r") as writer:
        writer.add(make_trial("a", 1))
    assert [line["trial"] for line in lines(runs / "r")] == [0, 1]


def test_resuming_what_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"run\.json"):
        RunWriter.resume(tmp_path)


def test_a_run_that_came_to_nothing_leaves_no_folder(
    info: RunInfo, cases: list[Case], runs: Path
) -> None:
    RunWriter.start(info, cases, folder=runs / "r").discard()
    assert list(runs.iterdir()) == []


def test_memory_does_not_grow_with_the_size_of_trials(
    info: RunInfo,
    cases: list[Case],
    make_trial: MakeTrial,
    scorecard: Scorecard,
    results: list[CaseResult],
    runs: Path,
) -> None:
    raw = b'{"case":"a","answer":"%s"}' % (b"x" * 5000)
    trial = make_trial()
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        tracemalloc.start()
        for number in range(2000):
            writer.add(msgspec.structs.replace(trial, trial=number), raw)
        writer.report(runs / "out.json", scorecard, results)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 1_000_000  # of 10 MB


KILLED = """
import os, sys
from pathlib import Path
from fairtrial.records import RunInfo, Trial
from fairtrial.store import RunWriter
info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
writer = RunWriter.start(info, [], folder=Path(sys.argv[1]))
number = 0
while True:
    writer.add(Trial(case="a", trial=number, verdict="passed", stop="answer", error=None, steps=1,
        tokens=None, cost=None, seconds=None, tool_errors=0, tools=(), failed_calls=(), checks=()),
        b'{"case":"a","answer":"' + b"x" * 100_000 + b'"}')
    number += 1
    print(number, flush=True)
"""


def test_a_kill_loses_at_most_the_trial_in_flight(runs: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(runs / "r")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(20):
        child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    written = 20 + sum(1 for _ in rest)
    found = [trial.trial for trial in SavedRun.read_folder(runs / "r").trials()]
    assert found == list(range(len(found)))
    assert len(found) >= written - 1


def test_trials_that_share_their_checks_are_each_written_in_full(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    replace = msgspec.structs.replace
    shared = make_trial()
    trials = [
        shared,
        replace(shared, trial=1, error='said "checks":[] and \'"checks":[]\''),
        replace(make_trial(reason="another"), trial=2),
        replace(shared, trial=3, checks=()),
    ]
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        for trial in trials:
            writer.add(trial)
    assert list(SavedRun.read_folder(runs / "r").trials()) == trials


@pytest.mark.parametrize("place", ["error", "reason", "tools", "trajectory"])
def test_a_secret_is_seen_in_every_part_of_a_line(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path, place: str
) -> None:
    said = "it sent {'api_key': 'k-TEST-0001'}"
    trial = make_trial(reason=said if place == "reason" else "fine")
    if place in {"error", "tools"}:
        trial = msgspec.structs.replace(trial, **{place: said if place == "error" else (said,)})
    raw = json.dumps({"case": "a", "answer": said if place == "trajectory" else "Done."}).encode()
    with RunWriter.start(info, cases, folder=runs / "r") as writer:
        writer.add(trial, raw)
        writer.add(msgspec.structs.replace(trial, trial=1), raw)
    written = (runs / "r" / "trials.jsonl").read_bytes()
    assert written.count(b"[redacted]") == 2
    assert b"k-TEST" not in written


def test_lines_written_in_blocks_are_all_there_once_the_run_is_finished(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, scorecard: Scorecard, runs: Path
) -> None:
    raw = b'{"case":"a","answer":"%s"}' % (b"x" * 1000)
    written = runs / "r" / "trials.jsonl"
    with RunWriter.start(info, cases, folder=runs / "r", blocks=True) as writer:
        writer.add_all([(make_trial(trial=number), raw) for number in range(3)])
        assert written.read_bytes() == b""  # not worth a block yet
        writer.finish(scorecard)
        assert written.read_bytes().count(b"\n") == 3


def test_trials_written_together_are_written_as_one_by_one(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path
) -> None:
    trials = [
        (make_trial(trial=0), b'{"case":"a",\n"initial_state":{"n":1}}'),
        (make_trial(trial=1), b'{"case":"a","extra":{"api_key":"k-TEST-0001"}}'),
        (make_trial("b", 0), None),
        (make_trial(trial=2), b'{"case":"a","answer":"k-TEST-0002"}'),
    ]
    redactor = Redactor(["k-TEST-0002"])
    with RunWriter.start(info, cases, folder=runs / "all", redactor=redactor) as writer:
        writer.add_all(trials)
    with RunWriter.start(info, cases, folder=runs / "each", redactor=redactor) as writer:
        for trial, trajectory in trials:
            writer.add(trial, trajectory)
    together = (runs / "all" / "trials.jsonl").read_bytes()
    assert together == (runs / "each" / "trials.jsonl").read_bytes()
    assert b"k-TEST" not in together


@pytest.mark.parametrize("saved", [True, False])
def test_only_trials_of_which_there_is_something_to_tell_are_read_where_that_is_asked(
    info: RunInfo, cases: list[Case], make_trial: MakeTrial, runs: Path, *, saved: bool
) -> None:
    replace = msgspec.structs.replace
    plain = make_trial()
    doubtful = tuple(replace(check, passed=None) for check in plain.checks)
    trials = [
        plain,
        replace(plain, trial=1, verdict="failed"),
        replace(plain, trial=2),
        replace(plain, trial=3, error="agent: it broke"),
        replace(plain, trial=4, checks=doubtful),
    ]
    with RunWriter.start(info, cases, folder=runs / "r" if saved else None) as writer:
        writer.add_all([(trial, b'{"case":"a"}') for trial in trials])
        told = [msgspec.json.decode(row)["trial"] for row in writer.rows("a", telling=True)]
        assert told == [1, 3, 4]
        assert sum(1 for _ in writer.rows("a")) == 5
