"""The arguments of a call as an agent gave them: what is recorded, and what the tool may keep."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fairtrial.match import MALFORMED, Call, brief
from fairtrial.records import Json, NotJsonError, ToolCall, clean_text
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.wording import shown

_LONGEST: Final = 200  # characters of arguments that JSON cannot hold
_SCALARS: Final = frozenset({str, int, float, bool, type(None)})


class Given(NamedTuple):
    """The arguments of one call."""

    written: Json
    """For the record: the object, or raw text that is none."""
    read: dict[str, Json] | None
    """For the tool, which may change them; None: malformed."""
    wrong: str = ""
    """Why they are malformed."""


def given(arguments: object) -> Given:
    """Read what an agent gave as arguments: an object, or the text that a model wrote.

    >>> given('{"fee": 5}').read, given(None).read, given('{"fee": ').read
    ({'fee': 5}, {}, None)
    """
    if type(arguments) is dict or isinstance(arguments, Mapping):
        return _of_mapping(arguments)
    if arguments is None or arguments == "":
        return Given({}, {})
    if not isinstance(arguments, str):
        return Given(brief(arguments, _LONGEST), None, shown(arguments))
    # As graders read them, so that both agree on what is malformed.
    read = Call.of(0, 0, ToolCall(name="", arguments=arguments)).arguments
    if read is MALFORMED:
        return Given(clean_text(arguments), None, shown(arguments))
    return _of_mapping(read)


def _of_mapping(arguments: Mapping[str, object]) -> Given:
    try:
        written = snapshot(arguments)
    except NotJsonError as error:
        return Given(brief(arguments, _LONGEST), None, f"what is no JSON ({error})")
    flat = all(type(value) in _SCALARS for value in written.values())
    return Given(written, dict(written) if flat else snapshot(written))
