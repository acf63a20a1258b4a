from fairtrial.records import History, PastRun
from fairtrial.report import PLAIN, Style, history_lines
from fairtrial.report.history import trend


def run(name: str, **cases: tuple[int, int]) -> PastRun:
    return PastRun(id=name, mode="live", pass_rate=0.5, interval=(0.2, 0.8), cases=cases)


def test_a_trend_has_a_sign_a_run_newest_last() -> None:
    runs = (run("r1", a=(3, 3), b=(1, 1)), run("r2", a=(0, 3), b=(1, 1)), run("r3", a=(1, 3)))
    lines = list(history_lines(History(runs=runs, others=1), Style()))
    assert lines[0] == "3 runs, newest last; 1 run of another suite, variant or mode left out."
    assert lines[2] == f"{'r1':<28}50 % [20, 80]"
    assert lines[-2] == f"a{' ' * 19}  █▁▃  1 of 3".replace(" " * 19, "")
    assert lines[-1] == "1 case did not move (show with --verbose)"


def test_only_none_and_all_are_the_ends() -> None:
    assert trend([(1, 1000), (999, 1000), (0, 9), (9, 9)], Style(unicode=False)) == "2718"


def test_without_unicode_it_is_ascii() -> None:
    lines = list(history_lines(History(runs=(run("r", a=(1, 2), é=(0, 0)),)), PLAIN, verbose=True))
    assert all(line.isascii() for line in lines) or PLAIN.unicode


def test_hostile_names_stay_on_their_lines() -> None:
    hostile = "\x1b[31m\nx\u202e"
    runs = (run("r\x1b[2J", **{hostile: (1, 1), "b": (1, 1)}), run("r2", **{hostile: (0, 1)}))
    for line in history_lines(History(runs=runs, unread=("bad\x07",)), Style()):
        assert line.isprintable()


def test_many_runs_are_cut_and_counted() -> None:
    runs = tuple(run(f"r{n}", a=(n % 2, 1), b=(1, 1)) for n in range(70))
    lines = list(history_lines(History(runs=runs), Style()))
    assert "and 10 older runs" in lines


def test_one_case_is_told_run_by_run() -> None:
    runs = (run("r1", a=(1, 2)), run("r2"), run("r3", a=(0, 0)))
    lines = list(history_lines(History(runs=runs), Style()))
    assert [line.split()[0] for line in lines[-3:]] == ["r1", "r2", "r3"]
    assert lines[-2].endswith("not in it")
    assert lines[-1].endswith("not measured")
