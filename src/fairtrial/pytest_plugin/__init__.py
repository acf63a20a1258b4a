"""Cases of an agent as tests of pytest: what pytest loads at its start, and as little as can be.

What the options and the fixture need is imported when they are used.
"""

import importlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fairtrial.pytest_plugin.fixture import CaseRunner

__all__ = ["fairtrial", "pytest_addoption", "pytest_configure"]

_HERE = "fairtrial.pytest_plugin"
_OF_THE_GATE = ("gate", "baseline", "strict", "allow_removed")

_MARKER = (
    "fairtrial(agent=..., world=..., trials=...): what the fixture `fairtrial` of a test runs "
    "cases with, instead of the settings"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options to pytest's own."""
    group = parser.getgroup("fairtrial", "cases of an agent as tests (fairtrial)")
    add = group.addoption
    add("--fairtrial", action="store_true", help="Collect case files: a case is a test.")
    add("--fairtrial-config", metavar="FILE", help="Settings. Default: the nearest upwards.")
    add("--fairtrial-trials", type=int, metavar="N", help="Trials a case, whatever the case says.")
    add("--fairtrial-agent", metavar="MODULE:NAME", help="The agent, instead of the settings'.")
    add("--fairtrial-world", metavar="MODULE:CLASS", help="The world, instead of the settings'.")
    add("--fairtrial-variant", metavar="NAME", help="Run this variant of the settings.")
    add("--fairtrial-live", action="store_true", help="Ask the real model, not the scripts.")
    add("--fairtrial-max-cost", type=float, metavar="AMOUNT", help="What the run may spend.")
    add("--fairtrial-gate", action="store_true", help="Then ask the gate: the last test.")
    add("--fairtrial-baseline", metavar="FILE", help="The gate's baseline.")
    add("--fairtrial-strict", action="store_true", help="Inconclusive fails the gate.")
    add("--fairtrial-allow-removed", action="store_true", help="For the gate, cases may be gone.")


def pytest_configure(config: pytest.Config) -> None:
    """Say what our mark means, and collect cases where that is asked for.

    Raises:
        pytest.UsageError: Options that do not go together, or settings that cannot be read.
    """
    config.addinivalue_line("markers", _MARKER)
    if config.getoption("fairtrial"):
        importlib.import_module(f"{_HERE}.session").register(config)
        return
    for name in _OF_THE_GATE:
        if config.getoption(f"fairtrial_{name}"):
            flag = f"--fairtrial-{name.replace('_', '-')}"
            raise pytest.UsageError(f"{flag} is for collected cases; add --fairtrial")


@pytest.fixture
def fairtrial(request: pytest.FixtureRequest) -> "CaseRunner":
    """Run the agent on a case, offline unless told otherwise, and give the report."""
    runner: CaseRunner = importlib.import_module(f"{_HERE}.fixture").runner_for(request)
    return runner
