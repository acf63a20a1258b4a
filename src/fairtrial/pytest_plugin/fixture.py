"""The fixture for tests in Python: the agent on one case, and what came of it."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from fairtrial.agents import callable_agent
from fairtrial.cases import Suite, load_suite, read_case
from fairtrial.config import Project, judge_options, run_options
from fairtrial.errors import FairtrialError, UsageError
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.in_memory_run import run_unsaved
from fairtrial.flow.selecting import Wanted, select
from fairtrial.flow.surroundings import kept_surroundings
from fairtrial.ports import Agent
from fairtrial.pytest_plugin.asked import asked_of, our_flags, project_of
from fairtrial.records import Case, Json, Report
from fairtrial.report import inert
from fairtrial.worlds import World

_MARK = "fairtrial"


class CaseRunner:
    """Runs the agent on one case. Nothing is kept on disk."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        """Find the settings: the nearest ones to the test, or those of `--fairtrial-config`.

        Raises:
            UsageError: An option or a mark that makes no sense.
            ProblemsError: The settings cannot be read.
        """
        self._asked = asked_of(request.config)
        self._project = project_of(request.path.parent, self._asked)
        self._place = request.node.nodeid
        self._name = request.node.name
        self._base = request.config.invocation_params.dir
        self._marked: dict[str, Any] = {}
        for mark in reversed(list(request.node.iter_markers(_MARK))):  # the nearest one last
            unknown = mark.kwargs.keys() - {"agent", "world", "trials"}
            if mark.args or unknown:
                raise UsageError(
                    "@pytest.mark.fairtrial takes agent, world and trials by name; got "
                    f"{', '.join(map(repr, mark.args or sorted(unknown)))}"
                )
            self._marked |= mark.kwargs

    def __call__(
        self,
        case: Mapping[str, Json] | str,
        *,
        agent: Callable[..., object] | str | None = None,
        world: type[World] | None = None,
        trials: int | None = None,
    ) -> Report:
        """Run the agent on a case, and give what came of it.

        What is not said here is taken from the test's mark, then from the options of pytest, then
        from the settings.

        Args:
            case: As a case file would have it, without an id if you like; or the id of a case in
                the case files that the settings name.
            agent: A function, or "module:name".
            world: The class of the world.
            trials: So many; None: as the case says.

        Raises:
            pytest.UsageError: The case is not one, or nobody says what the agent is.
        """
        __tracebackhide__ = True
        said = {"agent": agent, "world": world, "trials": trials}
        given: dict[str, Any] = self._marked | {
            name: value for name, value in said.items() if value is not None
        }
        try:
            return self._run(case, **given)
        except FairtrialError as error:
            lines = "\n".join(inert(line) for line in our_flags(str(error)).splitlines())
            raise pytest.UsageError(lines) from None

    def _run(
        self,
        case: Mapping[str, Json] | str,
        *,
        agent: Callable[..., object] | str | None = None,
        world: type[World] | None = None,
        trials: int | None = None,
    ) -> Report:
        trials = self._asked.trials if trials is None else trials
        if trials is not None and trials < 1:
            raise UsageError(f"trials: wanted a whole number from 1 up, got {trials}")
        live = self._asked.live
        project = self._project
        if isinstance(agent, str):
            config = msgspec.structs.replace(project.config, agent=agent)
            project = msgspec.structs.replace(project, config=config)
        suite = Suite(cases=(self._case(case),), files=())
        with kept_surroundings(), open_endpoints(live=live) as endpoints:
            options = run_options(
                project,
                suite,
                self._asked.variant,
                live=live,
                judge=judge_options(project) if project.has_judge else None,
            )
            options = msgspec.structs.replace(options, k=trials, world=world or options.world)
            system = _agent(project, agent, endpoints)
            try:
                return run_unsaved(suite, system, endpoints, options)
            finally:
                system.close()

    def _case(self, case: Mapping[str, Json] | str) -> Case:
        protected = self._project.config.protected_tags
        if not isinstance(case, str):
            written = {"id": self._name} | dict(case)
            return read_case(written, self._place, protected_tags=protected)
        files = self._project.case_files()
        suite = load_suite(files, protected_tags=protected, root=self._base)
        (found, *others), _ = select(suite.cases, Wanted(ids=(case,)))
        if others:
            raise UsageError(f"{case!r} means {1 + len(others)} cases; name one")
        return found


def _agent(
    project: Project, agent: Callable[..., object] | str | None, endpoints: Endpoints
) -> Agent:
    if agent is None or isinstance(agent, str):
        return project.agent(endpoints.listener.point, live=endpoints.live)
    return callable_agent(agent, getattr(agent, "__qualname__", type(agent).__qualname__))


def runner_for(request: pytest.FixtureRequest) -> CaseRunner:
    """Give what a test gets as the fixture.

    Raises:
        pytest.UsageError: The settings cannot be read, or the mark makes no sense.
    """
    try:
        return CaseRunner(request)
    except FairtrialError as error:
        raise pytest.UsageError("\n".join(map(inert, str(error).splitlines()))) from None
