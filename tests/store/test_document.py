import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import StoreError
from fairtrial.records import CaseResult, Report, RunInfo, Scorecard, Selection, Trial
from fairtrial.store import Redactor, write_report

MakeTrial = Callable[..., Trial]


def refuse(token: str) -> None:
    raise AssertionError(token)


def test_the_document_reads_back_as_the_report_it_was(
    info: RunInfo,
    scorecard: Scorecard,
    results: list[CaseResult],
    make_trial: MakeTrial,
    tmp_path: Path,
) -> None:
    results = [
        msgspec.structs.replace(result, trials=(make_trial(result.id), make_trial(result.id, 1)))
        for result in results
    ]
    write_report(tmp_path / "o.json", info, scorecard, results)
    report = msgspec.json.decode((tmp_path / "o.json").read_bytes(), type=Report)
    assert report == Report(run=info, scorecard=scorecard, cases=tuple(results))


def test_the_keys_are_those_of_the_contract(
    info: RunInfo,
    scorecard: Scorecard,
    results: list[CaseResult],
    make_trial: MakeTrial,
    tmp_path: Path,
) -> None:
    info = msgspec.structs.replace(info, selection=Selection(ids=("a",)))
    results = [msgspec.structs.replace(results[0], trials=(make_trial(),))]
    write_report(tmp_path / "o.json", info, scorecard, results)
    document = json.loads((tmp_path / "o.json").read_bytes())
    assert set(document) == {"run", "scorecard", "cases", "format"}
    assert document["run"]["filter"]["ids"] == ["a"]
    assert {"pass@k", "pass^k", "k", "interval", "mean_plan_score"} <= set(document["scorecard"])
    (case,) = document["cases"]
    assert {"id", "tags", "protected", "hash", "status", "pass_rate", "trials"} <= set(case)
    assert {"trial", "verdict", "stop", "error", "steps", "tokens", "cost", "tools"} <= set(
        case["trials"][0]
    )


def test_transcripts_stay_out_and_nan_becomes_null(
    info: RunInfo,
    scorecard: Scorecard,
    results: list[CaseResult],
    make_trial: MakeTrial,
    tmp_path: Path,
) -> None:
    trial = msgspec.structs.replace(
        make_trial(), cost=float("inf"), trajectory=msgspec.Raw(b'{"case":"a"}')
    )
    write_report(
        tmp_path / "o.json",
        info,
        msgspec.structs.replace(scorecard, mean_cost=float("nan")),
        [msgspec.structs.replace(results[0], trials=(trial,))],
    )
    text = (tmp_path / "o.json").read_text()
    document = json.loads(text, parse_constant=refuse)
    assert document["cases"][0]["trials"][0]["cost"] is None
    assert "trajectory" not in text


def test_names_of_checks_and_tags_are_no_secret_names(
    info: RunInfo, scorecard: Scorecard, tmp_path: Path
) -> None:
    scorecard = msgspec.structs.replace(scorecard, statuses={"password": 3})
    write_report(tmp_path / "o.json", info, scorecard, [])
    document = json.loads((tmp_path / "o.json").read_bytes())
    assert document["scorecard"]["statuses"] == {"password": 3}


def test_known_values_are_taken_out(
    info: RunInfo,
    scorecard: Scorecard,
    results: list[CaseResult],
    make_trial: MakeTrial,
    tmp_path: Path,
) -> None:
    results = [msgspec.structs.replace(results[0], trials=(make_trial(reason="sk-0123456789"),))]
    redactor = Redactor(["sk-0123456789"])
    write_report(tmp_path / "o.json", info, scorecard, results, redactor=redactor)
    assert b"sk-0123456789" not in (tmp_path / "o.json").read_bytes()


def test_a_report_cut_short_leaves_the_old_one(
    info: RunInfo, scorecard: Scorecard, results: list[CaseResult], tmp_path: Path
) -> None:
    def breaking() -> Iterator[CaseResult]:
        yield results[0]
        raise StoreError("gone")

    (tmp_path / "o.json").write_text("old")
    with pytest.raises(StoreError, match="gone"):
        write_report(tmp_path / "o.json", info, scorecard, breaking())
    assert (tmp_path / "o.json").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_place_that_cannot_be_written_is_named(
    info: RunInfo, scorecard: Scorecard, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match="the report cannot be written"):
        write_report(tmp_path, info, scorecard, [])
