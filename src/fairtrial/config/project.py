"""A suite's settings and its folder, and what names in them stand for."""

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairtrial.config.loading import (
    Point,
    load_grader,
    load_world,
    make_agent,
    onto_import_path,
)
from fairtrial.config.settings import Config, GateTable, JudgeTable, fault_of
from fairtrial.errors import PluginError, UsageError
from fairtrial.graders import GradingSettings
from fairtrial.match import compile_matcher
from fairtrial.ports import Agent, Grader
from fairtrial.records import RUBRIC_FOLDER, GateSettings, Variant
from fairtrial.text import cut

if TYPE_CHECKING:
    from fairtrial.worlds import World

OWN, SHARED = "fairtrial.toml", "pyproject.toml"


class Project(Struct, frozen=True, kw_only=True):
    """A configuration and the folder that its paths are relative to."""

    config: Config
    root: Path
    """Absolute."""
    file: Path | None
    """None: there is no configuration; the root is the working folder."""

    @property
    def baseline(self) -> Path:
        """Where the baseline is, or will be."""
        return self.root / self.config.baseline

    @property
    def has_judge(self) -> bool:
        """Whether the settings name one."""
        return self.config.judge != JudgeTable()

    def case_files(self) -> list[Path]:
        """Give the case files that the configuration names, in its order, each once.

        Raises:
            UsageError: No setting, or one that matches no file.
        """
        patterns = self.config.cases
        patterns = (patterns,) if isinstance(patterns, str) else patterns
        if not patterns:
            missing = f"no {OWN} and no {SHARED} with [tool.fairtrial] in {self.root} or above"
            where = f"{self.file} has no `cases`" if self.file else missing
            raise UsageError(
                f"no case files: {where}; name files on the command line, "
                'or set cases = ["evals/*.yaml"]'
            )
        found: dict[Path, None] = {}
        for pattern in patterns:
            # Path.glob raises on patterns that are absolute or odd.
            names = sorted(glob.glob(pattern, root_dir=self.root, recursive=True))  # noqa: PTH207
            matched = [self.root / name for name in names if self._is_case_file(name, pattern)]
            if not matched:
                raise UsageError(f"{self.file}: cases: {pattern!r} {self._lacking(pattern, names)}")
            found |= dict.fromkeys(matched)
        return list(found)

    def _is_case_file(self, name: str, pattern: str) -> bool:
        """Say whether what a glob found is a file of cases; baseline and rubrics lie among them."""
        file = self.root / name
        is_rubric = Path(name).parent.name == RUBRIC_FOLDER and RUBRIC_FOLDER not in pattern
        return file.is_file() and file != self.baseline and not is_rubric

    def _lacking(self, pattern: str, names: list[str]) -> str:
        if not names:
            return "matches no file"
        if any((self.root / name).is_file() for name in names):
            return "matches no file of cases"
        return f"matches only folders; write {pattern}/*.yaml"

    def grading_settings(self) -> GradingSettings:
        """Give what the settings say about grading; loads the team's own graders.

        Raises:
            PluginError: A name that does not lead to a function marked with `fairtrial.grader`, or
                two graders of one name.
        """
        if self.config.graders:
            onto_import_path(self.root)
        graders: dict[str, Grader] = {}
        for name in dict.fromkeys(self.config.graders):
            own = load_grader(name)
            if own.grader_name in graders:
                raise PluginError(
                    f"grader {name!r}: another one is called {own.grader_name!r} too, and their "
                    "checks could not be told apart; rename one"
                )
            graders[own.grader_name] = own
        tool_error = self.config.tool_error
        return GradingSettings(
            graders=tuple(graders.values()),
            tool_error=None if tool_error is None else compile_matcher(tool_error),
            currency=self.config.currency,
        )

    def gate_settings(
        self, shares: Mapping[str, float | None], *, allow_removed: bool, strict: bool
    ) -> GateSettings:
        """Give what the gate allows: the settings, and instead what the command line says.

        Args:
            shares: Fields of `[gate]`; None leaves what the settings say.
            allow_removed: Cases may be gone from the files.
            strict: Inconclusive exits 4.

        Raises:
            UsageError: A share that is none.
        """
        said = {name: value for name, value in shares.items() if value is not None}
        for name, value in said.items():
            if fault := fault_of(name, value, GateTable):
                raise UsageError(f"--{name.replace('_', '-')}: {fault}")
        gate = msgspec.structs.asdict(self.config.gate) | said
        if gate["thoroughness"] is None:
            del gate["thoroughness"]
        return GateSettings(**gate, allow_removed=allow_removed, strict=strict)

    def for_variant(self, name: str | None) -> "Project":
        """Give the project with what `[variants.NAME]` says instead; None: as it is.

        Raises:
            UsageError: There is no such variant.
        """
        if name is None:
            return self
        said = self.config.variants.get(name)
        if said is None:
            known = ", ".join(self.config.variants) or f"none: add [variants.{name}] to {OWN}"
            raise UsageError(f"no variant {cut(name)!r}; known are {known}")
        changed = {key: value for key, value in said.items() if key != "settings"}
        whole = msgspec.to_builtins(self.config)
        if "gate" in changed:  # a table of settings: what it does not name stays
            changed["gate"] = whole["gate"] | changed["gate"]
        whole |= changed
        return msgspec.structs.replace(self, config=msgspec.convert(whole, type=Config))

    def variant(self, name: str | None) -> Variant:
        """Give a variant as the agent is handed it."""
        settings = {} if name is None else self.config.variants[name].get("settings", {})
        return Variant(name=name, settings=settings)

    def world(self) -> "type[World] | None":
        """Load the class of the world; None when the settings name none.

        Raises:
            PluginError: The name leads to no world.
        """
        if self.config.world is None:
            return None
        onto_import_path(self.root)
        return load_world(self.config.world)

    def agent(self, point: Point, *, live: bool) -> Agent:
        """Load or make the agent.

        Raises:
            UsageError: The settings name none.
            PluginError: The name leads to no agent.
        """
        config = self.config
        if config.agent is None:
            where = self.file or f"{OWN} (there is none yet: `fairtrial init` writes one)"
            raise UsageError(f'no agent: set agent = "module:function" in {where}, or give --agent')
        return make_agent(
            config.agent,
            self.root,
            point,
            isolation=config.isolation,
            timeout=config.timeout,
            live=live,
        )
