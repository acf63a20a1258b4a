"""The baseline as a file: made from a run, read strictly, written a case a line."""

import json
import math
import os
import re
import shutil
import threading
from pathlib import Path
from typing import NoReturn

import msgspec
from msgspec import Struct

from fairtrial.errors import BaselineError
from fairtrial.gate.candidate import Candidate, CaseOutcome
from fairtrial.records import MOST_TRIALS, Baseline, BaselineCase, Json, Mode
from fairtrial.text import cut

FORMAT = 1
"""The one format that this version reads and writes."""

_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)", re.MULTILINE)


class _Head(Struct, frozen=True):
    """All of a baseline but its cases."""

    suite: str | None
    git: str | None
    mode: Mode
    k: int
    judge: str | None = None


class _TwiceError(ValueError):
    """A key that stands twice in one mapping."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def make_baseline(candidate: Candidate, *, previous: Baseline | None = None) -> Baseline:
    """Give the baseline that accepting this run makes.

    A filtered run replaces only its own cases. A case of which no trial was measured keeps what
    was accepted for it: an error is no result. Cases that only inform are kept too, unprotected.

    Args:
        candidate: The run to accept.
        previous: The baseline that this one will replace; None where there is none.

    >>> from fairtrial.records import RunInfo, Scorecard
    >>> info = RunInfo(id="r1", folder=None, mode="none", variant=None, selection=None)
    >>> scorecard = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> make_baseline(Candidate(info=info, scorecard=scorecard, cases=())).cases
    {}
    """
    accepted = previous.cases if previous else {}
    cases = {case.id: _accepted(case, accepted.get(case.id)) for case in candidate.cases}
    mode, k = _mode(candidate), candidate.scorecard.k
    if candidate.filtered and previous is not None:
        cases = accepted | cases
        mode, k = "live" if previous.mode == "live" else mode, previous.k
    return Baseline(
        suite=candidate.info.suite,
        git=candidate.info.git,
        mode=mode,
        k=k,
        cases=dict(sorted(cases.items())),
        judge=candidate.judge,
    )


def _mode(candidate: Candidate) -> Mode:
    return "live" if any(case.live for case in candidate.cases) else candidate.info.mode


def _accepted(case: CaseOutcome, before: BaselineCase | None) -> BaselineCase:
    protected = case.protected and not case.informs
    if not case.measured and before is not None and before.measured:
        return msgspec.structs.replace(before, protected=protected, tags=case.tags)
    return BaselineCase(
        hash=case.hash,
        protected=protected,
        tags=case.tags,
        passed=case.passed,
        measured=case.measured,
        planned=case.planned,
        checks=dict(sorted(case.checks.items())),
        steps=case.steps,
        tokens=case.tokens,
        cost=case.cost,
    )


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write the baseline: sorted JSON, a case a line, equal content equal bytes.

    The file is whole at every moment: a new one is written beside it and takes its place.

    Raises:
        BaselineError: The file cannot be written.

    >>> import tempfile
    >>> baseline = Baseline(suite="shop", git=None, mode="scripted", k=5, cases={})
    >>> path = Path(tempfile.mkdtemp()) / "baseline.json"
    >>> write_baseline(path, baseline)
    >>> read_baseline(path) == baseline
    True
    """
    content = _encoded(baseline)
    try:
        target = path.resolve()  # through a link, so that the link stays one
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, content)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise BaselineError(f"{path}: cannot be written: {error}") from error


def _replace(target: Path, content: bytes) -> None:
    beside = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _encoded(baseline: Baseline) -> bytes:
    lines = [
        f"    {_line(name)}: {_line(msgspec.to_builtins(case))}"
        for name, case in sorted(baseline.cases.items())
    ]
    cases = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    judge = "" if baseline.judge is None else f'  "judge": {_line(baseline.judge)},\n'
    text = (
        f'{{\n  "cases": {cases},\n  "format": {_line(baseline.format)},\n'
        f'  "git": {_line(baseline.git)},\n{judge}  "k": {_line(baseline.k)},\n'
        f'  "mode": {_line(baseline.mode)},\n  "suite": {_line(baseline.suite)}\n}}\n'
    )
    return text.encode()


