"""The run folder: which files it has, and how its trials are found in them.

.fairtrial/.gitignore                all of it is left out of git
.fairtrial/runs/<id>/run.json        RunInfo
                    /cases.jsonl     a CaseLine a case, in suite order
                    /trials.jsonl    a Trial a line, the trajectory last
                    /scorecard.json  Scorecard; missing when the run was cut short
                    /gate.json       Gated; missing when nobody asked the gate
                    /verdicts.jsonl  a JudgeVerdict a line; missing without a judge
                    /batch.json      JudgeBatches; missing when no judge was asked in batches
                    /states/         initial states by SHA-256
                    /extra/          further trials, a run folder; missing when there are none
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairtrial.errors import StoreError
from fairtrial.records import Case
from fairtrial.store.lines import Damaged, read_lines
from fairtrial.store.reasons import decode_reason
from fairtrial.store.rows import Rows

HOME = ".fairtrial"
RUNS = "runs"
RUN = "run.json"
CASES = "cases.jsonl"
TRIALS = "trials.jsonl"
SCORECARD = "scorecard.json"
GATE = "gate.json"
VERDICTS = "verdicts.jsonl"
BATCH = "batch.json"
RUN_FILES = (RUN, CASES, TRIALS, SCORECARD, GATE, VERDICTS, BATCH)
STATES = "states"
EXTRA = "extra"
"""The folder of the further trials, within that of their run; it is a run folder itself."""

TRAJECTORY_KEY = b',"trajectory":'
"""What stands between a trial's results and its trajectory: no text in JSON can hold it."""


_LONGEST = 2000
"""Characters of what a case is about: enough to know it by, and no second copy of a document."""


class CaseLine(Struct, frozen=True, kw_only=True):
    """What a run says of a case before any trial."""

    id: str
    hash: str
    tags: tuple[str, ...] = ()
    protected: bool = False
    informs: bool = False
    planned: int | None = None
    """Trials; None for recordings, where those found count as planned."""
    source: str | None = None
    asks: str | UnsetType = UNSET
    """What the agent is asked, for readers: the input, else the last user text; cut."""
    about: str | UnsetType = UNSET
    """The description, cut."""

    @classmethod
    def of(cls, case: Case, planned: int | None) -> "CaseLine":
        """Give the line of a case."""
        return cls(
            id=case.id,
            hash=case.hash,
            tags=case.tags,
            protected=case.protected,
            informs=case.informs is True,
            planned=planned,
            source=str(case.source),
            asks=_for_readers(_asked(case)),
            about=_for_readers(case.description),
        )


def _asked(case: Case) -> str | None:
    if case.input is not None:
        return case.input
    texts = [
        message.get("content")
        for message in case.messages or ()
        if isinstance(message, dict) and message.get("role") == "user"
    ]
    return texts[-1] if texts and isinstance(texts[-1], str) else None


def _for_readers(text: str | None) -> str | UnsetType:
    if not text:
        return UNSET
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class TrialKey(Struct, frozen=True, gc=False):
    """Which trial a line is of."""

    case: str
    trial: int


def run_folder(root: Path, run_id: str) -> Path:
    """Give the folder of a run, below the folder that fairtrial works in.

    >>> run_folder(Path("shop"), "20261130-141905-123-a1b2c3").as_posix()
    'shop/.fairtrial/runs/20261130-141905-123-a1b2c3'
    """
    return root / HOME / RUNS / run_id


def make_folder(folder: Path) -> None:
    """Make a run's folder, new, and keep the folder of all runs out of git.

    Raises:
        FileExistsError: It is there already.
        OSError: It cannot be made.
    """
    folder.mkdir(parents=True)
    keep_out_of_git(folder.parent.parent)


def keep_out_of_git(home: Path) -> None:
    """Have git pass over the folder that fairtrial works in; another folder is left as it is.

    Raises:
        OSError: It cannot be written.
    """
    ignored = home / ".gitignore"
    if home.name == HOME and not ignored.exists():
        ignored.write_text("*\n", encoding="utf-8")


def read_whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Give number (1 and up) and bytes of each line of `trials.jsonl`, without a torn last one.

    Raises:
        StoreError: The file cannot be read.
    """
    try:
        with path.open("rb", buffering=2**17) as file:
            for number, line in enumerate(read_lines(file), 1):
                if isinstance(line, Damaged):
                    raise StoreError(f"{path}:{number}: {line.reason}")
                if line.endswith(b"\n") or _decodes(line):
                    yield number, line
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from error


def index_trials(path: Path) -> tuple[Rows, int]:
    """Find the trials of each case in `trials.jsonl`.

    Returns:
        Where the results of each trial stand, without the closing brace and the trajectory; and
        the bytes up to the end of the last whole line.

    Raises:
        StoreError: A line is no trial, or the file cannot be read.
    """
    rows = Rows()
    offset = 0
    decode = msgspec.json.Decoder(TrialKey).decode
    for number, line in read_whole_lines(path):
        try:
            key = decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(f"{path}:{number}: {decode_reason(error, line)}") from error
        size = line.find(TRAJECTORY_KEY)
        size = len(line.rstrip()) - 1 if size < 0 else size
        rows.add(key.case, key.trial, offset=offset, size=size)
        offset += len(line)
    return rows, offset


def replaced_heads(path: Path, heads: Mapping[tuple[str, int], bytes]) -> Iterator[bytes]:
    """Give the lines of `trials.jsonl`, some with other results before the same trajectory.

    Args:
        path: The file.
        heads: By case and trial: the results as JSON, without the closing brace.

    Raises:
        StoreError: The file cannot be read.
    """
    decode = msgspec.json.Decoder(TrialKey).decode
    for _, line in read_whole_lines(path):
        key = decode(line)
        head = heads.get((key.case, key.trial))
        if head is None:
            yield line
            continue
        at = line.find(TRAJECTORY_KEY)
        yield head + (b"}\n" if at < 0 else line[at:])


def _decodes(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=TrialKey)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True
