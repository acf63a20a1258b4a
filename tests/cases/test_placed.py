"""Cases with the places at which their parts are written."""

from collections.abc import Callable
from pathlib import Path

from fairtrial.cases import Suite
from fairtrial.cases.placed import Warned, placed_cases

Load = Callable[..., Suite]

TEXT = """
defaults: {limits: {steps: 8}}
cases:
  - {id: a, input: x}
  - {id: b, input: y, limits: {steps: 3}}
"""


def test_a_part_is_placed_where_it_is_written_in_the_case_or_the_defaults(load: Load) -> None:
    first, second = placed_cases(load(TEXT))
    told = Warned(("limits", "steps"), "few")
    assert first.told(told) == ("suite.yaml", 2, 28, "defaults.limits.steps: few")
    assert second.told(told) == ("suite.yaml", 5, 39, "limits.steps: few")
    assert second.told(Warned((), "odd")) == ("suite.yaml", 5, 5, "case: odd")


def test_lines_are_placed_in_their_file(load: Load) -> None:
    suite = load(a_jsonl='{"id": "a", "limits": {"steps": 1}}\n{"id": "b", "limits": {"steps": 2}}')
    _, second = placed_cases(suite)
    assert second.told(Warned(("id",), "odd")) == ("a.jsonl", 2, 8, "id: odd")


def test_a_file_that_has_changed_since_places_no_case_wrongly(load: Load, tmp_path: Path) -> None:
    suite = load(TEXT)
    (tmp_path / "suite.yaml").write_text("[]", encoding="utf-8")
    assert list(placed_cases(suite)) == []
