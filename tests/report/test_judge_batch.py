from fairtrial.records import BatchedUse
from fairtrial.report import Style, batch_wanted_lines, batched_lines


def told(**fields: object) -> str:
    use = BatchedUse(**{"judge": "small", "missing": 0} | fields)  # type: ignore[arg-type]
    return "\n".join(batched_lines(use, "USD", "latest", Style(width=200)))


def test_what_is_missing_is_shown_with_its_price() -> None:
    use = BatchedUse(judge="small", missing=2, wanted_tokens=900)
    text = "\n".join(batch_wanted_lines(use, "USD", Style(width=200)))
    assert "2 replies, about 900 tokens, the price is not known" in text
    use = BatchedUse(judge="small", missing=0, waiting=3)
    text = "\n".join(batch_wanted_lines(use, "USD", Style(width=200)))
    assert "no reply: all are on file; the others are waited for" in text


def test_what_came_is_shown_and_how_to_go_on() -> None:
    text = told(asked=3, replies=2, cost=0.5, missing=1, failed={"the batch expired": 1})
    assert "2 replies, 0.50 USD" in text
    assert "1 request: the batch expired" in text
    assert "1 reply (`fairtrial judge batch latest --submit` asks for them again)" in text
    assert "`fairtrial grade latest --judge replay`" in text


def test_what_is_waited_for_is_fetched_by_the_same_command() -> None:
    text = told(asked=3, waiting=2, missing=0)
    assert "2 requests (`fairtrial judge batch latest` fetches them)" in text
    assert "grade" not in text


def test_few_of_many_reasons_are_shown() -> None:
    assert "and 3 more reasons" in told(failed={f"reason {number}": 1 for number in range(8)})
