"""Assertions whose text is what went wrong."""

from collections.abc import Callable, Mapping, Sequence

from fairtrial.records import Json, Report
from fairtrial.report import PLAIN, case_lines, inert
from fairtrial.testing.tool_check import check_tool
from fairtrial.worlds import World


def assert_passed(report: Report) -> None:
    """Say nothing where every trial of every case passed; else say which checks failed, and why.

    Cases that only inform are not looked at.

    Raises:
        AssertionError: A trial failed or could not be measured, or there was none.

    >>> from fairtrial.records import RunInfo, Scorecard
    >>> info = RunInfo(id="r", folder=None, mode="none", variant=None, selection=None)
    >>> card = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> assert_passed(Report(run=info, scorecard=card, cases=()))
    Traceback (most recent call last):
    AssertionError: nothing was measured
    """
    __tracebackhide__ = True
    lines: list[str] = []
    deciding = [case for case in report.cases if not case.informs]
    for case in deciding:
        passed = sum(trial.verdict == "passed" for trial in case.trials)
        if not case.trials or passed < max(case.planned, len(case.trials)):
            lines += [
                inert(f"{case.id}: {line}") if not at else line
                for at, line in enumerate(case_lines(case, PLAIN))
            ]
    if lines:
        raise AssertionError("\n".join(lines))
    if not deciding:
        raise AssertionError("nothing was measured")


def assert_tool(  # noqa: PLR0913 - as check_tool
    subject: type[World] | Callable[..., object],
    name: str | None = None,
    *,
    arguments: Mapping[str, Json] | None = None,
    fixtures: Mapping[str, Json] | None = None,
    context: Json = None,
    reads: bool = False,
    idempotent: bool = False,
    refuses: Sequence[Mapping[str, Json]] = (),
) -> None:
    """Say nothing where `check_tool` finds nothing; else say all that it found.

    Raises:
        AssertionError: A finding a line.
        UsageError: There is no such tool, or a function was asked about its state.
        WorldError: The fixtures do not fit the world.

    >>> def pay(amount: float) -> str:
    ...     return "paid"
    >>> assert_tool(pay)
    Traceback (most recent call last):
    AssertionError: pay: 2 findings
    schema: it has no description, which is all that a model chooses it by; write a docstring
    schema: parameter amount has no description; write one under Args: in the docstring
    """
    __tracebackhide__ = True
    findings = check_tool(
        subject,
        name,
        arguments=arguments,
        fixtures=fixtures,
        context=context,
        reads=reads,
        idempotent=idempotent,
        refuses=refuses,
    )
    if findings:
        count = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
        called = name or getattr(subject, "__name__", "the tool")
        raise AssertionError("\n".join([f"{called}: {count}", *map(str, findings)]))
