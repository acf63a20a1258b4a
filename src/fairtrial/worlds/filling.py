"""What fills a world's fields: fixtures, read once and kept as bytes, and starting values."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from fairtrial.records import Json, NotJsonError
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.fields import MISSING, Description, maker
from fairtrial.worlds.fitting import Misfit, misfits
from fairtrial.worlds.kinds import Kind, arms, bare, container
from fairtrial.worlds.wording import listed, meant

_MOST: Final = 20  # misfits of one field that are told


class Filling:
    """Makes the fields of a world anew, each time with objects that nobody else holds.

    >>> filling = Filling(("rows",), msgspec.json.decode, b'{"rows": [1]}', {"paid": []})
    >>> filling.held()
    {'rows': [1], 'paid': []}
    """

    __slots__ = ("_decode", "_fixed", "_fixtures", "_makers", "names")

    def __init__(
        self,
        names: tuple[str, ...],
        decode: Callable[[bytes], dict[str, Any]],
        fixtures: bytes,
        starts: Mapping[str, object],
    ) -> None:
        """Get ready.

        Args:
            names: Of the fields.
            decode: Makes fields from fixtures.
            fixtures: As JSON.
            starts: What is there without a fixture, fields and others.
        """
        self.names = names
        self._decode = decode
        self._fixtures = fixtures
        made = {name: maker(start) for name, start in starts.items()}
        self._fixed = {name: starts[name] for name, make in made.items() if make is None}
        self._makers = [(name, make) for name, make in made.items() if make is not None]

    def held(self) -> dict[str, Any]:
        """Give all that a new world holds."""
        held = self._decode(self._fixtures)
        held.update(self._fixed)
        for name, make in self._makers:
            held[name] = make()
        return held


def plain_fixtures(fixtures: Mapping[str, object] | None, wrong: list[Misfit]) -> dict[str, Json]:
    """Give fixtures as JSON; what is none is added to `wrong`.

    >>> plain_fixtures({"day": (2026, 1)}, [])
    {'day': [2026, 1]}
    """
    out: dict[str, Json] = {}
    for name, value in (fixtures or {}).items():
        try:
            out[name] = snapshot(value)
        except NotJsonError as error:
            wrong.append((("fixtures", name), str(error)))
    return out


def fill(description: Description, fixtures: dict[str, Json], wrong: list[Misfit]) -> Filling:
    """Fill the fields of a class; what does not fit is added to `wrong`.

    >>> from fairtrial.worlds.fields import describe
    >>> from fairtrial.worlds.world import World
    >>> class Desk(World):
    ...     paid: list[float]
    >>> fill(describe(Desk), {"paid": [1]}, []).held()
    {'paid': [1.0]}
    """
    found = list(_mistakes(description, fixtures))
    wrong += found
    filled = {} if found else fixtures
    starts = {name: field.start for name, field in description.fields.items() if name not in filled}
    filling = Filling(
        tuple(description.fields),
        description.decode,
        msgspec.json.encode(filled),
        starts | description.besides,
    )
    try:
        filling.held()
    except msgspec.ValidationError as error:
        wrong.append((("fixtures",), str(error)))
    return filling


def fill_alone(fixtures: dict[str, Json], stubs: Mapping[str, Json]) -> Filling:
    """Make a world of the fixtures alone, with an empty list where only a stub tool adds rows.

    >>> fill_alone({}, {"pay": [{"appends": {"paid": {"fee": 1}}}]}).held()
    {'paid': []}
    """
    added = dict.fromkeys(name for name in _appended(stubs) if name not in fixtures)
    return Filling(
        (*fixtures, *added),
        msgspec.json.decode,
        msgspec.json.encode(fixtures),
        {name: [] for name in added},
    )


def _appended(stubs: Mapping[str, Json]) -> Iterator[str]:
    """Give the fields that stub tools add rows to; what has another shape is told elsewhere."""
    for written in stubs.values():
        for clause in written if isinstance(written, list) else [written]:
            rows = clause.get("appends") if isinstance(clause, dict) else None
            yield from rows if isinstance(rows, dict) else ()


def _mistakes(description: Description, fixtures: dict[str, Json]) -> Iterator[Misfit]:
    world, fields = description.world.__name__, description.fields
    for name, value in fixtures.items():
        if name not in fields:
            known = f"World {world} has no such field; known here: {listed(fields)}"
            yield ("fixtures", name), known + meant(name, fields)
            continue
        found = misfits(value, fields[name].kind, ("fixtures", name))
        yield from islice(found, _MOST)
        more = sum(1 for _ in found)
        if more:
            yield ("fixtures", name), f"and {more} more"
    for name, field in fields.items():
        if name not in fixtures and field.start is MISSING:
            needs = f"`{name}` is missing: World {world} needs it, or give it a default"
            yield ("fixtures",), needs


def row_kinds(description: Description | None) -> dict[str, Kind]:
    """Give the type of the rows of each field that has rows.

    >>> row_kinds(None)
    {}
    """
    kinds: dict[str, Kind] = {}
    for name, field in (description.fields if description else {}).items():
        inner, _ = arms(bare(field.kind))
        _, row = container(bare(inner[0]))
        if row is not None:
            kinds[name] = row
    return kinds
