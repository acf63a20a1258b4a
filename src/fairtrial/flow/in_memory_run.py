"""The story of run with everything in memory: no run folder is left behind."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

import msgspec

from fairtrial.agents import callable_agent
from fairtrial.cases import Suite, load_cases
from fairtrial.errors import UsageError
from fairtrial.flow.course import RunOptions
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.run import run_suite
from fairtrial.graders import GradingSettings
from fairtrial.models import Prices
from fairtrial.ports import Agent
from fairtrial.records import Case, Report
from fairtrial.trials import Bounds
from fairtrial.worlds import World


def run(
    cases: Sequence[Case] | str | PathLike[str],
    agent: Callable[..., object],
    *,
    world: type[World] | None = None,
    trials: int | None = None,
    live: bool = False,
    options: RunOptions | None = None,
) -> Report:
    """Run an agent on cases and grade every trial; nothing is kept on disk.

    Args:
        cases: As `load_cases` gives them, or a case file.
        agent: A function, a coroutine function, or an object that can be called with a task.
        world: The class of the world; None: the cases' fixtures and stub tools alone.
        trials: Trials a case; None: as the cases say, 1 where they do not.
        live: The agent may ask a real model; else the cases' scripts speak for it.
        options: Everything else, such as the seed, the variant and the bounds.

    Raises:
        ProblemsError: Mistakes in the case file, or a case that does not fit the world.
        PluginError: The agent cannot be called with a task.
        UsageError: No trials.
        KeyboardInterrupt: Ctrl-C.

    >>> from fairtrial.records import AnswerExpectation, Expectation, Source
    >>> expect = Expectation(answer=AnswerExpectation(contains=(("hello",),)))
    >>> case = Case(id="c", hash="0", source=Source("a.yaml", 1), input="Hi", expect=expect)
    >>> run([case], lambda task: "Hello!", trials=3).scorecard.passed
    3
    """
    if trials is not None and trials < 1:
        raise UsageError(f"trials: wanted a whole number from 1 up, got {trials}")
    chosen = load_cases(cases) if isinstance(cases, str | PathLike) else tuple(cases)
    options = options or _default_options()
    name = getattr(agent, "__qualname__", type(agent).__qualname__)
    suite = Suite(cases=chosen, files=(), rules=())
    system = callable_agent(agent, name)
    with open_endpoints(live=live) as endpoints:
        options = msgspec.structs.replace(
            options, k=trials or options.k, world=world or options.world
        )
        return run_unsaved(suite, system, endpoints, options)


def run_unsaved(suite: Suite, agent: Agent, endpoints: Endpoints, options: RunOptions) -> Report:
    """Run an agent on all cases of a suite, and keep nothing on disk.

    Raises:
        ProblemsError: A case does not fit the world.
        PluginError: The agent cannot be started at all.
        KeyboardInterrupt: Ctrl-C.
    """
    options = msgspec.structs.replace(options, save=False)
    ran = run_suite(suite, suite.cases, agent, endpoints, options)
    with ran.graded as graded:
        if ran.ended.stopped == "interrupted":  # and nothing is kept with which one could go on
            raise KeyboardInterrupt
        return Report(run=graded.info, scorecard=graded.scorecard, cases=tuple(graded.results()))


def _default_options() -> RunOptions:
    return RunOptions(
        root=Path.cwd(), settings=GradingSettings(), bounds=Bounds(), prices=Prices(), save=False
    )
