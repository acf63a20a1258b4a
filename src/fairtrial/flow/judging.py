"""The judge of a run at work: what it is asked of each trial, many at once, and what it took."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from fairtrial.flow.judge_crew import AnyJudge, ask_all
from fairtrial.flow.judge_tally import JudgeTally
from fairtrial.graders import judge_questions
from fairtrial.judge import (
    Ask,
    Asks,
    Judge,
    Material,
    Missing,
    Panel,
    transcript_of,
    trust_of,
)
from fairtrial.records import (
    Calibration,
    Case,
    JudgeUse,
    JudgeVerdict,
    Trajectory,
    Trust,
    TrustBar,
)
from fairtrial.store import Redactor


class JudgeOptions(Struct, frozen=True, kw_only=True):
    """The judge that a suite's settings name, and how it is used."""

    judge: AnyJudge
    asks: Asks
    concurrency: int = 8
    calibration: Calibration | None = None
    bar: TrustBar = TrustBar()
    repeat: int = 0
    """How often it was asked the same before: from 1 on it answers anew."""


class Judged(NamedTuple):
    """A trial with what the judge says of it, by item."""

    case: Case
    trajectory: Trajectory
    trial: int
    verdicts: dict[str, JudgeVerdict]


class Judging:
    """A judge at work for one run. Trials go in by `submit` and come out of `drain`, judged.

    A live judge is asked in daemon threads, so that one that hangs holds up no exit. Every reply
    is on file before its verdict counts.

    Attributes:
        trust: Which items it may decide.
    """

    def __init__(self, options: JudgeOptions, cases: Sequence[Case], redactor: Redactor) -> None:
        """Take the cases of the run.

        Args:
            options: The judge.
            cases: All of the run.
            redactor: Takes the secrets out of what the judge is shown.
        """
        self._options = options
        self._redactor = redactor
        self._questions = {case.id: judge_questions(case) for case in cases}
        every = [question for of_case in self._questions.values() for question in of_case]
        self.trust: Trust = trust_of(
            options.calibration, options.judge.fingerprint, every, options.bar
        )
        self._tally = JudgeTally(cases, self._questions, self.trust, options.calibration)
        self._waiting: list[Judged] = []

    def asks(self, case: Case) -> bool:
        """Say whether a case asks a judge anything."""
        return bool(self._questions[case.id])

    def wants(self, case: Case, trajectory: Trajectory) -> bool:
        """Say whether a trial is to be judged: not one that could not be measured."""
        if not self.asks(case):
            return False
        return trajectory.error is None or trajectory.error.kind == "agent"

    def submit(self, case: Case, trajectory: Trajectory, trial: int) -> None:
        """Have a trial judged."""
        self._waiting.append(Judged(case, trajectory, trial, {}))

    def drain(self, tick: Callable[[], None] | None = None) -> Iterator[Judged]:
        """Give what was submitted, each trial as soon as it is judged.

        Args:
            tick: Called some times a second while nothing comes.

        Raises:
            StoreError: A reply cannot be kept.
        """
        waiting, self._waiting = self._waiting, []
        live = self._options.asks == "live"
        for one in self._asked_live(waiting, tick) if live else map(self._from_file, waiting):
            self._tally.add(one.verdicts.values())
            yield one

    def _asked_live(
        self, waiting: Sequence[Judged], tick: Callable[[], None] | None
    ) -> Iterator[Judged]:
        trials = {(one.case.id, one.trial): one for one in waiting}
        asks = (ask for one in waiting for ask in self._asks(one))
        concurrency = self._options.concurrency
        found = ask_all(self._options.judge, asks, concurrency=concurrency, tick=tick)
        with contextlib.closing(found):
            for ask, verdict in found:
                judged = trials[ask.material.case, ask.material.trial]
                judged.verdicts[ask.question.item] = verdict
                if len(judged.verdicts) == len(self._questions[judged.case.id]):
                    yield judged

    def missing(
        self, case: Case, trajectory: Trajectory, trial: int
    ) -> Iterator[tuple[Judge, Missing]]:
        """Give the prompts of a trial that no reply is on file for, each with who is to reply."""
        for ask in self._asks(Judged(case, trajectory, trial, {})):
            for judge in judges_of(self._options.judge):
                for missing in judge.missing(ask.question, ask.material):
                    yield judge, missing

    def give_up(self) -> None:
        """Ask nothing more; what is not judged stays so."""
        self._waiting.clear()

    def use(self) -> JudgeUse:
        """Give what the judge was used for."""
        judge = self._options.judge
        return self._tally.use(judge.name, judge.fingerprint, self._options.asks)

    def _asks(self, judged: Judged) -> list[Ask]:
        """Give the questions about a trial."""
        case = judged.case
        transcript = self._shown(case, judged.trajectory)
        material = Material(
            case=case.id,
            trial=judged.trial,
            transcript=transcript,
            repeat=self._options.repeat,
        )
        questions = self._questions[case.id]
        return [Ask(question=question, material=material) for question in questions]

    def _from_file(self, judged: Judged) -> Judged:
        """Judge a trial by the replies on file alone."""
        for ask in self._asks(judged):
            judged.verdicts[ask.question.item] = self._options.judge.ask(ask.question, ask.material)
            if self._options.asks == "dry":
                self._want(ask)
        return judged

    def _shown(self, case: Case, trajectory: Trajectory) -> str:
        """Give the transcript without secrets: it leaves this machine."""
        raw = self._redactor.line(msgspec.json.encode(trajectory))
        clean = msgspec.json.decode(raw, type=Trajectory)
        return self._redactor.text(transcript_of(case, clean))

    def _want(self, ask: Ask) -> None:
        for one in judges_of(self._options.judge):
            for missing in one.missing(ask.question, ask.material):
                self._tally.want(missing.prompt, one)


def judges_of(judge: AnyJudge) -> tuple[Judge, ...]:
    """Give the judges of a panel, or the one that there is."""
    return judge.judges if isinstance(judge, Panel) else (judge,)


def judging_of(
    options: JudgeOptions | None, cases: Sequence[Case], redactor: Redactor
) -> Judging | None:
    """Give the judge at work; None without one, and where no case asks one anything.

    >>> judging_of(None, [], Redactor()) is None
    True
    """
    if options is None or not any(judge_questions(case) for case in cases):
        return None
    return Judging(options, cases, redactor)
