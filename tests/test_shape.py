"""The shape of the tree, kept by tests: what stands where, who enters what, what imports cost."""

import ast
import functools
import importlib
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import Struct

import fairtrial

ROOT = Path(__file__).parent.parent
HOME = ROOT / "src" / "fairtrial"
SOURCES = sorted(HOME.rglob("*.py"))
ALL_PYTHON = sorted(
    path
    for top in ("src", "tests", "bench", "docs", "examples", "action")
    for path in (ROOT / top).rglob("*.py")
)
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

USEFUL = {"base", "common", "helper", "helpers", "manager", "misc", "shared", "util", "utils"}

TESTED_THROUGH: dict[str, str] = {
    # "room/file.py": "room/test_other.py", which covers it through that other file
    "scorecard/estimates.py": "scorecard/test_tally.py",
    "text/figures.py": "text/test_numbers.py",
    "text/scanning.py": "text/test_numbers.py",
    "traces/files.py": "traces/test_openai_chat.py",
    "traces/imported.py": "traces/test_openai_chat.py",
    "traces/replies.py": "traces/test_openai_chat.py",
    "traces/transcript.py": "traces/test_openai_chat.py",
}

OPEN_ROOM = "fairtrial.flow."  # entered by its files: each verb loads only what it needs

HEAVY = {  # what only the command that needs it may load
    *("asyncio", "hypothesis", "httpx2", "jinja2", "regex", "rich"),
    *("sqlite3", "starlette", "uvicorn", "yaml"),
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path) -> str:
    """Name the room that a file of src or tests belongs to; "" when it belongs to none."""
    for top in (HOME, ROOT / "tests"):
        if path.is_relative_to(top):
            return path.relative_to(top).parts[0].removesuffix(".py")
    return ""


class Facts(NamedTuple):
    """What the rules ask of a file, read once: a tree of every file would fill the memory."""

    imports: tuple[tuple[str, str | None], ...]
    """As (module, name); the name is None for a plain import."""
    long_functions: tuple[str, ...]
    has_functions: bool
    defined: frozenset[str]
    """Functions and classes of its top level."""


@functools.cache
def facts_of(path: Path) -> Facts:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return Facts(
        imports=tuple(imports_of(tree)),
        long_functions=tuple(
            node.name
            for node in functions
            if lines_of(node) - len((ast.get_docstring(node) or "").splitlines()) > 50
        ),
        has_functions=bool(functions),
        defined=frozenset(
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ),
    )


