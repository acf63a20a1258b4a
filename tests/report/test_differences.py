"""Two runs side by side as they are printed."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import (
    CaseDifference,
    CheckDifference,
    NumberDifference,
    Parting,
    PartingGroup,
    RunDifference,
)
from fairtrial.report import Style, difference_lines
from fairtrial.report.measure import cells

Counts = tuple[int, int] | None


def case(
    name: str,
    a: Counts,
    b: Counts,
    checks: tuple[CheckDifference, ...] = (),
    reason: str | None = None,
    *,
    protected: bool = False,
) -> CaseDifference:
    return CaseDifference(
        id=name, protected=protected, a=a, b=b, difference=None, checks=checks, reason=reason
    )


def difference(
    regressions: tuple[CaseDifference, ...] = (),
    new: tuple[CaseDifference, ...] = (),
    numbers: tuple[NumberDifference, ...] = (),
    left_out: int = 0,
    partings: tuple[Parting, ...] = (),
    groups: tuple[PartingGroup, ...] = (),
) -> RunDifference:
    return RunDifference(
        regressions=regressions,
        fixes=(),
        unmeasured=(),
        other_checks=(),
        changed=(),
        new=new,
        removed=(),
        unchanged=40,
        left_out=left_out,
        numbers=numbers,
        partings=partings,
        groups=groups,
    )


def parting(case: str, text: str, cause: str = "a calls cancel, b answers") -> Parting:
    return Parting(
        case=case,
        trial_a=0,
        trial_b=0,
        step=2,
        kind="stop",
        tool="cancel",
        path=None,
        a=None,
        b=None,
        text=text,
        cause=cause,
    )


def group(text: str, *cases: str) -> PartingGroup:
    return PartingGroup(
        among="regressions", kind="stop", tool="cancel", path=None, text=text, cases=cases
    )


PLAN = CheckDifference(name="tools.plan", a=(3, 3), b=(1, 3))
ASKED = CheckDifference(name="answer.contains", a=None, b=(0, 0))
RATE = NumberDifference(name="pass_rate", a=2 / 3, b=5 / 9, difference=-1 / 9, cases=42)
COST = NumberDifference(name="cost", a=0.04, b=0.05, difference=0.01, cases=1)
STEPS = NumberDifference(name="steps", a=None, b=None, difference=None, cases=0)
LOST = case("c1", (3, 3), (1, 3), (PLAN, ASKED), "cancel is missing", protected=True)


def test_a_difference_reads_worst_first_with_its_numbers_last() -> None:
    new = (case("c9", None, (1, 1)),)
    parted = (parting("c1", "at step 2: a calls cancel, b answers"),)
    both = difference((LOST,), new, (RATE, STEPS, COST), left_out=2, partings=parted)
    lines = difference_lines(both, Style(), sides=("evals/baseline.json", "latest"))
    assert list(lines) == [
        "a: evals/baseline.json",
        "b: latest",
        "1 worse; 1 new. 40 cases are the same. 2 cases of one side only, left out by a",
        "filter.",
        "",
        "worse",
        "  c1 (protected): 3 of 3 -> 1 of 3",
        "      tools.plan: 3 of 3 -> 1 of 3",
        "      answer.contains: not asked -> not measured",
        "      b: cancel is missing",
        "      they part at step 2: a calls cancel, b answers",
        "",
        "new",
        "  c9: not there -> 1 of 1",
        "",
        "                         a          b    difference",
        "pass rate           66.7 %     55.6 %  -11.1 points  over 42 cases",
        "cost a trial          0.04       0.05         +0.01  over 1 case",
    ]


def test_narrow_numbers_are_sentences() -> None:
    lines = list(difference_lines(difference(numbers=(RATE,)), Style(width=60), sides=("x", "y")))
    assert lines[-1] == "pass rate: 66.7 % -> 55.6 % (-11.1 points), over 42 cases"


def test_what_got_worse_is_never_cut_and_the_rest_is_counted() -> None:
    many = tuple(case(f"c{n}", (1, 1), (0, 1)) for n in range(60))
    lines = list(difference_lines(difference(many, many), Style(), sides=("x", "y")))
    assert sum("1 of 1 -> 0 of 1" in line for line in lines) == 100
    assert "  and 20 more cases (show with --verbose)" in lines
    shown = difference_lines(difference(many, many), Style(), sides=("x", "y"), verbose=True)
    assert sum("1 of 1 -> 0 of 1" in line for line in shown) == 120


def parted_alike() -> RunDifference:
    """Give four worse cases, of which all but the second part by one cause."""
    cases = tuple(case(f"c{n}", (1, 1), (0, 1), reason="wrong") for n in range(4))
    partings = (
        parting("c0", "at step 2: a calls cancel(n=0), b answers"),
        parting("c1", 'at step 1: the answer is "x" in a, "y" in b', "another answer"),
        *(parting(f"c{n}", f"at step 2: a calls cancel(n={n}), b answers") for n in (2, 3)),
    )
    alike = group("a calls cancel, b answers", "c0", "c2", "c3")
    groups = (alike, group("another answer", "c1"))
    return difference(cases, partings=partings, groups=groups)


def test_cases_that_part_by_one_cause_read_as_one() -> None:
    lines = list(difference_lines(parted_alike(), Style(), sides=("x", "y")))
    assert lines[4:] == [
        "worse",
        "  3 cases part alike: a calls cancel, b answers (c0, c2, c3)",
        "  c0: 1 of 1 -> 0 of 1",
        "      b: wrong",
        "      they part at step 2: a calls cancel(n=0), b answers",
        "  c1: 1 of 1 -> 0 of 1",
        "      b: wrong",
        '      they part at step 1: the answer is "x" in a, "y" in b',
        "  c2: 1 of 1 -> 0 of 1; parts like c0",
        "  c3: 1 of 1 -> 0 of 1; parts like c0",
        "  (--verbose shows every case in full)",
    ]


def test_verbose_shows_each_of_them_in_full() -> None:
    lines = list(difference_lines(parted_alike(), Style(), sides=("x", "y"), verbose=True))
    assert "  3 cases part alike: a calls cancel, b answers (c0, c2, c3)" in lines
    assert "      they part at step 2: a calls cancel(n=3), b answers" in lines
    assert lines.count("      b: wrong") == 4


@given(st.lists(st.text(max_size=300), min_size=6, max_size=6), st.integers(40, 200), st.booleans())
def test_no_name_breaks_out(texts: list[str], width: int, verbose: bool) -> None:
    name, check, reason, side, parted, cause = texts
    asked = CheckDifference(name=check, a=(1, 1), b=None)
    cases = tuple(case(each, (1, 1), (0, 1), (asked,), reason) for each in (name, name + "2"))
    lines = difference_lines(
        difference(
            cases,
            numbers=(RATE, COST),
            partings=tuple(parting(one.id, parted, cause) for one in cases),
            groups=(group(cause, *(one.id for one in cases)),),
        ),
        Style(width=width),
        sides=(side, side),
        verbose=verbose,
    )
    assert all(line.isprintable() and cells(line) <= width for line in lines)
