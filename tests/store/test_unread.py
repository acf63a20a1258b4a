import pytest

from fairtrial.store import unknown_fields


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b'{"case":"c","answr":"x"}', [("answr", "answer")]),
        (b'{"case":"c","steps":[{"tool_calls":[]}]}', [("steps[].tool_calls", "calls")]),
        (
            b'{"case":"c","steps":[{"calls":[{"name":"a","args":{}},{"name":"b","args":{}}]}]}',
            [("steps[].calls[].args", "arguments")],
        ),
        (b'{"case":"c","tokens":{"prompt":1}}', [("tokens.prompt", None)]),
        (b'{"case":"c","zzz":1}', [("zzz", None)]),
    ],
)
def test_a_field_that_nothing_reads_is_named_with_what_was_meant(
    raw: bytes, told: list[tuple[str, str | None]]
) -> None:
    assert [(field.path, field.meant) for field in unknown_fields(raw)] == told


def test_what_is_the_recorders_own_is_left_in_peace() -> None:
    raw = b'{"case":"c","extra":{"reward":1},"state":{"zzz":1},"steps":null,"tokens":null}'
    assert unknown_fields(raw) == []
