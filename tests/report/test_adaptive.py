"""Further trials in the terminal: what was spent, on what, and what it told."""

from fairtrial.records import Adaptive, AdaptiveCase, Worse
from fairtrial.report.adaptive import adaptive_lines
from fairtrial.report.style import Style


def case(name: str, worse: Worse, p_worse: float, more: int = 5, measured: int = 5) -> AdaptiveCase:
    return AdaptiveCase(
        id=name, base_passed=5, base_measured=5, passed=3, measured=5, more_passed=min(1, measured),
        more_measured=measured, more_planned=more, p_worse=p_worse, worse=worse,
    )  # fmt: skip


def text(adaptive: Adaptive, *, verbose: bool = False, width: int = 80) -> str:
    lines = [*adaptive_lines(adaptive, "EUR", Style(width=width), verbose=verbose)]
    assert all(len(line) <= width for line in lines)
    return " ".join(" ".join(lines).split())


def test_the_likeliest_losses_come_first_and_what_was_not_measured_is_said() -> None:
    cases = (case("b", "unlikely", 0.4), case("a", "likely", 0.95, 5, 3))
    told = text(Adaptive(margin=0.1, cases=cases, trials=10, everywhere=40, cost=0.5))
    assert told.index("likely a: 5 of 5") < told.index("unlikely b:")
    assert "then 1 of 3 (2 not measured); chance 95 %" in told
    assert "10 of 2 cases for 0.50 EUR" in told
    assert "saved 30 trials (75 %): as many for every case would be 40" in told


def test_without_any_it_says_why() -> None:
    assert text(Adaptive(margin=0.1)) == "more trials none: nothing is undecided"
    likely = Adaptive(margin=0.1, cases=(case("a", "likely", 0.99, 0, 0),))
    assert text(likely).endswith("likely a: 5 of 5 in the baseline, 3 of 5; chance 99 %")


def test_nothing_is_saved_where_all_cases_had_as_many() -> None:
    adaptive = Adaptive(margin=0.1, cases=(case("a", "undecided", 0.7),), trials=5, everywhere=5)
    assert "saved nothing: all cases that are compared had as many" in text(adaptive)


def test_many_cases_are_counted_and_verbose_shows_them() -> None:
    cases = tuple(case(f"c{number:02}", "undecided", 0.7) for number in range(25))
    adaptive = Adaptive(margin=0.1, cases=cases, trials=125, everywhere=500, ended="time was up")
    assert "and 5 more cases (show with --verbose)" in text(adaptive)
    assert "note no more trials: time was up" in text(adaptive)
    assert "c24" in text(adaptive, verbose=True)


def test_hostile_names_stay_on_their_line() -> None:
    bad = case("\x1b[31m\nPASS " + "x" * 300, "undecided", 0.7)
    adaptive = Adaptive(margin=0.1, cases=(bad,), trials=5, everywhere=10)
    assert "\x1b" not in text(adaptive, width=40)
