"""Objects of any class, opened without trusting them."""

import dataclasses
import datetime
from typing import Any, NoReturn

import msgspec
import pytest
from msgspec import UNSET, Struct, UnsetType
from pydantic import BaseModel, ConfigDict

from fairtrial.records import too_deep
from fairtrial.traces.opening import as_json, fields_of


class Model(BaseModel):
    model_config = ConfigDict(extra="allow", arbitrary_types_allowed=True)
    name: str
    frame: object = None


@dataclasses.dataclass
class Part:
    name: str


class Record(Struct):
    name: str
    result: str | UnsetType = UNSET


class Trap:
    @property
    def model_dump(self) -> NoReturn:
        raise RuntimeError("no")


@pytest.mark.parametrize("value", [{"name": "a"}, Part("a"), Record("a")])
def test_mappings_dataclasses_and_structs_open_alike(value: object) -> None:
    assert fields_of(value) == {"name": "a"}


def test_a_model_opens_with_its_extra_fields_and_is_not_dumped() -> None:
    frame = object()
    model = Model(name="a", frame=frame, more=1)  # type: ignore[call-arg]
    assert fields_of(model) == {"name": "a", "frame": frame, "more": 1}


@pytest.mark.parametrize("value", [None, 4, "text", b"x", [], Part, Model, object(), Trap()])
def test_what_has_no_fields_does_not_open(value: object) -> None:
    assert fields_of(value) is None


def test_what_is_not_json_says_so_in_its_place() -> None:
    value = {"a": [b"x", object()], "b": float("inf"), "c": datetime.date(2026, 1, 2), "d": Trap()}
    assert as_json(value) == {
        "a": ["(bytes, which is not JSON)", "(object, which is not JSON)"],
        "b": None,
        "c": "2026-01-02",
        "d": "(Trap, which is not JSON)",
    }


def test_models_within_models_become_json() -> None:
    assert as_json([Model(name="a", frame=Part("b"))]) == [{"name": "a", "frame": {"name": "b"}}]


def test_a_cycle_ends() -> None:
    cycle: list[Any] = []
    cycle += [cycle, cycle]
    assert as_json(cycle) == "(nested deeper than 100)"


def test_lists_that_hold_each_other_many_times_over_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.traces.opening._MOST_VALUES", 1000)
    bomb: list[Any] = []
    for _ in range(60):
        bomb = [bomb, bomb]
    assert as_json(bomb) == "(more than 1,000 values)"


def test_depth_is_kept_to_what_records_hold() -> None:
    value: Any = 1
    for _ in range(100):
        value = [value]
    assert as_json(value) == value
    assert not too_deep(as_json([value]))


def test_lone_surrogates_are_replaced_in_keys_and_values() -> None:
    assert msgspec.json.encode(as_json({"\ud800": "\udfff"}))
