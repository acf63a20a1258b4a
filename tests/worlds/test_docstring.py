import pytest

from fairtrial.worlds.docstring import arguments, description

TEXT = """Cancel a booking
    of the guest.

    It cannot be undone.

    Args:
        booking: Its id, such as
            H-204: letters and figures.
        fee (float, optional): In euros.

    Returns:
        ok: True.
    """


def test_the_first_paragraph_is_the_description() -> None:
    assert description(TEXT) == "Cancel a booking of the guest."


def test_each_argument_has_its_text_and_nothing_else_is_one() -> None:
    assert arguments(TEXT) == {
        "booking": "Its id, such as H-204: letters and figures.",
        "fee": "In euros.",
    }


@pytest.mark.parametrize("text", [None, "", "Pay.", "Args:", "Args:\n    no colon here"])
def test_a_docstring_without_arguments_tells_none(text: str | None) -> None:
    assert arguments(text) == {}


def test_arguments_right_below_the_first_line_are_no_description() -> None:
    assert description("Pay.\nArgs:\n    a: b") == "Pay."
