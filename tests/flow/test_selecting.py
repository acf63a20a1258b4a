"""Which cases a run takes."""

import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.selecting import Wanted, select
from fairtrial.records import Case, Selection, Source

CASES = [
    Case(id=name, hash="0", source=Source("a.yaml", 1), tags=tags, protected=protected)
    for name, tags, protected in [
        ("refund-small", ("refund",), True),
        ("refund-late", ("refund", "refusal"), False),
        ("lookup[1]", ("lookup",), True),
    ]
]


def chosen(wanted: Wanted) -> list[str]:
    return [case.id for case in select(CASES, wanted)[0]]


def test_nothing_asked_for_is_the_whole_suite_and_no_filter() -> None:
    cases, selection = select(CASES, Wanted())
    assert (list(cases), selection) == (CASES, None)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (Wanted(ids=("refund-*",)), ["refund-small", "refund-late"]),
        (Wanted(ids=("*late", "lookup*")), ["refund-late", "lookup[1]"]),
        (Wanted(ids=("lookup[1]",)), ["lookup[1]"]),
        (Wanted(tags=("refusal", "lookup")), ["refund-late", "lookup[1]"]),
        (Wanted(protected=True), ["refund-small", "lookup[1]"]),
        (Wanted(protected=True, tags=("refund",)), ["refund-small"]),
    ],
)
def test_all_that_is_asked_for_must_hold_and_order_stays(wanted: Wanted, ids: list[str]) -> None:
    assert chosen(wanted) == ids


def test_the_selection_is_kept_as_the_contract_has_it() -> None:
    _, selection = select(CASES, Wanted(ids=("refund-*",), tags=("refund",)))
    assert selection == Selection(ids=("refund-*",), tags=("refund",), protected=False, only=())


def test_an_id_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no case 'refund-smal'; did you mean 'refund-small'"):
        select(CASES, Wanted(ids=("refund-small", "refund-smal")))


def test_a_selection_that_leaves_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="no case is left: of 3, none has a tag of billing"):
        select(CASES, Wanted(tags=("billing",)))
