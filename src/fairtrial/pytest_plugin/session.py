"""A session of pytest that collects cases: which files, which order, and what comes in the end."""

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from fairtrial.config import Project
from fairtrial.errors import FairtrialError
from fairtrial.flow.graded import GradedRun
from fairtrial.pytest_plugin.asked import asked_of, project_of
from fairtrial.pytest_plugin.collecting import CASE_FILES, CaseFile, CaseItem, file_from
from fairtrial.pytest_plugin.evals import Evals
from fairtrial.pytest_plugin.gate import NAME, Gate, GateItem
from fairtrial.pytest_plugin.told import Told, put_into
from fairtrial.pytest_plugin.workers import Worker, Workers
from fairtrial.records import RUBRIC_FOLDER, RunInfo, Scorecard
from fairtrial.report import NARROWEST, USUAL, WIDEST, Style, inert, run_lines
from fairtrial.text import cut

_TEXT = 4000  # characters of a mistake in the settings


def register(config: pytest.Config) -> None:
    """Let this session collect cases.

    Raises:
        pytest.UsageError: The options or the settings make no sense.
    """
    try:
        config.pluginmanager.register(_made(config), "fairtrial-session")
    except FairtrialError as error:
        lines = (inert(cut(line, _TEXT)) for line in str(error).splitlines())
        raise pytest.UsageError("\n".join(lines)) from None


def _made(config: pytest.Config) -> "Session":
    base = config.invocation_params.dir
    asked = asked_of(config)
    named = _named(config)
    project = project_of(_start(named, base), asked)
    if project.file is None:
        project = project_of(base, asked)
    whole = project.case_files() if project.config.cases else []
    if whole and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.args.extend(map(str, whole))  # they lie elsewhere, and nobody named anything
        named += whole
    files = _collected(project, whole, named)
    evals = Evals(asked, project, files, base)
    return Session(config, evals, Gate(asked, project, base), set(whole))


def _named(config: pytest.Config) -> list[Path]:
    """Give the files and folders that pytest was asked to collect."""
    base = config.invocation_params.dir
    return [Path(base, argument.partition("::")[0]).resolve() for argument in config.args]


def _start(named: Sequence[Path], base: Path) -> Path:
    """Give the deepest folder that holds all that was named: settings are looked for upwards."""
    if not named:
        return base
    first, *others = (path if path.is_dir() else path.parent for path in named)
    start = first
    while not all(path.is_relative_to(start) for path in others):
        start = start.parent
    return start


def _collected(project: Project, whole: Sequence[Path], named: Sequence[Path]) -> list[Path]:
    """Give the case files that may be collected: the settings', below what was named.

    A case file that is named itself is one whatever the settings say. Where they name none, all
    below the folders that were named are, save JSON: much of that is something else.
    """
    found: dict[Path, None] = {}
    for path in named:
        if path.is_file():
            if path.suffix in CASE_FILES:
                found[path] = None
        elif whole:
            below = (file for file in whole if file.resolve().is_relative_to(path))
            found |= dict.fromkeys(file.resolve() for file in below)
        else:
            below = (file for file in sorted(path.rglob("*")) if file.suffix in CASE_FILES[:3])
            below = (file for file in below if file.parent == path or not _is_rubric(file))
            found |= dict.fromkeys(file for file in below if file != project.baseline)
    return list(found)


def _is_rubric(file: Path) -> bool:
    return file.parent.name == RUBRIC_FOLDER


