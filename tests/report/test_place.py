"""File and line of a case."""

import pytest

from fairtrial.report.place import place_of


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("a/b.yaml:12", ("a/b.yaml", 12)),
        ("C:\\a.yaml:3", ("C:\\a.yaml", 3)),
        ("a.yaml", ("a.yaml", None)),
        ("a:b", ("a:b", None)),
        (":7", (":7", None)),
        ("a:\u0663", ("a:\u0663", None)),
        ("a:" + "9" * 40, ("a:" + "9" * 40, None)),
        ("", (None, None)),
        (None, (None, None)),
    ],
)
def test_a_place_is_a_file_and_a_line(
    source: str | None, place: tuple[str | None, int | None]
) -> None:
    assert place_of(source) == place
