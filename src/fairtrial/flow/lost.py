"""What a run lost on its way: trials that were there, and that nobody could grade."""

from collections.abc import Sequence

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
