"""Plans: the calls that must happen, in which order, and how far the calls made follow them."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from fairtrial.match.alignment import pair_any_order, pair_in_order
from fairtrial.match.call import Call
from fairtrial.match.equality import is_number
from fairtrial.match.known import Known
from fairtrial.match.matcher import MatcherError, Path
from fairtrial.match.mismatch import brief
from fairtrial.match.pattern import CallPattern, compile_pattern
from fairtrial.match.spelling import nearest_field
from fairtrial.records import Json
from fairtrial.text import cut

PlanMode: TypeAlias = Literal["in_order", "exact", "any_order"]

LARGEST_GROUP: Final = 8
"""Members of a group whose order is free: the search tries their subsets."""

_FIELDS: Final = ("mode", "steps", "min_score")
_ANY_FIELDS: Final = ("any", "mode", "min_score")

_MEANT: Final = {
    "calls": "steps", "tools": "steps", "plan": "steps", "sequence": "steps", "items": "steps",
    "order": "mode", "match": "mode", "strict": "mode: exact", "exact": "mode: exact",
    "in_order": "mode: in_order", "any_order": "mode: any_order", "unordered": "mode: any_order",
    "threshold": "min_score", "score": "min_score", "minimum": "min_score",
    "any_of": "any", "one_of": "any", "alternatives": "any", "either": "any",
}  # fmt: skip
"""What other tools call the fields of a plan."""

_MEANT_MODES: Final = {
    "strict": "exact", "ordered": "in_order", "sequence": "in_order",
    "unordered": "any_order",
}  # fmt: skip


class PlanResult(Struct, frozen=True, kw_only=True):
    """How far the calls follow the best alternative of a plan."""

    score: float
    """0 to 1: the share of the items that were paired; in exact mode 1 or 0."""
    precision: float
    """0 to 1: the share of the calls that were paired."""
    recall: float
    """0 to 1: the share of the items that were paired."""
    extra: int
    """Calls that were not paired."""
    pairs: tuple[int | None, ...]
    """For each item the position of its call among those aligned, or None."""
    items: tuple[CallPattern, ...]
    """The items of the alternative in order, groups dissolved."""
    min_score: float
    """0 to 1: the score that this alternative wants."""


class Alternative(Struct, frozen=True, kw_only=True):
    """One way to do it right."""

    units: tuple[tuple[CallPattern, ...], ...]
    """Each one pattern, or the members of a group."""
    items: tuple[CallPattern, ...]
    """The patterns of all units in order."""
    any_order: bool
    """The order of the units is free."""
    exact: bool
    """Nothing may be missing or extra: the score is 1 or 0."""
    min_score: float

    def align(self, calls: Sequence[Call]) -> PlanResult:
        """Pair as many items as possible with different calls."""
        if self.any_order:
            pairs = pair_any_order(self.items, calls)
        else:
            pairs = pair_in_order(self.units, calls)
        total = len(self.items)
        paired = total - pairs.count(None)
        recall = paired / total if total else float(not calls)
        precision = paired / len(calls) if calls else float(not total)
        met = paired == total == len(calls)
        return PlanResult(
            score=float(met) if self.exact else recall,
            precision=precision,
            recall=recall,
            extra=len(calls) - paired,
            pairs=tuple(pairs),
            items=self.items,
            min_score=self.min_score,
        )


class Plan:
    """A compiled plan: one alternative or several, of which the best counts."""

    __slots__ = ("alternatives", "bare")

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        """Take the alternatives, at least one, in the order in which they were written."""
        self.alternatives = tuple(alternatives)
        self.bare = all(item.bare for one in self.alternatives for item in one.items)
        """Every item asks for its tool alone, so only the names and steps of calls matter."""

    @property
    def min_score(self) -> float:
        """The lowest score, 0 to 1, with which an alternative is met."""
        return min(alternative.min_score for alternative in self.alternatives)

    @property
    def shortest(self) -> int:
        """How many calls the shortest alternative has."""
        return min(len(alternative.items) for alternative in self.alternatives)

    def tools(self) -> frozenset[str]:
        """Give the names of all tools in the plan."""
        return frozenset(item.name for one in self.alternatives for item in one.items)

    def align(self, calls: Sequence[Call]) -> PlanResult:
        """Say how far the calls follow the plan.

        Of several alternatives one that is met counts before one that is not, then the best score,
        then the best precision, then the earlier.

        Args:
            calls: In the order of the trajectory.

        Raises:
            MatchTimeoutError: A regular expression took too long.

        >>> from fairtrial.records import ToolCall
        >>> calls = [Call.of(i, i, ToolCall(name=name)) for i, name in enumerate("acb")]
        >>> result = compile_plan(["a", "b", "c"]).align(calls)
        >>> round(result.score, 3), result.extra, result.pairs
        (0.667, 1, (0, 2, None))
        """
        best: PlanResult | None = None
        for alternative in self.alternatives:
            result = alternative.align(calls)
            if best is None or _rank(result) > _rank(best):
                best = result
            if best.score == best.precision == 1:
                break  # nothing later can be better
        assert best is not None
        return best


def _rank(result: PlanResult) -> tuple[bool, float, float]:
    return result.score >= result.min_score, result.score, result.precision


class _Settings(Struct, frozen=True, kw_only=True):
    """What stands beside the steps, or beside `any` for all alternatives."""

    mode: PlanMode = "in_order"
    min_score: float = 1.0


def compile_plan(spec: Json) -> Plan:
    """Compile a plan: a list, `{mode, steps, min_score}`, or `{any: [...], mode, min_score}`.

    Raises:
        MatcherError: The plan cannot be; the text shows the way out.

    >>> plan = compile_plan(["find", {"any_order": ["read", {"name": "list"}]}, "save"])
    >>> plan.shortest, sorted(plan.tools())
    (4, ['find', 'list', 'read', 'save'])
    """
    return _PLANS.compiled(spec)


def _compiled(spec: Json) -> Plan:
    if isinstance(spec, dict) and "any" in spec:
        return _alternatives(spec)
    return Plan([_alternative(spec, (), _Settings())])


_PLANS: Final = Known(_compiled)


def _alternatives(spec: dict[str, Json]) -> Plan:
    if "steps" in spec:
        raise MatcherError("steps: beside any, each alternative has its own steps", ("steps",))
    _only_fields(spec, _ANY_FIELDS, ())
    settings = _settings(spec, (), _Settings())
    listed = _listed(spec["any"], ("any",))
    plans = []
    for index, one in enumerate(listed):
        path = ("any", index)
        if isinstance(one, dict):
            for field in ("mode", "min_score"):
                if field in one and field in spec:
                    raise MatcherError(
                        f"{field}: stands beside any too, where it holds for all alternatives; "
                        "write it in one place",
                        (*path, field),
                    )
        plans.append(_alternative(one, path, settings))
    return Plan(plans)


def _listed(spec: Json, path: Path) -> list[Json]:
    if not isinstance(spec, list) or not spec:
        raise MatcherError(
            f"any: wanted a list of at least one alternative, got {brief(spec)}", path
        )
    return spec


def _alternative(spec: Json, path: Path, settings: _Settings) -> Alternative:
    steps = spec
    if isinstance(spec, dict):
        if "any" in spec:
            raise MatcherError("any: an alternative has no alternatives", (*path, "any"))
        _only_fields(spec, _FIELDS, path)
        if "steps" not in spec:
            raise MatcherError("steps: missing; wanted a list of calls", path)
        settings = _settings(spec, path, settings)
        steps, path = spec["steps"], (*path, "steps")
    if not isinstance(steps, list):
        hint = f"; write [{steps}]" if isinstance(steps, str) else ""
        raise MatcherError(
            f"wanted a list of calls or {{mode, steps, min_score}}, got {brief(steps)}{hint}", path
        )
    return _planned(steps, path, settings)


def _planned(steps: list[Json], path: Path, settings: _Settings) -> Alternative:
    free = settings.mode == "any_order"
    units = tuple(_unit(unit, (*path, index), free=free) for index, unit in enumerate(steps))
    return Alternative(
        units=units,
        items=tuple(item for unit in units for item in unit),
        any_order=free,
        exact=settings.mode == "exact",
        min_score=settings.min_score,
    )


def _unit(spec: Json, path: Path, *, free: bool) -> tuple[CallPattern, ...]:
    if not isinstance(spec, dict) or "any_order" not in spec:
        return (_pattern(spec, path),)
    if len(spec) > 1:
        other = next(str(key) for key in spec if key != "any_order")
        raise MatcherError(f"a group is {{any_order: [...]}} alone, without {other!r}", path)
    members = spec["any_order"]
    here = (*path, "any_order")
    if not isinstance(members, list) or not members:
        raise MatcherError(
            f"any_order: wanted a list of at least one call, got {brief(members)}", here
        )
    if len(members) > LARGEST_GROUP and not free:
        raise MatcherError(
            f"any_order: a group of {len(members)}; wanted at most {LARGEST_GROUP}. Where "
            "the order of the whole plan is free, write {mode: any_order, steps: [...]}",
            here,
        )
    return tuple(_pattern(member, (*here, index)) for index, member in enumerate(members))


def _pattern(spec: Json, path: Path) -> CallPattern:
    try:
        return compile_pattern(spec)
    except MatcherError as error:
        raise error.inside(path) from None


def _only_fields(spec: dict[str, Json], fields: tuple[str, ...], path: Path) -> None:
    for key in spec:
        if key not in fields:
            hint = nearest_field(str(key), fields, _MEANT)
            if key == "name":
                hint = "; a call stands in a list: [{name: ...}]"
            raise MatcherError(
                f"unknown field {cut(str(key))!r} of a plan; wanted {', '.join(fields)}{hint}",
                (*path, key),
            )


def _settings(spec: dict[str, Json], path: Path, outer: _Settings) -> _Settings:
    mode = spec.get("mode", outer.mode)
    if mode not in get_args(PlanMode):
        modes = get_args(PlanMode)
        hint = nearest_field(mode, modes, _MEANT_MODES) if isinstance(mode, str) else ""
        raise MatcherError(
            f"mode: wanted one of {', '.join(modes)}, got {brief(mode)}{hint}", (*path, "mode")
        )
    score = spec.get("min_score", outer.min_score)
    if not is_number(score) or not 0 <= score <= 1:
        raise MatcherError(
            f"min_score: wanted a number from 0 to 1, got {brief(score)}", (*path, "min_score")
        )
    return _Settings(mode=mode, min_score=float(score))


def compile_next(spec: Json) -> Plan:
    """Compile `expect.next`: a plan that the first step's calls meet exactly and in any order.

    A lone pattern stands for a list of one; [] means no call; `{any: [...]}` gives alternatives.

    Raises:
        MatcherError: The plan cannot be; the text shows the way out.

    >>> from fairtrial.records import ToolCall
    >>> calls = [Call.of(0, 0, ToolCall(name="b")), Call.of(1, 0, ToolCall(name="a"))]
    >>> compile_next(["a", "b"]).align(calls).score, compile_next("a").align(calls).score
    (1.0, 0.0)
    """
    if isinstance(spec, str) or (isinstance(spec, dict) and "name" in spec):
        return Plan([_exactly([spec], ())])
    if isinstance(spec, dict) and "any" in spec:
        _only_fields(spec, ("any",), ())
        listed = enumerate(_listed(spec["any"], ("any",)))
        return Plan([_next(one, ("any", index)) for index, one in listed])
    return Plan([_next(spec, ())])


def _next(spec: Json, path: Path) -> Alternative:
    if isinstance(spec, dict):
        _only_fields(spec, ("steps",), path)
        spec, path = spec.get("steps"), (*path, "steps")
    if not isinstance(spec, list):
        raise MatcherError(f"wanted a list of calls, got {brief(spec)}", path)
    return _exactly(spec, path)


def _exactly(steps: list[Json], path: Path) -> Alternative:
    units = tuple(_unit(unit, (*path, index), free=True) for index, unit in enumerate(steps))
    items = tuple(item for unit in units for item in unit)
    return Alternative(units=units, items=items, any_order=True, exact=True, min_score=1.0)
