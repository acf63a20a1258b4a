"""What an agent returned, where it is not simply plain messages; test_returned has the formats."""

from fairtrial.traces.patient import read_patiently


class Words(str):
    """A text of a class of its own."""

    __slots__ = ()


def test_a_text_of_a_class_of_its_own_is_the_answer() -> None:
    trajectory = read_patiently(Words("Done."), "c", ()).trajectory
    assert trajectory is not None
    assert (trajectory.answer, type(trajectory.answer)) == ("Done.", str)


def test_what_is_no_answer_says_what_is_wanted() -> None:
    refusal = read_patiently(4.5, "c", ()).refusal
    assert refusal == "the agent returned float; wanted a text, a list of messages, or a Trajectory"
