"""Other tools to measure beside ours: those that have an environment under PEERS_DIR.

PEERS_DIR is a folder with one virtual environment a tool, named as below.
"""

import os
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent

IMPORTS = {
    "pydantic_evals": "pydantic_evals",
    "agentevals": "agentevals.trajectory.match",
    "inspect": "inspect_ai",
    "deepeval": "deepeval",
    "adk": "google.adk.evaluation.trajectory_evaluator",
    "mlflow": "mlflow.genai",
}
PROGRAMS = {"inspect": "inspect", "deepeval": "deepeval", "adk": "adk", "mlflow": "mlflow"}
NO_TELEMETRY = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "LANGSMITH_TRACING": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}


def program(tool: str, name: str) -> str | None:
    """Give the path of a program in a tool's environment; None when it is not installed."""
    folder = os.environ.get("PEERS_DIR")
    path = Path(folder or ".") / tool / "bin" / name
    return str(path.absolute()) if folder and path.exists() else None


def startup() -> Iterator[tuple[str, str, list[str]]]:
    """Give (bench, tool, command) of importing each tool and of asking it for help."""
    for tool, module in IMPORTS.items():
        if python := program(tool, "python"):
            yield "import", tool, [python, "-c", f"import {module}"]
    for tool, name in PROGRAMS.items():
        if path := program(tool, name):
            yield "help", tool, [path, "--help"]


def grading(cases: Path, recordings: Path) -> Iterator[tuple[str, list[str]]]:
    """Give (tool, command) of grading the same files with another tool."""
    if python := program("agentevals", "python"):
        script = str(HERE / "peer_agentevals.py")
        yield "agentevals", [python, script, str(cases), str(recordings)]


def running(cases: str, trials: str, at_once: str) -> Iterator[tuple[str, list[str]]]:
    """Give (tool, command) of running the same errands with another tool."""
    if python := program("pydantic_evals", "python"):
        yield "pydantic_evals", [
            python, str(HERE / "peer_pydantic_evals.py"), cases, trials, at_once
        ]  # fmt: skip
