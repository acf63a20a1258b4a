"""How much a judge varies, told from how much the agent does."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

# Asked the same again, it says something else about every second trial.
JUDGE = """
import json, re

SEEN = {}

def ask(prompt):
    marker = re.search(r'"marker": "(\\w+)"', prompt)[1]
    number = int(re.search(r"number (\\d+)", prompt)[1])
    record = prompt.split(marker + " BEGIN\\n")[1].split(marker + " END")[0]
    seen = SEEN[record] = SEEN.get(record, 0) + 1
    good = not (WAVERS and number % 2 and seen > 1)
    said = {"marker": marker, "reason": "So.", "evidence": "number"}
    return json.dumps(said | {"verdict": "PASS" if good else "FAIL"})
"""
ITEM = "Is polite"


def noise(desk: "Desk", *, wavers: bool, trusted: bool = True, judge: bool = True) -> dict:  # type: ignore[type-arg]
    name = f"wavering_{wavers}_{trusted}_{judge}".lower()
    desk.write(f"{name}.py", f"WAVERS = {wavers}\n{JUDGE}")
    desk.write("agent.py", "def agent(task):\n    return f'number {task.trial}'\n")
    desk.write(
        "fairtrial.toml",
        f'cases = ["cases.json"]\nagent = "agent:agent"\ntrials = 4\njudge = "{name}:ask"\n'
        'model = "live"\n',
    )
    rubric = [{"item": ITEM, "gate": True}]
    desk.cases(
        *({"id": one, "input": one, "expect": {"stop": "answer", "rubric": rubric}} for one in "ab")
    )
    assert desk.run("run", "--judge", "live", "-k", "1").code == 0
    verdict = json.loads((desk.runs()[-1] / "verdicts.jsonl").read_text().splitlines()[0])
    if trusted:
        known = {key: verdict[key] for key in ("judge", "fingerprint", "question")}
        rows = [{"case": f"l{n}", "item": ITEM} for n in range(120)]
        desk.record(*(row | {"label": n % 2 == 0} for n, row in enumerate(rows)), name="l.jsonl")
        verdicts = (row | known | {"verdict": n % 2 == 0} for n, row in enumerate(rows))
        desk.record(*verdicts, name="v.jsonl")
        told = desk.run("judge", "calibrate", "--labels", "l.jsonl", "--verdicts", "v.jsonl")
        assert told.code == 0, told.err
    asked = ("--judge", "live") if judge else ()
    ran = desk.run("stats", "noise", "--runs", "2", "--json", "noise.json", *asked)
    assert ran.code == 0, ran.err
    return {**desk.read("noise.json"), "out": ran.out}


def test_a_judge_that_wavers_adds_a_variance_of_its_own(desk: "Desk") -> None:
    told = noise(desk, wavers=True)
    assert (told["judged"], told["judged_otherwise"]) == (8, 4)
    # Half of four trials change in each of two cases: (4 * 0.5 * 0.5 / 4^2) / 2.
    assert told["tolerance"]["judge"] == pytest.approx(0.5 * 0.5 / 4 / 2)
    assert (
        "judge noise  17.7 points from the judge alone: asked again it changed 4 of 8"
        in (told["out"])
    )


def test_a_judge_that_stays_with_what_it_said_adds_none(desk: "Desk") -> None:
    told = noise(desk, wavers=False)
    assert (told["tolerance"]["judge"], told["judged_otherwise"]) == (0.0, 0)


@pytest.mark.parametrize(("trusted", "judge"), [(False, True), (True, False)])
def test_a_judge_that_decides_nothing_or_is_not_asked_has_no_noise(
    desk: "Desk", trusted: bool, judge: bool
) -> None:
    told = noise(desk, wavers=True, trusted=trusted, judge=judge)
    assert (told["tolerance"]["judge"], told["judged"]) == (None, None)
    assert "judge noise  not measured: no judge that decides was asked again" in told["out"]
