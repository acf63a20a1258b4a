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


def judged(desk: "Desk") -> None:
    """Grade a run whose judge, a function, passes each of 60 trials, as people do."""
    desk.write("fairtrial.toml", 'cases = ["cases.json"]\njudge = "mine:ask"\n')
    cases = range(60)
    desk.cases(*({**desk.case(f"c{n}"), "expect": {"rubric": ["Is polite"]}} for n in cases))
    desk.record(*(desk.recording(f"c{n}") for n in cases))
    desk.graded()
    row = {"item": "Is polite", "judge": "mine", "fingerprint": "f", "question": "q"}
    said = ({"case": f"c{n}", "verdict": "fail" if n % 2 else "pass"} | row for n in cases)
    (desk.runs()[-1] / "verdicts.jsonl").write_text(lines(*said))
    people = ({"case": f"c{n}", "label": "fail" if n % 2 else "pass"} for n in cases)
    desk.write("evals/labels.jsonl", lines(*(one | {"item": "Is polite"} for one in people)))


def test_a_run_is_calibrated_onto_the_file_that_the_settings_look_at(desk: "Desk") -> None:
    judged(desk)
    ran = desk.run("judge", "calibrate", "--verdicts", "latest")
    assert ran.code == 0, ran.err
    told = desk.read("evals/calibration.json")
    assert (told["fingerprint"], told["items"][0]["question"]) == ("f", "q")
    assert "kept in evals/calibration.json" in ran.out
    assert "it passes up to 11.4 % of the fails, and 10.0 % may be" in told["items"][0]["why_not"]


def test_the_bar_may_be_set_by_options_and_settings(desk: "Desk") -> None:
    judged(desk)
    ran = desk.run("judge", "calibrate", "--verdicts", "latest", "--bar-false-pass", "0.12")
    assert (ran.code, "it meets the bar" in ran.out) == (0, True)
    bar = "[judge.bar]\nfalse_pass = 0.12\n"
    desk.write("fairtrial.toml", f'cases = ["cases.json"]\n[judge]\nfunction = "mine:ask"\n{bar}')
    assert "it meets the bar" in desk.run("judge", "calibrate", "--verdicts", "latest").out
    ran = desk.run("judge", "calibrate", "--verdicts", "latest", "--bar-labels", "61")
    assert "60 labels, and 61 are wanted" in ran.out


def test_nothing_is_written_where_no_judge_is_set_up_or_nothing_was_measured(desk: "Desk") -> None:
    desk.write("l.jsonl", lines({"case": "a", "label": "pass"}))
    desk.write("v.jsonl", lines({"case": "a", "verdict": "pass"}))
    ran = desk.run("judge", "calibrate", "--labels", "l.jsonl", "--verdicts", "v.jsonl")
    assert (ran.code, "kept in" in ran.out) == (0, False)
    assert not (desk.folder / "evals").exists()
