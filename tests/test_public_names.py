"""Every room shows its public names in its door, with docstrings and examples that run."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import fairtrial

HOME = Path(fairtrial.__path__[0])
ROOMS = sorted(path.parent.name for path in HOME.glob("*/__init__.py"))
SINGLE_FILES = sorted(path.stem for path in HOME.glob("*.py") if not path.stem.startswith("__"))
MODULES = ["fairtrial", *(f"fairtrial.{name}" for name in [*ROOMS, *SINGLE_FILES])]

NO_EXAMPLE: dict[str, str] = {
    # "fairtrial.room.name": why an example cannot run there
    "fairtrial.pytest_plugin.fairtrial": "pytest calls it; see docs/pytest.md",
    "fairtrial.pytest_plugin.pytest_addoption": "pytest calls it; see docs/pytest.md",
    "fairtrial.pytest_plugin.pytest_configure": "pytest calls it; see docs/pytest.md",
    "fairtrial.cli.main": "takes the arguments of the process and ends it; see docs/cli.md",
}


def is_inside(module: ModuleType, name: str) -> bool:
    """Say whether the name is a file or folder of the room, not something that it shows."""
    return hasattr(module, "__path__") and any(
        (Path(place) / name).with_suffix(".py").exists()
        or (Path(place) / name / "__init__.py").exists()
        for place in module.__path__
    )


def names_from_elsewhere(module: ModuleType) -> set[str]:
    """Give the names that the module imports from outside fairtrial, which it does not show."""
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    outside: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            outside |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").partition(".")[0] != "fairtrial"
        ):
            outside |= {alias.asname or alias.name for alias in node.names}
    return outside


def public_names(module: ModuleType) -> list[str]:
    """Give what a module shows: its `__all__`, or what it defines without an underscore."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


@cache
def shown() -> list[tuple[str, object]]:
    """Give every public name of every room with its value, rooms shown by name left out."""
    everything = [
        (f"{module}.{name}", getattr(importlib.import_module(module), name))
        for module in MODULES
        for name in public_names(importlib.import_module(module))
    ]
    return [(name, value) for name, value in everything if not isinstance(value, ModuleType)]


@pytest.mark.parametrize("room", ["fairtrial", *(f"fairtrial.{name}" for name in ROOMS)])
def test_a_room_exports_what_it_lists_and_nothing_else(room: str) -> None:
    module = importlib.import_module(room)
    elsewhere = names_from_elsewhere(module)
    found = {
        name
        for name in vars(module)
        if name.isidentifier()  # pytest adds names of its own to what it rewrites
        and not name.startswith("_")
        and name not in elsewhere
        and not is_inside(module, name)
    }
    listed = {
        name for name in module.__all__ if not name.startswith("_") and not is_inside(module, name)
    }
    lazy = listed - found if hasattr(module, "__getattr__") else set()
    assert found | lazy == listed


@pytest.mark.parametrize("room", ["fairtrial", *(f"fairtrial.{name}" for name in ROOMS)])
def test_every_listed_name_is_there_once(room: str) -> None:
    module = importlib.import_module(room)
    assert len(set(module.__all__)) == len(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("room", [f"fairtrial.{name}" for name in ROOMS])
def test_no_public_name_hides_a_file_of_its_room(room: str) -> None:
    module = importlib.import_module(room)
    assert [name for name in module.__all__ if is_inside(module, name)] == []


def test_every_public_class_and_function_has_a_docstring() -> None:
    bare = [
        name
        for name, value in shown()
        if (inspect.isclass(value) or inspect.isroutine(value))
        and not (value.__doc__ or "").strip()
    ]
    assert bare == []


def test_every_public_function_has_an_example_that_runs() -> None:
    bare = {
        name
        for name, value in shown()
        if inspect.isroutine(value) and ">>> " not in (value.__doc__ or "")
    }
    assert bare - set(NO_EXAMPLE) == set()


def test_every_exception_from_that_is_still_needed() -> None:
    names = dict(shown())
    stale = [
        name
        for name in NO_EXAMPLE
        if name not in names or ">>> " in (getattr(names[name], "__doc__", None) or "")
    ]
    assert stale == []
