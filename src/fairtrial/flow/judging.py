"""The judge of a run at work: what it is asked of each trial, many at once, and what it took."""

import queue
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Thread
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.flow.judge_tally import JudgeTally
from fairtrial.graders import judge_questions
from fairtrial.judge import Asks, Judge, Material, Missing, Panel, transcript_of, trust_of
from fairtrial.records import (
    Calibration,
    Case,
    JudgeQuestion,
    JudgeUse,
    JudgeVerdict,
    Trajectory,
    Trust,
    TrustBar,
)
from fairtrial.store import Redactor

AnyJudge: TypeAlias = Judge | Panel

_GLANCE = 0.2  # seconds between two looks for Ctrl-C


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


class _Asked(NamedTuple):
    """One question about one trial, and where its verdict goes."""

    question: JudgeQuestion
    material: Material
    trial: Judged
    left: list[str]
    """Items of the trial that are still to come."""


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
        self._crew = _Crew(options) if options.asks == "live" else None
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
        judged: Iterator[Judged] = map(self._from_file, waiting)
        if self._crew is not None:
            judged = self._crew.judge(map(self._asked, waiting), tick)
        for one in judged:
            self._tally.add(one.verdicts.values())
            yield one

    def missing(
        self, case: Case, trajectory: Trajectory, trial: int
    ) -> Iterator[tuple[Judge, Missing]]:
        """Give the prompts of a trial that no reply is on file for, each with who is to reply."""
        for question, material, _, _ in self._asked(Judged(case, trajectory, trial, {})):
            for judge in judges_of(self._options.judge):
                for missing in judge.missing(question, material):
                    yield judge, missing

    def give_up(self) -> None:
        """Ask nothing more; what is not judged stays so."""
        self._waiting.clear()
        if self._crew is not None:
            self._crew.clear()

    def use(self) -> JudgeUse:
        """Give what the judge was used for."""
        judge = self._options.judge
        return self._tally.use(judge.name, judge.fingerprint, self._options.asks)

    def _asked(self, judged: Judged) -> list[_Asked]:
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
        left = [question.item for question in questions]
        return [_Asked(question, material, judged, left) for question in questions]

    def _from_file(self, judged: Judged) -> Judged:
        """Judge a trial by the replies on file alone."""
        for question, material, _, _ in self._asked(judged):
            judged.verdicts[question.item] = self._options.judge.ask(question, material)
            if self._options.asks == "dry":
                self._want(question, material)
        return judged

    def _shown(self, case: Case, trajectory: Trajectory) -> str:
        """Give the transcript without secrets: it leaves this machine."""
        raw = self._redactor.line(msgspec.json.encode(trajectory))
        clean = msgspec.json.decode(raw, type=Trajectory)
        return self._redactor.text(transcript_of(case, clean))

    def _want(self, question: JudgeQuestion, material: Material) -> None:
        for one in judges_of(self._options.judge):
            for missing in one.missing(question, material):
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


class _Crew:
    """Threads that ask the judge; each is started when there is work for it."""

    def __init__(self, options: JudgeOptions) -> None:
        self._judge = options.judge
        self._most = options.concurrency
        self._work: queue.SimpleQueue[_Asked] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[_Asked, JudgeVerdict] | BaseException] = (
            queue.SimpleQueue()
        )
        self._threads = 0

    def judge(
        self, trials: Iterable[list[_Asked]], tick: Callable[[], None] | None
    ) -> Iterator[Judged]:
        """Give each trial when all of its questions are answered.

        Raises:
            BaseException: What no verdict could be made of, such as a reply that cannot be kept.
        """
        count = 0
        for questions in trials:
            count += 1
            for asked in questions:
                self._ask(asked)
        while count:
            got = self._next(tick)
            if isinstance(got, BaseException):
                raise got
            asked, verdict = got
            asked.trial.verdicts[asked.question.item] = verdict
            asked.left.remove(asked.question.item)
            if not asked.left:
                count -= 1
                yield asked.trial

    def _ask(self, asked: _Asked) -> None:
        self._work.put(asked)
        if self._threads < self._most:
            self._threads += 1
            Thread(target=self._run, name="fairtrial-judge", daemon=True).start()

    def _next(self, tick: Callable[[], None] | None) -> tuple[_Asked, JudgeVerdict] | BaseException:
        while True:
            try:
                return self._done.get(timeout=_GLANCE)
            except queue.Empty:
                if tick is not None:
                    tick()

    def clear(self) -> None:
        try:
            while True:
                self._work.get_nowait()
        except queue.Empty:
            return

    def _run(self) -> None:
        while True:
            asked = self._work.get()
            try:
                self._done.put((asked, self._judge.ask(asked.question, asked.material)))
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                self._done.put(error)
