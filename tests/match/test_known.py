import pytest

from fairtrial.match import MatcherError, compile_before, compile_pattern, compile_plan
from fairtrial.match.known import Known


def test_what_is_written_alike_is_compiled_once() -> None:
    assert compile_plan(["a", {"name": "b"}]) is compile_plan(["a", {"name": "b"}])
    rule = {"tool": "a", "needs": "b"}
    assert compile_before(rule) is compile_before(dict(rule))


def test_what_only_python_takes_for_equal_is_compiled_apart() -> None:
    one, true = ({"name": "a", "args": {"n": value}} for value in (1, True))
    assert compile_pattern(one) is not compile_pattern(true)
    assert compile_pattern(one, which=True) is not compile_pattern(one)


def test_a_mistake_is_found_each_time() -> None:
    for _ in range(2):
        with pytest.raises(MatcherError, match="mode"):
            compile_plan({"mode": "quick", "steps": []})


def test_no_more_is_kept_than_a_suite_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.match.known._MOST", 3)
    known = Known(str)
    assert [known.compiled(number) for number in range(10)] == list("0123456789")
    assert len(known._compiled) <= 3


def test_what_nests_too_deep_is_left_to_the_compiler() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert Known(len).compiled(deep) == 1
