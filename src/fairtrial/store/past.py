"""The runs of a folder as they were, and the small file in which they outlive their folders."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from fairtrial.errors import StoreError
from fairtrial.records import PastRun, Verdict
from fairtrial.store.json_file import write_lines
from fairtrial.store.layout import HOME, RUN, RUNS, SCORECARD, TRIALS, read_whole_lines
from fairtrial.store.reasons import decode_reason
from fairtrial.store.saved_run import SavedRun
from fairtrial.store.shown_run import shown_cases

KEPT = "history.jsonl"
_FORMAT = 1


class _Key(msgspec.Struct, frozen=True, gc=False):
    case: str
    trial: int
    verdict: Verdict


def past_runs(root: Path) -> tuple[list[PastRun], list[str]]:
    """Give every finished run below a folder, oldest first, and why others could not be read.

    Runs are those of `.fairtrial/runs`, and those of `.fairtrial/history.jsonl` whose folders are
    gone. A folder that has not changed since it was read last is not read again.

    Raises:
        StoreError: The kept history cannot be read.

    >>> past_runs(Path("no-such-folder"))
    ([], [])
    """
    kept = {run.id: run for run in _kept(root / HOME / KEPT)}
    unread = []
    for folder in _folders(root / HOME / RUNS):
        try:
            known = kept.get(folder.name)
            kept[folder.name] = _again(folder, known) if known else _read(folder)
        except StoreError as error:
            unread.append(str(error))
    return [kept[name] for name in sorted(kept)], unread


def keep_past_runs(root: Path, runs: list[PastRun]) -> None:
    """Keep runs in `.fairtrial/history.jsonl`, a line each, for when their folders are gone.

    Raises:
        StoreError: It cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keep_past_runs(Path(folder), [PastRun(id="r1", mode="live")])
    ...     past_runs(Path(folder))[0][0].id
    'r1'
    """
    write_lines(root / HOME / KEPT, runs)


def _folders(runs: Path) -> Iterator[Path]:
    try:
        found = sorted(entry for entry in runs.iterdir() if (entry / RUN).is_file())
    except OSError:
        return
    yield from found


def _kept(file: Path) -> Iterator[PastRun]:
    for number, line in read_whole_lines(file):
        try:
            run = msgspec.json.decode(line, type=PastRun)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = decode_reason(error, line)
            raise StoreError(
                f"{file}:{number}: {reason}; it is made from the run folders, so it can be deleted"
            ) from error
        if run.format == _FORMAT:
            yield run


def _again(folder: Path, known: PastRun) -> PastRun:
    """Give a run that was read before: its gate may have been asked since."""
    if _stamp(folder) != known.stamp:
        return _read(folder)
    gated = SavedRun.read_folder(folder).gated
    decision = None if gated is None else gated.decision.decision
    return msgspec.structs.replace(known, decision=decision)


def _read(folder: Path) -> PastRun:
    run = SavedRun.read_folder(folder)
    card, info, gated = run.scorecard, run.info, run.gated
    counts = {case.id: [0, 0] for case in shown_cases(folder)}
    protected = tuple(case.id for case in shown_cases(folder) if case.protected)
    for case, verdict in _verdicts(folder / TRIALS):
        count = counts.setdefault(case, [0, 0])
        count[0] += verdict == "passed"
        count[1] += verdict != "error"
    return PastRun(
        id=folder.name,
        mode=info.mode,
        variant=info.variant,
        suite=info.suite,
        git=info.git,
        started=info.started,
        k=card.k,
        pass_rate=card.pass_rate,
        interval=card.interval,
        cost=card.mean_cost,
        steps=card.mean_steps,
        decision=None if gated is None else gated.decision.decision,
        part=info.selection is not None,
        stamp=_stamp(folder),
        cases={name: (passed, measured) for name, (passed, measured) in counts.items()},
        protected=protected,
    )


def _verdicts(path: Path) -> Iterator[tuple[str, Verdict]]:
    """Give case and verdict of each trial; of two with one number the later.

    Raises:
        StoreError: A line is no trial.
    """
    decode = msgspec.json.Decoder(_Key).decode
    found: dict[tuple[str, int], Verdict] = {}
    for number, line in read_whole_lines(path):
        try:
            key = decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(f"{path}:{number}: {decode_reason(error, line)}") from error
        found[key.case, key.trial] = key.verdict
    for (case, _), verdict in found.items():
        yield case, verdict


def _stamp(folder: Path) -> int:
    try:
        return (folder / SCORECARD).stat().st_mtime_ns
    except OSError:
        return 0
