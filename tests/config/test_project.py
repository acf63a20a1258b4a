"""A suite's settings with its folder: its case files, graders, gate, variants, world and agent."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.config import Config, GateTable, Project, find_project
from fairtrial.errors import PluginError, UsageError
from fairtrial.records import Addresses, Json, Variant
from fairtrial.worlds import World

if TYPE_CHECKING:
    from tests.conftest import Desk

TWINS = """
import fairtrial as ft

@ft.grader
def polite(case, trajectory, state):
    return ft.yes_no("polite", True)

@ft.grader
def other(case, trajectory, state):
    return ft.yes_no("other", True)

other.grader_name = "polite"
"""


def nowhere(alias: str, token: str | None) -> Addresses:
    raise AssertionError(f"no process may be led anywhere here: {alias}")


def test_case_files_come_in_the_order_of_the_settings_each_once(desk: "Desk") -> None:
    for name in ("evals/b.yaml", "evals/a.yaml", "evals/deep/c.yaml", "other[1].json"):
        desk.write(name, "")

    def found(*patterns: str) -> list[str]:
        project = Project(config=Config(cases=patterns), root=desk.folder, file=None)
        return [path.relative_to(desk.folder).as_posix() for path in project.case_files()]

    assert found("evals/*.yaml") == ["evals/a.yaml", "evals/b.yaml"]
    assert found("evals/b.yaml", "evals/*.yaml") == ["evals/b.yaml", "evals/a.yaml"]
    assert found("**/*.yaml") == ["evals/a.yaml", "evals/b.yaml", "evals/deep/c.yaml"]
    assert found("other[[]1].json") == ["other[1].json"]
    assert found(f"{desk.folder}/evals/a.yaml") == ["evals/a.yaml"]


def test_shared_rubrics_are_no_case_files_unless_the_settings_say_so(desk: "Desk") -> None:
    for name in ("evals/a.yaml", "evals/rubrics/polite.yaml", "rubrics/b.yaml"):
        desk.write(name, "")

    def found(pattern: str) -> list[str]:
        project = Project(config=Config(cases=(pattern,)), root=desk.folder, file=None)
        return [path.relative_to(desk.folder).as_posix() for path in project.case_files()]

    assert found("**/*.yaml") == ["evals/a.yaml"]
    assert found("rubrics/*.yaml") == ["rubrics/b.yaml"]
    with pytest.raises(UsageError, match=r"'\*/\*/\*.yaml' matches no file of cases"):
        found("*/*/*.yaml")


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        ((), "no case files: no fairtrial.toml and no pyproject.toml with .* in .* or above"),
        (("none/*.yaml",), "'none/\\*.yaml' matches no file"),
        (("evals",), "'evals' matches only folders; write evals/\\*.yaml"),
        (("/\x00",), "matches no file"),
        (("[",), "matches no file"),
        (("**.yaml",), "matches no file"),
    ],
)
def test_case_files_that_are_not_there_are_said(
    desk: "Desk", patterns: tuple[str, ...], words: str
) -> None:
    (desk.folder / "evals").mkdir()
    project = Project(config=Config(cases=patterns), root=desk.folder, file=None)
    with pytest.raises(UsageError, match=words):
        project.case_files()


def test_settings_without_cases_are_named(desk: "Desk") -> None:
    file = desk.write("fairtrial.toml", "trials = 3")
    with pytest.raises(UsageError, match=r"fairtrial\.toml has no `cases`; name files"):
        find_project(desk.folder, file).case_files()


def test_two_graders_of_one_name_are_refused(desk: "Desk") -> None:
    desk.write("twin_graders.py", TWINS)
    config = Config(graders=("twin_graders:polite", "twin_graders:other"))
    project = Project(config=config, root=desk.folder, file=None)
    with pytest.raises(PluginError, match="another one is called 'polite' too"):
        project.grading_settings()


def test_what_the_gate_allows_is_the_settings_and_instead_the_flags(desk: "Desk") -> None:
    desk.write("fairtrial.toml", "[gate]\ntolerance = 0.1\ngrowth = 1\n")
    project = find_project(desk.folder)
    shares = {"tolerance": 0.2, "growth": None, "errors": None}
    settings = project.gate_settings(shares, allow_removed=True, strict=False)
    assert (settings.tolerance, settings.growth, settings.errors) == (0.2, 1, 0.05)
    assert (settings.allow_removed, settings.strict) == (True, False)
    with pytest.raises(UsageError, match="--min-pass-rate: wanted a share from 0 to 1, got 2"):
        project.gate_settings({"min_pass_rate": 2.0}, allow_removed=False, strict=False)


def test_a_variant_says_what_is_other_and_the_rest_stays(desk: "Desk") -> None:
    desk.write(
        "fairtrial.toml",
        'agent = "shop:agent"\ntimeout = 5\nprotected_tags = ["a"]\n'
        '[variants.short]\nmodel = "small"\nagent = {url = "http://127.0.0.1:1/x"}\n'
        "[variants.short.settings]\nwords = 5\n",
    )
    project = find_project(desk.folder)
    told = project.for_variant("short")
    assert (told.config.model, told.config.agent) == ("small", {"url": "http://127.0.0.1:1/x"})
    assert (told.config.timeout, told.config.protected_tags) == (5, ("a",))
    assert (told.root, told.file) == (project.root, project.file)
    assert told.variant("short") == Variant(name="short", settings={"words": 5})


def test_without_a_variant_all_stays_and_the_agent_is_handed_none() -> None:
    config = Config(variants={"short": {"timeout": 9}})
    project = Project(config=config, root=Path("/shop"), file=None)
    assert project.for_variant(None) is project
    assert project.variant(None) == Variant()
    assert project.variant("short") == Variant(name="short")


def test_what_a_variant_does_not_say_of_the_gate_stays() -> None:
    config = Config(gate=GateTable(errors=0.3), variants={"a": {"gate": {"growth": 1}}})
    project = Project(config=config, root=Path("/shop"), file=None)
    gate = project.for_variant("a").config.gate
    assert (gate.errors, gate.growth) == (0.3, 1)


@pytest.mark.parametrize(
    ("variants", "words"),
    [
        ({}, r"no variant 'x'; known are none: add \[variants.x\] to fairtrial.toml"),
        ({"a": {}, "b": {}}, "no variant 'x'; known are a, b"),
    ],
)
def test_a_variant_that_is_not_there_is_said(variants: dict[str, Json], words: str) -> None:
    project = Project(config=Config(variants=variants), root=Path("/shop"), file=None)
    with pytest.raises(UsageError, match=words):
        project.for_variant("x")


def test_a_suite_without_a_world_has_none_and_its_folder_is_not_looked_into(desk: "Desk") -> None:
    before = [*sys.path]
    assert Project(config=Config(), root=desk.folder, file=None).world() is None
    assert sys.path == before


def test_the_world_is_found_beside_the_settings(desk: "Desk") -> None:
    desk.write(
        "shop_world.py", "import fairtrial as ft\nclass Shop(ft.World):\n    paid: int = 0\n"
    )
    desk.write("fairtrial.toml", 'world = "shop_world:Shop"\n')
    world = find_project(desk.folder).world()
    assert world is not None
    assert (world.__name__, issubclass(world, World)) == ("Shop", True)


def test_the_agent_is_found_beside_the_settings(desk: "Desk") -> None:
    desk.write("shop_agent.py", "def agent(task):\n    return 'done'\n")
    desk.write("fairtrial.toml", 'agent = "shop_agent:agent"\n')
    agent = find_project(desk.folder).agent(nowhere, live=False)
    assert (agent.name, agent.blocking) == ("shop_agent:agent", True)


@pytest.mark.parametrize(
    ("written", "where"),
    [
        (True, "fairtrial.toml, or give --agent"),
        (False, "there is none yet: `fairtrial init` writes one"),
    ],
)
def test_settings_without_an_agent_are_named(desk: "Desk", written: bool, where: str) -> None:
    if written:
        desk.write("fairtrial.toml", "trials = 3\n")
    project = find_project(desk.folder)
    with pytest.raises(UsageError, match=f'no agent: set agent = "module:function" in .*{where}'):
        project.agent(nowhere, live=False)
