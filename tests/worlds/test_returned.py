"""Results beside annotations."""

from dataclasses import dataclass

import pytest

from fairtrial.records import Json
from fairtrial.worlds import World, result_misfits, tool, tool_names


@dataclass
class Row:
    price: float


class Own:
    pass


class Desk(World):
    @tool
    def row(self) -> Row:
        raise NotImplementedError

    @tool(name="rows")
    def all_rows(self) -> list[Row] | None:
        raise NotImplementedError

    @tool
    def plain(self):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    @tool
    def own(self) -> Own:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("name", "result"),
    [("row", {"price": 5}), ("rows", None), ("rows", [{"price": 1}]), ("plain", 7), ("own", 7)],
)
def test_what_fits_says_nothing(name: str, result: Json) -> None:
    assert result_misfits(Desk, name, result) == []


@pytest.mark.parametrize(
    ("name", "result", "told"),
    [
        ("row", {"price": "5"}, "result.price: wanted a number, got '5'"),
        ("row", None, "result: wanted a mapping {price}, got null"),
        ("rows", [{}], "result[0].price: missing; wanted a number"),
    ],
)
def test_what_does_not_is_told_with_its_place(name: str, result: Json, told: str) -> None:
    assert result_misfits(Desk, name, result) == [told]


def test_tools_are_known_by_the_names_that_agents_use() -> None:
    assert tool_names(Desk) == ["row", "rows", "plain", "own"]
