import gzip
import io
from pathlib import Path

from fairtrial.store.lines import Damaged, opened, read_lines


def test_a_packed_file_is_known_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    file = tmp_path / "plain.jsonl"
    file.write_bytes(gzip.compress(b"one\ntwo\n"))
    with opened(file) as packed:
        assert list(read_lines(packed)) == [b"one\n", b"two\n"]


def test_a_plain_file_may_be_called_gz(tmp_path: Path) -> None:
    file = tmp_path / "not.gz"
    file.write_bytes(b"one\n")
    with opened(file) as packed:
        assert list(read_lines(packed)) == [b"one\n"]


def test_a_line_beyond_the_limit_is_passed_over_and_the_next_is_read() -> None:
    lines = list(read_lines(io.BytesIO(b"x" * 5_000_000 + b"\nnext\n"), limit=100))
    assert lines == [Damaged("longer than 100 bytes", last=False), b"next\n"]


def test_a_line_of_exactly_the_limit_is_whole() -> None:
    assert list(read_lines(io.BytesIO(b"123\n"), limit=4)) == [b"123\n"]


def test_a_packed_file_that_ends_too_early_keeps_its_whole_lines(tmp_path: Path) -> None:
    file = tmp_path / "torn.gz"
    data = gzip.compress(b"".join(b"line %d\n" % number for number in range(5000)))
    file.write_bytes(data[: len(data) // 2])
    with opened(file) as packed:
        *whole, last = read_lines(packed)
    assert whole[0] == b"line 0\n"
    assert isinstance(last, Damaged)
    assert last.last


def test_a_packed_file_that_is_damaged_says_so(tmp_path: Path) -> None:
    file = tmp_path / "bad.gz"
    data = bytearray(gzip.compress(b"line\n" * 100))
    data[-6] ^= 0xFF  # the checksum
    file.write_bytes(data)
    with opened(file) as packed:
        last = list(read_lines(packed))[-1]
    assert isinstance(last, Damaged)
    assert "cannot be read on" in last.reason
