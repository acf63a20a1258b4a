"""The settings: what each takes, and what is said of all else."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.config import Config, GateTable, find_project
from fairtrial.config.settings import fault_of
from fairtrial.errors import ProblemsError
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

MISTAKES = [
    ("cases = 5", "cases: wanted a list of files or globs"),
    ('cases = ["a.yaml", ""]', "cases: wanted a list of files or globs"),
    ("cases = [1]", "cases: wanted a list of files or globs"),
    ('graders = "a:b"', 'graders: wanted a list of "module:function"'),
    ('graders = ["a.b"]', 'graders: wanted a list of "module:function"'),
    ('baseline = ""', "baseline: wanted a file, got ''"),
    ("currency = 5", "currency: wanted a code"),
    ('currency = "US D"', "currency: wanted a code"),
    ('protected_tags = "x"', "protected_tags: wanted a list of tags, got 'x'"),
    ('protected_tags = [""]', "protected_tags: wanted a list of tags"),
    ('tool_error = {matches = "("}', "tool_error: matches"),
    ("tool_error = {min = 'x'}", "tool_error: min"),
    ("agent = 1", "agent: wanted"),
    ('agent = "shop"', "agent: wanted"),
    ("agent = {}", "agent: wanted"),
    ('agent = {command = ["a"], url = "http://x"}', "agent: wanted"),
    ("agent = {command = []}", "agent: wanted"),
    ("agent = {command = ''}", "agent: wanted"),
    ("agent = {command = ' '}", "agent: wanted"),
    ('agent = {command = "python \'x"}', "agent: wanted"),
    ('agent = {command = ["a\\u0000"]}', "agent: wanted"),
    ('agent = {command = ["a"], headers = {}}', "agent: wanted"),
    ('agent = {command = ["a"], env = {X = 1}}', "agent: wanted"),
    ('agent = {url = "ftp://x"}', "agent: wanted"),
    ("agent = {loop = {prompt = 'x'}}", "agent: wanted"),
    ("agent = {loop = {step_cap = 0}}", "agent: wanted"),
    ("world = 1", 'world: wanted "module:Class", got 1'),
    ('world = "Shop"', 'world: wanted "module:Class"'),
    ("run_timeout = 0", "run_timeout: wanted seconds, more than 0, got 0"),
    ("retries = -1", "retries: wanted a whole number from 0 up, got -1"),
    ("step_cap = 0", "step_cap: wanted a whole number from 1 up, got 0"),
    ("max_cost = 0", "max_cost: wanted an amount above 0, got 0"),
    ("prices = {m = {input = 1}}", "prices: wanted a table of models"),
    ("prices = {m = {input = 1, output = inf}}", "prices: wanted a table of models"),
    ("prices = {m = {input = 1, output = 1, cached = 1}}", "prices: wanted a table of models"),
    ("prices = {m = {input = 1, output = -1}}", "prices: wanted a table of models"),
    ("model = true", "model: wanted the name of a model, got True"),
    ("model = ' '", "model: wanted the name of a model, got ' '"),
    (r'baseline = "a\u0000b"', "baseline: wanted a file, got 'a\\x00b'"),
    ("isolation = 1", 'isolation: wanted "thread" or "process", got 1'),
    ("trials = 0", "trials: wanted a whole number from 1 up, got 0"),
    ("trials = 1.0", "trials: wanted a whole number from 1 up, got 1.0"),
    ("trials = true", "trials: wanted a whole number from 1 up, got True"),
    ("trials = '3'", "trials: wanted a whole number from 1 up, got '3'"),
    ("seed = 'x'", "seed: wanted a whole number, got 'x'"),
    ("concurrency = -1", "concurrency: wanted a whole number from 1 up, got -1"),
    ("timeout = 0", "timeout: wanted seconds, more than 0, got 0"),
    ("timeout = nan", "timeout: wanted seconds, more than 0, got nan"),
    ("timeout = inf", "timeout: wanted seconds, more than 0, got inf"),
    ("variants = 1", "variants: wanted a table of tables, got 1"),
    ("variants.a = 1", "variants: wanted a table of tables"),
    ("variants.a.trials = 0", "variants.a.trials: wanted a whole number from 1 up, got 0"),
    ("variants.a.tials = 1", "variants.a.tials: unknown setting; did you mean 'trials'?"),
    ("variants.a.settings = 1", "variants.a.settings: wanted a table for task.variant.settings"),
    ("variants.a.variants.b.seed = 1", "variants.a.variants: a variant has no variants"),
    ("judge = 1", "judge: wanted a table, got 1"),
    ("online = []", "online: wanted a table, got []"),
    ("gate = 1", "gate: wanted a table, got 1"),
    ("gate.tolerance = 1.1", "gate.tolerance: wanted a share from 0 to 1, got 1.1"),
    ("gate.growth = -0.1", "gate.growth: wanted a share from 0 up, got -0.1"),
    ("gate.errors = 'x'", "gate.errors: wanted a share from 0 to 1, got 'x'"),
    ("gate.min_pass_rate = nan", "gate.min_pass_rate: wanted a share from 0 to 1, got nan"),
    ("gate.min_pass_hat_k = true", "gate.min_pass_hat_k: wanted a share from 0 to 1, got True"),
    ("gate.thoroughness = 0", "gate.thoroughness: wanted a number above 0, got 0"),
    ("gate.tolerence = 0", "gate.tolerence: unknown setting; did you mean 'tolerance'?"),
    ("casse = []", "casse: unknown setting; did you mean 'cases'? known are agent, baseline"),
    ("xyzzy = 1", "xyzzy: unknown setting; known are agent, baseline"),
]


@pytest.mark.parametrize(("line", "words"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_every_mistake_has_its_line_in_either_file(desk: "Desk", line: str, words: str) -> None:
    own = desk.write("fairtrial.toml", f"# a comment\n\n{line}\n")
    with pytest.raises(ProblemsError) as first:
        find_project(desk.folder)
    assert first.value.problems[0].startswith(f"{own}:3: {words}")
    own.unlink()
    shared = desk.write("pyproject.toml", f"[tool.other]\n{line}\n\n[tool.fairtrial]\n{line}\n")
    with pytest.raises(ProblemsError) as second:
        find_project(desk.folder)
    assert second.value.problems[0].startswith(f"{shared}:5: {words}")


def test_every_setting_is_wrong_at_least_once_above() -> None:
    told = {line.split()[0] for line, _ in MISTAKES}
    assert {name.split(".")[0] for name in told} >= {*Config.__struct_fields__}
    gate = Config().gate.__struct_fields__
    assert {name.removeprefix("gate.") for name in told} >= {*gate}


@pytest.mark.parametrize(
    "agent",
    [
        None,
        "agent:agent",
        "shop.agents:Desk.answer",
        {"command": "node agent.mjs --fast"},
        {"command": ["node", "agent.mjs"], "env": {"MODE": "fast"}},
        {"url": "https://shop.example/agent", "headers": {"Authorization": "Bearer x"}},
        {"loop": {}},
        {"loop": {"model": "m", "system": "Be brief.", "step_cap": 5}},
    ],
)
def test_every_kind_of_agent_is_taken(agent: Json) -> None:
    assert fault_of("agent", agent, Config) == ""


@pytest.mark.parametrize("name", ["run_timeout", "step_cap", "max_cost", "world", "isolation"])
def test_what_has_no_default_may_be_left_open(name: str) -> None:
    assert fault_of(name, None, Config) == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", -(2**70)),
        ("trials", 2**70),
        ("retries", 0),
        ("timeout", 0.001),
        ("timeout", 3),
        ("max_cost", 1e-9),
        ("prices", {"m": {"input": 0, "output": 0.5}}),
        ("variants", {"a": {}}),
    ],
)
def test_numbers_are_taken_to_their_edges(name: str, value: Json) -> None:
    assert fault_of(name, value, Config) == ""


@pytest.mark.parametrize("name", ["timeout", "run_timeout", "max_cost"])
def test_a_number_that_no_float_holds_is_refused_and_shown_short(name: str) -> None:
    fault = fault_of(name, 10**400, Config)
    assert fault.startswith("wanted ")
    assert len(fault) < 200
    assert fault_of("growth", 10**400, GateTable).startswith("wanted a share from 0 up")
