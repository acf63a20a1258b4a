"""The shapes of what people write: each reads a value, notes mistakes, and knows its schema."""

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol

from fairtrial.cases.hints import nearest, unknown_field, wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.recurring import Recurring
from fairtrial.records import Json
from fairtrial.text import normalise

BAD: Final = object()
"""What a shape gives for a value that it cannot read; what is wrong stands in the notes."""

Schema = dict[str, Json]
Null = str
"""What null means under a field: `absent` (as if not written), `wrong`, or `value` (it is data)."""


class Shape(Protocol):
    """Reads one kind of value."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the value in its normal form, or BAD with the mistakes noted."""

    def schema(self) -> Schema:
        """Give the JSON Schema of what `read` accepts."""


class Anything:
    """Any JSON, kept untouched."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the value itself."""
        del path, notes  # nothing can be wrong
        return value

    def schema(self) -> Schema:
        """Accept all."""
        return {}


class Data:
    """A mapping of names to any JSON."""

    def __init__(self, what: str) -> None:
        self.what = what

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the mapping itself."""
        if isinstance(value, dict):
            return value
        notes.add(path, wanted(self.what, value))
        return BAD

    def schema(self) -> Schema:
        """Accept objects."""
        return {"type": "object"}


class Text:
    """Text that says something; `blank` allows the empty text too."""

    def __init__(self, what: str = "text", *, blank: bool = False) -> None:
        self.what = what
        self.blank = blank

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the text as written."""
        if not isinstance(value, str):
            notes.add(path, wanted(self.what, value))
            return BAD
        if not self.blank and not value.strip():
            notes.add(path, f"empty; wanted {self.what}")
            return BAD
        return value

    def schema(self) -> Schema:
        """Accept strings, empty ones only if `blank`."""
        return {"type": "string"} if self.blank else {"type": "string", "minLength": 1}


class Phrase(Text):
    """A phrase of which something is left after normalisation."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the phrase as written."""
        if super().read(value, path, notes) is BAD:
            return BAD
        # An ASCII letter or figure at the front stays, and most phrases begin so.
        if not (value[0].isascii() and value[0].isalnum()) and not normalise(value).strip():
            notes.add(
                path,
                f"{value!r} is empty once normalised (marks and unseen characters fall away), "
                f"so it says nothing; wanted {self.what}",
            )
            return BAD
        return value


class Flag:
    """True or false."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the truth value."""
        if isinstance(value, bool):
            return value
        notes.add(path, wanted("true or false", value))
        return BAD

    def schema(self) -> Schema:
        """Accept booleans."""
        return {"type": "boolean"}


class Whole:
    """A whole number, written without fraction or exponent, of at least `least`."""

    def __init__(self, least: int) -> None:
        self.least = least

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the number."""
        if isinstance(value, int) and not isinstance(value, bool) and value >= self.least:
            return value
        notes.add(path, wanted(f"a whole number, {self.least} or more", value))
        return BAD

    def schema(self) -> Schema:
        """Accept integers in range."""
        return {"type": "integer", "minimum": self.least}


class Real:
    """A finite number of at least 0; `positive` leaves 0 out, `signed` lets negative ones in."""

    def __init__(self, *, positive: bool = False, signed: bool = False) -> None:
        self.positive = positive
        self.signed = signed
        usual = "a number" if signed else "a number, 0 or more"
        self.what = "a number above 0" if positive else usual

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the number."""
        if self._fits(value):
            return value
        notes.add(path, wanted(self.what, value))
        return BAD

    def _fits(self, value: Json) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if isinstance(value, float) and not math.isfinite(value):
            return False
        return self.signed or value > 0 or (value == 0 and not self.positive)

    def schema(self) -> Schema:
        """Accept numbers in range."""
        if self.signed:
            return {"type": "number"}
        return {"type": "number", "exclusiveMinimum" if self.positive else "minimum": 0}


class Choice:
    """One of a closed set of names."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the name."""
        if isinstance(value, str) and value in self.names:
            return value
        close = nearest(value, self.names) if isinstance(value, str) else None
        hint = f"; did you mean {close}?" if close else ""
        notes.add(path, wanted(f"one of {', '.join(self.names)}", value) + hint)
        return BAD

    def schema(self) -> Schema:
        """Accept the names."""
        return {"enum": list(self.names)}


class Many:
    """A list of items; an item alone stands for a list of one."""

    def __init__(self, item: Shape, what: str, empty: str | None, *, data: bool = False) -> None:
        self.item = item
        self.what = what
        self.empty = empty
        """What is wrong with an empty list; None: nothing."""
        self.form = list if data else tuple
        """What comes out: a list where it is JSON in a record, a tuple where it is a field."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the items that could be read."""
        if not isinstance(value, list):
            only = self.item.read(value, path, notes)
            return BAD if only is BAD else self.form((only,))
        if not value and self.empty is not None:
            notes.add(path, f"an empty list {self.empty}; wanted {self.what}, or drop the field")
            return BAD
        read_item = self.item.read
        read = [read_item(item, (*path, i), notes) for i, item in enumerate(value)]
        return self.form([item for item in read if item is not BAD])

    def schema(self) -> Schema:
        """Accept an item, or a list of items."""
        item = self.item.schema()
        least: Schema = {} if self.empty is None else {"minItems": 1}
        return {"anyOf": [item, {"type": "array", "items": item, **least}]}


