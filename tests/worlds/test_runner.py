from fairtrial.worlds.method import MethodTool
from fairtrial.worlds.runner import Runner
from fairtrial.worlds.stubs import Clause, StubTool


def test_methods_and_stubs_are_run_alike() -> None:
    def pay(self: object, amount: float) -> str:
        return "paid"

    runners: list[Runner] = [
        MethodTool("pay", pay, None),
        StubTool("pay", [Clause(returns="paid")], {}),
    ]
    assert [one.run(None, one.accept({"amount": 1})) for one in runners] == ["paid", "paid"]
    assert [one.shown.name for one in runners] == ["pay", "pay"]
