"""How a case meets its file's defaults, and where each part of the result was written."""

from collections.abc import Iterator

from fairtrial.cases.located import Path
from fairtrial.cases.shapes import Field, Fields
from fairtrial.records import Json


def merged(own: dict[str, Json], base: dict[str, Json], fields: Fields) -> dict[str, Json]:
    """Give a case's mapping over its defaults; neither is changed.

    Mappings merge key by key, lists and what stands under a check are replaced, and null takes a
    default away.

    >>> from fairtrial.cases.case_fields import CASE
    >>> base = {"limits": {"steps": 8, "cost": 1}, "tags": ["a"]}
    >>> merged({"limits": {"steps": 4, "cost": None}, "tags": ["b"]}, base, CASE)
    {'limits': {'steps': 4}, 'tags': ['b']}
    """
    if not base:
        return own
    out = dict(base)
    for name, value in own.items():
        if name not in base:
            out[name] = value
        elif value is None:
            del out[name]
        else:
            out[name] = _met(value, base[name], fields.table.get(name))
    return out


def _met(own: Json, base: Json, field: Field | None) -> Json:
    if field is None or not (isinstance(own, dict) and isinstance(base, dict)):
        return own
    if isinstance(field.shape, Fields) and field.merge == "fields":
        return merged(own, base, field.shape)
    if field.merge == "keys":
        return _without_nulls({**base, **own}, own, base)
    return _deep(own, base) if field.merge == "deep" else own


def _deep(own: dict[str, Json], base: dict[str, Json]) -> dict[str, Json]:
    out = {**base, **own}
    for name, value in own.items():
        if isinstance(value, dict) and isinstance(base.get(name), dict):
            out[name] = _deep(value, base[name])
    return _without_nulls(out, own, base)


def _without_nulls(
    out: dict[str, Json], own: dict[str, Json], base: dict[str, Json]
) -> dict[str, Json]:
    gone = [name for name, value in own.items() if value is None and name in base]
    for name in gone:
        del out[name]
    return out


def from_defaults(path: Path, own: Json, base: Json) -> bool:
    """Say whether what stands at `path` of the merged case was written in the defaults.

    >>> from_defaults(("limits", "steps"), {"limits": {"cost": 1}}, {"limits": {"steps": 8}})
    True
    >>> from_defaults(("limits", "cost"), {"limits": {"cost": 1}}, {"limits": {"steps": 8}})
    False
    """
    for part in path:
        if isinstance(own, dict) and part in own:
            own = own[part]
            base = base.get(part) if isinstance(base, dict) else None
        else:
            # Not written in the case: in the defaults, or missing in both, which is the case's.
            return not isinstance(own, list) and isinstance(base, dict) and part in base
    return False


def hidden_lists(own: dict[str, Json], base: dict[str, Json], fields: Fields) -> Iterator[Path]:
    """Give the path of every list of the case that replaces a default's list.

    >>> from fairtrial.cases.case_fields import CASE
    >>> list(hidden_lists({"tags": ["b"]}, {"tags": ["a"]}, CASE))
    [('tags',)]
    """
    for name, value in own.items():
        default = base.get(name)
        field = fields.table.get(name)
        if field is None or value is None or default is None:
            continue
        if isinstance(field.shape, Fields) and isinstance(value, dict):
            if isinstance(default, dict):
                for path in hidden_lists(value, default, field.shape):
                    yield (name, *path)
        elif isinstance(default, list) and value != default:
            yield (name,)
