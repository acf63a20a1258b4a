"""A judge's replies on file: what was paid for is found again, whatever cut a write short."""

import threading
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import StoreError
from fairtrial.records import JudgeReply, KeptReply, Tokens
from fairtrial.store import Redactor, ReplyFile


def kept(key: str, text: str = "{}", **fields: object) -> KeptReply:
    return KeptReply(key=key, marker="m", reply=JudgeReply(text=text), **fields)  # type: ignore[arg-type]  # fields by name


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "down" / "judge.jsonl"


def written(path: Path, *replies: KeptReply) -> bytes:
    file = ReplyFile(path)
    for reply in replies:
        file.keep(reply)
    return path.read_bytes()


def test_nothing_is_on_file_before_there_is_a_file(path: Path) -> None:
    assert ReplyFile(path).find("a") is None
    assert not path.parent.exists()


def test_all_of_a_reply_comes_back(path: Path) -> None:
    reply = JudgeReply(
        text='line\n{"x": "\u20ac\u2028"}',
        cut_off=True,
        tokens=Tokens(input=3, output=1),
        cost=0.01,
        seconds=2.5,
    )
    told = KeptReply(key="a", marker="m", reply=reply, case="c", trial=2, item="Is polite")
    written(path, told)
    assert ReplyFile(path).find("a") == told
    assert len(path.read_bytes().splitlines()) == 1


def test_the_later_of_two_replies_wins(path: Path) -> None:
    file = ReplyFile(path)
    for text in ("first", "second"):
        file.keep(kept("a", text))
        for one in (file, ReplyFile(path)):
            found = one.find("a")
            assert found is not None
            assert found.reply.text == text


def test_what_is_written_by_one_is_added_to_by_another(path: Path) -> None:
    written(path, kept("a"))
    written(path, kept("b"))
    file = ReplyFile(path)
    assert [one is not None for one in map(file.find, "abc")] == [True, True, False]


@given(cut=st.integers(min_value=1, max_value=400), more=st.integers(min_value=0, max_value=3))
def test_a_line_that_was_cut_short_anywhere_loses_no_other(
    tmp_path_factory: pytest.TempPathFactory, cut: int, more: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "judge.jsonl"
    first = len(written(path, kept("a")))
    whole = written(path, kept("b", 'a \u20ac "text" with {} in it', case="c", trial=12))
    path.write_bytes(whole[: first + cut])
    for number in range(more):
        written(path, kept(f"later {number}"))
    file = ReplyFile(path)
    assert file.find("a") is not None
    assert (file.find("b") is not None) is (first + cut >= len(whole) - 1)
    assert all(file.find(f"later {number}") for number in range(more))


def test_two_kills_one_after_the_other_lose_nothing_else(path: Path) -> None:
    for key in "abc":
        written(path, kept(key))
        with path.open("ab") as file:
            file.write(b'{"key":"torn","mar')
    file_again = ReplyFile(path)
    assert [file_again.find(key) is not None for key in "abc"] == [True, True, True]
    assert file_again.find("torn") is None


def test_two_kills_with_no_reply_between_them_lose_nothing_else(path: Path) -> None:
    whole = written(path, kept("a"))
    path.write_bytes(whole + b'{"key":"torn","mar' + b'\n\n{"key":"torn too","m')
    assert ReplyFile(path).find("a") is not None
    written(path, kept("b"))
    again = ReplyFile(path)
    assert [again.find(key) is not None for key in ("a", "torn", "torn too", "b")] == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "damaged",
    [
        b"<<<<<<< HEAD\n",
        b'{"key":"torn","mar\n',
        b"[" * 100_000 + b"\n",
        b'{"key": 3}\n',
        b"\xff\n",
    ],
    ids=["conflict", "torn", "deep", "another", "bytes"],
)
def test_a_damaged_line_is_told_with_its_place(path: Path, damaged: bytes) -> None:
    line = written(path, kept("a"))
    path.write_bytes(line + b"\n" + damaged + line)
    with pytest.raises(StoreError, match=r"judge\.jsonl:3: no reply of a judge: "):
        ReplyFile(path).find("a")
    path.write_bytes(line + damaged)  # it has its end, so nothing cut it short
    with pytest.raises(StoreError, match=r"judge\.jsonl:2: "):
        ReplyFile(path).keep(kept("b"))
    assert path.read_bytes() == line + damaged


