"""What a judge may spend: a bound that is kept, or said that it cannot be."""

from fairtrial.judge import FunctionModel, Judge, Material, Purse
from fairtrial.records import JudgePrompt, JudgeQuestion, JudgeReply, KeptReply, Tokens

REPLY = '{"reason": "So.", "evidence": "record", "verdict": "PASS"}'
QUESTION = JudgeQuestion(item="Is polite", text="Is polite")


class Priced:
    """A model that says its tokens."""

    name = described = "priced"

    def reply(self, prompt: JudgePrompt) -> JudgeReply:
        return JudgeReply(text=REPLY, tokens=Tokens(input=10, output=2))


class Nowhere:
    """A place for replies that keeps none."""

    def find(self, key: str) -> None:
        """Nothing is there."""

    def keep(self, reply: KeptReply) -> None:
        """Forget it."""


def verdicts(judge: Judge, count: int) -> list[tuple[object, str | None]]:
    materials = (Material(case="c", trial=n, transcript="record") for n in range(count))
    found = [judge.ask(QUESTION, material) for material in materials]
    return [(one.verdict, one.reason) for one in found]


def test_without_a_bound_anything_may_be_asked() -> None:
    purse = Purse()
    purse.pay(1e9)
    purse.pay(None)
    assert purse.refusal is None


def test_beyond_the_bound_nothing_more_is_asked_and_the_verdict_says_so() -> None:
    judge = Judge(
        Priced(),
        Nowhere(),
        asks="live",
        marker=lambda: "m4rk",
        price=lambda tokens: 0.25,
        purse=Purse(0.5),
    )
    told = "the judge may spend 0.5 in a run (judge.max_cost), and that is spent"
    assert verdicts(judge, 4) == [(True, "So."), (True, "So."), (None, told), (None, told)]


def test_a_cost_that_is_not_known_keeps_no_bound() -> None:
    judge = Judge(
        FunctionModel(lambda _: REPLY, "m:ask"),
        Nowhere(),
        asks="live",
        marker=lambda: "m4rk",
        purse=Purse(0.5),
    )
    first, second = verdicts(judge, 2)
    assert first == (True, "So.")
    assert "cost is not known, so judge.max_cost cannot be kept" in str(second[1])


def test_judges_of_a_panel_share_one_purse() -> None:
    purse = Purse(0.3)
    judges = [
        Judge(
            Priced(),
            Nowhere(),
            asks="live",
            marker=lambda: "m4rk",
            price=lambda tokens: 0.2,
            purse=purse,
        )
        for _ in range(3)
    ]
    assert [verdicts(judge, 1)[0][0] for judge in judges] == [True, True, None]
