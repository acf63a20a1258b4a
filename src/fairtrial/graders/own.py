"""Graders that a team writes itself: a function of case, trajectory and state that gives checks."""

import inspect
import math
from collections.abc import Callable
from types import UnionType
from typing import TypeAlias, TypeVar, cast

import msgspec

from fairtrial.errors import PluginError
from fairtrial.graders.wording import bounded
from fairtrial.match import brief
from fairtrial.ports import Grader
from fairtrial.records import Case, Check, Json, Trajectory, clean_text
from fairtrial.text import cut

_BUILT_IN = frozenset((
    "answer", "finished", "limits", "next", "rubric", "spans", "state", "text_tool_call", "tools",
    "unchanged",
))  # fmt: skip
_LONGEST_DETAIL = 20_000  # characters of a traceback
_LONGEST_NAME = 120
_MOST_PLACES = 20  # calls or steps that decided one check

GraderFunction: TypeAlias = Callable[
    [Case, Trajectory, dict[str, Json] | None], Check | list[Check]
]


def grader(function: GraderFunction) -> Grader:
    """Mark a function `(case, trajectory, state) -> Check | list[Check]` as a grader.

    Its checks are named after it: `polite` gives `polite` or `polite.greeting`. It gets copies, so
    it cannot change what others grade. An exception in it is an error of the trial, never a fail.

    Raises:
        PluginError: The function has no name of its own, such as a lambda, or that of a built-in
            grader; or it is async, since grading waits for nothing.

    >>> @grader
    ... def polite(case, trajectory, state):
    ...     return yes_no("polite", "please" in (trajectory.answer or ""), "says please")
    >>> polite.grader_name
    'polite'
    """
    name = function.__name__
    if not name.isidentifier():
        raise PluginError(f"the grader {name!r} needs a name: write it with def")
    if name in _BUILT_IN:
        raise PluginError(f"the grader {name!r} has the name of a built-in one: rename it")
    if inspect.iscoroutinefunction(function):
        raise PluginError(f"the grader {name!r} is async: grading waits for nothing; write def")
    vars(function)["grader_name"] = name
    return cast(Grader, function)


def yes_no(name: str, passed: bool | None, reason: str = "") -> Check:  # noqa: FBT001 - the subject
    """Give a deciding check from a yes, a no, or None for cannot tell.

    >>> yes_no("polite", True, "says please").score
    1.0
    """
    score = None if passed is None else float(passed)
    return Check(name=name, passed=passed, score=score, decides=True, reason=reason)


def own_checks(own: Grader, case: Case, trajectory: Trajectory) -> list[Check]:
    """Run a team's grader on copies; what goes wrong in it is a check that could not be told."""
    name = own.grader_name
    try:
        copied_case, copied = _copy(case), _copy(trajectory)
    except (ValueError, TypeError, RecursionError) as error:
        return [_cannot_tell(name, f"the trial cannot be copied for the grader: {error}")]
    try:
        given = own(copied_case, copied, copied.state)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code: its result
        return [_raised(name, error)]
    checks = list(given) if isinstance(given, list | tuple) else [given]
    if not checks:
        return [_cannot_tell(name, "the grader gave no check")]
    return [_sound(name, check) for check in checks]


def _raised(name: str, error: BaseException) -> Check:
    import traceback  # noqa: PLC0415 - slow to import, and most graders raise nothing

    # format_exception survives an exception whose own text raises
    detail = "".join(traceback.format_exception(error)).rstrip()
    said = traceback.format_exception_only(error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return _cannot_tell(name, f"the grader raised {said}{place}", detail)


_Record = TypeVar("_Record", Case, Trajectory)


def _copy(record: _Record) -> _Record:
    return msgspec.convert(msgspec.to_builtins(record), type=type(record))


def _cannot_tell(name: str, reason: str, detail: str | None = None) -> Check:
    return Check(
        name=name,
        passed=None,
        score=None,
        decides=True,
        reason=bounded(clean_text(reason)),
        detail=msgspec.UNSET if detail is None else clean_text(_both_ends(detail)),
    )


def _both_ends(text: str) -> str:
    """Cut out the middle of a long text: a traceback says most at its ends."""
    if len(text) <= _LONGEST_DETAIL:
        return text
    half = _LONGEST_DETAIL // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


def _sound(grader_name: str, check: object) -> Check:
    """Give the check under its grader's name, or why it is none."""
    if not isinstance(check, Check):
        given = "None" if check is None else type(check).__name__
        wanted = "wanted a fairtrial Check or a list of them"
        hint = "; does it `return` its check?" if check is None else ""
        return _cannot_tell(grader_name, f"the grader gave {given}, {wanted}{hint}")
    if not _is(check.name, str):
        return _cannot_tell(grader_name, f"the check's name is {_kind(check.name)}, wanted text")
    name = _full_name(grader_name, check.name)
    if fault := _fault(check):
        return _cannot_tell(name, f"the grader gave a check that cannot be: {fault}")
    score = check.score
    if score is None and check.passed is not None:
        score = float(check.passed)
    return Check(
        name=name,
        passed=check.passed,
        score=None if check.passed is None or score is None else float(score),
        decides=check.decides,
        reason=bounded(clean_text(check.reason)),
        calls=_places(check.calls) or msgspec.UNSET,
        steps=_places(check.steps) or msgspec.UNSET,
    )


def _places(given: object) -> tuple[int, ...]:
    """Give the calls or steps that a stranger's check names, the first of them.

    They only lead to a place, so what cannot be one is left out.
    """
    if not isinstance(given, list | tuple):
        return ()
    return tuple(place for place in given[:_MOST_PLACES] if type(place) is int and place >= 0)


def _full_name(grader_name: str, name: str) -> str:
    """Give the name of a check, which begins with its grader's."""
    if not name.startswith((f"{grader_name}.", f"{grader_name}[")) and name != grader_name:
        name = f"{grader_name}.{name}" if name else grader_name
    return cut(name, _LONGEST_NAME)


def _fault(check: Check) -> str:
    """Say what is wrong with a check's values; empty when nothing is."""
    if not _is(check.passed, bool | None):
        return f"passed is {_kind(check.passed)}, wanted True, False or None"
    if check.score is not None and not (_is_number(check.score) and 0 <= check.score <= 1):
        return f"score is {_kind(check.score)}, wanted 0 to 1"
    if not _is(check.reason, str):
        return f"reason is {_kind(check.reason)}, wanted text"
    if not _is(check.decides, bool):
        return f"decides is {_kind(check.decides)}, wanted True or False"
    return ""


def _kind(value: object) -> str:
    """Say what a stranger's value is, without asking it: its own repr may raise or never end."""
    if isinstance(value, bool | int | float | str):
        return f"{brief(value, 40)} ({type(value).__name__})"
    return type(value).__name__


def _is(value: object, kind: type | UnionType) -> bool:
    """Check at run time what a stranger's code may have got wrong."""
    return isinstance(value, kind)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
