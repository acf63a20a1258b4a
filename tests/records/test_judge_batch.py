from datetime import UTC, datetime

from msgspec.structs import replace

from fairtrial.records import JudgeBatch, JudgeBatches


def batch(key: str) -> JudgeBatch:
    since = datetime(2026, 11, 30, tzinfo=UTC)
    return JudgeBatch(key=key, provider="openai", judge="m", fingerprint="f", since=since)


def test_a_batch_is_put_in_the_place_of_that_with_its_key() -> None:
    one, two = batch("a"), batch("b")
    batches = JudgeBatches().with_batch(one).with_batch(two)
    assert batches.open() == (one, two)
    sent = replace(one, id="batch_1")
    assert set(batches.with_batch(sent).batches) == {sent, two}


def test_a_batch_whose_replies_are_on_file_is_not_open() -> None:
    batches = JudgeBatches().with_batch(replace(batch("a"), ended="expired"))
    assert batches.open() == ()


def test_a_batch_that_was_never_sent_is_taken_away() -> None:
    batches = JudgeBatches().with_batch(batch("a")).with_batch(batch("b"))
    assert [one.key for one in batches.without("a").batches] == ["b"]
