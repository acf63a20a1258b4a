"""A comparison in the terminal: what is said, what is hidden, and hostile names."""

from msgspec.structs import replace

from fairtrial.judge import place_bias, run_pair, strengths_of
from fairtrial.records import (
    ComparedRun,
    JudgeComparison,
    JudgedPair,
    JudgeUse,
    LeftOut,
    Winner,
)
from fairtrial.report import Style, comparison_lines

USE = JudgeUse(judge="small", fingerprint="f", asks="live", verdicts=20, calls=20)


def pair(winner: Winner | None, n: int, **fields: object) -> JudgedPair:
    places = {"a": ("FIRST", "SECOND"), "b": ("SECOND", "FIRST"), "tie": ("TIE", "TIE")}
    first, second = places.get(str(winner), (None, None))
    told = {"case": f"c{n}", "trial": 0, "winner": winner, "a_first": first, "b_first": second}
    told |= {"length_a": 100, "length_b": 50, "reason": "so it is"}
    return JudgedPair(**(told | fields))  # type: ignore[arg-type]  # fields by name


PAIRS = [
    *(pair("a", n) for n in range(6)),
    *(pair("b", n) for n in range(6, 8)),
    pair("tie", 8),
    pair("tie", 9, flip=True, a_first="FIRST", b_first="FIRST"),
    pair(None, 10, reason="the reply was cut off"),
    pair("tie", 11, identical=True),
]


def comparison(*names: str, pairs: list[JudgedPair] = PAIRS) -> JudgeComparison:
    runs = [ComparedRun(name=name, id=name, variant=None, answers=12) for name in names]
    of_two = [run_pair(a, b, pairs) for at, a in enumerate(names) for b in names[at + 1 :]]
    strengths, why_not = strengths_of(names, of_two)
    return JudgeComparison(
        runs=tuple(runs),
        question="Which?",
        pairs=tuple(of_two),
        place=place_bias(one for of in of_two for one in of.pairs),
        strengths=strengths,
        no_strengths=why_not,
        left_out=tuple(LeftOut(run="old", case=f"x{n}", trial=0, reason="gone") for n in range(12)),
        use=USE,
    )


def told(record: JudgeComparison, **options: bool) -> str:
    return " ".join("\n".join(comparison_lines(record, "USD", Style(), **options)).split())


def test_wins_ties_flips_and_leanings_are_said() -> None:
    text = told(comparison("old", "new"))
    assert "2 runs compared by judge small" in text
    assert "answers 12 pairs, 1 identical, 1 without a verdict" in text
    assert "won old: 6, 54.5 % [28, 78.7]" in text
    assert "won new: 2, 18.2 %" in text
    assert "tied 3, 27.3 %" in text
    assert "1 flip among them" in text
    assert "order 10 % [1.8, 40.4] of 10 pairs changed with the order" in text
    assert "the first place won both times in 1, the second in 0 (p 1)" in text
    assert "winners are 1.41 times as long as losers; the longer answer won 6 of 8" in text
    assert "logit not measured" in text
    assert "c9 trial 0: flip, FIRST and with the places changed FIRST: so it is" in text
    assert "c10 trial 0: not judged: the reply was cut off" in text
    assert "c0 trial 0" not in text
    assert "left out: 12" in text
    assert "and 2 more (show with --verbose)" in text


def test_verbose_names_every_answer() -> None:
    text = told(comparison("old", "new"), verbose=True)
    assert "c0 trial 0: old won: so it is" in text
    assert "c6 trial 0: new won" in text
    assert "c8 trial 0: tie" in text
    assert "c11 trial 0: identical" in text
    assert "old, x11 trial 0: gone" in text


def test_a_favoured_place_is_called_that() -> None:
    flips = [pair("tie", n, flip=True, a_first="SECOND", b_first="SECOND") for n in range(8)]
    assert "this judge favours the second place" in told(comparison("a", "b", pairs=flips))


def test_three_runs_have_strengths_or_the_reason_why_not() -> None:
    text = told(comparison("a", "b", "c"))
    assert "strengths log odds" in text
    assert "+0.74 [-0.19, +3.24]: a" in text
    few = told(comparison("a", "b", "c", pairs=PAIRS[5:9]))
    assert "no bounds: too many draws" in few
    none = told(comparison("a", "b", "c", pairs=[pair("a", 1)]))
    assert "strengths none: no finite strengths" in none


def test_nothing_judged_says_why_and_shows_no_number() -> None:
    record = comparison("a", "b", pairs=[pair(None, 1, reason="not on file")])
    record = replace(record, use=replace(USE, asks="replay", wanted_calls=2))
    text = told(record)
    assert "not measured not on file" in text
    assert "%" not in text
    assert "not on file 2 replies; `--judge live` asks for them" in text


def test_a_dry_run_shows_what_it_would_ask_alone() -> None:
    use = replace(USE, asks="dry", wanted_calls=8, wanted_tokens=4_130, wanted_cost=0.02)
    text = told(replace(comparison("a", "b"), use=use))
    assert "would ask 8 calls, about 4,130 tokens, about 0.02 USD" in text
    assert "won" not in text


def test_names_and_reasons_from_outside_cannot_paint_or_break_lines() -> None:
    bad = "\x1b[31m\n::error::\u202e"
    record = comparison(bad, "new", pairs=[pair(None, 1, reason=bad), pair("a", 2, case=bad)])
    text = "\n".join(comparison_lines(record, bad, Style(), verbose=True))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.startswith("::error::") for line in text.splitlines())
