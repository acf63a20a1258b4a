"""The story of `judge probe`: trials of a saved run, changed on purpose, put to the judge."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random  # noqa: TID251 - seeded here, so that the same run gives the same sample
from typing import Final, NamedTuple

from fairtrial.cases import Suite
from fairtrial.errors import UsageError
from fairtrial.flow.judge_answers import Answer, Answers, Key
from fairtrial.flow.judge_crew import AnyJudge
from fairtrial.flow.judge_many import Wanted, use_of, verdicts_of, wanted_of
from fairtrial.flow.judging import JudgeOptions
from fairtrial.graders import judge_questions
from fairtrial.judge import (
    Ask,
    LabelledVerdict,
    Panel,
    Probed,
    family_of,
    majority_labels,
    own_family_result,
    probe_result,
    probes_of,
    served,
)
from fairtrial.records import Case, JudgeProbing, JudgeQuestion, JudgeVerdict, Label, ProbeResult
from fairtrial.store import Redactor, SavedRun

_SEED: Final = 1
_JUDGE_FAMILY = "the family of the judge's model is not known"


class ProbedRun(NamedTuple):
    """A saved run with its cases, and what people said of its answers."""

    run: SavedRun
    suite: Suite
    labels: Sequence[Label] = ()
    model: str | None = None
    """Of the agent."""


class ProbeOptions(NamedTuple):
    """What `judge probe` is asked to do."""

    judge: JudgeOptions
    redactor: Redactor
    sample: int = 20


class _Labelled(NamedTuple):
    """A question about an answer that people have labelled."""

    ask: Ask
    people: bool
    family: str


def probe_judge(
    runs: Sequence[ProbedRun],
    options: ProbeOptions,
    told: Callable[[Wanted], None] | None = None,
) -> JudgeProbing:
    """Probe a judge for bias.

    Args:
        runs: The first is probed; all of them serve to tell whether it prefers its own family.
        options: The judge and how much is asked.
        told: Is told what is not on file before anything is asked.

    Raises:
        UsageError: Labels that contradict each other.
        StoreError: A run cannot be read, or a reply not be kept.
    """
    trials = _sampled(runs[0], options)
    probes = probes_of(trials)
    labelled, lacking = _labelled(runs, options)
    asks = [
        ask
        for probe in probes
        for change in probe.changes
        for ask in _of(change.before, change.after)
    ]
    asks += [one.ask for one in labelled]
    judge = options.judge
    wanted = wanted_of(judge.judge, asks)
    if told is not None:
        told(wanted)
    said = verdicts_of(judge.judge, asks, live=judge.asks == "live", concurrency=judge.concurrency)
    results = [probe_result(probe, said.__getitem__) for probe in probes]
    return JudgeProbing(
        run=runs[0].run.info.id,
        sampled=len(trials),
        probes=(*results, _own_family(_family(judge.judge), labelled, said, lacking)),
        use=use_of(judge.judge, judge.asks, said.values(), wanted),
    )


def _of(before: Ask | None, after: Ask) -> Iterator[Ask]:
    if before is not None:
        yield before
    yield after


def _sampled(probed: ProbedRun, options: ProbeOptions) -> list[Probed]:
    """Give trials of as many cases as there are, each with another trial of its case, if any."""
    answers = Answers(probed.run, probed.suite, options.redactor, probed.run.info.id)
    by_case = answers.measured()
    keys = sample_of(by_case, options.sample)
    rivals = {key: _next_trial(key, by_case) for key in keys}
    wanted = {*keys, *(rival for rival in rivals.values() if rival is not None)}
    found = {(one.case.id, one.trial): one for one in answers.read(wanted)}
    return [
        _probed(found[key], found.get(rivals[key] or key), turn)
        for turn, key in enumerate(keys)
        if key in found
    ]


def sample_of(trials: Mapping[str, Sequence[int]], most: int) -> list[Key]:
    """Draw trials: one of each case before a second of any, always the same of the same run.

    Args:
        trials: Their numbers by case.
        most: How many are drawn at most.

    >>> sorted(sample_of({"a": [0, 1], "b": [0]}, 2))
    [('a', 0), ('b', 0)]
    """
    draw = Random(_SEED)  # noqa: S311 - a sample, no secret
    cases = sorted(trials)
    draw.shuffle(cases)
    rounds = max(map(len, trials.values()), default=0)
    keys = [
        (case, trials[case][at]) for at in range(rounds) for case in cases if at < len(trials[case])
    ]
    return keys[:most]


def _next_trial(key: Key, trials: Mapping[str, Sequence[int]]) -> Key | None:
    """Give the trial of the same case that comes next, the first after the last."""
    case, trial = key
    numbers = trials[case]
    after = numbers[(numbers.index(trial) + 1) % len(numbers)]
    return None if after == trial else (case, after)


def _probed(answer: Answer, rival: Answer | None, turn: int) -> Probed:
    differs = rival is not None and rival.transcript != answer.transcript
    return Probed(
        case=answer.case,
        trial=answer.trial,
        trajectory=answer.trajectory,
        passed=answer.passed,
        question=_question(answer.case, turn),
        rival=rival.trajectory if rival is not None and differs else None,
    )


def _question(case: Case, turn: int) -> JudgeQuestion:
    """Give a yes/no question that the case asks of its trials, in turn; else the one for all."""
    asked = [one for one in judge_questions(case) if one.scale == "verdict"]
    return asked[turn % len(asked)] if asked else served(case)


def _labelled(
    runs: Sequence[ProbedRun], options: ProbeOptions
) -> tuple[list[_Labelled], str | None]:
    """Give what is asked to tell whether the judge prefers its own family, or why nothing is."""
    if not any(probed.labels for probed in runs):
        return [], "leniency is held against what people say: name labels with --labels"
    judge = options.judge.judge
    if _family(judge) is None:
        return [], f"{_JUDGE_FAMILY} ({judge.name})"
    found: list[_Labelled] = []
    unknown = []
    for probed in runs:
        family = family_of(probed.model)
        if family is None:
            unknown.append(f"{probed.run.info.id} ({probed.model or 'no model named'})")
            continue
        found += _labelled_of(probed, options, family)
    if not found and unknown:
        return [], f"the family of the agent's model is not known: {', '.join(unknown)}"
    return found, None


def _family(judge: AnyJudge) -> str | None:
    """Give the family of a judge, that of a panel where all its judges are of one."""
    judges = judge.judges if isinstance(judge, Panel) else (judge,)
    families = {family_of(one.name) for one in judges}
    return families.pop() if len(families) == 1 else None


def _labelled_of(probed: ProbedRun, options: ProbeOptions, family: str) -> Iterator[_Labelled]:
    try:
        agreed = majority_labels(probed.labels)
    except ValueError as error:
        raise UsageError(f"labels of {probed.run.info.id}: {error}") from error
    answers = Answers(probed.run, probed.suite, options.redactor, probed.run.info.id)
    labelled = {(case, trial) for case, trial, _ in agreed}
    trials = {
        case: [trial for trial in numbers if (case, trial) in labelled]
        for case, numbers in answers.measured().items()
    }
    for answer in answers.read({*sample_of(trials, options.sample)}):
        asked = {one.item: one for one in judge_questions(answer.case) if one.scale == "verdict"}
        asked[""] = served(answer.case)  # a label of the trial as a whole
        trial = Probed(
            case=answer.case,
            trial=answer.trial,
            trajectory=answer.trajectory,
            passed=answer.passed,
            question=asked[""],
        )
        for item, question in asked.items():
            label = agreed.get((answer.case.id, answer.trial, item))
            if label in {"pass", "fail"}:
                yield _Labelled(trial.asked(question=question), label == "pass", family)


def _own_family(
    family: str | None,
    labelled: Sequence[_Labelled],
    said: Mapping[Ask, JudgeVerdict],
    lacking: str | None,
) -> ProbeResult:
    own: list[LabelledVerdict] = []
    other: list[LabelledVerdict] = []
    for one in labelled:
        verdict = said[one.ask].verdict
        if isinstance(verdict, bool):
            side = own if one.family == family else other
            side.append(LabelledVerdict(judge=verdict, people=one.people))
    return own_family_result(own, other, lacking)
