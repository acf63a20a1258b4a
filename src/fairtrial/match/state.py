"""The world at the end: a matcher for each of its fields."""

from typing import NamedTuple

from fairtrial.match.language import compile_matcher
from fairtrial.match.matcher import Matcher, MatcherError
from fairtrial.match.mismatch import brief
from fairtrial.records import Json


class StateMatcher(NamedTuple):
    """What the fields of the final state must be."""

    fields: dict[str, Matcher]
    """By name, in the order in which they were written."""
    exact: bool
    """No field besides these may be there."""


def compile_state(spec: Json) -> StateMatcher:
    """Compile what stands under `expect.state`: its top keys are fields of the world.

    A lone `has` or `exactly` at the top holds the fields; with `exactly` there may be no others.

    Raises:
        MatcherError: A matcher cannot be; the text shows the way out.

    >>> state = compile_state({"cancellations": [{"booking": "H-204", "fee": 0}]})
    >>> found = {"c9": {"booking": "H-204", "fee": 40, "id": "c9"}}
    >>> [str(one) for one in state.fields["cancellations"].mismatches(found, "cancellations")]
    ['cancellations.c9.fee: wanted 0, got 40']
    """
    if not isinstance(spec, dict):
        raise MatcherError(f"wanted a mapping of the world's fields, got {brief(spec)}")
    fields, place = spec, _lone(spec)
    for key in place:
        fields = spec[key]
        if not isinstance(fields, dict):
            raise MatcherError(
                f"{key}: wanted a mapping of the world's fields, got {brief(fields)}. "
                f"If {key!r} is a field here, write has: {{{key}: ...}}",
                place,
            )
    return StateMatcher(
        {name: _field(name, item, (*place, name)) for name, item in fields.items()},
        exact=place == ("exactly",),
    )


def _lone(spec: dict[Json, Json]) -> tuple[str, ...]:
    """Give the path from the top to the fields: through a lone `has` or `exactly`."""
    return next(((key,) for key in ("has", "exactly") if spec.keys() == {key}), ())


def _field(name: Json, spec: Json, path: tuple[str, ...]) -> Matcher:
    if not isinstance(name, str):
        raise MatcherError(f"the field {name!r} is not text; quote it", path[:-1])
    try:
        return compile_matcher(spec, tables=True)
    except MatcherError as error:
        raise error.inside(path) from None