def imports_of(tree: ast.Module) -> Iterator[tuple[str, str | None]]:
    """Give every import of a file as (module, name); the name is None for a plain import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def lines_of(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def layers() -> list[str]:
    """Give the layers of the import contract, top first, as written."""
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    return next(list(one["layers"]) for one in contracts if one["type"] == "layers")


def rooms_on_the_contract(*, built: bool) -> list[str]:
    """Give the rooms of the import contract in order; unbuilt ones stand there in parentheses."""
    names = [name for layer in layers() for name in layer.split(" | ")]
    return [name.strip("()") for name in names if name.startswith("(") is not built]


def run_python(code: str, *options: str) -> str:
    """Run code in a fresh interpreter and give what it printed."""
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def broken(files: Iterable[Path], rule: Callable[[Path], object]) -> dict[str, object]:
    """Give what a rule finds wrong, by file."""
    found = {name_of(path): rule(path) for path in files}
    return {name: wrong for name, wrong in found.items() if wrong}


# One test a rule, and not one a file: a thousand files would be six thousand tests.


def test_a_file_fits_in_one_reading() -> None:
    def too_long(path: Path) -> int | None:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        return lines if lines > 400 else None

    assert broken(ALL_PYTHON, too_long) == {}


def test_a_function_fits_on_a_screen() -> None:
    assert broken(ALL_PYTHON, lambda path: facts_of(path).long_functions) == {}


def test_nothing_is_named_for_being_useful() -> None:
    def useful(path: Path) -> set[str]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        return {part.strip("_") for part in parts} & USEFUL

    assert broken(ALL_PYTHON, useful) == {}


def test_other_rooms_are_entered_by_their_door() -> None:
    def reached_inside(path: Path) -> list[str]:
        return [
            module
            for module, _ in facts_of(path).imports
            if module.startswith("fairtrial.") and module.count(".") > 1
            if module.split(".")[1] != room_of(path) and not module.startswith(OPEN_ROOM)
        ]

    assert broken(ALL_PYTHON, reached_inside) == {}


def test_only_public_names_are_taken_from_another_room() -> None:
    def private(path: Path) -> list[str]:
        return [
            f"{module}.{name}"
            for module, name in facts_of(path).imports
            if name and module.startswith("fairtrial.") and module.split(".")[1] != room_of(path)
            if (name.startswith("_") and name != "__version__")
            or name not in getattr(importlib.import_module(module), "__all__", [name])
        ]

    assert broken(ALL_PYTHON, private) == {}


def test_no_pattern_repeats_a_group_possessively() -> None:
    # Python 3.11.0 to 3.11.4 match such patterns wrongly, and can go on for ever.
    def possessive(path: Path) -> list[str]:
        return re.findall(r"\)[*+?]\+|\(\?>", path.read_text(encoding="utf-8"))

    assert broken(SOURCES, possessive) == {}


def test_a_file_and_what_it_defines_never_share_a_name() -> None:
    assert broken(SOURCES, lambda path: path.stem in facts_of(path).defined) == {}


def test_a_file_that_does_something_has_its_tests() -> None:
    def untested(path: Path) -> str | None:
        if path.name in {"__init__.py", "__main__.py"} or not facts_of(path).has_functions:
            return None  # a door, or nouns alone
        inside = path.relative_to(HOME)
        mirror = inside.with_name(f"test_{path.stem.strip('_')}.py").as_posix()
        mirror = TESTED_THROUGH.get(inside.as_posix(), mirror)
        return None if (ROOT / "tests" / mirror).exists() else f"write tests/{mirror}"

    assert broken(SOURCES, untested) == {}


def test_no_file_that_has_its_own_tests_is_said_to_be_tested_through_another() -> None:
    mirrors = {
        name: Path(name).with_name(f"test_{Path(name).stem.strip('_')}.py")
        for name in TESTED_THROUGH
    }
    assert [name for name, mirror in mirrors.items() if (ROOT / "tests" / mirror).exists()] == []
    assert [name for name in TESTED_THROUGH if not (HOME / name).exists()] == []


@pytest.mark.parametrize("room", rooms_on_the_contract(built=True))
def test_a_record_that_a_room_shows_cannot_change(room: str) -> None:
    module = importlib.import_module(f"fairtrial.{room}")
    records = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Struct) and value is not Struct
    ]
    assert [record.__name__ for record in records if not record.__struct_config__.frozen] == []


def test_every_room_is_on_the_contract_and_only_unbuilt_ones_in_parentheses() -> None:
    there = {path.stem for path in HOME.glob("*.py")} | {
        path.parent.name for path in HOME.glob("*/__init__.py")
    }
    assert there - {"__init__", "__main__"} == set(rooms_on_the_contract(built=True))
    assert there & set(rooms_on_the_contract(built=False)) == set()


def test_the_readme_maps_the_rooms_in_the_order_of_the_contract() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^<!-- map -->\n(.*?)^<!-- /map -->$", readme, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert re.findall(r"^\| `(\w+)` \|", shown[1], re.MULTILINE) == rooms_on_the_contract(
        built=True
    )


def test_importing_fairtrial_loads_nothing_heavy() -> None:
    assert loaded_by("import fairtrial") & HEAVY == set()


def test_the_help_page_loads_nothing_heavy() -> None:
    ask = """
from fairtrial.cli import main
sys.argv = ["fairtrial", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert loaded_by(ask) & HEAVY == set()


def test_a_run_loads_no_gate_no_judge_and_no_other_kind_of_agent() -> None:
    begin = "import sys, fairtrial.cli.launch, fairtrial.config.running"
    rooms = "print(*[name for name in sys.modules if name.startswith('fairtrial.')])"
    loaded = set(run_python(f"{begin}\n{rooms}").split())
    unasked = {f"fairtrial.agents.{kind}" for kind in ("command", "loop", "url", "workers")}
    assert loaded & {"fairtrial.gate", "fairtrial.judge", *unasked} == set()


def loaded_by(code: str) -> set[str]:
    """Give the top-level modules that code loads, beyond those that an idle interpreter has."""
    show = "\nprint('LOADED', *{name.partition('.')[0] for name in set(sys.modules) - before})"
    out = run_python(f"import sys\nbefore = set(sys.modules)\n{code}{show}")
    return set(out.splitlines()[-1].split()[1:])


def test_no_module_opens_a_connection_or_warns_when_imported() -> None:
    run_python(
        """
import importlib, pkgutil, socket

def refuse(*args, **kwargs):
    raise AssertionError(f"a connection at import: {args}")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.socket.bind = socket.getaddrinfo = socket.create_connection = refuse

import fairtrial
for module in pkgutil.walk_packages(fairtrial.__path__, "fairtrial."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
""",
        "-Werror",
    )


def test_the_wheel_is_told_to_hold_the_package_and_nothing_else() -> None:
    assert PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {
        "packages": ["src/fairtrial"]
    }
    assert {path.name for path in (ROOT / "src").iterdir() if path.suffix != ".egg-info"} == {
        "fairtrial"
    }
    assert list(HOME.rglob("*.pth")) == []


def test_the_wheel_holds_every_source_file_and_no_pth(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(built).namelist())
    info = f"fairtrial-{fairtrial.__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"fairtrial", info}
    assert f"{info}/licenses/LICENSE" in names
    assert names >= {
        path.relative_to(ROOT / "src").as_posix() for path in [*SOURCES, HOME / "py.typed"]
    }
    assert [name for name in names if name.endswith(".pth")] == []
