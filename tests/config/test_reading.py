"""Where the settings are found, how they are read, and the place of every mistake."""

from pathlib import Path

import pytest

from fairtrial.config import Config, find_project
from fairtrial.errors import ProblemsError, UsageError


def written(folder: Path, text: str, name: str = "fairtrial.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


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


def test_all_mistakes_come_at_once_each_with_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path, 'seed = "x"\n[gate]\ngrowth = -1\nerrors = 2\n[judge]\ntrials = 0\n[nope]\n'
    )
    with pytest.raises(ProblemsError) as told:
        find_project(tmp_path)
    places = [problem.removeprefix(f"{file}:").split(": ")[:2] for problem in told.value.problems]
    assert places == [
        ["1", "seed"],
        ["3", "gate.growth"],
        ["4", "gate.errors"],
        ["6", "judge.trials"],
        ["7", "nope"],
    ]


def test_the_mistakes_of_variants_come_with_all_others_each_with_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "[variants.a]\nsettings = 1\n[variants.b]\ntrials = 0\n[variants.b.gate]\ngrowth = -1\n"
        "[variants.b.variants.c]\nseed = 1\n",
    )
    with pytest.raises(ProblemsError) as told:
        find_project(tmp_path)
    places = [problem.removeprefix(f"{file}:").split(": ")[:2] for problem in told.value.problems]
    assert sorted(places) == [
        ["2", "variants.a.settings"],
        ["4", "variants.b.trials"],
        ["6", "variants.b.gate.growth"],
        ["7", "variants.b.variants"],
    ]


@pytest.mark.parametrize("tool", ["[tool]\nfairtrial = 5\n", "tool.fairtrial = 5\n"])
def test_a_table_that_is_none_is_said(tmp_path: Path, tool: str) -> None:
    written(tmp_path, tool, "pyproject.toml")
    with pytest.raises(ProblemsError, match="fairtrial: wanted a table, got 5"):
        find_project(tmp_path)
