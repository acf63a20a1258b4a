"""What the command line says instead of the settings."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from fairtrial.config.project import Project
from fairtrial.config.settings import Config, fault_of
from fairtrial.errors import UsageError
from fairtrial.records import Json


def with_overrides(
    project: Project,
    *,
    currency: str | None = None,
    tool_error: str | None = None,
    protected_tags: Sequence[str] = (),
    graders: Sequence[str] = (),
    running: Mapping[str, Json] = MappingProxyType({}),
) -> Project:
    """Give the project with what the command line says instead, or besides for lists.

    Args:
        project: The settings.
        currency: As the setting; None, here and below, leaves what the settings say.
        tool_error: As JSON.
        protected_tags: Besides those of the settings.
        graders: Besides those of the settings.
        running: Settings of a run, by name.

    Raises:
        UsageError: `tool_error` is not JSON, or a value is none that the setting takes.

    >>> from pathlib import Path
    >>> project = Project(config=Config(), root=Path("/shop"), file=None)
    >>> with_overrides(project, currency="INR").config.currency
    'INR'
    """
    config = project.config
    said: dict[str, Json] = {"protected_tags": tuple(protected_tags), "graders": tuple(graders)}
    if currency is not None:
        said["currency"] = currency
    if tool_error is not None:
        try:
            said["tool_error"] = msgspec.json.decode(tool_error)
        except (msgspec.DecodeError, RecursionError) as error:
            example = '\'{"matches": "^Error"}\''
            raise UsageError(f"--tool-error: not JSON: {error}; wanted e.g. {example}") from error
    said |= {name: value for name, value in running.items() if value is not None}
    for name, value in said.items():
        if fault := fault_of(name, value, Config):
            raise UsageError(
                f"--{_FLAGS.get(name, name.replace('_', '-'))}: {fault.replace('a list of ', '')}"
            )
    for name in ("protected_tags", "graders"):
        said[name] = tuple(dict.fromkeys((*getattr(config, name), *said[name])))
    return msgspec.structs.replace(project, config=msgspec.structs.replace(config, **said))


_FLAGS = {"protected_tags": "protected-tag", "graders": "grader", "tool_error": "tool-error"}