def _line(value: Json) -> str:
    """Give one line of JSON, in which nothing is invisible or breaks a line in any editor."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def read_baseline(path: Path) -> Baseline:
    """Read a baseline, refusing what is not wholly one.

    Raises:
        BaselineError: No such file, not JSON, left by a merge with conflicts, another format, a
            case twice, or a value of the wrong type; the text says which and the way out.

    >>> read_baseline(Path("no-such-folder/baseline.json"))
    Traceback (most recent call last):
    fairtrial.errors.BaselineError: no-such-folder/baseline.json: no such file; ...
    """
    text = _read(path)
    data = _parsed(path, text)
    if not isinstance(data, dict):
        _refuse(path, f"wanted a JSON object, got {_kind(data)}")
    _check_format(path, data)
    cases = data.get("cases")
    if not isinstance(cases, dict):
        _refuse(path, f"cases: wanted an object of cases by id, got {_kind(cases)}")
    try:
        head = msgspec.convert(data, _Head)
    except (msgspec.ValidationError, OverflowError, UnicodeEncodeError) as error:
        _refuse(path, str(error), error)
    return Baseline(
        suite=head.suite,
        git=head.git,
        mode=head.mode,
        k=head.k,
        cases={name: _case(path, name, case) for name, case in cases.items()},
        judge=head.judge,
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        text = f"{path}: no such file; `fairtrial accept --baseline {path}` makes it from a run"
        raise BaselineError(text) from error
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # not UTF-8, or a path that no system takes
        _refuse(path, f"not UTF-8 text: {error}", error)


def _parsed(path: Path, text: str) -> Json:
    try:
        return json.loads(text, object_pairs_hook=_mapping, parse_constant=_no_number)
    except _TwiceError as error:
        where = _lines_of(text, error.key)
        _refuse(path, f"{cut(error.key)!r} stands there twice{where}; keep one of the two", error)
    except (ValueError, RecursionError) as error:
        conflict = _CONFLICT.search(text)
        if conflict:
            line = text.count("\n", 0, conflict.start()) + 1
            _refuse(path, f"line {line}: a merge left its conflict here; settle it first", error)
        _refuse(path, f"not JSON: {_problem(error)}", error)


def _problem(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


def _mapping(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping: dict[str, Json] = {}
    for key, value in pairs:
        if key in mapping:
            raise _TwiceError(key)
        mapping[key] = value
    return mapping


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _lines_of(text: str, key: str) -> str:
    start = f"{_line(key)}:"
    lines = [
        str(number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.lstrip().startswith(start)
    ]
    return f" (lines {', '.join(lines[:3])})" if len(lines) > 1 else ""


def _check_format(path: Path, data: dict[str, Json]) -> None:
    found = data.get("format")
    if "scorecard" in data:
        text = f"{path}: this is the report of a run, not a baseline; `fairtrial accept {path}`"
        raise BaselineError(f"{text} --baseline FILE makes one of it")
    if found is None:
        _refuse(path, "no format is given, so this is not a baseline")
    if found != FORMAT or isinstance(found, bool):
        text = (
            f"format {cut(str(found))} is not known, only {FORMAT}; a newer fairtrial may read it"
        )
        _refuse(path, text)


def _case(path: Path, name: str, data: Json) -> BaselineCase:
    try:
        case = msgspec.convert(data, BaselineCase)
    except (msgspec.ValidationError, OverflowError, UnicodeEncodeError) as error:
        _refuse(path, f"case {cut(name)!r}: {error}", error)
    counts = [(case.passed, case.measured), (0, case.planned), *case.checks.values()]
    if any(not 0 <= passed <= total for passed, total in counts):
        _refuse(path, f"case {cut(name)!r}: of the trials counted more passed than there are")
    if max(total for _, total in counts) > MOST_TRIALS:
        _refuse(path, f"case {cut(name)!r}: nobody has run more than {MOST_TRIALS:,} trials of it")
    amounts = [amount for amount in (case.steps, case.tokens, case.cost) if amount is not None]
    if any(not math.isfinite(amount) or amount < 0 for amount in amounts):
        _refuse(path, f"case {cut(name)!r}: steps, tokens and cost are numbers from 0 up or null")
    return case


def _kind(value: Json) -> str:
    return "nothing" if value is None else f"{cut(repr(value))}"


def _refuse(path: Path, problem: str, cause: Exception | None = None) -> NoReturn:
    way_out = f"take it from git, or make it anew with `fairtrial accept --baseline {path}`"
    raise BaselineError(f"{path}: {problem}; {way_out}") from cause
