"""The settings: where they are found, what they may say, and what names in them become."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.config import Config, Project, find_project, with_overrides
from fairtrial.errors import PluginError, ProblemsError, UsageError
from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk

GRADERS = """
import fairtrial as ft
from helper_beside import WORD

@ft.grader
def polite(case, trajectory, state):
    return ft.yes_no("polite", WORD in trajectory.answer)

def unmarked(case, trajectory, state):
    return ft.yes_no("unmarked", True)

@ft.grader
def other(case, trajectory, state):
    return ft.yes_no("other", True)

other.grader_name = "polite"
"""


def written(folder: Path, text: str, name: str = "fairtrial.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


# Found.


def test_without_a_file_the_working_folder_and_the_defaults_hold(tmp_path: Path) -> None:
    project = find_project(tmp_path)
    assert (project.config, project.root, project.file) == (Config(), tmp_path, None)
    assert project.baseline == tmp_path / "evals" / "baseline.json"
    assert (project.config.trials, project.config.concurrency, project.config.timeout) == (
        *(1, 8, 120),
    )
    assert (project.config.gate.growth, project.config.gate.errors) == (0.25, 0.05)


def test_the_nearest_file_upwards_is_read_and_paths_start_from_it(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    written(tmp_path, 'currency = "EUR"')
    assert find_project(inner).root == tmp_path
    written(tmp_path / "a", 'baseline = "x.json"')
    project = find_project(inner)
    assert (project.root, project.baseline) == (tmp_path / "a", tmp_path / "a" / "x.json")
    assert project.config.currency == "USD"


def test_a_pyproject_counts_only_with_a_table_of_ours(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    written(tmp_path, 'currency = "EUR"')
    written(inner, "[tool.other]\nx = 1\n", "pyproject.toml")
    assert find_project(inner).root == tmp_path
    written(inner, '[tool.fairtrial]\ncurrency = "INR"\n', "pyproject.toml")
    assert find_project(inner).config.currency == "INR"
    written(inner, 'currency = "PEN"')
    assert find_project(inner).config.currency == "PEN"


def test_a_pyproject_that_is_broken_is_told_only_when_it_is_ours(tmp_path: Path) -> None:
    written(tmp_path, "[tool.other\n", "pyproject.toml")
    assert find_project(tmp_path).file is None
    written(tmp_path, "[tool.fairtrial]\ntrials = \n", "pyproject.toml")
    with pytest.raises(ProblemsError, match=r"pyproject\.toml:2:10: not TOML"):
        find_project(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fairtrial.toml", 'trials = 3\n[gate]\nerrors = 0.1\n[variants.short]\nmodel = "m"\n'),
        ("other.toml", 'trials = 3\ngate.errors = 0.1\nvariants.short = {model = "m"}\n'),
        (
            "pyproject.toml",
            "[tool.fairtrial]\ntrials = 3\ngate = {errors = 0.1}\n"
            '[tool.fairtrial.variants.short]\nmodel = "m"\n',
        ),
    ],
)
def test_a_file_may_be_named_and_says_the_same_in_every_spelling(
    tmp_path: Path, name: str, text: str
) -> None:
    for bom in ("", "\ufeff"):
        config = find_project(tmp_path, written(tmp_path, bom + text, name)).config
        assert (config.trials, config.gate.errors) == (3, 0.1)
        assert config.variants == {"short": {"model": "m"}}


def test_a_file_named_from_elsewhere_gives_an_absolute_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "sub", "")
    monkeypatch.chdir(tmp_path)
    assert find_project(Path.cwd(), Path("sub/fairtrial.toml")).root == tmp_path / "sub"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none.toml", None, "none.toml: no such file; name a fairtrial.toml"),
        (".", None, "a folder; name a fairtrial.toml"),
        ("pyproject.toml", "[tool.x]\n", r"no \[tool.fairtrial\] in it"),
        ("fairtrial.toml", b"\xff", "not UTF-8 text"),
        ("fairtrial.toml", "trials = " + "9" * 5000, "too long a number, or nested too deep"),
        ("fairtrial.toml", "cases = " + "[" * 5000, "too long a number, or nested too deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(
    tmp_path: Path, name: str, text: str | bytes | None, words: str
) -> None:
    if text is not None:
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError, match=words):
        find_project(tmp_path, tmp_path / name)


# Mistakes in it: the setting, what is said of it.

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
    ("prices = {m = {input = 1, output = -1}}", "prices: wanted a table of models"),
    ("model = true", "model: wanted text, got True"),
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
def test_every_mistake_has_its_line_in_either_file(tmp_path: Path, line: str, words: str) -> None:
    own = written(tmp_path, f"# a comment\n\n{line}\n")
    with pytest.raises(ProblemsError) as first:
        find_project(tmp_path)
    assert first.value.problems[0].startswith(f"{own}:3: {words}")
    own.unlink()
    shared = written(
        tmp_path, f"[tool.other]\n{line}\n\n[tool.fairtrial]\n{line}\n", "pyproject.toml"
    )
    with pytest.raises(ProblemsError) as second:
        find_project(tmp_path)
    assert second.value.problems[0].startswith(f"{shared}:5: {words}")


def test_every_setting_is_wrong_at_least_once_above() -> None:
    told = {line.split()[0] for line, _ in MISTAKES}
    assert {name.split(".")[0] for name in told} >= {*Config.__struct_fields__}
    gate = Config().gate.__struct_fields__
    assert {name.removeprefix("gate.") for name in told} >= {*gate}


def test_all_mistakes_come_at_once_each_with_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path, 'seed = "x"\n[gate]\ngrowth = -1\nerrors = 2\n[judge]\ntrials = 0\n[nope]\n'
    )
    with pytest.raises(ProblemsError) as told:
        find_project(tmp_path)
    places = [problem.removeprefix(f"{file}:").split(": ")[:2] for problem in told.value.problems]
    assert places == [["1", "seed"], ["3", "gate.growth"], ["4", "gate.errors"], ["7", "nope"]]


@pytest.mark.parametrize("tool", ["[tool]\nfairtrial = 5\n", "tool.fairtrial = 5\n"])
def test_a_table_that_is_none_is_said(tmp_path: Path, tool: str) -> None:
    written(tmp_path, tool, "pyproject.toml")
    with pytest.raises(ProblemsError, match="fairtrial: wanted a table, got 5"):
        find_project(tmp_path)


# Case files.


def test_case_files_come_in_the_order_of_the_settings_each_once(tmp_path: Path) -> None:
    for name in ("evals/b.yaml", "evals/a.yaml", "evals/deep/c.yaml", "other[1].json"):
        written(tmp_path, "", name)

    def found(*patterns: str) -> list[str]:
        project = Project(config=Config(cases=patterns), root=tmp_path, file=None)
        return [path.relative_to(tmp_path).as_posix() for path in project.case_files()]

    assert found("evals/*.yaml") == ["evals/a.yaml", "evals/b.yaml"]
    assert found("evals/b.yaml", "evals/*.yaml") == ["evals/b.yaml", "evals/a.yaml"]
    assert found("**/*.yaml") == ["evals/a.yaml", "evals/b.yaml", "evals/deep/c.yaml"]
    assert found("other[[]1].json") == ["other[1].json"]
    assert found(f"{tmp_path}/evals/a.yaml") == ["evals/a.yaml"]


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
    tmp_path: Path, patterns: tuple[str, ...], words: str
) -> None:
    (tmp_path / "evals").mkdir()
    project = Project(config=Config(cases=patterns), root=tmp_path, file=None)
    with pytest.raises(UsageError, match=words):
        project.case_files()


def test_settings_without_cases_are_named(tmp_path: Path) -> None:
    file = written(tmp_path, "trials = 3")
    with pytest.raises(UsageError, match=r"fairtrial\.toml has no `cases`; name files"):
        find_project(tmp_path, file).case_files()


# Graders.


@pytest.mark.parametrize("place", ["", "src/"])
def test_graders_are_found_beside_the_settings_and_below_src(desk: "Desk", place: str) -> None:
    module = f"graders_in_{place.strip('/') or 'root'}"
    desk.write(f"{place}{module}.py", GRADERS)
    desk.write(f"{place}helper_beside.py", "WORD = 'please'\n")
    desk.write("fairtrial.toml", f'graders = ["{module}:polite", "{module}:polite"]\n')
    settings = find_project(desk.folder).grading_settings()
    assert [grader.grader_name for grader in settings.graders] == ["polite"]
    assert sys.path[:2] == [str(desk.folder), str(desk.folder / "src")]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_such_module:f", "importing no_such_module failed: ModuleNotFoundError.*looked in"),
        ("bad_graders:none", "bad_graders.py has no 'none'"),
        ("bad_graders:unmarked", "is not a grader: put @fairtrial.grader above it"),
        ("bad_graders:WORD", "is not a grader"),
        ("bad_syntax:f", "importing bad_syntax failed: SyntaxError"),
        ("bad_exit:f", "importing bad_exit failed: SystemExit: 0"),
        ("bad_raise:f", "importing bad_raise failed: RuntimeError: boom"),
        ("sys:x", "sys has no 'x'"),
    ],
)
def test_a_name_that_leads_to_no_grader_is_said(desk: "Desk", name: str, words: str) -> None:
    desk.write("bad_graders.py", GRADERS)
    desk.write("helper_beside.py", "WORD = 'please'\n")
    desk.write("bad_syntax.py", "def f(:\n")
    desk.write("bad_exit.py", "import sys\nsys.exit(0)\n")
    desk.write("bad_raise.py", "raise RuntimeError('boom')\n")
    project = Project(config=Config(graders=(name,)), root=desk.folder, file=None)
    with pytest.raises(PluginError, match=words):
        project.grading_settings()


def test_two_graders_of_one_name_are_refused(desk: "Desk") -> None:
    desk.write("twin_graders.py", GRADERS)
    desk.write("helper_beside.py", "WORD = 'please'\n")
    config = Config(graders=("twin_graders:polite", "twin_graders:other"))
    project = Project(config=config, root=desk.folder, file=None)
    with pytest.raises(PluginError, match="another one is called 'polite' too"):
        project.grading_settings()


# What the command line says instead.


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


def test_what_the_gate_allows_is_the_settings_and_instead_the_flags(tmp_path: Path) -> None:
    written(tmp_path, "[gate]\ntolerance = 0.1\ngrowth = 1\n")
    project = find_project(tmp_path)
    shares = {"tolerance": 0.2, "growth": None, "errors": None}
    settings = project.gate_settings(shares, allow_removed=True, strict=False)
    assert (settings.tolerance, settings.growth, settings.errors) == (0.2, 1, 0.05)
    assert (settings.allow_removed, settings.strict) == (True, False)
    with pytest.raises(UsageError, match="--min-pass-rate: wanted a share from 0 to 1, got 2"):
        project.gate_settings({"min_pass_rate": 2.0}, allow_removed=False, strict=False)
