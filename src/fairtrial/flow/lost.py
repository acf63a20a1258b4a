"""What a run lost on its way: trials that were there, and that nobody could grade."""

from collections.abc import Iterator, Sequence

import msgspec

from fairtrial.records import RunInfo

_KEY = "lost"


def lost_of(info: RunInfo) -> tuple[str, ...]:
    """Give what a run lost, a sentence each; a lost trial may be the one that failed.

    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> lost_of(with_lost(info, ["1 line of r.jsonl could not be read"]))
    ('1 line of r.jsonl could not be read',)
    """
    told = info.settings.get(_KEY)
    return tuple(str(one) for one in told) if isinstance(told, list) else ()


def with_lost(info: RunInfo, lost: Sequence[str]) -> RunInfo:
    """Give the run with what it lost written in its settings; the same where it is nothing.

    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> with_lost(info, []) is info
    True
    """
    if not lost:
        return info
    return msgspec.structs.replace(info, settings=info.settings | {_KEY: list(lost)})


def without_lost(info: RunInfo) -> RunInfo:
    """Give the run as before it lost anything: what was missing may have been run since.

    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> without_lost(with_lost(info, ["2 trials were not run"])) == info
    True
    """
    settings = {name: value for name, value in info.settings.items() if name != _KEY}
    return msgspec.structs.replace(info, settings=settings)


def not_run(stopped: str | None, left: int, total: int, info: RunInfo) -> Iterator[str]:
    """Say what was planned and not run, and why.

    Args:
        stopped: What stopped the run; None: nobody knows.
        left: Trials that were not run.
        total: Trials that were planned.
        info: The run.

    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> list(not_run("interrupted", 2, 9, info))
    ['2 trials of 9 planned were not run: the run was interrupted']
    """
    if left <= 0:
        return
    why = _WHY.get(stopped or "", "the run ended early")
    trials = "1 trial" if left == 1 else f"{left} trials"
    yield f"{trials} of {total} planned were not run: {why}{_way(info)}"


def not_judged(trials: int, info: RunInfo) -> Iterator[str]:
    """Say that trials were run and not judged, because the run was interrupted.

    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> list(not_judged(1, info))
    ['1 trial was not judged: the run was interrupted']
    """
    if trials:
        counted = "1 trial was" if trials == 1 else f"{trials} trials were"
        yield f"{counted} not judged: the run was interrupted{_way(info)}"


def _way(info: RunInfo) -> str:
    return f"; `fairtrial run --resume {info.id}` goes on" if info.folder is not None else ""


_WHY = {
    "interrupted": "the run was interrupted",
    "run timeout": "the run's time was up (--run-timeout)",
    "max cost": "the next trial could have passed what the run may spend (--max-cost)",
    "unknown price": "a trial's cost is not known, so --max-cost cannot be kept; give the model's "
    "price under [prices], or leave --max-cost out",
}
