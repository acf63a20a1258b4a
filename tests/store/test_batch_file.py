from datetime import UTC, datetime
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.records import BatchAsk, JudgeBatch, JudgeBatches
from fairtrial.store import BatchFile

BATCH = JudgeBatch(
    key="k",
    provider="openai",
    judge="m",
    fingerprint="f",
    since=datetime(2026, 11, 30, tzinfo=UTC),
    asks=(BatchAsk(key="a", marker="m4rk", case="c", trial=1, item="Is polite"),),
)


def test_batches_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = BatchFile(tmp_path)
    assert file.read() == JudgeBatches()
    file.write(JudgeBatches().with_batch(BATCH))
    assert file.read() == JudgeBatches(batches=(BATCH,))
    assert [path.name for path in tmp_path.iterdir()] == ["batch.json"]


def test_one_process_holds_them(tmp_path: Path) -> None:
    with BatchFile(tmp_path), pytest.raises(StoreError, match="waited for in another process"):
        BatchFile(tmp_path).__enter__()
    with BatchFile(tmp_path):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"batches": [{}]}', '{"format": 2}'])
def test_a_file_that_holds_something_else_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "batch.json").write_text(text)
    with pytest.raises(StoreError, match=r"batch\.json: "):
        BatchFile(tmp_path).read()


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="none: "):
        BatchFile(tmp_path / "none").__enter__()
