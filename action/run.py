"""Runs the suite for the action, writes its reports, and exits as `fairtrial run` did.

Reads FAIRTRIAL_ARGUMENTS, FAIRTRIAL_GATE and FAIRTRIAL_ANNOTATIONS; the working folder is the
suite's. Needs nothing but Python's standard library and fairtrial beside it.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

FAIRTRIAL = [sys.executable, "-P", "-m", "fairtrial"]

NO_REPORT = """### ❌ fairtrial: no run

`fairtrial run` ended with exit code {code} before there was a run to show.
The log of the build says why.
"""


def main(environ: Mapping[str, str]) -> int:
    """Run, report, tell the next steps where all of it is, and give the exit code."""
    kept = Path(tempfile.mkdtemp(dir=environ.get("RUNNER_TEMP")), "run.json")
    try:
        arguments = shlex.split(environ.get("FAIRTRIAL_ARGUMENTS", ""))
    except ValueError as error:
        print(f"the input `arguments` cannot be read: {error}", flush=True)
        arguments, code = [], 2
    else:
        # A build that is cancelled keeps what was measured: the next steps know of it already.
        tell(environ.get("GITHUB_OUTPUT"), f"folder={home_of(kept)}\n")
        gate = ["--gate"] if environ.get("FAIRTRIAL_GATE") == "true" else []
        code = fairtrial(["run", *arguments, *gate, "--json", str(kept)])
    home = home_of(kept)
    reports = home / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    scorecard = reports / "scorecard.md"
    if not kept.exists() or not write_reports(kept, reports, environ):
        scorecard.write_text(NO_REPORT.format(code=code), encoding="utf-8")
    told = {"exit-code": str(code), "folder": str(home), "decision": decision_of(kept)}
    tell(environ.get("GITHUB_OUTPUT"), "".join(f"{name}={text}\n" for name, text in told.items()))
    tell(environ.get("GITHUB_STEP_SUMMARY"), scorecard.read_text(encoding="utf-8"))
    return code


def fairtrial(arguments: Sequence[str]) -> int:
    """Run fairtrial and give its exit code; one that a signal ended counts as in a shell."""
    code = subprocess.run([*FAIRTRIAL, *arguments], check=False).returncode
    return code if code >= 0 else 128 - code


def write_reports(kept: Path, reports: Path, environ: Mapping[str, str]) -> bool:
    """Write the reports of a run, and its annotations where they are asked for."""
    files = ["--markdown", str(reports / "scorecard.md"), "--junit", str(reports / "junit.xml")]
    files += ["--json", str(reports / "run.json")]
    if environ.get("FAIRTRIAL_ANNOTATIONS") == "true":
        files.append("--annotations")
    return fairtrial(["report", str(kept), *files]) == 0


def home_of(kept: Path) -> Path:
    """Give the folder that holds the runs: where the run says that it is, else here."""
    folder = run_of(kept).get("folder")
    if isinstance(folder, str) and Path(folder).is_dir():
        return Path(folder).resolve().parents[1]
    return Path(".fairtrial").resolve()


def decision_of(kept: Path) -> str:
    """Give what the gate decided; empty where nobody asked it."""
    folder = run_of(kept).get("folder")
    if not isinstance(folder, str):
        return ""
    try:
        text = Path(folder, "gate.json").read_text(encoding="utf-8")
    except OSError:
        return ""
    decision = json.loads(text)["decision"]["decision"]
    return decision if decision in {"pass", "fail", "error", "inconclusive"} else ""


def run_of(kept: Path) -> dict[str, object]:
    """Give what a report says of its run; nothing where there is no report."""
    if not kept.exists():
        return {}
    run: dict[str, object] = json.loads(kept.read_text(encoding="utf-8"))["run"]
    return run


def tell(file: str | None, text: str) -> None:
    """Write behind what is in a file of the build; without one nobody is told."""
    if file:
        with Path(file).open("a", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    sys.exit(main(os.environ))
