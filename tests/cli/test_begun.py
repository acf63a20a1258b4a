"""How a run was begun, kept in its folder, and what it may go on with."""

from pathlib import Path

import pytest

from fairtrial.cases import CaseFile, Suite
from fairtrial.cli.begun import options_of, refuse_other
from fairtrial.config import Config, Project, recorded
from fairtrial.errors import UsageError
from fairtrial.records import Json, RunInfo
from fairtrial.store import SavedRun

SUITE = Suite(cases=(), files=(CaseFile(name="a.yaml", path="a.yaml", cases=0),))


def kept(variant: str | None = None, **settings: Json) -> dict[str, Json]:
    project = Project(config=Config(**settings), root=Path("/shop"), file=None)
    return recorded(project, SUITE, variant, live=False)


def run_of(settings: dict[str, Json]) -> SavedRun:
    info = RunInfo(
        id="r1", folder=None, mode="none", variant=None, selection=None, settings=settings
    )
    return SavedRun(info, Path("runs/r1"), None, None)


def test_case_files_are_kept_by_whole_paths_so_that_any_folder_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kept()["cases"] == [str(tmp_path / "a.yaml")]


def test_what_a_run_was_begun_with_is_told_again_as_options() -> None:
    said = kept(
        agent="shop:agent", step_cap=7, timeout=9.5, tool_error={"matches": "^E"}, graders=("a:b",)
    )
    options = options_of(run_of(said))
    assert (options["agent"], options["step_cap"], options["timeout"]) == ("shop:agent", 7, 9.5)
    assert (options["tool_error"], options["graders"]) == ('{"matches": "^E"}', ("a:b",))


def test_what_was_left_alone_and_a_table_are_not_told_again() -> None:
    options = options_of(run_of(kept(agent={"url": "http://127.0.0.1:9/a"})))
    assert options.keys() & {"agent", "world", "model", "step_cap", "tool_error"} == set()
    assert options_of(run_of({})) == {"graders": (), "protected_tags": ()}


def test_a_run_goes_on_by_the_settings_that_it_began_with() -> None:
    settings: dict[str, Json] = {"variants": {"terse": {"settings": {"words": 5}}}}
    refuse_other(run_of(kept()), kept(), ())
    refuse_other(run_of(kept("terse", **settings)), kept("terse", **settings), ())


@pytest.mark.parametrize("settings", [{"concurrency": 2}, {"timeout": 5}, {"isolation": "process"}])
def test_what_only_bounds_a_run_may_be_another(settings: dict[str, Json]) -> None:
    refuse_other(run_of(kept()), kept(**settings), ())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"agent": "other:agent"}, 'agent was null and is "other:agent"'),
        ({"world": "shop:Shop"}, 'world was null and is "shop:Shop"'),
        ({"model": "small"}, 'model was null and is "small"'),
        ({"step_cap": 3}, "step_cap was null and is 3"),
        ({"currency": "EUR"}, 'currency was "USD" and is "EUR"'),
        ({"graders": ("a:b",)}, 'graders was [] and is ["a:b"]'),
        ({"tool_error": "^E"}, 'tool_error was null and is "^E"'),
    ],
)
def test_what_trials_come_out_by_may_not(settings: dict[str, Json], words: str) -> None:
    with pytest.raises(UsageError) as told:
        refuse_other(run_of(kept()), kept(**settings), ())
    assert str(told.value) == (
        f"runs/r1 cannot be gone on with: since it began {words}; say it as it was, or start a "
        "new run"
    )


def test_all_that_is_other_is_told_at_once() -> None:
    with pytest.raises(UsageError, match=r"agent was .*; model was .*; say it as it was"):
        refuse_other(run_of(kept()), kept(agent="a:b", model="small"), ())


def test_what_an_older_version_did_not_keep_is_not_held_against_a_run() -> None:
    refuse_other(run_of({}), kept(agent="a:b"), ())


def test_a_secret_that_was_taken_out_is_no_other_setting() -> None:
    secret = "sk-very-secret-0123456789"
    agent: Json = {"url": "http://127.0.0.1:9/a", "headers": {"X-Shop": secret}}
    saved = kept(agent={**agent, "headers": {"X-Shop": "[redacted]"}})
    with pytest.raises(UsageError):
        refuse_other(run_of(saved), kept(agent={**agent, "headers": {"X-Shop": "open"}}), (secret,))
    refuse_other(run_of(saved), kept(agent=agent), (secret,))
