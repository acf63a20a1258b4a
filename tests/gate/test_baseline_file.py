"""Baselines: made from runs, written a case a line, read strictly."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BaselineError
from fairtrial.gate import Candidate, decide, make_baseline, read_baseline, write_baseline
from fairtrial.records import Baseline, BaselineCase, Selection

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


CASE = {
    "hash": "h",
    "protected": False,
    "tags": ["fee"],
    "passed": 2,
    "measured": 3,
    "planned": 3,
    "checks": {"finished": [2, 3]},
    "steps": 2.5,
    "tokens": None,
    "cost": 0,
}
WHOLE = {"format": 1, "suite": "shop", "git": None, "mode": "none", "k": 3, "cases": {"a": CASE}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "baseline.json"


def refusal(path: Path, content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError) as caught:
        read_baseline(path)
    assert str(caught.value).startswith(str(path))
    assert "fairtrial accept" in str(caught.value)
    return str(caught.value)


def test_a_baseline_keeps_what_the_contract_names(ran: Ran) -> None:
    baseline = make_baseline(ran("b* 4/5+1 #fee $3"))
    assert json.loads(msgspec.json.encode(baseline)) == {
        "format": 1,
        "judge": None,
        "suite": None,
        "git": None,
        "mode": "scripted",
        "k": 5,
        "cases": {
            "b": {
                "hash": "hash of b",
                "protected": True,
                "tags": ["fee"],
                "passed": 4,
                "measured": 5,
                "planned": 6,
                "checks": {},
                "steps": 3.0,
                "tokens": 3.0,
                "cost": 3.0,
            }
        },
    }


def test_a_whole_run_replaces_all_cases(ran: Ran, accepted: Accepted) -> None:
    assert list(make_baseline(ran("b 1/5"), previous=accepted("a 5/5, b 5/5")).cases) == ["b"]


def test_a_filtered_run_replaces_only_its_own_cases(ran: Ran, accepted: Accepted) -> None:
    run = ran("b 1/5", selection=Selection(ids=("b",)), k=9)
    baseline = make_baseline(run, previous=accepted("a 5/5, b 5/5, c 0/5"))
    counts = {name: case.passed for name, case in baseline.cases.items()}
    assert (counts, baseline.k) == ({"a": 5, "b": 1, "c": 0}, 5)


def test_a_filtered_run_without_a_live_trial_leaves_a_live_baseline_live(
    ran: Ran, accepted: Accepted
) -> None:
    run = ran("b 1/5", selection=Selection(ids=("b",)))
    assert make_baseline(run, previous=accepted("a 5/5", "live")).mode == "live"


def test_an_error_does_not_replace_what_was_accepted(ran: Ran, accepted: Accepted) -> None:
    baseline = make_baseline(ran("a 0/0+5, b 5/5"), previous=accepted("a* 5/5, b 5/5"))
    case = baseline.cases["a"]
    assert (case.passed, case.measured, case.protected) == (5, 5, False)


def test_a_case_never_measured_is_kept_so_that_its_removal_is_seen(ran: Ran) -> None:
    baseline = make_baseline(ran("a 0/0+5, b 5/5"))
    assert [reason.rule for reason in decide(ran("b 5/5"), baseline).reasons] == ["removed"]


def test_a_case_that_only_informs_is_kept_unprotected(ran: Ran) -> None:
    assert not make_baseline(ran("a* 5/5 ?")).cases["a"].protected


def test_accepting_takes_protection_off(ran: Ran, accepted: Accepted) -> None:
    run = ran("a 5/5")
    assert decide(run, make_baseline(run, previous=accepted("a* 5/5"))).reasons == ()


def test_the_file_is_sorted_json_with_a_case_a_line(path: Path, ran: Ran) -> None:
    write_baseline(path, make_baseline(ran("zeta 5/5, alpha 5/5, mid 0/5")))
    text = path.read_text()
    data = json.loads(text)
    assert list(data["cases"]) == ["alpha", "mid", "zeta"]
    assert list(data) == sorted(data)
    assert list(data["cases"]["mid"]) == sorted(data["cases"]["mid"])
    lines = [line.strip() for line in text.splitlines()]
    assert sum(line.startswith('"alpha": {') and line.endswith("},") for line in lines) == 1
    assert text.endswith("}\n")
    assert len(lines) == 3 + 9


def test_an_empty_baseline_is_valid_json(path: Path) -> None:
    empty = Baseline(suite=None, git=None, mode="none", k=1, cases={})
    write_baseline(path, empty)
    assert read_baseline(path) == empty


def test_equal_content_gives_equal_bytes_in_any_order(tmp_path: Path, ran: Ran) -> None:
    one, other = tmp_path / "1", tmp_path / "2"
    write_baseline(one, make_baseline(ran("a 5/5, b 4/5")))
    write_baseline(other, make_baseline(ran("b 4/5, a 5/5")))
    assert one.read_bytes() == other.read_bytes()


def test_names_in_any_script_are_readable_and_nothing_is_invisible(path: Path, ran: Ran) -> None:
    case = make_baseline(ran("a 5/5")).cases["a"]
    names = {"日本": case, "a\u2028b": case, "x\u202ey": case, "\ud800": case, "\x1b": case}
    baseline = Baseline(suite="é", git=None, mode="none", k=1, cases=names)
    write_baseline(path, baseline)
    text = path.read_text(encoding="utf-8")
    assert '"日本": {' in text
    assert all(char == "\n" or char.isprintable() for char in text)
    assert read_baseline(path) == baseline


def test_a_folder_that_is_missing_is_made(tmp_path: Path, accepted: Accepted) -> None:
    path = tmp_path / "evals" / "baseline.json"
    write_baseline(path, accepted("a 5/5"))
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path, accepted: Accepted) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.touch(mode=0o640)
    real.chmod(0o640)
    link.symlink_to(real)
    write_baseline(link, accepted("a 5/5"))
    assert link.is_symlink()
    assert read_baseline(real).cases.keys() == {"a"}
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_failed_write_leaves_the_old_file(
    path: Path, accepted: Accepted, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_baseline(path, accepted("a 5/5"))
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BaselineError, match="cannot be written"):
        write_baseline(path, accepted("a 0/5"))
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path, accepted: Accepted) -> None:
    with pytest.raises(BaselineError, match="cannot be written"):
        write_baseline(tmp_path, accepted("a 5/5"))
    with pytest.raises(BaselineError, match="cannot be read"):
        read_baseline(tmp_path)


def test_a_whole_file_is_read_with_whole_numbers_as_means(path: Path) -> None:
    path.write_text("\ufeff" + json.dumps(WHOLE), encoding="utf-8")
    case = read_baseline(path).cases["a"]
    assert (case.cost, case.checks, case.tags) == (0.0, {"finished": (2, 3)}, ("fee",))


def test_fields_of_a_later_version_are_ignored(path: Path) -> None:
    path.write_text(json.dumps(WHOLE | {"later": 1, "cases": {"a": CASE | {"later": 1}}}))
    assert read_baseline(path).k == 3


def test_a_missing_file_names_the_command_that_makes_it(path: Path) -> None:
    with pytest.raises(BaselineError, match=r"no such file; `fairtrial accept --baseline"):
        read_baseline(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "not JSON: line 1, column 1"),
        ('{"format": 1,}', "not JSON: line 1"),
        ("[" * 100_000, "nested too deep"),
        ('{"k": NaN}', "NaN is no JSON number"),
        ('{"k": ' + "9" * 5000 + "}", "not JSON"),
        ([], "wanted a JSON object, got"),
        ({}, "no format"),
        (WHOLE | {"format": 2}, "format 2 is not known, only 1"),
        (WHOLE | {"format": True}, "format True is not known"),
        (WHOLE | {"scorecard": {}}, "the report of a run, not a baseline"),
        (WHOLE | {"cases": []}, "cases: wanted an object"),
        (WHOLE | {"mode": "dream"}, "mode"),
        (WHOLE | {"k": "3"}, "Expected `int`"),
        (WHOLE | {"cases": {"a": []}}, "case 'a': Expected `object`"),
        (WHOLE | {"cases": {"a": CASE | {"passed": 2.0}}}, "case 'a': Expected `int`, got `float`"),
        (WHOLE | {"cases": {"a": CASE | {"passed": True}}}, "case 'a': Expected `int`"),
        (WHOLE | {"cases": {"a": {"hash": "h"}}}, "case 'a': Object missing required field"),
        (WHOLE | {"cases": {"a": CASE | {"passed": 4}}}, "more passed than there are"),
        (WHOLE | {"cases": {"a": CASE | {"passed": -1}}}, "more passed than there are"),
        (WHOLE | {"cases": {"a": CASE | {"checks": {"x": [2, 1]}}}}, "more passed than there are"),
        (WHOLE | {"cases": {"a": CASE | {"tokens": -1}}}, "numbers from 0 up"),
        (json.dumps(WHOLE).replace("2.5", "1e999"), "numbers from 0 up"),
    ],
)
def test_what_is_not_wholly_a_baseline_is_refused_with_the_way_out(
    path: Path, content: object, problem: str
) -> None:
    assert problem in refusal(path, content)


def test_a_case_that_stands_twice_is_refused_with_its_lines(path: Path, accepted: Accepted) -> None:
    write_baseline(path, accepted("a 5/5"))
    lines = path.read_text().splitlines()
    text = "\n".join([*lines[:2], lines[2] + ",", *lines[2:]])
    assert "'a' stands there twice (lines 3, 4)" in refusal(path, text)


def test_conflict_markers_of_a_merge_have_their_own_word(path: Path, accepted: Accepted) -> None:
    write_baseline(path, accepted("a 5/5"))
    lines = path.read_text().splitlines()
    text = "\n".join([*lines[:2], "<<<<<<< HEAD", lines[2], "=======", lines[2], ">>>>>>> x"])
    assert "line 3: a merge left its conflict here" in refusal(path, text)


def test_bytes_that_are_not_text_are_refused(path: Path) -> None:
    path.write_bytes(b'\xff\xfe{"format": 1}')
    with pytest.raises(BaselineError, match="not UTF-8"):
        read_baseline(path)


AMOUNTS = st.none() | st.floats(0, 1e300, allow_subnormal=False)
COUNTS = st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda two: (min(two), max(two)))


@st.composite
def _baselines(draw: st.DrawFn) -> Baseline:
    def case() -> BaselineCase:
        passed, measured = draw(COUNTS)
        return BaselineCase(
            hash=draw(st.text()),
            protected=draw(st.booleans()),
            tags=tuple(draw(st.lists(st.text(), max_size=2))),
            passed=passed,
            measured=measured,
            planned=measured + draw(st.integers(0, 3)),
            checks=draw(st.dictionaries(st.text(), COUNTS, max_size=2)),
            steps=draw(AMOUNTS),
            tokens=draw(AMOUNTS),
            cost=draw(AMOUNTS),
        )

    return Baseline(
        suite=draw(st.none() | st.text()),
        git=draw(st.none() | st.text()),
        mode=draw(st.sampled_from(["live", "scripted", "replayed", "none"])),
        k=draw(st.integers(0, 100)),
        cases={name: case() for name in draw(st.lists(st.text(), unique=True, max_size=3))},
    )


@given(_baselines())
def test_what_is_written_is_read_back_the_same_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, baseline: Baseline
) -> None:
    path = tmp_path_factory.mktemp("baselines") / "baseline.json"
    write_baseline(path, baseline)
    content = path.read_bytes()
    again = read_baseline(path)
    assert again == baseline
    write_baseline(path, again)
    assert path.read_bytes() == content


def test_a_lone_surrogate_in_a_baseline_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text('{"format":1,"suite":null,"git":null,"mode":"\\ud800","k":1,"cases":{}}')
    with pytest.raises(BaselineError, match=r"b\.json"):
        read_baseline(file)