def test_blank_lines_are_passed_over(path: Path) -> None:
    line = written(path, kept("a"))
    path.write_bytes(b"\n \n" + line + b"\r\n\n")
    assert ReplyFile(path).find("a") is not None


def test_many_threads_lose_no_reply(path: Path) -> None:
    file = ReplyFile(path)
    start = threading.Barrier(8)

    def keep(thread: int) -> None:
        start.wait()
        for number in range(25):
            file.keep(kept(f"{thread} {number}", "x" * 3000))

    threads = [threading.Thread(target=keep, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = ReplyFile(path)
    keys = [f"{thread} {number}" for thread in range(8) for number in range(25)]
    assert all(again.find(key) for key in keys)
    assert len(path.read_bytes().splitlines()) == len(keys)


def test_a_place_that_cannot_be_written_is_told_and_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = ReplyFile(tmp_path / "file" / "judge.jsonl")
    with pytest.raises(StoreError, match=r"judge\.jsonl: .*Not a directory"):
        file.keep(kept("a"))


def test_a_write_that_fails_halfway_harms_no_line_and_is_no_reply_on_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ReplyFile(path)
    file.keep(kept("a"))

    really = Path.open

    def full(place: Path, mode: str) -> Full:
        return Full(really(place, mode))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "open", full)
        with pytest.raises(StoreError, match="cannot be kept: No space left on device"):
            file.keep(kept("b"))
    assert file.find("b") is None
    file.keep(kept("c"))
    again = ReplyFile(path)
    assert [again.find(key) is not None for key in "abc"] == [True, False, True]


class Full:
    """A file on a disk with nine bytes left."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> "Full":
        return self

    def __exit__(self, *told: object) -> None:
        self._file.close()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def write(self, data: bytes) -> None:
        self._file.write(data[:9])
        raise OSError(28, "No space left on device")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        ReplyFile(tmp_path).find("a")


def test_no_secret_is_written_and_the_reply_is_found_all_the_same(path: Path) -> None:
    secret = "sk-0123456789"
    file = ReplyFile(path, Redactor([secret]))
    file.keep(kept("a", f'{{"reason": "it says {secret}"}}', item=f"No {secret}"))
    assert secret.encode() not in path.read_bytes()
    found = ReplyFile(path).find("a")
    assert found is not None
    assert found.reply.text == '{"reason": "it says [redacted]"}'


def test_a_kill_of_one_process_harms_no_line_of_another_that_goes_on(path: Path) -> None:
    other = ReplyFile(path)
    other.keep(kept("a"))
    with path.open("ab") as file:
        file.write(b'{"key":"torn","mar')
    other.keep(kept("b"))
    again = ReplyFile(path)
    assert [again.find(key) is not None for key in ("a", "torn", "b")] == [True, False, True]


def test_looking_whether_replies_can_be_kept_keeps_none(path: Path) -> None:
    ReplyFile(path).check(writable=False)
    assert not path.exists()
    ReplyFile(path).check(writable=True)
    assert path.read_bytes() == b""


def test_replies_beside_the_runs_are_left_out_of_git(tmp_path: Path) -> None:
    kept = KeptReply(key="k", marker="m", reply=JudgeReply(text="{}"))
    ReplyFile(tmp_path / ".fairtrial" / "judge.jsonl").keep(kept)
    assert (tmp_path / ".fairtrial" / ".gitignore").read_text() == "*\n"
    ReplyFile(tmp_path / "evals" / "judge.jsonl").keep(kept)
    assert not (tmp_path / "evals" / ".gitignore").exists()


def test_looking_tells_what_is_wrong_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "judge.jsonl").write_text("<<<<<<< HEAD\n")
    with pytest.raises(StoreError, match=r"judge\.jsonl:1: no reply of a judge: "):
        ReplyFile(tmp_path / "judge.jsonl").check(writable=False)
    (tmp_path / "file").touch()
    nowhere = ReplyFile(tmp_path / "file" / "judge.jsonl")
    with pytest.raises(StoreError, match="Not a directory"):
        nowhere.check(writable=True)
