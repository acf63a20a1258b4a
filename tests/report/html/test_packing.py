import base64
import zlib

import pytest

from fairtrial.report.html import packing
from fairtrial.report.html.packing import Pack


def unpacked(pack: Pack) -> dict[int, bytes]:
    """Give each line by its number, as the page reads them."""
    lines: dict[int, bytes] = {}
    for first, count, packed in pack.blocks():
        found = zlib.decompress(base64.b64decode(packed)).split(b"\n")
        assert len(found) == count
        lines |= {first + at: line for at, line in enumerate(found) if line}
    return lines


def test_lines_are_found_by_their_numbers() -> None:
    pack = Pack()
    for number in (3, 4, 9):
        assert pack.add(number, b'{"n":%d}\n' % number, needed=True)
    assert unpacked(pack) == {3: b'{"n":3}', 4: b'{"n":4}', 9: b'{"n":9}'}


def test_blocks_begin_anew_after_a_quarter_of_a_megabyte() -> None:
    pack = Pack()
    for number in range(1, 7):
        pack.add(number, b'"%s"' % (b"x" * 100_000), needed=True)
    assert [(first, count) for first, count, _ in pack.blocks()] == [(1, 3), (4, 3)]
    assert len(unpacked(pack)) == 6


def test_passed_trials_are_left_out_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "_BLOCK", 1)
    monkeypatch.setattr(packing, "PASSED_BYTES", 10)
    monkeypatch.setattr(packing, "ALL_BYTES", 60)
    pack = Pack()
    taken = [pack.add(n, b'{"n":"%d"}' % n, needed=n % 2 == 0) for n in range(1, 8)]
    assert taken == [True, True, False, True, False, False, False]
    assert sorted(unpacked(pack)) == [1, 2, 4]


def test_a_long_line_is_cut() -> None:
    pack = Pack()
    assert pack.add(1, b'{"answer":"%s"}' % (b"x" * 600_000), needed=True)
    assert len(unpacked(pack)[1]) < 5000
    assert not pack.add(2, b"[%s1]" % (b"1," * 300_000), needed=True)
