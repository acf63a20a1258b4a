"""OpenAI Chat Completions messages, as logs and frameworks write them, turned into trajectories."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast, get_args

from msgspec import Struct

from fairtrial.errors import ImportFormatError
from fairtrial.records import ErrorKind, Json, Stop, Tokens, Trajectory, TrajectoryError
from fairtrial.traces.calls import UnlikeFormatError
from fairtrial.traces.files import Document, documents
from fairtrial.traces.imported import Imported
from fairtrial.traces.replies import tokens_of
from fairtrial.traces.talks import Talk, is_talk_list, read_talk
from fairtrial.traces.transcript import Ending, Transcript

END_MARKS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
"""What a simulated user of tau-bench and tau2-bench says when it is done."""
END_TOOLS = ("transfer_to_human_agents",)
"""Tools that end a run of tau-bench: nothing comes after their result."""

_CASE_FIELDS = ("case", "task", "case_id", "id")
_SUFFIX = re.compile(r"(\.jsonl?|\.ndjson)?(\.gz)?$", re.IGNORECASE)
_STOPS = frozenset(get_args(Stop))
_ERROR_KINDS = frozenset(get_args(ErrorKind))
_STATED = frozenset(
    {"answer", "stop", "error", "state", "initial_state", "tokens", "usage", "cost", "currency"}
    | {"seconds", "case", "trial"}
)
"""What the record has a place for: null there says nothing, so it is not kept apart."""
_MOST_HELD_BACK = 1000
_MOST = 1e15  # no honest cost or duration is larger, and a float still counts it exactly


class _Reading(Struct, frozen=True, kw_only=True):
    """What the caller asked for."""

    case_field: str | None
    trial_field: str | None
    end_marks: tuple[str, ...]
    end_tools: tuple[str, ...]


def read_openai_chat(
    path: str | Path,
    *,
    case_field: str | None = None,
    trial_field: str | None = None,
    end_marks: tuple[str, ...] = END_MARKS,
    end_tools: tuple[str, ...] = END_TOOLS,
) -> Iterator[Imported]:
    """Read the conversations of a file of OpenAI chat messages, in file order.

    A step is an assistant message; a turn is a user message. Arguments become an object where the
    text is one; a result that is JSON text becomes its value. A call failed only if its result's
    message says so (`is_error`, `isError`, `status: error`, `error`). The mode is `live`. What the
    record has no place for is kept in `extra`, with the system prompt and the notes.

    The answer is the last text of the last turn that comes after its last call. A run that ends on
    a user message with an end mark stopped with that answer; one that ends on any other user
    message was cut off (stop `steps`, the answer kept); one that ends on a call or a result was cut
    off without an answer, unless the call was to an end tool: then it stopped with `answer`, and
    the text beside that call is the answer. A refusal stops with `refused`. A stated answer, stop,
    error, state, cost or token count wins.

    Args:
        path: A file of lines (`.jsonl`, `.ndjson`: streamed) or of one document; gzip is fine.
        case_field: Where the case id stands, dots for nesting. Default: the first of `case`,
            `task`, `case_id`, `id`; where there is none, the file's name (and line) is the id.
        trial_field: Where the trial's number stands. Default: `trial`; none is fine.
        end_marks: Texts by which a user ends a conversation.
        end_tools: Tools after whose call nothing is expected.

    Raises:
        ImportFormatError: The file is unreadable, or none of it is in this format.

    >>> import json, pathlib, tempfile
    >>> call = {"id": "c1", "function": {"name": "look", "arguments": '{"id": "A7"}'}}
    >>> talk = [
    ...     {"role": "user", "content": "Where is A7?"},
    ...     {"role": "assistant", "tool_calls": [call]},
    ...     {"role": "tool", "tool_call_id": "c1", "content": '{"bay": 4}'},
    ...     {"role": "assistant", "content": "In bay 4."},
    ... ]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "log.jsonl")
    ...     _ = file.write_text(json.dumps({"case": "find", "messages": talk}))
    ...     (found,) = read_openai_chat(file)
    >>> found.trajectory.answer, found.trajectory.steps[0].calls[0].result
    ('In bay 4.', {'bay': 4})
    """
    path = Path(path)
    reading = _Reading(
        case_field=case_field, trial_field=trial_field, end_marks=end_marks, end_tools=end_tools
    )
    held_back: (
        list[Imported] | None
    ) = []  # refusals, until something shows that the format is right
    for document in documents(path):
        for imported in _conversations(document, path, reading):
            if held_back is None:
                yield imported
                continue
            held_back.append(imported)
            if imported.trajectory is not None:
                yield from held_back
                held_back = None
            elif len(held_back) > _MOST_HELD_BACK:
                raise ImportFormatError(_not_this_format(path, held_back))
    if held_back is not None:
        raise ImportFormatError(_not_this_format(path, held_back))


def _not_this_format(path: Path, refused: list[Imported]) -> str:
    if not refused:
        return f"{path}: empty file; wanted conversations in OpenAI chat messages"
    more = f" (and {len(refused) - 1} more refused)" if len(refused) > 1 else ""
    return f"{refused[0].place}: not OpenAI chat: {refused[0].refusal}{more}"


def _conversations(document: Document, path: Path, reading: _Reading) -> Iterator[Imported]:
    if document.refusal is not None:
        yield Imported(file=str(path), line=document.line, refusal=document.refusal)
        return
    several = is_talk_list(document.value)
    for number, value in enumerate(document.value if several else [document.value]):
        item = number if several else None
        place = Imported(file=str(path), line=document.line, item=item)
        try:
            trajectory = _trajectory(read_talk(value), _name(path, document.line, item), reading)
        except UnlikeFormatError as error:
            yield Imported(file=place.file, line=place.line, item=item, refusal=str(error))
            continue
        notes = (trajectory.extra or {}).get("import_notes", ())
        yield Imported(
            file=place.file,
            line=place.line,
            item=item,
            trajectory=trajectory,
            notes=tuple(notes),
        )


def _name(path: Path, line: int | None, item: int | None) -> str:
    """Give the case id of a conversation that has none."""
    stem = _SUFFIX.sub("", path.name)
    return "-".join(str(part) for part in (stem, line, item) if part is not None)


def _trajectory(talk: Talk, name: str, reading: _Reading) -> Trajectory:
    transcript = Transcript(notes=list(talk.notes))
    for number, message in enumerate(talk.messages):
        transcript.add(message, f"{talk.place}[{number}]", talk.usage.get(number))
    if not transcript.spoken:
        raise UnlikeFormatError(f"{talk.place}: nobody speaks: no user or assistant message")
    fields = dict(talk.fields)
    case = _case(fields, reading.case_field)
    if case is None:
        transcript.note(f"no case id; named after the file: {name!r}")
    trial = _trial(fields, reading.trial_field)
    error = talk.error or _error(fields)
    ending = transcript.ending(reading.end_marks, reading.end_tools)
    answer, stop = Ending(None, "error") if error else ending
    if isinstance(fields.get("answer"), str):
        answer = fields.pop("answer")
    if isinstance(fields.get("stop"), str) and fields["stop"] in _STOPS:
        stop = cast("Stop", fields.pop("stop"))
    return Trajectory(
        case=name if case is None else case,
        trial=trial,
        answer=answer,
        stop=stop,
        error=error,
        model="live",
        steps=transcript.steps(),
        turns=transcript.turns(),
        state=_mapping(fields, "state"),
        initial_state=_mapping(fields, "initial_state"),
        tokens=_tokens(fields),
        cost=_amount(fields, "cost"),
        currency=fields.pop("currency") if isinstance(fields.get("currency"), str) else None,
        seconds=_amount(fields, "seconds"),
        extra=_extra(fields, transcript),
    )


def _extra(fields: dict[str, Json], transcript: Transcript) -> dict[str, Json] | None:
    extra = {key: value for key, value in fields.items() if value is not None or key not in _STATED}
    if transcript.system:
        extra.setdefault("system", transcript.system)
    if transcript.remarks():
        extra["import_notes"] = list(transcript.remarks())
    return extra or None


def _found(fields: dict[str, Json], dotted: str) -> Json:
    value: Json = fields
    for key in [dotted] if dotted in fields else dotted.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _case(fields: dict[str, Json], asked: str | None) -> str | None:
    """Take the case id out of the fields; None when there is none.

    Raises:
        UnlikeFormatError: The field that was asked for holds no id.
    """
    for key in [asked] if asked else _CASE_FIELDS:
        value = _found(fields, key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            fields.pop(key, None)
            return str(value)
    if asked:
        raise UnlikeFormatError(
            f"{asked}: wanted the case id, got {_found(fields, asked)!r:.60}; "
            "accepted: text or a whole number"
        )
    return None


def _trial(fields: dict[str, Json], asked: str | None) -> int | None:
    """Take the trial's number out of the fields; None when there is none.

    Raises:
        UnlikeFormatError: It is there and is no number from 0, or was asked for and is not there.
    """
    key = asked or "trial"
    value = _found(fields, key)
    fields.pop(key, None)
    if value is None and not asked:
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value, re.ASCII):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise UnlikeFormatError(f"{key}: wanted a trial number, 0 and up, got {value!r:.60}")


def _error(fields: dict[str, Json]) -> TrajectoryError | None:
    """Take a stated error out of the fields. A bare text is the agent's: nothing says otherwise."""
    error = fields.get("error")
    if isinstance(error, str) and error:
        del fields["error"]
        return TrajectoryError(kind="agent", message=error)
    if not isinstance(error, dict):
        return None
    kind, message = error.get("kind", "agent"), error.get("message")
    if kind not in _ERROR_KINDS or not isinstance(message, str):
        return None
    del fields["error"]
    return TrajectoryError(kind=kind, message=message)


def _mapping(fields: dict[str, Json], key: str) -> dict[str, Json] | None:
    return fields.pop(key) if isinstance(fields.get(key), dict) else None


def _tokens(fields: dict[str, Json]) -> Tokens | None:
    """Take stated totals out of the fields; a lone sum cannot be split and stays in `extra`."""
    for key in ("tokens", "usage"):
        tokens = tokens_of(fields.get(key))
        if tokens is not None:
            del fields[key]
            return tokens
    return None


def _amount(fields: dict[str, Json], key: str) -> float | None:
    value = fields.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if not 0 <= value < _MOST:
        return None
    del fields[key]
    return float(value)
