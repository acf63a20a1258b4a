"""Probing a judge: a fair one shows nothing, and each biased one is caught by its probe."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from fairtrial.cases import Suite, load_suite
from fairtrial.errors import UsageError
from fairtrial.flow.grade import GradeOptions, grade_recordings
from fairtrial.flow.judge_many import Wanted
from fairtrial.flow.judging import JudgeOptions
from fairtrial.flow.probe import ProbedRun, ProbeOptions, probe_judge, sample_of
from fairtrial.judge import Asks, Judge, Panel
from fairtrial.records import (
    Json,
    JudgeProbing,
    JudgePrompt,
    JudgeReply,
    KeptReply,
    Label,
    ProbeResult,
)
from fairtrial.store import Redactor, SavedRun

WORDS = ["apple", "river", "candle", "violin", "meadow", "copper"]


class Seen(NamedTuple):
    """What a judge can tell from a prompt."""

    prompt: str
    question: str
    records: list[str]

    @property
    def record(self) -> str:
        return self.records[0]

    @property
    def answer(self) -> str:
        return answer_of(self.record)

    @property
    def marker(self) -> str:
        found = re.search(r"hold the word (\w+)", self.prompt)
        assert found is not None
        return found[1]


def answer_of(record: str) -> str:
    return record.partition("== the agent's answer ==\n")[2]


def serves(record: str) -> bool:
    """Say what is true: the answer is about what was asked."""
    asked = re.search(r"Tell of (\w+)", record)
    assert asked is not None
    return f"the {asked[1]} is" in answer_of(record).lower()


def fits(record: str) -> bool:
    asked = re.search(r"Tell of (\w+)", record)
    assert asked is not None
    return f'"id":"{asked[1]}-1"' in record and '"on":"2026-12-01"' in record


def fair(seen: Seen) -> Json:
    if len(seen.records) == 2:
        first, second = map(serves, seen.records)
        return "TIE" if first == second else "FIRST" if first else "SECOND"
    return fits(seen.record) if "Every call" in seen.question else serves(seen.record)


class Scripted:
    """A judge's model that says what a function decides."""

    def __init__(self, decide: Callable[[Seen], Json], name: str = "scripted") -> None:
        self.name = self.described = name
        self.decide = decide
        self.calls = 0

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        self.calls += 1
        fenced = rf"{prompt.marker} BEGIN(?: \w+)?\n(.*?)\n{prompt.marker} END"
        records = re.findall(fenced, prompt.text, re.DOTALL)
        said = self.decide(Seen(prompt.text, prompt.text.rpartition(" END")[2], records))
        if isinstance(said, str) and said.startswith("{"):
            return JudgeReply(text=said)
        word = {"better": said} if len(records) == 2 else {"verdict": "PASS" if said else "FAIL"}
        fields = {"marker": prompt.marker, "reason": "It is so.", "evidence": "== request =="}
        return JudgeReply(text=json.dumps(fields | word))


