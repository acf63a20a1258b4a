"""Runs compared by a judge: pairs, flips, what was left out, strengths, replies on file."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fairtrial.cases import Suite, load_suite
from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.grade import GradeOptions, grade_recordings
from fairtrial.flow.judge_compare import CompareOptions, compare_answers
from fairtrial.flow.judge_many import Wanted
from fairtrial.flow.judging import JudgeOptions
from fairtrial.judge import Asks, Judge
from fairtrial.records import (
    Json,
    JudgeComparison,
    JudgePrompt,
    JudgeReply,
    KeptReply,
    LeftOut,
)
from fairtrial.store import Redactor, SavedRun

Saved = tuple[SavedRun, Suite]


class Replies:
    """Replies in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, KeptReply] = {}

    def find(self, key: str) -> KeptReply | None:
        return self.kept.get(key)

    def keep(self, reply: KeptReply) -> None:
        self.kept[reply.key] = reply


class Scripted:
    """A judge's model that says which of two answers is better by a function of both."""

    name = described = "scripted"

    def __init__(self, decide: Callable[[str, str], str]) -> None:
        self.decide = decide
        self.prompts: list[str] = []

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        self.prompts.append(prompt.text)
        first, second = re.findall(
            r"== the agent's answer ==\n(.*?)\nm4rkm4rk END", prompt.text, re.DOTALL
        )
        said = {"marker": prompt.marker, "reason": "It is so.", "evidence": "== request =="}
        return JudgeReply(text=json.dumps(said | {"better": self.decide(first, second)}))


def points(first: str, second: str) -> str:
    """Decide fairly: the higher number of points wins."""
    a, b = (int(re.sub(r"\D", "", answer) or 0) for answer in (first, second))
    return "TIE" if a == b else "FIRST" if a > b else "SECOND"


def saved(
    folder: Path,
    answers: Mapping[str, list[str | None]],
    *,
    name: str,
    want: str = "points",
    variant: str | None = None,
) -> Saved:
    """Give a run with these answers by case, one a trial; None: the provider failed."""
    cases = [
        {"id": case, "input": f"How many, {case}?", "expect": {"answer": {"contains": [want]}}}
        for case in answers
    ]
    home = folder / name
    home.mkdir()
    (home / "cases.json").write_text(json.dumps(cases))
    rows: list[dict[str, Json]] = [
        {"case": case, "trial": trial, "answer": answer, "steps": []}
        if answer is not None
        else {"case": case, "trial": trial, "error": {"kind": "provider", "message": "down"}}
        for case, said in answers.items()
        for trial, answer in enumerate(said)
    ]
    (home / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    suite = load_suite([home / "cases.json"])
    with grade_recordings(suite, home / "runs.jsonl", GradeOptions(root=home)) as run:
        assert run.info.folder is not None
        path = Path(run.info.folder)
    info = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(info | {"id": name, "variant": variant}))
    return SavedRun.read_folder(path), suite


def compared(
    runs: list[Saved],
    decide: Callable[[str, str], str] = points,
    *,
    asks: Asks = "live",
    replies: Replies | None = None,
    told: Callable[[Wanted], None] | None = None,
    model: Scripted | None = None,
) -> JudgeComparison:
    judge = Judge(
        model or Scripted(decide), replies or Replies(), asks=asks, marker=lambda: "m4rkm4rk"
    )
    options = CompareOptions(JudgeOptions(judge=judge, asks=asks), Redactor(["s3cret-value"]))
    return compare_answers([run for run, _ in runs], [suite for _, suite in runs], options, told)


def many(*numbers: int) -> dict[str, list[str | None]]:
    return {f"c{n}": [f"{number} points"] for n, number in enumerate(numbers)}


