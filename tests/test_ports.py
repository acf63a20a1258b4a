import fairtrial as ft
from fairtrial.ports import Grader


def test_what_the_decorator_marks_has_the_shape_of_a_grader() -> None:
    @ft.grader
    def brief(case: ft.Case, trajectory: ft.Trajectory, state: object) -> ft.Check:
        return ft.yes_no("brief", len(trajectory.answer or "") < 80)

    assert isinstance(brief, Grader)
    assert ft.GradingSettings(graders=(brief,)).graders == (brief,)  # also for a type checker


def test_a_plain_function_has_not() -> None:
    assert not isinstance(lambda case, trajectory, state: None, Grader)
