"""What the command line says instead of the settings."""

from pathlib import Path

import pytest

from fairtrial.config import Config, Project, with_overrides
from fairtrial.errors import UsageError
from fairtrial.records import Json


def test_flags_beat_the_settings_and_lists_grow() -> None:
    config = Config(currency="EUR", protected_tags=("a",), tool_error="x")
    project = Project(config=config, root=Path("/"), file=None)
    assert with_overrides(project) == project
    told = with_overrides(
        project, currency="INR", tool_error='{"matches": "^E"}', protected_tags=["b", "a"]
    )
    assert (told.config.currency, told.config.protected_tags) == ("INR", ("a", "b"))
    assert told.config.tool_error == {"matches": "^E"}
    assert told.grading_settings().tool_error is not None
    assert with_overrides(project, tool_error="null").grading_settings().tool_error is None


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"currency": ""}, "--currency: wanted a code"),
        ({"tool_error": "x"}, "--tool-error: not JSON"),
        ({"tool_error": "[" * 5000}, "--tool-error: not JSON"),
        ({"tool_error": '{"min": "x"}'}, "--tool-error: min"),
        ({"graders": ["x"]}, '--grader: wanted "module:function"'),
        ({"protected_tags": [""]}, "--protected-tag: wanted tags"),
    ],
)
def test_a_flag_that_is_wrong_is_named(said: dict[str, Json], words: str) -> None:
    project = Project(config=Config(), root=Path("/"), file=None)
    with pytest.raises(UsageError, match=words):
        with_overrides(project, **said)


def test_settings_of_a_run_are_replaced_by_name_and_none_leaves_them() -> None:
    config = Config(agent="a:b", timeout=5, seed=3, retries=2)
    project = Project(config=config, root=Path("/"), file=None)
    told = with_overrides(
        project, running={"agent": "c:d", "timeout": 9.5, "seed": None, "retries": 0}
    )
    assert (told.config.agent, told.config.timeout) == ("c:d", 9.5)
    assert (told.config.seed, told.config.retries) == (3, 0)


def test_a_flag_beats_what_the_variant_says() -> None:
    config = Config(timeout=5, variants={"slow": {"timeout": 60, "step_cap": 9}})
    project = Project(config=config, root=Path("/"), file=None).for_variant("slow")
    told = with_overrides(project, running={"timeout": 7.0})
    assert (told.config.timeout, told.config.step_cap) == (7.0, 9)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("agent", "shop", '--agent: wanted "module:name"'),
        ("world", "x", '--world: wanted "module:Class", got '),
        ("seed", 1.5, "--seed: wanted a whole number, got 1.5"),
        ("concurrency", 0, "--concurrency: wanted a whole number from 1 up, got 0"),
        ("timeout", -1.0, "--timeout: wanted seconds, more than 0"),
        ("timeout", float("inf"), "--timeout: wanted seconds, more than 0"),
        ("run_timeout", 0.0, "--run-timeout: wanted seconds, more than 0"),
        ("isolation", "vm", '--isolation: wanted "thread" or "process"'),
        ("step_cap", 0, "--step-cap: wanted a whole number from 1 up"),
        ("retries", -1, "--retries: wanted a whole number from 0 up"),
        ("max_cost", float("nan"), "--max-cost: wanted an amount above 0"),
    ],
)
def test_a_setting_of_a_run_that_is_wrong_is_named_as_its_flag(
    name: str, value: Json, words: str
) -> None:
    project = Project(config=Config(), root=Path("/"), file=None)
    with pytest.raises(UsageError) as told:
        with_overrides(project, running={name: value})
    assert str(told.value).startswith(words)
