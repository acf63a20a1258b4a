from fairtrial.cases.vacuous import COUNTS, TEXTS, VALUES, matches_every
from fairtrial.match import compile_matcher
from fairtrial.records import Json


def always(spec: Json) -> bool:
    return matches_every(compile_matcher(spec), VALUES)


def test_a_matcher_that_everything_meets_is_found() -> None:
    assert always({"ignore": True})
    assert always({"one_of": [{"absent": True}, {"present": True}]})


def test_a_matcher_that_something_fails_is_not() -> None:
    assert not any(map(always, [{"present": True}, {}, None, [], {"type": "string"}, {"min": 0}]))


def test_a_pattern_that_runs_out_of_time_is_not_held_to_match() -> None:
    slow = compile_matcher({"matches": "(?:a|aa)+$"})
    assert not matches_every(slow, ("a" * 40 + "b",))


def test_the_probes_tell_counts_and_texts_apart() -> None:
    assert matches_every(compile_matcher({"min": 0}), COUNTS)
    assert not matches_every(compile_matcher({"min": 1}), COUNTS)
    assert not matches_every(compile_matcher({"matches": "."}), TEXTS)
