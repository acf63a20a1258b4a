from fairtrial.worlds.clock import STARTS_AT, instant
from fairtrial.worlds.means import Means
from fairtrial.worlds.setting import Setting


def means(seed: bytes) -> Means:
    return Means(Setting("W", (), {}, {}, b"{}", b'{"a": []}', instant(STARTS_AT)), seed)


def test_chance_and_ids_depend_on_the_seed_alone() -> None:
    one, same, other = means(b"1"), means(b"1"), means(b"2")
    assert one.random.random() == same.random.random() != other.random.random()
    assert one.new_id("") == same.new_id("") != other.new_id("")


def test_ids_do_not_depend_on_chance_that_was_used() -> None:
    one, other = means(b"1"), means(b"1")
    one.random.random()
    assert one.new_id("R-") == other.new_id("R-")


def test_ids_are_eight_characters_and_never_twice() -> None:
    one = means(b"1")
    ids = [one.new_id("") for _ in range(5000)]
    assert len(set(ids)) == 5000
    assert {len(one) for one in ids} == {8}
    assert all(one.isalnum() and one == one.lower() for one in ids)


def test_the_context_is_one_object_in_a_world_and_another_in_the_next() -> None:
    one = means(b"1")
    one.context["a"].append(1)
    assert one.context == {"a": [1]}
    assert means(b"1").context == {"a": []}
