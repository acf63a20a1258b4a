"""State and chance: each trial has its own, and final states are compared row by row."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Desk

G1, G2 = {"card": "g1", "amt": 198}, {"card": "g2", "amt": 129}


def test_rows_have_no_order_lists_have_and_the_difference_is_named(desk: "Desk") -> None:
    """BL-56."""
    expect = {"state": {"payments": [G1, G2], "log": ["open", "close"]}}
    state = {"payments": [G2, G1], "log": ["close", "open"], "updated_at": "2026-01-01T00:00:07Z"}
    trial = desk.trial(expect, state=state)
    wrong = [one for one in trial["checks"] if one["passed"] is False]
    assert [one["name"] for one in wrong] == ["state.log"]
    assert "log[0]" in wrong[0]["reason"]


def test_equal_rows_count_as_often_as_they_stand_there(desk: "Desk") -> None:
    """BL-56."""
    expect = {"state": {"payments": [G1, G1]}}
    assert desk.trial(expect, state={"payments": [G1, G1]})["verdict"] == "passed"
    assert desk.trial(expect, state={"payments": [G1, G2]})["verdict"] == "failed"
    assert desk.trial(expect, state={"payments": [G1]})["verdict"] == "failed"
    assert desk.trial(expect, state={"payments": [G1, G1, G1]})["verdict"] == "failed"


SHARED = """
import random
import fairtrial as ft

DEFAULT = {"K1": {"left": [3]}}
random.seed(0)

class Shop(ft.World):
    stock: dict[str, int]
    nested: dict[str, dict[str, list[int]]] = DEFAULT
    log: list[str] = []

    @ft.tool
    def take(self) -> int:
        self.stock["K1"] -= 1
        self.nested["K1"]["left"][0] -= 1
        self.log.append("taken")
        return self.stock["K1"] + self.nested["K1"]["left"][0] + len(self.log)

def agent(task):
    random.seed(0)
    taken = task.tools.call("take", {})
    return f"{taken} {task.seed} {task.world.random.random()} {len(task.messages)} done"
"""


def shop(desk: "Desk", *names: str) -> None:
    desk.write("shared_state.py", SHARED)
    fixtures = {"stock": {"K1": 3}}
    desk.cases(*(desk.case(name, fixtures=fixtures) for name in names))


def answers(desk: "Desk", *options: str) -> dict[tuple[str, int], str]:
    """Run, and give every answer by its trial."""
    ran = desk.run(
        "run", "cases.json", "--agent", "shared_state:agent", "--world", "shared_state:Shop",
        *options,
    )  # fmt: skip
    assert ran.code == 0, ran.err + ran.out
    lines = (desk.runs()[-1] / "trials.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [desk.strict(line) for line in lines]
    return {(row["case"], row["trial"]): row["trajectory"]["answer"] for row in rows}


def test_every_trial_begins_with_the_fixtures_and_changes_none(desk: "Desk") -> None:
    """BL-55."""
    shop(desk, "a")
    for at_once in ("1", "4"):
        said = answers(desk, "-k", "4", "--concurrency", at_once)
        assert {answer.split()[0] for answer in said.values()} == {"5"}  # 2 + 2 + 1
    assert sys.modules["shared_state"].DEFAULT == {"K1": {"left": [3]}}


def test_chance_is_a_function_of_seed_case_and_trial_and_run_ids_are_unique(desk: "Desk") -> None:
    """BL-58."""
    shop(desk, "a", "b", "c")
    one = answers(desk, "-k", "3", "--seed", "11", "--concurrency", "1")
    eight = answers(desk, "-k", "3", "--seed", "11", "--concurrency", "8")
    assert one == eight
    assert len(set(one.values())) == 9
    shop(desk, "c", "a")
    some = answers(desk, "-k", "2", "--seed", "11", "c")
    assert some == {key: one[key] for key in some}
    assert answers(desk, "-k", "1", "--seed", "12", "c")["c", 0] != one["c", 0]
    assert {answer.split()[-2] for answer in one.values()} == {"1"}  # no talk of the case before
    assert len({run.name for run in desk.runs()}) == 4
