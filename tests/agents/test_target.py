"""`module:name` to the object."""

import os.path
from pathlib import Path

import pytest

from fairtrial.agents import find_target
from fairtrial.errors import PluginError


def test_dotted_names_go_deeper() -> None:
    assert find_target("os:path.join") is os.path.join


@pytest.mark.parametrize("name", ["os", "os:", ":agent", ""])
def test_half_a_name_is_refused(name: str) -> None:
    with pytest.raises(PluginError, match=r'wanted "module:name", such as "shop.agent:agent"'):
        find_target(name)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "has no 'agent'"),
        ("raise SystemExit(3)", "importing broken_agent failed: SystemExit: 3"),
        ("1 / 0", "importing broken_agent failed: ZeroDivisionError: division by zero"),
        ("def (", "importing broken_agent failed: SyntaxError"),
        ("import json\njson.loads('x')", "broken_agent.py:2) (looked in "),
        ("def __getattr__(name):\n    return 1 // 0", "cannot give 'agent': ZeroDivisionError"),
        ("class Odd(Exception):\n    __str__ = None\nraise Odd", "failed: Odd: (its text cannot"),
        ("raise GeneratorExit", "importing broken_agent failed: GeneratorExit"),
    ],
)
def test_a_module_that_does_not_load_says_why(
    body: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_agent.py").write_text(body, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "broken_agent", raising=False)
    with pytest.raises(PluginError) as told:
        find_target("broken_agent:agent")
    assert str(told.value).startswith("agent 'broken_agent:agent': ")
    assert words in str(told.value)


def test_a_module_that_is_not_there_says_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError, match=r"No module named 'nowhere'.*looked in .*installed"):
        find_target("nowhere:agent")


def test_an_interrupt_is_no_failure_of_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "interrupted_agent.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        find_target("interrupted_agent:agent")


def test_other_things_than_agents_are_called_what_they_are() -> None:
    with pytest.raises(PluginError, match=r"^grader 'os:nope': .* has no 'nope'$"):
        find_target("os:nope", "grader")
