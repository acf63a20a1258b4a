"""Initial states, kept beside the trials by hash: k trials of a case share one file."""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Raw, Struct

from fairtrial.errors import StoreError
from fairtrial.store.atomic import write_whole

_FIELD = "initial_state"
_SHALLOW = msgspec.json.Decoder(dict[str, Raw])


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a state's place."""

    sha256: str


def keep_state(trajectory: bytes, folder: Path) -> bytes:
    """Give a trajectory's JSON with its initial state, if it has one, put into a file of `folder`.

    Raises:
        OSError: The file cannot be written.
    """
    if b'"initial_state"' not in trajectory:
        return trajectory
    fields = _SHALLOW.decode(trajectory)
    state = bytes(fields.get(_FIELD, b"null"))
    if state == b"null":
        return trajectory
    name = hashlib.sha256(state).hexdigest()
    file = folder / f"{name}.json"
    if not file.exists():
        folder.mkdir(exist_ok=True)
        write_whole(file, [state])
    fields[_FIELD] = Raw(msgspec.json.encode(_Kept(name)))
    return msgspec.json.encode(fields)


def restore_state(trajectory: bytes, folder: Path) -> bytes:
    """Undo `keep_state`.

    Raises:
        StoreError: The state's file is missing.
    """
    if b'"initial_state"' not in trajectory:
        return trajectory
    fields = _SHALLOW.decode(trajectory)
    try:
        kept = msgspec.json.decode(fields.get(_FIELD, b"null"), type=_Kept)
    except msgspec.DecodeError:
        return trajectory
    file = folder / f"{Path(kept.sha256).name}.json"
    try:
        fields[_FIELD] = Raw(file.read_bytes())
    except OSError as error:
        raise StoreError(f"{file}: an initial state of the run is missing: {error}") from error
    return msgspec.json.encode(fields)
