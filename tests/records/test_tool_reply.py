"""What a model reads after it called a tool."""

import pytest

from fairtrial.records import Json, ToolReply


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("noon", "noon"),
        ("", ""),
        (None, "null"),
        (True, "true"),
        ([1, "é"], '[1,"é"]'),
        ({"total": 5}, '{"total":5}'),
    ],
)
def test_a_result_is_read_as_it_stands_or_as_json(result: Json, text: str) -> None:
    reply = ToolReply.of(result)
    assert (reply, reply.failed) == (text, False)


def test_a_failed_call_is_told_from_a_result_of_the_same_words() -> None:
    failed, result = ToolReply("No such order.", failed=True), ToolReply.of("No such order.")
    assert failed == result
    assert (failed.failed, result.failed) == (True, False)


def test_it_is_a_text_for_whoever_knows_nothing_of_it() -> None:
    reply = ToolReply("no", failed=True)
    assert isinstance(reply, str)
    assert f"{reply}!" == "no!"
    assert type(reply + "!") is str
