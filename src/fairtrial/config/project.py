"""fairtrial.toml, or [tool.fairtrial] in pyproject.toml, to objects.

The only place where a name becomes an object.
"""

import difflib
import glob
import importlib
import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.errors import PluginError, ProblemsError, UsageError
from fairtrial.graders import GradingSettings
from fairtrial.match import MatcherError, compile_matcher
from fairtrial.ports import Grader
from fairtrial.records import GateSettings, Json
from fairtrial.text import cut

OWN, SHARED = "fairtrial.toml", "pyproject.toml"


class GateTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[gate]`: what the gate lets through."""

    tolerance: float | None = None
    """How far a pass rate may fall, 0 to 1. None: 0 when deterministic."""
    growth: float = 0.25
    """How far mean tokens, cost or steps may rise, as a share."""
    errors: float = 0.05
    """Share of the planned trials that may stay unmeasured."""
    min_pass_rate: float | None = None
    min_pass_hat_k: float | None = None
    thoroughness: float | None = None


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a suite. Those of commands that are still to come are read and kept."""

    cases: tuple[str, ...] | str = ()
    """Files or globs, relative to the file that says so."""
    graders: tuple[str, ...] = ()
    """`module:function`."""
    baseline: str = "evals/baseline.json"
    currency: str = "USD"
    protected_tags: tuple[str, ...] = ()
    tool_error: Json = None
    """A matcher: which results count as errors, besides what the tool layer said."""
    gate: GateTable = GateTable()
    agent: Json = None
    world: str | None = None
    trials: int = 1
    seed: int = 0
    concurrency: int = 8
    timeout: float = 120
    isolation: str | None = None
    model: str | None = None
    variants: dict[str, dict[str, Json]] = {}
    judge: dict[str, Json] = {}
    online: dict[str, Json] = {}


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
            matched = [self.root / name for name in names if (self.root / name).is_file()]
            if not matched:
                what = (
                    f"matches only folders; write {pattern}/*.yaml" if names else "matches no file"
                )
                raise UsageError(f"{self.file}: cases: {pattern!r} {what}")
            found |= dict.fromkeys(matched)
        return list(found)

    def grading_settings(self) -> GradingSettings:
        """Give what the settings say about grading; loads the team's own graders.

        Raises:
            PluginError: A name that does not lead to a function marked with `fairtrial.grader`, or
                two graders of one name.
        """
        if self.config.graders:
            self._onto_import_path()
        graders: dict[str, Grader] = {}
        for name in dict.fromkeys(self.config.graders):
            own = _load_grader(name)
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
            if fault := _fault(name, value, GateTable):
                raise UsageError(f"--{name.replace('_', '-')}: {fault}")
        gate = msgspec.structs.asdict(self.config.gate) | said
        del gate["thoroughness"]  # for confirming, which is still to come
        return GateSettings(**gate, allow_removed=allow_removed, strict=strict)

    def _onto_import_path(self) -> None:
        for folder in (str(self.root / "src"), str(self.root)):
            if folder in sys.path:
                sys.path.remove(folder)
            sys.path.insert(0, folder)


def find_project(start: Path, file: Path | None = None) -> Project:
    """Read the configuration: the file given, else the nearest one in `start` or above it.

    Raises:
        UsageError: The file given is not there, or has no settings.
        ProblemsError: The file cannot be read as settings; every mistake with its place.

    >>> find_project(Path("/no/such/folder")).config.baseline
    'evals/baseline.json'
    """
    if file is not None:
        if not file.is_file():
            what = "a folder" if file.is_dir() else "no such file"
            raise UsageError(f"{file}: {what}; name a {OWN} or a {SHARED}")
        if file.name == SHARED and not _has_table(file):
            raise UsageError(f"{file}: no [tool.fairtrial] in it")
        return _read(file)
    for folder in (start, *start.parents):
        own = folder / OWN
        if own.is_file():
            return _read(own)
        shared = folder / SHARED
        if shared.is_file() and _has_table(shared):
            return _read(shared)
    return Project(config=Config(), root=start.absolute(), file=None)


def _has_table(pyproject: Path) -> bool:
    try:
        text = pyproject.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError):
        return False  # somebody else's file: its mistakes are for its own tools
    try:
        tool = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):
        return re.search(r"^\s*\[\s*tool\s*\.\s*fairtrial\b", text, re.MULTILINE) is not None
    return isinstance(tool, dict) and "fairtrial" in tool


def _read(file: Path) -> Project:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 text; save the file as UTF-8") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    try:
        table: Json = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemsError([f"{file}:{_toml_place(str(error), text)}"]) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting that no one means
        raise UsageError(f"{file}: too long a number, or nested too deep") from error
    path: _Path = ()
    if file.name == SHARED:
        table, path = table["tool"]["fairtrial"], ("tool", "fairtrial")
    located = _Located(file, text)
    problems = list(_problems(table, Config, located, path))
    if problems:
        raise ProblemsError(problems)
    config = msgspec.convert(table, type=Config)
    return Project(config=config, root=file.absolute().parent, file=file)


def _toml_place(message: str, text: str) -> str:
    place = re.search(r"\(at line (\d+), column (\d+)\)", message)
    words = message.partition(" (at ")[0]
    line, column = (place[1], place[2]) if place else (str(text.count("\n") + 1), "1")
    return f"{line}:{column}: not TOML: {words}"


_Path: TypeAlias = tuple[str, ...]
_KEY = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_HEADER = re.compile(rf"\s*\[\[?\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_SETTING = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


class _Located:
    """Where each setting stands in a file."""

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._lines: dict[_Path, int] = {}
        table: _Path = ()
        for number, line in enumerate(text.splitlines(), 1):
            if header := _HEADER.match(line):
                table = _keys(header[1])
                self._lines.setdefault(table, number)
            elif setting := _SETTING.match(line):
                keys = _keys(setting[1])
                for end in range(1, len(keys) + 1):
                    self._lines.setdefault((*table, *keys[:end]), number)

    def told(self, path: _Path, name: str, text: str) -> str:
        """Give a mistake with its place: that of the setting, or of the nearest around it."""
        around = (path[:end] for end in range(len(path), 0, -1))
        line = next((self._lines[one] for one in around if one in self._lines), 1)
        return f"{self._file}:{line}: {name}: {text}"


def _keys(dotted: str) -> _Path:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))


def _problems(
    table: Json, kind: type[Struct], located: _Located, path: _Path, prefix: str = ""
) -> Iterator[str]:
    if not isinstance(table, dict):
        yield located.told(path, path[-1], f"wanted a table, got {cut(repr(table))}")
        return
    known = kind.__struct_fields__
    for key, value in table.items():
        place, name = (*path, key), f"{prefix}{key}"
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            text = f"unknown setting; {hint}known are {', '.join(sorted(known))}"
            yield located.told(place, name, text)
        elif key == "gate":
            yield from _problems(value, GateTable, located, place, "gate.")
        elif fault := _fault(key, value, kind):
            yield located.told(place, name, fault)
        elif key == "variants":
            for variant, changed in value.items():
                inner = {one: changed[one] for one in changed if one != "settings"}
                yield from _problems(
                    inner, Config, located, (*place, variant), f"{name}.{variant}."
                )


def _fault(key: str, value: Json, kind: type[Struct]) -> str:
    wanted, fits = _RULES[key]
    try:
        converted = getattr(msgspec.convert({key: value}, type=kind), key)
        if fits is None or fits(converted):
            return ""
    except msgspec.ValidationError:
        pass
    except MatcherError as error:
        return error.text
    return f"wanted {wanted}, got {cut(repr(value))}"


_Rule: TypeAlias = tuple[str, Callable[[Json], bool] | None]
_SHARE: _Rule = ("a share from 0 to 1", lambda share: share is None or 0 <= share <= 1)
_COUNT: _Rule = ("a whole number from 1 up", lambda count: count >= 1)
_TEXT: _Rule = ("text", None)
_TABLE: _Rule = ("a table", None)

_RULES: dict[str, _Rule] = {
    "cases": ('a list of files or globs: ["evals/*.yaml"]', lambda names: all(names)),
    "graders": (
        'a list of "module:function"',
        lambda names: all(re.fullmatch(r"[\w.]+:\w+", name) for name in names),
    ),
    "baseline": ("a file", bool),
    "currency": ('a code such as "USD"', lambda code: bool(re.fullmatch(r"\S{1,12}", code))),
    "protected_tags": ("a list of tags", all),
    "tool_error": ("a matcher", lambda spec: spec is None or bool(compile_matcher(spec))),
    "agent": ('"module:name" or a table', lambda agent: isinstance(agent, str | dict)),
    "trials": _COUNT,
    "seed": ("a whole number", None),
    "concurrency": _COUNT,
    "timeout": ("seconds, more than 0", lambda seconds: 0 < seconds < math.inf),
    "world": _TEXT,
    "isolation": _TEXT,
    "model": _TEXT,
    "variants": ("a table of tables", None),
    "judge": _TABLE,
    "online": _TABLE,
    "tolerance": _SHARE,
    "growth": ("a share from 0 up", lambda share: share >= 0),
    "errors": _SHARE,
    "min_pass_rate": _SHARE,
    "min_pass_hat_k": _SHARE,
    "thoroughness": ("a number above 0", lambda number: number is None or number > 0),
}
"""What each setting wants, and whether a value of the right type is that."""


def _load_grader(name: str) -> Grader:
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a stranger's module: whatever it raises is told
        where = " and ".join(sys.path[:2])
        raise PluginError(
            f"grader {name!r}: importing {module_name} failed: {type(error).__name__}: {error} "
            f"(looked in {where}, then in the installed packages)"
        ) from error
    found = getattr(module, attribute, None)
    if found is None:
        where = getattr(module, "__file__", None) or module_name
        raise PluginError(f"grader {name!r}: {where} has no {attribute!r}")
    if not isinstance(found, Grader):
        raise PluginError(f"grader {name!r} is not a grader: put @fairtrial.grader above it")
    return found


def with_overrides(
    project: Project,
    *,
    currency: str | None = None,
    tool_error: str | None = None,
    protected_tags: Sequence[str] = (),
    graders: Sequence[str] = (),
) -> Project:
    """Give the project with what the command line says instead, or besides for lists.

    Raises:
        UsageError: `tool_error` is not JSON, or a value is none that the setting takes.

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
    for name, value in said.items():
        if fault := _fault(name, value, Config):
            raise UsageError(f"--{_FLAGS.get(name, name)}: {fault.replace('a list of ', '')}")
    for name in ("protected_tags", "graders"):
        said[name] = tuple(dict.fromkeys((*getattr(config, name), *said[name])))
    return msgspec.structs.replace(project, config=msgspec.structs.replace(config, **said))


_FLAGS = {"protected_tags": "protected-tag", "graders": "grader", "tool_error": "tool-error"}
