import gc
import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import RecordingError
from fairtrial.store import Recording, Unreadable, read_recordings


def read(tmp_path: Path, data: bytes, name: str = "r.jsonl") -> list[Recording | Unreadable]:
    file = tmp_path / name
    file.write_bytes(data)
    return list(read_recordings(file))


def only(items: list[Recording | Unreadable]) -> Recording:
    (item,) = items
    assert isinstance(item, Recording), item
    return item


def reason(items: list[Recording | Unreadable]) -> str:
    (item,) = items
    assert isinstance(item, Unreadable), item
    return item.reason


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def test_blank_lines_and_byte_order_marks_are_passed_over(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbf\r\n\n\xef\xbb\xbf{"case":"a"}\r\n   \n\xef\xbb\xbf{"case":"b"}\n'
    items = read(tmp_path, data)
    assert [item.line for item in items] == [3, 5]
    assert [item.raw for item in items if isinstance(item, Recording)] == [
        b'{"case":"a"}',
        b'{"case":"b"}',
    ]


def test_a_packed_file_is_read_alike(tmp_path: Path) -> None:
    assert only(read(tmp_path, gzip.compress(b'{"case":"a"}\n'), "r.jsonl.gz")).line == 1


def test_a_bad_line_is_named_and_the_rest_read(tmp_path: Path) -> None:
    items = read(tmp_path, b'{"case":"a"}\nnot json\n{"case":"b"}\n')
    assert [type(item) for item in items] == [Recording, Unreadable, Recording]
    assert items[1].line == 2


def test_a_torn_last_line_says_so(tmp_path: Path) -> None:
    items = read(tmp_path, b'{"case":"a"}\n{"case":"b","ans')
    assert items[1] == Unreadable(2, "cut off: the file ends inside this line")


def test_a_last_line_without_its_newline_is_whole(tmp_path: Path) -> None:
    assert only(read(tmp_path, b'{"case":"a"}')).trajectory.case == "a"


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDFFF", "\\udc00\\ud800", "\\ud800\\n"])
def test_lone_surrogates_become_replacement_characters(tmp_path: Path, escape: str) -> None:
    recording = only(read(tmp_path, f'{{"case":"a","answer":"x{escape}"}}\n'.encode()))
    assert recording.trajectory.answer is not None
    assert "\ufffd" in recording.trajectory.answer
    json.loads(recording.raw)["answer"].encode()


def test_pairs_and_escaped_backslashes_beside_a_lone_surrogate_stay(tmp_path: Path) -> None:
    line = rb'{"case":"a","answer":"\ud83d\ude00 \\ud800 \ud800"}'
    assert only(read(tmp_path, line)).trajectory.answer == "\U0001f600 \\ud800 \ufffd"


@given(st.text(st.characters(categories=("Cs", "Lu", "Po")), max_size=20))
def test_whatever_text_python_escapes_is_read(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    line = json.dumps({"case": "a", "answer": text, "unread": text}).encode()
    answer = only(read(tmp_path_factory.mktemp("r"), line)).trajectory.answer
    assert answer == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'{"case":""}', "case: empty"),
        (b'{"case":"a","trial":-1}', "trial: wanted 0 to 9007199254740991, got -1"),
        (b'{"case":"a","trial":9007199254740992}', "trial: wanted 0 to"),
        (b'{"case":"a","format":2}', "format: 2 is not known"),
        (b'{"messages":[]}', "`case` is missing; a recording names its case"),
        (b'{"case":"a","unread":"\xff"}', "not UTF-8 from byte 23 on"),
        (b'{"case":"a","state":{"x":' + nested(100) + b"}}", "state: nested deeper than 100"),
        (
            b'{"case":"a","steps":[{"calls":[{"name":"t","result":' + nested(101) + b"}]}]}",
            "steps[0].calls[0].result: nested deeper than 100",
        ),
        (b'{"case":"a","unread":' + nested(100_000) + b"}", "nested far too deeply"),
    ],
)
def test_what_has_the_shape_but_cannot_be_right_is_unreadable(
    tmp_path: Path, line: bytes, text: str
) -> None:
    assert reason(read(tmp_path, line + b"\n")).startswith(text)


def test_nesting_up_to_the_limit_is_read(tmp_path: Path) -> None:
    assert only(read(tmp_path, b'{"case":"a","state":{"x":' + nested(99) + b"}}")).line == 1


def test_brackets_in_texts_are_not_nesting(tmp_path: Path) -> None:
    answer = b"[" * 1000 + b'\\"{'
    assert only(read(tmp_path, b'{"case":"a","answer":"' + answer + b'"}')).line == 1


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'[{"case":"a"},{"case":"b"}]', "one JSON list"),
        (b'[\n  {"case": "a"}\n]\n', "one JSON list"),
        (b'{\n  "case": "a"\n}\n', "one JSON document over several lines"),
        (b'{ "case": "a",\n  "answer": "b" }\n', "one JSON document over several lines"),
        ('{"case":"a"}\n'.encode("utf-16"), "UTF-16"),
        (b'{"case":"a","trial":0,"verdict":"passed","trajectory":{}}', "fairtrial grade"),
    ],
)
def test_a_file_of_another_kind_is_refused_as_a_whole(
    tmp_path: Path, data: bytes, text: str
) -> None:
    with pytest.raises(RecordingError, match=text):
        read(tmp_path, data)


def test_a_torn_first_line_does_not_condemn_the_file(tmp_path: Path) -> None:
    items = read(tmp_path, b'{"case":"a","trial":0,\n{"case":"b"}\n')
    assert [type(item) for item in items] == [Unreadable, Recording]


def test_a_missing_file_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"nowhere\.jsonl: no such file; name"):
        list(read_recordings(tmp_path / "nowhere.jsonl"))


def test_a_folder_says_how_to_grade_a_run(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="fairtrial grade RUN"):
        list(read_recordings(tmp_path))


def test_an_empty_file_has_no_recordings(tmp_path: Path) -> None:
    assert read(tmp_path, b"") == read(tmp_path, b"\n\n") == []


def test_memory_does_not_grow_with_the_number_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(b'{"case":"a","answer":"%s"}\n' % (b"x" * 1000) * 5000)
    tracemalloc.start()
    count = sum(1 for _ in read_recordings(file))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 5000
    assert peak < 1_000_000


def test_a_line_is_held_about_thrice_at_most(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    size = 20_000_000
    file.write_bytes(b'{"case":"a","answer":"\xc3\xa9' + b"x" * size + b'"}\n')
    tracemalloc.start()
    for item in read_recordings(file):
        assert isinstance(item, Recording)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * size


def test_lines_that_cannot_be_read_leave_no_cycles_behind(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    bad = [b'{"case": 5}', b"{", b"\xff", b'{"case":"c","answer":"\\ud800"', b"[" * 500]
    path.write_bytes(b'{"case":"a"}\n' + b"\n".join(bad * 50))
    gc.collect()
    gc.disable()
    try:
        assert sum(isinstance(item, Unreadable) for item in read_recordings(path)) == 250
        assert gc.collect() < 100
    finally:
        gc.enable()
