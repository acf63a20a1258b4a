"""Trust, and replies as they are written."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import JudgeReply, JudgeVerdict, KeptReply, Trust, Vote


def test_nothing_is_trusted_before_it_was_measured() -> None:
    told = Trust().lacking("Is polite")
    assert told is not None
    assert "`fairtrial judge calibrate`" in told


def test_an_item_has_its_own_reason_before_that_of_all_others() -> None:
    trust = Trust(trusted=frozenset({"a"}), why_not={"b": "24 fails"}, otherwise="no labels")
    assert [trust.lacking(item) for item in "abc"] == [None, "24 fails", "no labels"]


@given(st.frozensets(st.text()), st.dictionaries(st.text(), st.text()), st.text())
def test_an_item_may_decide_only_where_it_is_trusted(
    trusted: frozenset[str], why_not: dict[str, str], item: str
) -> None:
    trust = Trust(trusted=trusted, why_not=why_not, otherwise="no labels")
    assert (trust.lacking(item) is None) is (item in trusted)


def test_a_verdict_and_its_votes_are_the_same_once_they_were_written() -> None:
    votes = (
        Vote(judge="a", verdict=True),
        Vote(judge="b", verdict=4, reason="so"),
        Vote(judge="c", verdict=None, fault="no reply"),
    )
    verdict = JudgeVerdict(case="c", verdict=None, fault="split", votes=votes)
    assert msgspec.json.decode(msgspec.json.encode(verdict), type=JudgeVerdict) == verdict


def test_true_and_a_score_of_one_stay_apart() -> None:
    for said in (True, 1, 1.0, "1"):
        raw = msgspec.json.encode(JudgeVerdict(case="c", verdict=said))
        read = msgspec.json.decode(raw, type=JudgeVerdict).verdict
        assert (read, type(read)) == (said, type(said))


def test_a_reply_on_file_is_short_where_there_is_little_to_say() -> None:
    kept = KeptReply(key="k", marker="m", reply=JudgeReply(text="{}"))
    assert msgspec.json.encode(kept) == b'{"key":"k","marker":"m","reply":{"text":"{}"}}'


def test_fields_that_a_newer_version_wrote_are_passed_over() -> None:
    raw = b'{"key":"k","marker":"m","reply":{"text":"{}","mood":1},"since":2}'
    assert msgspec.json.decode(raw, type=KeptReply).reply.text == "{}"
