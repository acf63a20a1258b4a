"""fairtrial judge calibrate, from the command line."""

import json
from typing import TYPE_CHECKING

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.conftest import Desk


def lines(*rows: Json) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_it_prints_the_figures_and_writes_them(desk: "Desk") -> None:
    cases = range(60)
    desk.write(
        "l.jsonl", lines(*({"case": f"c{n}", "label": "pass" if n % 2 else "fail"} for n in cases))
    )
    desk.write(
        "v.jsonl",
        lines(
            *({"case": f"c{n}", "verdict": "pass" if n % 2 or n < 4 else "fail", "judge": "small",
               "reason": "\x1b[31m::error::said so"} for n in cases)
        ),
    )  # fmt: skip
    ran = desk.run("judge", "calibrate", "--labels", "l.jsonl", "--verdicts", "v.jsonl",
                   "--json", "out.json")  # fmt: skip
    assert ran.code == 0, ran.err
    told = " ".join(ran.out.split())
    assert "Judge small: 60 labels, trusted for 0 of 1 item." in told
    assert "false pass 6.7 % [1.8, 21.3]" in told
    assert "informs only" in told
    assert "disagreements: 2" in told
    assert "\x1b" not in ran.out
    written = desk.read("out.json")
    assert (written["judge"], written["overall"]["labels"]) == ("small", 60)
    assert written["items"][0]["trusted"] is False


def test_nothing_to_compare_is_not_measured(desk: "Desk") -> None:
    desk.write("l.jsonl", "")
    desk.write("v.jsonl", lines({"case": "a", "verdict": "pass"}))
    ran = desk.run("judge", "calibrate", "--labels", "l.jsonl", "--verdicts", "v.jsonl")
    assert ran.code == 3


def test_files_that_are_not_there_or_hold_something_else_exit_2(desk: "Desk") -> None:
    desk.write("l.jsonl", "[]\n")
    ran = desk.run("judge", "calibrate", "--labels", "l.jsonl", "--verdicts", "none")
    assert (ran.code, "l.jsonl:1: " in ran.err) == (2, True)
    ran = desk.run("judge", "calibrate", "--labels", "l.jsonl")
    assert (ran.code, "--verdicts" in ran.err) == (2, True)
