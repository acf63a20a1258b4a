"""The stories of grade and compare with everything in memory: no file is read or written."""

from collections.abc import Iterable

import msgspec

from fairtrial.errors import RecordingError
from fairtrial.flow.graded import mode_of
from fairtrial.gate import Candidate, decide, make_baseline, summarise
from fairtrial.graders import Graders, GradingSettings
from fairtrial.records import (
    Baseline,
    Case,
    Decision,
    GateSettings,
    Report,
    RunInfo,
    Trajectory,
    Trial,
)
from fairtrial.scorecard import Tally
from fairtrial.store import Recording, TrialNumbers
from fairtrial.version import __version__


def grade(
    cases: Iterable[Case],
    trajectories: Iterable[Trajectory],
    settings: GradingSettings | None = None,
) -> Report:
    """Grade trajectories in memory; nothing is read from or written to disk.

    Trials without a number are numbered in the order given.

    Raises:
        RecordingError: A trajectory of a case that is not given, or a trial that comes twice.

    >>> from fairtrial.records import AnswerExpectation, Expectation, Source
    >>> expect = Expectation(answer=AnswerExpectation(contains=(("done",),)))
    >>> case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=expect)
    >>> grade([case], [Trajectory(case="c", answer="Done.")]).scorecard.pass_rate
    1.0
    """
    settings = settings or GradingSettings()
    by_id = {case.id: case for case in cases}
    tally = Tally(by_id.values(), settings.currency)
    numbers = TrialNumbers("trajectories")
    graders = Graders(settings)
    trials: dict[str, list[Trial]] = {}
    modes = set()
    for line, trajectory in enumerate(trajectories, 1):
        case = by_id.get(trajectory.case)
        if case is None:
            raise RecordingError(f"trajectory {line}: case {trajectory.case!r} is not given")
        number = numbers.take(Recording(line, b"", trajectory))
        trial = graders.of(case).grade(trajectory, number)
        modes.add(trajectory.model)
        trials.setdefault(case.id, []).append(trial)
        tally.add(trial)
    info = RunInfo(
        id="in-memory",
        folder=None,
        mode=mode_of(modes),
        variant=None,
        selection=None,
        version=__version__,
    )
    results = tuple(
        msgspec.structs.replace(result, trials=tuple(trials.get(result.id, ())))
        for result in tally.results()
    )
    return Report(run=info, scorecard=tally.scorecard(None), cases=results)


def compare(
    candidate: Report, baseline: Report | Baseline | None, settings: GateSettings | None = None
) -> Decision:
    """Decide in memory whether a graded report may replace another; nothing is written.

    >>> from fairtrial.records import Scorecard, RunInfo
    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> scorecard = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> compare(Report(run=info, scorecard=scorecard, cases=()), None).decision
    'error'
    """
    accepted = make_baseline(_folded(baseline)) if isinstance(baseline, Report) else baseline
    return decide(_folded(candidate), accepted, settings)


def _folded(report: Report) -> Candidate:
    cases = tuple(summarise(result) for result in report.cases)
    return Candidate(info=report.run, scorecard=report.scorecard, cases=cases)
