"""Where two saved runs part, without the command line."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.flow.compare import diff_runs
from fairtrial.flow.parting import chosen, grouped, with_partings
from fairtrial.match import first_parting
from fairtrial.records import Compared, Json, RunDifference, Step, ToolCall, Trajectory, Verdict
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from tests.conftest import Desk

GET: Json = {"calls": [{"name": "get"}]}
DONE: Json = {"text": "done"}
NO: Json = {"text": "no"}


def saved(desk: "Desk", *options: str, **trials: list[list[Json]]) -> SavedRun:
    """Grade cases that want "done"; give the steps of each trial."""
    desk.cases(*(desk.case(name) for name in sorted(trials)))
    desk.record(
        *(
            desk.recording(name, steps[-1]["text"], steps=steps)
            for name, many in trials.items()
            for steps in many
        )
    )
    desk.grade(*options)
    return find_run("out.json", desk.folder)


def parted(a: SavedRun, b: SavedRun, *, every: bool = False) -> RunDifference:
    return with_partings(diff_runs(a, b), a, b, every=every)


def test_the_first_failing_trial_is_held_against_the_one_with_its_number(desk: "Desk") -> None:
    a = saved(desk, c=[[DONE], [GET, DONE]])
    b = saved(desk, c=[[DONE], [NO]])
    (found,) = parted(a, b).partings
    assert (found.trial_a, found.trial_b) == (1, 1)
    assert found.text == "at step 1: a calls get(), b answers"


def test_only_what_is_worse_is_followed_unless_asked(desk: "Desk") -> None:
    a = saved(desk, c=[[DONE]], d=[[NO]], e=[[DONE]])
    b = saved(desk, c=[[NO]], d=[[GET, DONE]], e=[[GET, DONE]])
    assert [one.case for one in parted(a, b).partings] == ["c"]
    found = parted(a, b, every=True)
    assert [(one.case, one.kind) for one in found.partings] == [("c", "answer"), ("d", "stop")]
    assert [(group.among, group.cases) for group in found.groups] == [
        ("regressions", ("c",)),
        ("fixes", ("d",)),
    ]


def test_runs_in_another_order_are_paired_by_case(desk: "Desk") -> None:
    a = saved(desk, c=[[DONE]], d=[[DONE]], e=[[DONE]])
    desk.cases(*(desk.case(name) for name in "edc"))
    desk.record(*(desk.recording(name, "no", steps=[GET, NO]) for name in "dce"))
    desk.grade(out="b.json")
    found = parted(a, find_run("b.json", desk.folder))
    assert {one.case for one in found.partings} == {"c", "d", "e"}
    assert [len(group.cases) for group in found.groups] == [3]


def test_nothing_is_added_where_nothing_is_worse_or_the_transcripts_are_gone(desk: "Desk") -> None:
    a, b = saved(desk, c=[[DONE]]), saved(desk, "--no-save", c=[[NO]])
    assert parted(a, a) == diff_runs(a, a)
    assert parted(a, b) == diff_runs(a, b)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (b"", "the transcript of b is missing (trial 0)"),
        (b"{}\n", "the transcripts of b cannot be read: "),
        (b'{"case":"c","trial":0,"trajectory":5}\n', "a transcript of b cannot be read: "),
    ],
)
def test_a_transcript_that_cannot_be_read_is_said(desk: "Desk", damage: bytes, words: str) -> None:
    a, b = saved(desk, c=[[DONE]]), saved(desk, c=[[NO]])
    assert b.folder is not None
    (b.folder / "trials.jsonl").write_bytes(damage)
    (found,) = parted(a, b).partings
    assert (found.kind, found.step, words in found.text) == ("unknown", None, True)


@pytest.mark.parametrize(
    ("a", "b", "pair"),
    [
        ("pp", "pf", (1, 1)),
        ("fp", "ff", (1, 0)),
        ("pp", "eff", (1, 1)),
        ("p", "pf", (0, 1)),
        ("ff", "fp", (0, 1)),
        ("fp", "pp", (0, 0)),
        ("pp", "ee", (0, 0)),
        ("ee", "pp", (0, 0)),
        ("pp", "pp", (0, 0)),
        ("ff", "ff", (0, 0)),
        ("", "f", None),
    ],
)
def test_trials_are_chosen_by_rule(a: str, b: str, pair: tuple[int, int] | None) -> None:
    words: dict[str, Verdict] = {"p": "passed", "f": "failed", "e": "error"}
    sides = [{at: words[letter] for at, letter in enumerate(side)} for side in (a, b)]
    assert chosen(*sides) == pair


VERDICTS = st.dictionaries(st.integers(0, 9), st.sampled_from(["passed", "failed", "error"]))


@given(VERDICTS, VERDICTS)
def test_the_chosen_trials_are_there(a: dict[int, Verdict], b: dict[int, Verdict]) -> None:
    pair = chosen(a, b)
    assert (pair is None) == (not a or not b)
    assert pair is None or (pair[0] in a and pair[1] in b)


def test_twenty_cases_with_one_cause_are_one_group_whatever_the_values() -> None:
    def made(case: str, at: int, fee: int) -> Trajectory:
        rows = [{"fee": 0}] * at + [{"fee": fee}]
        call = ToolCall(name="pay", arguments={"rows": rows})
        return Trajectory(case=case, answer="x", steps=(Step(calls=(call,)), Step(text="x")))

    cases = [f"c{n}" for n in range(20)]
    partings = [
        first_parting(made(case, at, 1), made(case, at, 2 + at)) for at, case in enumerate(cases)
    ]
    among: dict[str, Compared] = dict.fromkeys(cases, "regressions")
    (group,) = grouped(partings, among)
    assert (group.kind, group.tool, group.path) == ("argument", "pay", "rows[].fee")
    assert (group.text, group.cases) == ("another argument rows[].fee of pay", tuple(cases))
    apart: dict[str, Compared] = among | {"c3": "fixes"}
    assert [len(group.cases) for group in grouped(partings, apart)] == [19, 1]