def test_answers_are_compared_in_both_orders_and_a_fair_judge_never_flips(tmp_path: Path) -> None:
    runs = [saved(tmp_path, many(1, 5, 3, 4), name="old"),
            saved(tmp_path, many(2, 1, 3, 9), name="new")]  # fmt: skip
    told = compared(runs)
    (pair,) = told.pairs
    assert (pair.a, pair.b) == ("old", "new")
    assert (pair.wins_a, pair.wins_b, pair.ties, pair.flips) == (1, 2, 1, 0)
    assert (pair.identical, told.use.calls) == (1, 6)
    assert told.place is not None
    assert (told.place.pairs, told.place.flips) == (3, 0)
    assert told.left_out == ()


@pytest.mark.parametrize("place", ["FIRST", "SECOND"])
def test_a_judge_that_looks_at_the_place_wins_nothing_for_anybody(
    tmp_path: Path, place: str
) -> None:
    runs = [saved(tmp_path, many(*range(8)), name="old"),
            saved(tmp_path, many(*range(1, 9)), name="new")]  # fmt: skip
    (pair,) = compared(runs, lambda *_: place).pairs
    assert (pair.wins_a, pair.wins_b, pair.ties, pair.flips) == (0, 0, 8, 8)
    assert pair.place is not None
    assert (pair.place.first, pair.place.second) == ((8, 0) if place == "FIRST" else (0, 8))
    assert pair.place.p < 0.05


def test_a_judge_that_prefers_the_longer_answer_shows_in_its_winners(tmp_path: Path) -> None:
    long = {f"c{n}": [f"{n} points" + " and so on" * 5] for n in range(6)}
    runs = [saved(tmp_path, many(*range(6)), name="old"), saved(tmp_path, long, name="new")]  # type: ignore[arg-type]  # no None in it
    (pair,) = compared(runs, lambda a, b: "FIRST" if len(a) > len(b) else "SECOND").pairs
    assert pair.length is not None
    assert (pair.length.longer_won, pair.length.differ) == (6, 6)
    assert pair.length.ratio > 5


def test_trials_are_paired_by_number_and_what_one_run_alone_has_is_listed(tmp_path: Path) -> None:
    a: dict[str, list[str | None]] = {"x": ["1 points", "2 points"], "y": ["1 points"]}
    b: dict[str, list[str | None]] = {"x": ["3 points", None], "z": ["1 points"]}
    told = compared([saved(tmp_path, a, name="a"), saved(tmp_path, b, name="b")])
    assert [(one.case, one.trial) for one in told.pairs[0].pairs] == [("x", 0)]
    assert [(one.run, one.case, one.trial) for one in told.left_out] == [
        ("b", "x", 1), ("a", "x", 1), ("a", "y", 0), ("b", "z", 0),
    ]  # fmt: skip
    assert "could not be measured" in told.left_out[0].reason
    assert told.left_out[1] == LeftOut(
        run="a", case="x", trial=1, reason="there is no such answer in b"
    )


def test_a_case_that_is_no_longer_what_the_agent_met_is_left_out(tmp_path: Path) -> None:
    run, _ = saved(tmp_path, many(1, 2), name="a")
    _, changed = saved(tmp_path, many(1, 2), name="b", want="other")
    other = saved(tmp_path, many(3, 4), name="c")
    told = compared([(run, changed), other])
    assert told.pairs[0].pairs == ()
    assert {one.reason.partition(":")[0] for one in told.left_out if one.run == "a"} == {
        "the case has changed since the run"
    }


def test_what_the_checks_say_stands_beside_each_pair(tmp_path: Path) -> None:
    a: dict[str, list[str | None]] = {"x": ["1 points"], "y": ["2"], "z": ["3"]}
    b: dict[str, list[str | None]] = {"x": ["4"], "y": ["5 points"], "z": ["6"]}
    told = compared([saved(tmp_path, a, name="a"), saved(tmp_path, b, name="b")])
    assert [one.checks for one in told.pairs[0].pairs] == [1, -1, 0]