class Session:
    """The hooks of a session that collects cases."""

    def __init__(self, config: pytest.Config, evals: Evals, gate: Gate, whole: set[Path]) -> None:
        """Get ready.

        Args:
            config: Of pytest.
            evals: The cases and the run of this process.
            gate: Asked in the end, if at all.
            whole: The files that the suite has by its settings; empty: those that are collected.
        """
        self._config = config
        self._evals = evals
        self._gate = gate
        self._whole = whole
        self._ended = False
        self._run: tuple[RunInfo, Scorecard] | None = None
        self._fault: str | None = None
        self._worker = Worker.of(config, evals)
        self._workers = Workers.of(config, evals, lambda: self._style.width)

    @cached_property
    def _style(self) -> Style:
        """How wide texts are: as wide as pytest's own, once it has a terminal."""
        if self._worker is not None:
            return Style(width=self._worker.width)
        reporter: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        width = getattr(getattr(reporter, "_tw", None), "fullwidth", USUAL)
        return Style(width=min(max(width, NARROWEST), WIDEST))

    def pytest_report_header(self) -> str:
        """Say what is run."""
        config = self._evals.project.config
        live = "live" if self._evals.asked.live else "offline"
        agent = config.agent if isinstance(config.agent, str) else "as in the settings"
        where = self._evals.project.file or "no settings"
        return inert(cut(f"fairtrial: agent {agent}, {live}, {where}", 200))

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> CaseFile | None:
        """Collect a case file."""
        if file_path.suffix in CASE_FILES and file_path.resolve() in self._evals.files:
            return file_from(parent, file_path, self._evals, self._style)
        return None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Put the gate last, out of reach of `-k`, `-m`, `--lf` and all that changes the order."""
        yield
        if self._evals.asked.gate and any(isinstance(item, CaseItem) for item in items):
            path = self._evals.project.file or self._evals.project.root
            item: GateItem = GateItem.from_parent(session, name="gate", nodeid=NAME)
            item.path = path
            item.decide = self._decide
            items.append(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note which cases are left, and whether that is the whole suite."""
        items = [item for item in session.items if isinstance(item, CaseItem)]
        if items:
            ids = {item.case.id for item in items}
            resolved = {path.resolve() for path in self._whole}
            whole = resolved <= set(self._evals.files) and all(
                case.id in ids for case in self._evals.suite().cases
            )
            self._evals.choose([item.case for item in items], whole=whole)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let a report of ours show what is to be told, and nothing else."""
        report = yield
        if call.excinfo is not None and isinstance(item, CaseItem | GateItem):
            put_into(report, call.excinfo, item.place)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Leave the gate to the controller, where there are workers."""
        return True if self._worker is not None and isinstance(item, GateItem) else None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Sum up when all is run; with workers also ask the gate."""
        done = yield
        if not session.config.option.collectonly and self._worker is None:
            self._end()
            if self._workers is not None and self._evals.asked.gate:
                self._workers.report(self._config, self._decide, self._evals.project)
        return done

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Generator[None, None, None]:
        """Sum up also what was cut short."""
        yield
        if self._worker is None:
            self._end()

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """Let go of the agent, the listener and the parts."""
        self._evals.close()
        if self._workers is not None:
            self._workers.close()

    def _decide(self) -> Told | None:
        self._end()
        if self._fault is not None:
            return Told("error", self._fault, [self._fault])
        folder = None if self._run is None else self._run[0].folder
        return self._gate.ask(None if folder is None else Path(folder), self._style)

    def _end(self) -> None:
        if self._ended:
            return
        self._ended = True
        try:
            graded = self._graded()
        except FairtrialError as error:
            self._fault = inert(cut(str(error), _TEXT))
            return
        if graded is not None:
            self._run = graded.info, graded.scorecard
            graded.close()

    def _graded(self) -> GradedRun | None:
        if self._workers is not None:
            return self._workers.joined()
        return self._evals.end()[0]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what the run came to, and how to see more of it."""
        lines = [*self._summary()]
        if lines and self._worker is None:
            terminalreporter.section("fairtrial")
            for line in lines:
                terminalreporter.write_line(line)

    def _summary(self) -> Iterator[str]:
        if self._fault is not None:
            yield f"the run could not be saved: {self._fault}"
        for line in self._workers.found if self._workers is not None else ():
            yield inert(cut(line, _TEXT))
        if not self._evals.files:
            yield "no case file was found in what pytest was asked to collect, so no case was run"
        if self._run is None:
            return
        info, scorecard = self._run
        yield from run_lines(info, scorecard, self._style)
        yield inert(f"run          {info.id}: `fairtrial report {info.id}` shows all of it")
        if self._gate.decision is not None:
            failing = self._gate.decision.exit != 0  # then it was told above
            yield ""
            yield from self._gate.lines(self._style)[: 1 if failing else None]
        elif self._evals.asked.gate:
            yield "gate         not asked: pytest stopped before"
