"""How a run was begun: kept in its folder, so that one that is gone on with stays the same run."""

import json
from collections.abc import Iterator, Sequence

import msgspec

from fairtrial.errors import UsageError
from fairtrial.records import Json
from fairtrial.store import Redactor, SavedRun
from fairtrial.text import cut

_TOLD_AGAIN = (
    *("agent", "world", "model", "currency", "judge"),
    *("isolation", "step_cap", "concurrency", "timeout", "max_extra"),
)
"""Settings that stand for themselves; where they were left alone they are not told again."""

_DECIDING = (
    *("agent", "world", "model", "step_cap", "variant_settings", "scripts"),
    *("graders", "tool_error", "currency"),
)
"""What trials came out by: one run is not made of two kinds."""


def options_of(run: SavedRun) -> dict[str, Json]:
    """Give the options that a run was begun with, by name, as they would be given again."""
    said = run.info.settings
    options: dict[str, Json] = {
        name: said[name]
        for name in _TOLD_AGAIN
        if isinstance(said.get(name), str | int | float)  # a table stands in the settings
    }
    for name in ("graders", "protected_tags"):
        options[name] = tuple(said.get(name) or ())
    if said.get("tool_error") is not None:
        options["tool_error"] = json.dumps(said["tool_error"])
    return options


def refuse_other(run: SavedRun, now: dict[str, Json], secrets: Sequence[str]) -> None:
    """Refuse to go on with a run by other settings than it was begun with.

    Raises:
        UsageError: Trials would come out by something else than those that are there.
    """
    other = list(_other(run.info.settings, now, Redactor(secrets)))
    if other:
        raise UsageError(
            f"{run.name} cannot be gone on with: since it began {'; '.join(other)}; say it as it "
            "was, or start a new run"
        )


def _other(before: dict[str, Json], now: dict[str, Json], redactor: Redactor) -> Iterator[str]:
    for name in _DECIDING:
        # What was saved has no secrets in it.
        is_now = msgspec.json.decode(redactor.line(msgspec.json.encode({name: now[name]})))[name]
        if name in before and before[name] != is_now:
            yield f"{name} was {cut(json.dumps(before[name]))} and is {cut(json.dumps(is_now))}"
