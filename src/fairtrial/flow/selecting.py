"""Which cases of a suite a run takes: by id or glob, tag, protection, or how they did before."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from fairtrial.errors import UsageError
from fairtrial.records import Case, CaseResult, Selection
from fairtrial.store import SavedRun
from fairtrial.text import cut

Outcome: TypeAlias = Literal["failed", "errored", "flaky"]
"""How a case did in the run before."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Wanted(Struct, frozen=True, kw_only=True):
    """What was asked for. All that is said must hold; nothing said is the whole suite."""

    ids: tuple[str, ...] = ()
    """Ids or globs: one of them."""
    tags: tuple[str, ...] = ()
    """One of them."""
    protected: bool = False
    only: tuple[Outcome, ...] = ()
    """One of them, in the run before."""


def select(
    cases: Sequence[Case], wanted: Wanted, before: SavedRun | None = None
) -> tuple[tuple[Case, ...], Selection | None]:
    """Give the cases that are wanted, in suite order, and what a run's record says of it.

    Args:
        cases: The suite.
        wanted: What was asked for.
        before: The run that `only` looks at.

    Raises:
        UsageError: An id that is not there, or nothing is left.
        StoreError: The run before cannot be read.

    >>> select([], Wanted())
    ((), None)
    """
    if wanted == Wanted():
        return tuple(cases), None
    for pattern in wanted.ids:
        if not any(_names(pattern, case) for case in cases):
            raise UsageError(_no_such(pattern, cases))
    outcomes = _outcomes(before) if wanted.only and before is not None else {}
    chosen = tuple(case for case in cases if _is_wanted(case, wanted, outcomes))
    if not chosen:
        raise UsageError(f"no case is left: of {len(cases)}, none has {_told(wanted, before)}")
    selection = Selection(
        ids=wanted.ids, tags=wanted.tags, protected=wanted.protected, only=wanted.only
    )
    return chosen, selection


def _is_wanted(case: Case, wanted: Wanted, outcomes: Mapping[str, frozenset[Outcome]]) -> bool:
    if wanted.ids and not any(_names(pattern, case) for pattern in wanted.ids):
        return False
    if wanted.tags and not set(wanted.tags) & set(case.tags):
        return False
    if wanted.protected and not case.protected:
        return False
    return not wanted.only or bool(outcomes.get(case.id, frozenset()) & set(wanted.only))


def _names(pattern: str, case: Case) -> bool:
    return pattern == case.id or fnmatchcase(case.id, pattern)  # an id may hold a bracket


def _outcomes(run: SavedRun) -> dict[str, frozenset[Outcome]]:
    return {result.id: frozenset(_of(result)) for result in run.results()}


def _of(result: CaseResult) -> Iterator[Outcome]:
    if result.status in {"failed", "flaky"}:
        yield "failed" if result.status == "failed" else "flaky"
    measured = sum(trial.verdict != "error" for trial in result.trials)
    if measured < max(result.planned, len(result.trials), 1):
        yield "errored"  # also where trials are missing: they were planned and not measured


def _no_such(pattern: str, cases: Sequence[Case]) -> str:
    import difflib  # noqa: PLC0415 - only on the way to an error

    near = difflib.get_close_matches(pattern[:200], [case.id for case in cases][:5000], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    shown = ", ".join(cut(case.id) for case in cases[:5])
    more = f" and {len(cases) - 5} more" if len(cases) > 5 else ""
    return f"no case {cut(pattern)!r}{hint} (ids and globs; there are {shown}{more})"


def _told(wanted: Wanted, before: SavedRun | None) -> str:
    parts = []
    if wanted.ids:
        parts.append(f"an id like {', '.join(map(cut, wanted.ids))}")
    if wanted.tags:
        parts.append(f"a tag of {', '.join(map(cut, wanted.tags))}")
    if wanted.protected:
        parts.append("protection")
    if wanted.only:
        name = "the run before" if before is None else before.name
        parts.append(f"the outcome {' or '.join(wanted.only)} in {name}")
    return " and ".join(parts)
