from fairtrial.graders import CaseGrader
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    Source,
    Step,
    Tokens,
    Trajectory,
)
from fairtrial.scorecard import Tally


def test_a_stated_total_that_differs_from_its_parts_is_named() -> None:
    expect = Expectation(answer=AnswerExpectation(contains=(("x",),)))
    case = Case(id="a", hash="0", source=Source("a.yaml", 1), expect=expect)
    step = Step(text="x", tokens=Tokens(input=10, output=5))
    told = Trajectory(case="a", answer="x", steps=(step,), tokens=Tokens(input=100, output=1))
    tally = Tally([case], "USD")
    tally.add(CaseGrader(case).grade(told, 0))
    (note,) = tally.scorecard(None).notes
    assert "a trial 0: 101 are stated, the steps sum to 15" in note
