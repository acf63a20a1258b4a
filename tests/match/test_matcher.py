"""What all matchers have in common."""

from fairtrial.match import MatcherError, compile_matcher


def test_differences_are_capped() -> None:
    matcher = compile_matcher({f"k{number}": number for number in range(1_000)})
    assert len(matcher.mismatches({})) == 50


def test_paths_begin_where_the_value_stands() -> None:
    found = compile_matcher({"fee": 0}).mismatches({"fee": 40}, "cancellations[0]")
    assert [str(one) for one in found] == ["cancellations[0].fee: wanted 0, got 40"]


def test_distance_counts_the_keys_that_differ() -> None:
    matcher = compile_matcher({"a": 1, "b": 2, "c": 3})
    values = [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2}, {"a": 1}, {}, None]
    assert [matcher.distance(value) for value in values] == [0, 1, 2, 3, 4]


def test_an_error_can_be_put_inside_a_larger_path() -> None:
    error = MatcherError("min: wanted a number", ("fee", "min")).inside(("state", "rows", 0))
    assert error.path == ("state", "rows", 0, "fee", "min")
    assert str(error) == "state.rows[0].fee.min: min: wanted a number"
    assert str(MatcherError("nothing here")) == "nothing here"
