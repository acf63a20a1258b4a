"""Located mistakes: by file, counted, the place whole."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report import Style, problem_lines
from fairtrial.report.measure import cells


def test_problems_stand_by_file_and_are_counted() -> None:
    problems = ["a.yaml:1:1: id: missing", "b.yaml:2:1: no", "a.yaml:9:3: tags: wanted text"]
    assert list(problem_lines(problems)) == [
        "a.yaml:1:1: id: missing",
        "a.yaml:9:3: tags: wanted text",
        "b.yaml:2:1: no",
        "3 problems in 2 files",
    ]


def test_a_long_place_is_not_cut_and_has_its_own_line() -> None:
    place = "evals/" + "deep/" * 30 + "a.yaml:12:5"
    lines = list(problem_lines([f"{place}: unknown field"], Style(width=40)))
    assert lines == [place + ":", "    unknown field", "1 problem in 1 file"]


def test_a_drive_letter_is_part_of_the_file() -> None:
    problems = ["C:\\evals\\a.yaml:1:1: no", "C:\\evals\\a.yaml:2:1: no"]
    assert list(problem_lines(problems))[-1] == "2 problems in 1 file"


def test_a_problem_without_a_place_is_shown_too() -> None:
    assert list(problem_lines(["no cases at all"])) == ["no cases at all", "1 problem"]


def test_the_message_hangs_under_its_place() -> None:
    text = "a.yaml:1:1: " + "word " * 30
    lines = list(problem_lines([text], Style(width=60)))
    assert len(lines) > 2
    assert all(line.startswith("    word") for line in lines[1:-1])


def test_in_a_pipe_a_problem_is_one_line_that_grep_finds() -> None:
    text = "a.yaml:1:1: " + "word " * 30
    assert next(problem_lines([text], Style(width=60, piped=True))) == text


@given(st.lists(st.text(max_size=200) | st.just("a:1:" * 2000), max_size=5))
def test_no_text_breaks_out(problems: list[str]) -> None:
    lines = list(problem_lines(problems, Style(width=60)))
    assert all(line.isprintable() for line in lines)
    assert lines[-1].startswith(f"{len(problems)} problem")


def test_only_the_place_may_be_wider_than_the_line() -> None:
    lines = list(
        problem_lines(["x" * 5000, "日" * 5000, "a.yaml:1: " + "w" * 9000], Style(width=60))
    )
    assert all(cells(line) <= 60 for line in lines)
