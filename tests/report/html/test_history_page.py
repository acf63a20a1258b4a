import json
import re

from fairtrial.records import History, Json, PastRun
from fairtrial.report.html import history_pieces


def data_of(*runs: PastRun) -> Json:
    text = b"".join(history_pieces(History(runs=runs, others=2), version="1")).decode()
    found = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def test_cases_of_the_newest_run_come_first_and_gaps_are_null() -> None:
    old = PastRun(id="r1", mode="live", cases={"gone": (1, 1), "a": (1, 2)})
    new = PastRun(id="r2", mode="live", cases={"a": (2, 2), "b": (0, 0)}, protected=("a",))
    data = data_of(old, new)
    assert data["cases"] == [
        {"i": "a", "p": 1, "r": [[1, 2], [2, 2]]},
        {"i": "b", "p": 0, "r": [None, [0, 0]]},
        {"i": "gone", "p": 0, "r": [[1, 1], None]},
    ]
    assert ([run["id"] for run in data["runs"]], data["others"]) == (["r1", "r2"], 2)


def test_an_empty_history_is_a_page() -> None:
    assert data_of()["cases"] == []