def test_three_runs_are_put_on_one_scale(tmp_path: Path) -> None:
    runs = [
        saved(tmp_path, many(*([5] * 6 + [1] * 6)), name="one", variant="good"),
        saved(tmp_path, many(*([2] * 9 + [3] * 3)), name="two", variant="plain"),
        saved(tmp_path, many(*([4] * 3 + [0] * 9)), name="three", variant="bad"),
    ]
    told = compared(runs)
    assert [(pair.a, pair.b) for pair in told.pairs] == [
        ("good", "plain"), ("good", "bad"), ("plain", "bad"),
    ]  # fmt: skip
    assert told.no_strengths is None
    assert [one.run for one in told.strengths][-1] == "bad"


def test_a_run_that_never_lost_has_no_strength_which_is_said(tmp_path: Path) -> None:
    runs = [saved(tmp_path, many(n, n, n), name=f"r{n}") for n in (1, 2, 3)]
    told = compared(runs)
    assert told.strengths == ()
    assert told.no_strengths is not None
    assert "no finite strengths" in told.no_strengths


def test_replies_on_file_are_asked_for_once_and_k_trials_have_k_of_them(tmp_path: Path) -> None:
    same: dict[str, list[str | None]] = {"x": ["1 points"] * 3}
    other: dict[str, list[str | None]] = {"x": ["2 points"] * 3}
    runs = [saved(tmp_path, same, name="a"), saved(tmp_path, other, name="b")]
    replies = Replies()
    live = compared(runs, replies=replies)
    assert (live.use.calls, len(replies.kept)) == (6, 6)
    again = compared(runs, replies=replies)
    assert (again.use.calls, again.use.replayed) == (0, 6)
    assert compared(runs, asks="replay", replies=replies).pairs == live.pairs


def test_without_replies_nothing_is_judged_and_what_is_missing_is_counted(tmp_path: Path) -> None:
    runs = [saved(tmp_path, many(1, 2), name="a"), saved(tmp_path, many(3, 4), name="b")]
    for asks in ("replay", "dry"):
        wanted: list[Wanted] = []
        model = Scripted(points)
        told = compared(runs, asks=asks, told=wanted.append, model=model)
        assert (model.prompts, [one.calls for one in wanted]) == ([], [4])
        assert (told.use.wanted_calls, told.use.calls) == (4, 0)
        assert (told.pairs[0].unjudged, told.pairs[0].rate_a) == (2, None)
        assert told.place is None


def test_what_cannot_be_read_is_unjudged_and_counted_as_no_tie(tmp_path: Path) -> None:
    runs = [saved(tmp_path, many(1, 2), name="a"), saved(tmp_path, many(3, 4), name="b")]
    (pair,) = compared(runs, lambda first, _: "BOTH" if "1" in first else "TIE").pairs
    assert (pair.unjudged, pair.ties) == (1, 1)
    lost = pair.pairs[0]
    assert (lost.winner, lost.fault) == (None, "out of range")
    assert "BOTH" in str(lost.raw)


def test_no_secret_leaves_this_machine(tmp_path: Path) -> None:
    a: dict[str, list[str | None]] = {"x": ["1 points, s3cret-value"]}
    runs = [saved(tmp_path, a, name="a"), saved(tmp_path, {"x": ["2 points"]}, name="b")]
    model = Scripted(points)
    compared(runs, model=model)
    assert len(model.prompts) == 2
    assert not any("s3cret-value" in prompt for prompt in model.prompts)


def test_fewer_than_two_runs_or_one_twice_are_refused(tmp_path: Path) -> None:
    run = saved(tmp_path, many(1), name="a")
    for runs in ([], [run]):
        with pytest.raises(UsageError, match="two runs or more"):
            compared(runs)
    with pytest.raises(UsageError, match="named twice"):
        compared([run, run])


def test_a_run_of_other_cases_or_without_transcripts_is_an_error(tmp_path: Path) -> None:
    run, _ = saved(tmp_path, many(1), name="a")
    other, suite = saved(tmp_path, {"elsewhere": ["1 points"]}, name="b")
    with pytest.raises(UsageError, match="none of its cases"):
        compared([(run, suite), (other, suite)])
    assert run.folder is not None
    (run.folder / "trials.jsonl").unlink()
    with pytest.raises(StoreError):
        compared([(run, suite), (other, suite)])
