"""Single-step decisions: the upstream checker's verdicts, and a name for each that differs."""

import importlib
from pathlib import Path
from typing import Any

import pytest

AGREEMENT = Path(__file__).parents[2] / "bench" / "agreement"


def module(name: str) -> Any:
    """Import a script of bench/agreement, which stands in no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(AGREEMENT)
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def script() -> Any:
    return module("bfcl")


@pytest.fixture(scope="module")
def found(script: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = module("datasets").find_data("bfcl")
    if data is None:
        pytest.skip("the bfcl data is not here (set FAIRTRIAL_DATA)")
    return script.agreement(data, tmp_path_factory.mktemp("bfcl"))


def test_all_verdicts_agree_but_fifteen(found: Any) -> None:
    assert (found.agree, found.graded) == (3888, 3903)


def test_each_verdict_that_differs_has_its_reason(found: Any) -> None:
    assert {name: dict(cases) for name, cases in found.differ.items()} == {
        "a required argument that may be left out": {
            "simple_python_200": 3,
            "parallel_88": 2,
            "parallel_multiple_87": 3,
            "live_simple_112-68-0": 1,
            "live_multiple_507-149-4": 4,
        },
        "an argument that the tool does not have": {"parallel_multiple_12": 1},
        "the same call twice": {"parallel_96": 1},
    }


CASE = {
    "id": "c",
    "tools": [
        {"name": "f", "parameters": {"properties": {"a": {}, "b": {}}, "required": ["a"]}},
    ],
}


def kind(script: Any, *calls: Any, verdict: str = "passed", failing: str = "") -> str:
    row = {"case": "c", "calls": [{"f": call} for call in calls]}
    trial = {"verdict": verdict, "checks": [{"name": failing, "passed": False}]}
    valid = {"case": "c", "calls": [{"f": {"a": 2}}, {"f": {"a": 1}}]}
    result: str = script.kind(CASE, row, trial, {script.asked_of(valid)})
    return result


def test_the_same_calls_accepted_in_another_order_are_greedy_pairing(script: Any) -> None:
    assert kind(script, {"a": 1}, {"a": 2}) == "greedy pairing"
    assert kind(script, {"a": 1}, {"a": 1}) == "unexplained"


def test_a_pass_is_explained_only_by_a_case_that_contradicts_its_schema(script: Any) -> None:
    assert kind(script, {"b": 1}) == "a required argument that may be left out"
    assert kind(script, {"a": 1, "z": 1}) == "an argument that the tool does not have"
    assert kind(script, {"a": 1, "b": 1}) == "unexplained"


def test_a_failure_is_explained_only_by_a_repeated_call(script: Any) -> None:
    assert kind(script, {"a": 1}, verdict="failed", failing="tools.repeats") == (
        "the same call twice"
    )
    assert kind(script, {"a": 1}, verdict="failed", failing="next") == "unexplained"


def test_every_name_has_its_sentence(script: Any, found: Any) -> None:
    assert found.differ.keys() <= script.DISAGREEMENTS.keys()
