"""Lines that build servers would take for commands."""

import pytest

from fairtrial.report import inert


@pytest.mark.parametrize(
    "line", ["::error::x", "  ::stop-commands::x", "##[error]x", "a ##vso[task.complete]"]
)
def test_a_command_is_one_no_more(line: str) -> None:
    assert not inert(line).lstrip().startswith("::")
    assert "##[" not in inert(line)
    assert "##vso[" not in inert(line)


@pytest.mark.parametrize("line", ["a::b", "## a heading", "plain", ""])
def test_all_else_is_left_alone(line: str) -> None:
    assert inert(line) == line