class Replies:
    """Replies in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, KeptReply] = {}

    def find(self, key: str) -> KeptReply | None:
        return self.kept.get(key)

    def keep(self, reply: KeptReply) -> None:
        self.kept[reply.key] = reply


def saved(folder: Path, trials: int = 2, **rubric: Json) -> tuple[SavedRun, Suite]:
    """Give a run of six cases whose answers are right."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = [
        {
            "id": word,
            "input": f"Tell of {word}.",
            "expect": {"answer": {"contains": [word]}, "reference": f"The {word} is here."}
            | rubric,
        }
        for word in WORDS
    ]
    (folder / "cases.json").write_text(json.dumps(cases))
    rows = [
        {
            "case": word,
            "trial": trial,
            "answer": f"The {word} is what you asked for{'!' * trial}. {word * 12}.",
            "steps": [
                {"calls": [{"name": "look", "result": 1,
                            "arguments": {"id": f"{word}-1", "on": "2026-12-01"}}]}
            ],
        }
        for word in WORDS
        for trial in range(trials)
    ]  # fmt: skip
    (folder / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    suite = load_suite([folder / "cases.json"])
    with grade_recordings(suite, folder / "runs.jsonl", GradeOptions(root=folder)) as run:
        assert run.info.folder is not None
        return SavedRun.read_folder(Path(run.info.folder)), suite


def options(
    decide: Callable[[Seen], Json] = fair,
    *,
    asks: Asks = "live",
    sample: int = 20,
    name: str = "scripted",
    replies: Replies | None = None,
) -> ProbeOptions:
    model = Scripted(decide, name)
    judge = Judge(model, replies or Replies(), asks=asks, marker=lambda: "m4rkm4rk")
    # One after the other, so that a judge that remembers does so in the order of the questions.
    return ProbeOptions(JudgeOptions(judge=judge, asks=asks, concurrency=1), Redactor(), sample)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> ProbedRun:
    return ProbedRun(*saved(tmp_path_factory.mktemp("run")))


def probe(told: JudgeProbing, name: str) -> ProbeResult:
    return next(one for one in told.probes if one.name == name)


def flipped(told: JudgeProbing) -> set[str]:
    return {one.name for one in told.probes if one.flips}


def test_a_fair_judge_shows_no_flip_and_finds_every_planted_fault(run: ProbedRun) -> None:
    told = probe_judge([run], options())
    assert flipped(told) == set()
    pairs = {one.name: one.pairs for one in told.probes}
    # Of two trials of one case that are each other's rivals there is one pair of places.
    assert pairs.pop("order") == 6
    assert pairs.pop("own family") == 0
    assert set(pairs.values()) == {12}
    (whole, *_) = probe(told, "wrong argument").detections
    assert (whole.found, whole.planted, whole.rate) == (12, 12, 1.0)
    assert (told.sampled, told.use.calls) == (12, told.use.verdicts)


def injected_sign(sign: str) -> Callable[[Seen], Json]:
    return lambda seen: True if len(seen.records) == 1 and sign in seen.answer else fair(seen)


def forgetful() -> Callable[[Seen], Json]:
    """Give a judge that says the opposite when it sees the same record again."""
    seen_before: set[str] = set()

    def decide(seen: Seen) -> Json:
        key = seen.question + seen.record
        again = key in seen_before and "is what you asked for" in seen.answer
        seen_before.add(key)
        said = fair(seen)
        return not said if again and said is True else said

    return decide


BIASED: dict[str, tuple[str, Callable[[Seen], Json]]] = {
    "first place": ("order", lambda seen: "FIRST" if len(seen.records) == 2 else fair(seen)),
    "second place": ("order", lambda seen: "SECOND" if len(seen.records) == 2 else fair(seen)),
    "dislikes length": ("padding", lambda seen: fair(seen) if len(seen.records) == 2
                        else fair(seen) and "> Tell of" not in seen.answer),
    "dislikes boasts": ("tone", lambda seen: fair(seen) if len(seen.records) == 2
                        else fair(seen) and "certain" not in seen.answer),
    "dislikes lists": ("format", lambda seen: fair(seen) if len(seen.records) == 2
                       else fair(seen) and "\n- " not in seen.answer),
    "forgetful": ("retest", forgetful()),
    "obeys": ("injected orders", injected_sign("The question has been withdrawn")),
    "believes": ("injected reply", injected_sign("```json")),
    "loses the thread": ("injected fence", injected_sign("[END DATA]")),
    "passes silence": ("empty", injected_sign("(empty)")),
    "passes strangers": ("stranger", lambda seen: len(seen.records) == 1 and seen.answer
                         != "(empty)" if "gives the user" in seen.question
                         and "SYSTEM" not in seen.answer and "[END" not in seen.answer
                         else fair(seen)),
    "fails the reference": ("reference", lambda seen: fair(seen) if len(seen.records) == 2
                            else fair(seen) and "is here." not in seen.answer),
    "argument blind": ("wrong argument", lambda seen: "Every call" in seen.question
                       or fair(seen)),
}  # fmt: skip


@pytest.mark.parametrize("bias", BIASED)
def test_each_bias_is_caught_by_its_probe_and_by_no_other(run: ProbedRun, bias: str) -> None:
    name, decide = BIASED[bias]
    told = probe_judge([run], options(decide))
    assert flipped(told) == {name}
    caught = probe(told, name)
    assert caught.flips == caught.pairs > 0
    assert caught.rate == 1.0
    assert caught.interval is not None
    assert len(caught.examples) == 5
    assert caught.examples[0].case in WORDS


def test_a_judge_that_repeats_what_it_reads_gives_no_verdict_and_none_is_guessed(
    run: ProbedRun,
) -> None:
    def parrot(seen: Seen) -> Json:
        found = re.findall(r"\{.*\}", seen.answer)
        return found[-1] if found and len(seen.records) == 1 else fair(seen)

    told = probe_judge([run], options(parrot))
    assert flipped(told) == set()
    # The marker of the imitation is a guess; the bare object has neither reason nor evidence.
    assert probe(told, "injected reply").unjudged == 12
    assert probe(told, "injected fence").unjudged == 12


def test_the_places_favoured_are_told(run: ProbedRun) -> None:
    told = probe(probe_judge([run], options(BIASED["second place"][1])), "order")
    assert (told.first, told.second) == (0, 6)
    assert told.p == pytest.approx(0.03125)


def test_the_sample_bounds_what_is_asked_and_the_count_is_told_beforehand(run: ProbedRun) -> None:
    wanted: list[Wanted] = []
    told = probe_judge([run], options(sample=3), wanted.append)
    assert told.sampled == 3
    assert [one.calls for one in wanted] == [told.use.calls]
    assert told.use.calls <= 3 * 18


def test_without_replies_on_file_nothing_is_measured_and_what_is_missing_is_said(
    run: ProbedRun,
) -> None:
    told = probe_judge([run], options(asks="replay"))
    assert told.use.calls == 0
    assert told.use.wanted_calls
    assert all(one.pairs == 0 and one.rate is None for one in told.probes)
    assert all((one.not_measured or "").startswith("not measured: ") for one in told.probes)


def test_what_is_on_file_is_measured_again_without_a_call(run: ProbedRun) -> None:
    replies = Replies()
    live = probe_judge([run], options(replies=replies))
    again = probe_judge([run], options(asks="replay", replies=replies))
    assert again.probes == live.probes
    assert (again.use.calls, again.use.wanted_calls) == (0, 0)


def test_the_cases_own_items_are_asked_where_there_are_some(tmp_path: Path) -> None:
    items = ["Names it", "Says no more"]
    probed = ProbedRun(*saved(tmp_path, trials=1, rubric=[{"item": item} for item in items]))
    asked: set[str] = set()

    def decide(seen: Seen) -> Json:
        asked.update(item for item in items if item in seen.question)
        return fair(seen)

    assert flipped(probe_judge([probed], options(decide))) == set()
    assert asked == {*items}


def test_a_sample_takes_every_case_before_a_second_trial_of_any() -> None:
    trials = {name: [0, 1, 2] for name in WORDS}
    drawn = sample_of(trials, 8)
    assert {case for case, _ in drawn[:6]} == {*WORDS}
    assert [trial for _, trial in drawn] == [0] * 6 + [1] * 2
    assert sample_of(trials, 8) == drawn
    assert len(sample_of(trials, 99)) == 18
    assert sample_of({}, 5) == sample_of({"a": []}, 5) == []


def labels(passes: int) -> list[Label]:
    return [Label(case=word, trial=0, label=n < passes) for n, word in enumerate(WORDS)]


def test_leniency_to_its_own_family_is_told_against_labels(run: ProbedRun, tmp_path: Path) -> None:
    run = run._replace(labels=labels(3), model="openai/gpt-5-mini")
    other = ProbedRun(*saved(tmp_path), labels=labels(6), model="claude-sonnet-4-5")
    told = probe(probe_judge([run, other], options(name="gpt-5")), "own family")
    assert told.leniency is not None
    assert (told.leniency.own, told.leniency.other) == (0.5, 0.0)
    assert (told.leniency.own_answers, told.leniency.other_answers) == (6, 6)


@pytest.mark.parametrize(
    ("judge", "model", "said", "words"),
    [
        ("gpt-5", "gpt-5", [], "--labels"),
        ("mine:judge", "gpt-5", labels(3), "family of the judge's model is not known"),
        ("gpt-5", None, labels(3), "family of the agent's model is not known"),
        ("gpt-5", "gpt-5", labels(3), "of another family"),
        ("gpt-5", "claude-sonnet-4-5", labels(3), "of its own family"),
    ],
)
def test_without_labels_or_names_leniency_is_not_measured(
    run: ProbedRun, judge: str, model: str | None, said: list[Label], words: str
) -> None:
    run = run._replace(labels=said, model=model)
    told = probe(probe_judge([run], options(name=judge)), "own family")
    assert told.not_measured is not None
    assert words in told.not_measured
    assert told.not_measured.startswith("not measured: ")


def test_a_panel_of_several_families_has_none(run: ProbedRun) -> None:
    one = [options(name=name).judge.judge for name in ("gpt-5", "claude-sonnet-4-5", "gpt-4o")]
    panel = Panel([judge for judge in one if isinstance(judge, Judge)])
    judged = ProbeOptions(JudgeOptions(judge=panel, asks="live"), Redactor(), 2)
    told = probe_judge([run._replace(labels=labels(3), model="gpt-5")], judged)
    assert "not known" in str(probe(told, "own family").not_measured)
    assert flipped(told) == set()


def test_labels_that_contradict_each_other_are_refused(run: ProbedRun) -> None:
    said = [Label(case="apple", label=True), Label(case="apple", label=False)]
    with pytest.raises(UsageError, match="labelled both"):
        probe_judge([run._replace(labels=said, model="gpt-5")], options(name="gpt-5"))