class Named:
    """A mapping whose keys are names and whose values are all of one shape."""

    def __init__(self, item: Shape, what: str, *, empty: str | None = None) -> None:
        self.item = item
        self.what = what
        self.empty = empty
        """What is wrong with an empty mapping; None: nothing."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a mapping of the items that could be read."""
        if not isinstance(value, dict):
            notes.add(path, wanted(self.what, value))
            return BAD
        if not value and self.empty is not None:
            notes.add(path, f"an empty mapping {self.empty}; wanted {self.what}")
            return BAD
        out: dict[str, Json] = {}
        for name, item in value.items():
            if not name.strip():
                notes.add((*path, name), "an empty name", of_key=True)
            read = self.item.read(item, (*path, name), notes)
            if read is not BAD:
                out[name] = read
        return out

    def schema(self) -> Schema:
        """Accept objects of such values."""
        return {"type": "object", "additionalProperties": self.item.schema()}


class Field(NamedTuple):
    """One field that people may write."""

    shape: Shape
    doc: str
    """For editors and the reference."""
    null: Null = "absent"
    merge: str = "replace"
    """How a case's value meets a default: `replace`, `keys` (one level), `deep`, or `fields`."""
    required: bool = False
    recurs: bool = False
    """The same values come again and again in a suite, so each is read once."""


def _reader_of(field: Field) -> Callable[[Json, Path, Notes], Json]:
    return Recurring(field.shape.read).read if field.recurs else field.shape.read


Build = Callable[..., Json]
Check = Callable[[dict[str, Json], Path, Notes], None]


class Fields:
    """A mapping with known fields."""

    def __init__(
        self,
        table: Mapping[str, Field],
        *,
        build: Build | None = None,
        check: Check | None = None,
        some: tuple[str, ...] = (),
        what: str = "a mapping",
        local: Mapping[str, str] | None = None,
    ) -> None:
        self.table = table
        self.build = build
        """Makes the record from the fields; None: they stay a mapping."""
        self.check = check
        """Looks at the fields that could be read, together."""
        self.required = tuple(name for name, field in table.items() if field.required)
        self._required = frozenset(self.required)
        self._readers = {
            name: (
                Recurring(field.shape.read).read if field.recurs else field.shape.read,
                field.null,
            )
            for name, field in table.items()
        }
        self.some = some
        """Fields of which at least one must stand there, since otherwise nothing is said."""
        self.what = what
        """What to say when it is no mapping."""
        self.local = dict(local or {})
        """Foreign names that mean something of their own here."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the record, or the mapping, of the fields that could be read."""
        if not isinstance(value, dict):
            notes.add(path, wanted(self.what, value))
            return BAD
        out = self.fields(value, path, notes)
        if self.required and not self._has_required(value, out, path, notes):
            return BAD
        if self.some and value.keys() <= self.table.keys() and not value.keys() & set(self.some):
            notes.add(
                path, f"this says nothing; write {', '.join(self.some[:-1])} or {self.some[-1]}"
            )
        if self.check is not None:
            self.check(out, path, notes)
        return out if self.build is None else self.build(**out)

    def _has_required(
        self, value: dict[str, Json], out: dict[str, Json], path: Path, notes: Notes
    ) -> bool:
        if out.keys() >= self._required:
            return True
        for name in self.required:
            if name not in value:
                what = getattr(self.table[name].shape, "what", "a value")
                notes.add((*path, name), f"missing; wanted {what}")
        return False

    def fields(self, value: dict[str, Json], path: Path, notes: Notes) -> dict[str, Json]:
        """Give the fields that could be read, in the order of the file."""
        out: dict[str, Json] = {}
        readers = self._readers
        for name, item in value.items():
            if name not in readers:
                text = unknown_field(name, self.table, self.local)
                notes.add((*path, name), text, of_key=True)
                continue
            read_it, null = readers[name]
            if item is None and null != "value":
                if null == "wrong":
                    notes.add((*path, name), NOTHING)
                continue
            read = read_it(item, (*path, name), notes)
            if read is not BAD:
                out[name] = read
        return out

    def schema(self) -> Schema:
        """Accept objects with these fields and no others; null takes a default away."""
        properties = {
            name: {"description": field.doc, "anyOf": [field.shape.schema(), {"type": "null"}]}
            for name, field in self.table.items()
        }
        out: Schema = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        if self.required:
            out["required"] = list(self.required)
        return out


class Short:
    """Fields of which one may stand alone for the whole: `320` for `{value: 320}`."""

    def __init__(self, key: str, fields: Fields, alone: type | tuple[type, ...] = str) -> None:
        self.key = key
        self.fields = fields
        self.alone = alone

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give what the fields give."""
        if isinstance(value, bool) or not isinstance(value, self.alone):
            return self.fields.read(value, path, notes)
        read = self.fields.table[self.key].shape.read(value, path, notes)
        if read is BAD or self.fields.build is None:
            return read
        return self.fields.build(**{self.key: read})

    def schema(self) -> Schema:
        """Accept the one field alone, or the mapping."""
        return {"anyOf": [self.fields.table[self.key].shape.schema(), self.fields.schema()]}


NOTHING: Final = (
    "nothing is written here, so nothing would be checked; write a value, or drop the field "
    "(null takes a default away, and there is none)"
)
