import msgspec

from fairtrial.records import Check, Pairing


def test_a_plain_check_has_nothing_of_plans_in_its_json() -> None:
    check = Check(name="finished", passed=True, score=1.0, decides=True, reason="so")
    assert msgspec.to_builtins(check) == {
        "name": "finished",
        "passed": True,
        "score": 1.0,
        "decides": True,
        "reason": "so",
    }


def test_a_check_comes_back_from_json_as_it_went() -> None:
    check = Check(
        name="tools.plan",
        passed=None,
        score=None,
        decides=False,
        reason="",
        asked=False,
        alignment=(Pairing(item="a", call=None),),
        precision=0.0,
    )
    assert msgspec.json.decode(msgspec.json.encode(check), type=Check) == check
