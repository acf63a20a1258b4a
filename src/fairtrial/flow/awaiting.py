"""The trials of a run that wait for the judge: written as they ended, graded again when judged."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from fairtrial.flow.endpoints import surroundings_of_before
from fairtrial.flow.judging import JudgeOptions, Judging, judging_of
from fairtrial.graders import Graders, GradingSettings
from fairtrial.records import Case, JudgeUse, Trajectory, Trial
from fairtrial.store import RunWriter

_ENCODE = msgspec.json.Encoder().encode


class Awaiting:
    """Trials on their way to the judge, and back with its word in them."""

    def __init__(self, judging: Judging, settings: GradingSettings, writer: RunWriter) -> None:
        """Begin with none.

        Args:
            judging: The judge at work.
            settings: What the suite says about grading, the judge apart.
            writer: Where the trials were written.
        """
        self._judging = judging
        self._graders = Graders(settings._replace(trust=judging.trust))
        self._writer = writer
        self._trials: dict[tuple[str, int], Trial] = {}  # graded without the judge's word

    def __len__(self) -> int:
        return len(self._trials)

    def asks(self, case: Case) -> bool:
        """Say whether a case asks the judge anything."""
        return self._judging.asks(case)

    def wants(self, case: Case, trajectory: Trajectory) -> bool:
        """Say whether a trial is to be judged: not one that could not be measured."""
        return self._judging.wants(case, trajectory)

    def add(self, case: Case, trial: Trial, trajectory: Trajectory) -> None:
        """Take a trial that is written, and graded without the judge's word."""
        self._trials[trial.case, trial.trial] = trial
        self._judging.submit(case, trajectory, trial.trial)

    def judged(self, tick: Callable[[], None]) -> Iterator[tuple[Case, Trial]]:
        """Give each trial as soon as it is judged, graded again and written over what it was.

        The environment is that of before the run: offline it leads the judge's SDK nowhere.

        Args:
            tick: Called some times a second while nothing comes.

        Raises:
            StoreError: A reply or a verdict cannot be kept.
        """
        with surroundings_of_before():
            for case, trajectory, number, verdicts in self._judging.drain(tick):
                trial = self._graders.of(case).grade(trajectory, number, verdicts)
                self._writer.judged(trial, _ENCODE(trajectory), verdicts.values())
                del self._trials[case.id, number]
                yield case, trial

    def leave(self) -> list[Trial]:
        """Ask nothing more; give the trials that were not judged, as they are."""
        self._judging.give_up()
        left = [*self._trials.values()]
        self._trials.clear()
        return left

    def use(self) -> JudgeUse:
        """Give what the judge was used for."""
        return self._judging.use()


def awaiting_of(
    options: JudgeOptions, cases: Sequence[Case], settings: GradingSettings, writer: RunWriter
) -> Awaiting | None:
    """Give what takes the trials to the judge; None where no case asks one anything."""
    judging = judging_of(options, cases, writer.redactor)
    return None if judging is None else Awaiting(judging, settings, writer)
