"""Records to strict JSON, whatever texts they hold."""

import msgspec
from msgspec import Struct

from fairtrial.records import Json, clean_text

_ENCODER = msgspec.json.Encoder()


def encode_record(record: Struct | tuple[Struct, ...]) -> bytes:
    """Give a record as JSON in UTF-8, or several as a list.

    NaN and infinity become null, lone surrogates U+FFFD.

    >>> from fairtrial.records import Pairing
    >>> encode_record(Pairing(item="pay", call=None))
    b'{"item":"pay","call":null}'
    """
    try:
        return _ENCODER.encode(record)
    except UnicodeEncodeError:
        return _ENCODER.encode(_cleaned(msgspec.to_builtins(record)))


def _cleaned(value: Json) -> Json:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list | tuple) else value
