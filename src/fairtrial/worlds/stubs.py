"""Tools without Python: the case file says which arguments get which reply."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairtrial.errors import ToolError
from fairtrial.match import Matcher, MatcherError, brief, compile_matcher
from fairtrial.records import Json
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.fields import MISSING
from fairtrial.worlds.fitting import Misfit, misfits, read, said
from fairtrial.worlds.kinds import Kind
from fairtrial.worlds.method import refused, takes
from fairtrial.worlds.schema import Shown
from fairtrial.worlds.wording import Path, listed, meant, shown

ARGUMENTS: Final = True
"""As a row: the call's own arguments."""

_MOST_REPLIES: Final = 5  # that are told when none is for these arguments
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
_TYPE_NAMES: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "null",
}


class Clause(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One reply of a stub tool, as the case file has it."""

    description: str | None = None
    parameters: dict[str, Json] | None = None
    when: Json | UnsetType = UNSET
    returns: Json = None
    raises: str | None = None
    appends: dict[str, Json] | None = None


class _Schema(Struct, frozen=True, kw_only=True):
    """As much of a JSON Schema as is looked at."""

    properties: dict[str, Json] = {}
    required: list[str] = []
    additionalProperties: Json = UNSET  # noqa: N815 - JSON Schema's word


class _Row(NamedTuple):
    """A row that a reply adds to a field of the world."""

    field: str
    row: Json
    kind: Kind
    """The type of the field's rows."""


class _Reply(NamedTuple):
    """A clause ready to be used."""

    when: Matcher | None
    clause: Clause
    rows: tuple[_Row, ...]


class StubTool:
    """A tool whose replies stand in the case file. The first that is for the arguments answers.

    >>> tool = StubTool("noon", [Clause(returns="12:00")], {})
    >>> tool.run(None, tool.accept({}))
    '12:00'
    """

    def __init__(self, name: str, clauses: Iterable[Clause], kinds: Mapping[str, Kind]) -> None:
        """Compile the clauses, which `read_stubs` has looked at.

        Args:
            name: The tool's name.
            clauses: The replies in order.
            kinds: The type of the rows of each field of the world; others hold anything.
        """
        self.name = name
        self._replies = tuple(_reply(one, kinds) for one in clauses)
        self.quiet = not any(one.rows for one in self._replies)
        told = [one.clause for one in self._replies]
        self._parameters: dict[str, Json] = next(
            (one.parameters for one in told if one.parameters is not None), {"type": "object"}
        )
        self._description = next((one.description for one in told if one.description), "")
        known = {key: self._parameters[key] for key in _KEYS if key in self._parameters}
        self._schema = msgspec.convert(known, _Schema)
        self.takes = takes(self._schema.properties, self._schema.required)
        loose = self._schema.additionalProperties
        self._open = not self._schema.properties if loose is UNSET else loose is not False

    @property
    def shown(self) -> Shown:
        """What a model is told of it."""
        return Shown(self.name, self._description, self._parameters)

    def bind(self, arguments: tuple[object, ...], named: dict[str, object]) -> dict[str, object]:
        """Give a name to arguments that came by position, in the order of the parameters.

        Raises:
            ToolError: There are too many, or one is there twice.
        """
        names = list(self._schema.properties)
        twice = set(names[: len(arguments)]) & named.keys()
        if len(arguments) > len(names) or twice:
            raise ToolError(f"{self.name}: give each argument once, by its name")
        return dict(zip(names, arguments, strict=False)) | named

    def accept(self, arguments: dict[str, Json]) -> dict[str, object]:
        """Look at the arguments as far as `parameters` says at its top.

        Raises:
            ToolError: They do not fit; the text says what does.
        """
        properties = self._schema.properties
        wrong = [
            f"missing argument {name!r}" for name in self._schema.required if name not in arguments
        ]
        for name, value in arguments.items():
            if name in properties:
                wrong += _mistyped(name, value, properties[name])
            elif not self._open:
                wrong.append(f"unknown argument {name!r}" + meant(name, properties))
        if wrong:
            error = refused(self.name, wrong, self.takes)
            raise error
        return arguments

    def run(self, world: Any, arguments: dict[str, object]) -> object:
        """Give the reply that is for these arguments.

        Raises:
            ToolError: The reply is an error, or there is none.
        """
        for when, clause, rows in self._replies:
            if when is not None and not when.matches(arguments):
                continue
            added = [(one.field, self._row(one, arguments)) for one in rows]
            for field, row in added:
                _add(world, field, row)
            if clause.raises is not None:
                raise ToolError(clause.raises)
            return clause.returns
        raise ToolError(f"{self.name}: no reply is written for {brief(arguments)}; {self._known()}")

    def join(
        self,
        world: object,
        arguments: tuple[object, ...],
        named: dict[str, object],
        method: object = None,
    ) -> object:
        """Do the work for another tool, also in the place of its method."""
        del method
        return self.run(world, self.accept(self.bind(arguments, named)))

    def _row(self, row: _Row, arguments: dict[str, object]) -> object:
        if row.row is not ARGUMENTS:
            return read(snapshot(row.row), row.kind)
        wrong = [said(one) for one in misfits(arguments, row.kind)]
        if wrong:
            raise ToolError(f"{self.name}: {'; '.join(wrong)}")
        return read(snapshot(arguments), row.kind)

    def _known(self) -> str:
        told = [brief(one.clause.when) for one in self._replies[:_MOST_REPLIES]]
        more = len(self._replies) - len(told)
        return f"known arguments: {' or '.join(told)}" + (f", and {more} more" if more else "")


_KEYS: Final = _Schema.__struct_fields__


def _reply(clause: Clause, kinds: Mapping[str, Kind]) -> _Reply:
    when = None if clause.when is UNSET else compile_matcher(clause.when, names=True)
    rows = (clause.appends or {}).items()
    return _Reply(when, clause, tuple(_Row(name, row, kinds.get(name, Any)) for name, row in rows))


def _add(world: Any, field: str, row: object) -> None:
    held = vars(world)[field]
    if isinstance(held, dict):
        held[world.new_id()] = row
    elif isinstance(held, set):
        held.add(row)
    else:
        held.append(row)


def _mistyped(name: str, value: Json, schema: Json) -> list[str]:
    kinds = schema.get("type") if isinstance(schema, dict) else None
    names = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(names, list) or not all(one in _TYPES for one in names):
        return []
    if any(_is_of(value, one) for one in names):
        return []
    return [f"{name}: wanted {' or '.join(_TYPE_NAMES[one] for one in names)}, got {shown(value)}"]


def _is_of(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])


