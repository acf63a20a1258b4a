"""Matchers made of others on the same value."""

from fairtrial.match import compile_matcher


def test_each_operator_of_a_condition_tells_its_own_difference() -> None:
    found = compile_matcher({"min": 1, "type": "integer"}).mismatches(0.5, "n")
    assert [str(one) for one in found] == [
        "n: wanted at least 1, got 0.5",
        "n: wanted an integer, got 0.5",
    ]


def test_alternatives_are_listed() -> None:
    found = compile_matcher({"one_of": [1, {"above": 5}, "x"]}).mismatches(3, "n")
    assert [str(one) for one in found] == ['n: wanted one of 1, above 5, "x", got 3']


def test_many_alternatives_are_cut() -> None:
    (found,) = compile_matcher({"one_of": list(range(100))}).mismatches(-1)
    assert found.wanted == "one of 0, 1, 2, 3, 4, 5, 6, 7, …"


def test_a_negation_names_what_was_not_wanted() -> None:
    (found,) = compile_matcher({"not": {"contains": "fee"}}).mismatches("a fee")
    assert str(found) == 'wanted not text or a list that contains "fee", got "a fee"'
