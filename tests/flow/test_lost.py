"""What a run lost is kept with it."""

import pytest

from fairtrial.flow.lost import lost_of, with_lost
from fairtrial.records import Json, RunInfo


def info(**settings: Json) -> RunInfo:
    return RunInfo(
        id="r", folder=None, mode="none", variant=None, selection=None, settings=settings
    )


def test_what_was_lost_is_written_beside_the_other_settings() -> None:
    told = with_lost(info(currency="EUR"), ["a line", "another"])
    assert told.settings == {"currency": "EUR", "lost": ["a line", "another"]}
    assert lost_of(told) == ("a line", "another")


def test_a_run_that_lost_nothing_says_nothing() -> None:
    assert with_lost(info(), []).settings == {}
    assert lost_of(info()) == ()


@pytest.mark.parametrize("odd", [None, 5, "text", {"a": 1}])
def test_settings_that_somebody_else_wrote_are_no_loss(odd: Json) -> None:
    assert lost_of(info(lost=odd)) == ()


def test_whatever_stands_in_the_list_is_text() -> None:
    assert lost_of(info(lost=[1, None])) == ("1", "None")