def read_stubs(
    stubs: Mapping[str, Json],
    fields: Mapping[str, object],
    kinds: Mapping[str, Kind],
    wrong: list[Misfit],
) -> dict[str, StubTool]:
    """Give the stub tools of a case by name; what does not fit is added to `wrong`.

    Args:
        stubs: As the case file has them.
        fields: What the fields of the world start as.
        kinds: The type of the rows of each field; others hold anything.
        wrong: Where mistakes go.

    >>> wrong: list[Misfit] = []
    >>> read_stubs({"noon": [{"returns": 12, "appends": {"log": {}}}]}, {}, {}, wrong)
    {}
    >>> wrong
    [(('tools', 'noon', 0, 'appends', 'log'), 'there is no such field; known here: nothing')]
    """
    out: dict[str, StubTool] = {}
    for name, written in stubs.items():
        path: Path = ("tools", name)
        clauses = [written] if isinstance(written, dict) else written
        found = list(misfits(clauses, list[Clause], path))
        if not found:
            read_clauses = msgspec.convert(clauses, list[Clause])
            for index, clause in enumerate(read_clauses):
                found += _mistakes(clause, (*path, index), fields, kinds)
            if not found:
                out[name] = StubTool(name, read_clauses, kinds)
        wrong += found
    return out


def _mistakes(
    clause: Clause, path: Path, fields: Mapping[str, object], kinds: Mapping[str, Kind]
) -> Iterable[Misfit]:
    if clause.when is not UNSET:
        try:
            compile_matcher(clause.when, names=True)
        except MatcherError as error:
            yield (*path, "when", *error.path), error.text
    parameters = clause.parameters or {}
    known = {key: parameters[key] for key in _KEYS if key in parameters}
    yield from misfits(known, _Schema, (*path, "parameters"))
    for field, row in (clause.appends or {}).items():
        at = (*path, "appends", field)
        if field not in fields:
            text = f"there is no such field; known here: {listed(fields)}"
            yield at, text + meant(field, fields)
        elif fields[field] is not MISSING and not isinstance(fields[field], list | dict | set):
            yield at, f"rows go to a list or a mapping; {field} is {shown(fields[field])}"
        elif row is not ARGUMENTS:
            yield from misfits(row, kinds.get(field, Any), at)
