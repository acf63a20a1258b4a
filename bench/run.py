"""Measure start-up and grading, ours, the floor's and other tools', in interleaved rounds.

    make bench ARGS="--rounds 5"

prints a table of medians; --json keeps every measurement, one a line. See docs/performance.md.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import measure
import peers
import running
import workload

HERE = Path(__file__).resolve().parent
PYTHON = sys.executable
FAIRTRIAL = str(Path(PYTHON).with_name("fairtrial"))
FLOOR = "floor"
SCORECARD = b'"scorecard":'  # begins a line of a JSON report
KEPT = ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH")
QUIET = {"NO_COLOR": "1", "TERM": "dumb", "DO_NOT_TRACK": "1", **peers.NO_TELEMETRY}


class Job(NamedTuple):
    """One thing to measure."""

    bench: str
    tool: str
    command: list[str]
    exits: tuple[int, ...] = (0,)  # which exit codes mean that it did its work
    report: str | None = None  # a JSON report that it leaves; None: its last line may be one
    once: bool = False  # measured in the first round alone, because it takes long
    latency: float = 0.0  # seconds that the agent waits on each errand


class Row(NamedTuple):
    """One measurement with what the job itself said."""

    job: Job
    took: measure.Measurement
    passed: int | None  # trials passed, where the job says so

    @property
    def ok(self) -> bool:
        reported = self.job.report is None or self.passed is not None
        return reported and self.took.exit in self.job.exits


def startup_jobs() -> list[Job]:
    """Give the jobs that do no work: an idle Python, our import, our help page."""
    return [
        Job("import", FLOOR, [PYTHON, "-c", "pass"]),
        Job("import", "fairtrial", [PYTHON, "-c", "import fairtrial"]),
        Job("import", "msgspec", [PYTHON, "-c", "import msgspec"]),
        Job("help", FLOOR, [PYTHON, "-c", "pass"]),
        Job("help", "fairtrial", [FAIRTRIAL, "--help"]),
    ]


class Shape(NamedTuple):
    """How much there is to grade."""

    cases: int
    trials: int
    once: bool = False

    @property
    def name(self) -> str:
        return f"grade {self.cases:,} x {self.trials:,}"


SHAPES = (Shape(2000, 5), Shape(100, 100))
GROWING = (Shape(1000, 10, once=True), Shape(1000, 100, once=True), Shape(1000, 1000, once=True))


def grading_jobs(shape: Shape, cases: Path, recordings: Path) -> list[Job]:
    """Give the jobs that grade these files: the floor, ours with a run folder and without."""
    bench, once = shape.name, shape.once
    grade = [FAIRTRIAL, "grade", str(cases), "--recordings", str(recordings), "--json", "out.json"]
    floor = [PYTHON, str(HERE / "floor.py"), str(cases), str(recordings), "floor.jsonl"]
    return [
        Job(bench, FLOOR, floor, once=once),
        Job(bench, "fairtrial", grade, exits=(0, 1), report="out.json", once=once),
        Job(
            bench, "fairtrial --no-save", [*grade, "--no-save"],
            exits=(0, 1), report="out.json", once=once,
        ),
    ]  # fmt: skip


class Errands(NamedTuple):
    """How many trials an agent is run in, how many at once, and how long each waits."""

    cases: int
    trials: int
    at_once: int = 10
    latency: float = 0.0
    agent: str = "agent"

    @property
    def name(self) -> str:
        waits = f" of {self.latency * 1000:g} ms" if self.latency else ""
        way = " over HTTP" if self.agent == "caller" else ""
        return f"run {self.cases:,} x {self.trials:,}{waits}{way}"


TINY = Errands(6, 1)
ERRANDS = (
    TINY,
    Errands(1000, 1),
    Errands(1000, 10),
    Errands(2000, 1, at_once=200, latency=0.1),
    Errands(100, 5, agent="caller"),
)
MANY = Errands(1000, 100)


def running_jobs(errands: Errands, settings: Path) -> list[Job]:
    """Give the jobs that run an agent: the floor, ours, and another tool's."""
    size = [str(errands.cases), str(errands.trials), str(errands.at_once)]
    run = [FAIRTRIAL, "run", "--config", str(settings), "--json", "out.json", "-q"]
    run += ["-k", size[1], "--concurrency", size[2]]
    jobs = [Job(errands.name, "fairtrial", run, exits=(0, 1), report="out.json")]
    if errands.agent == "agent":
        floor = [PYTHON, str(HERE / "floor_running.py"), *size]
        jobs.insert(0, Job(errands.name, FLOOR, floor))
        jobs += [Job(errands.name, *peer) for peer in peers.running(*size)]
    return [job._replace(latency=errands.latency) for job in jobs]


def run_jobs(jobs: list[Job], *, rounds: int, work: Path, limit: float) -> Iterable[Row]:
    """Measure every job once a round, each in a fresh folder."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ} | QUIET
    for turn in range(rounds):
        for number, job in enumerate(jobs):
            if turn and job.once:
                continue
            cwd = work / f"{turn}-{number}"
            waits = {"LATENCY": str(job.latency)}
            took = measure.measure(job.command, cwd=cwd, env=env | waits, limit=limit)
            passed = passed_of(job, took, cwd)
            shutil.rmtree(cwd)  # a million recordings leave gigabytes
            yield Row(job, took, passed)


def passed_of(job: Job, took: measure.Measurement, cwd: Path) -> int | None:
    """Read how many trials the job says have passed; None when it says nothing of the kind."""
    try:
        if job.report is not None:
            with (cwd / job.report).open("rb") as lines:  # the cases may take gigabytes
                line = next(line for line in lines if line.startswith(SCORECARD))
            passed = json.loads(line.removeprefix(SCORECARD).strip().rstrip(b","))["passed"]
        else:
            passed = json.loads(took.output.strip().rpartition(b"\n")[2])["passed"]
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        return None
    return int(passed)


def as_json(row: Row) -> dict[str, Any]:
    """Give a measurement as a line of the JSON file."""
    took = row.took
    return {
        "bench": row.job.bench,
        "tool": row.job.tool,
        "exit": took.exit,
        "cpu": round(took.cpu, 4),
        "wall": round(took.wall, 4),
        "rss": took.rss,
        "written": took.written,
        "passed": row.passed,
        "load": round(os.getloadavg()[0], 2),
    }


def table(rows: list[Row]) -> str:
    """Give the medians as Markdown, in the order in which the jobs were measured."""
    lines = [
        "| bench | tool | CPU s | of the floor | wall s | peak MB | written MB | rounds | agrees |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    by_job: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_job.setdefault((row.job.bench, row.job.tool), []).append(row)
    for (bench, tool), of_job in by_job.items():
        good = [row.took for row in of_job if row.ok]
        if not good:
            lines.append(f"| {bench} | {tool} | failed: exit {of_job[-1].took.exit} | | | | | | |")
            continue
        floor = [row.took.cpu for row in by_job.get((bench, FLOOR), []) if row.ok]
        cpu = statistics.median(took.cpu for took in good)
        cells = [
            bench,
            tool,
            f"{cpu:.3f}",
            f"{cpu / statistics.median(floor):.1f}x" if floor else "",
            f"{statistics.median(took.wall for took in good):.3f}",
            f"{statistics.median(took.rss for took in good) / 1e6:.0f}",
            f"{statistics.median(took.written for took in good) / 1e6:.2f}",
            str(len(good)),
            agreement(of_job, by_job.get((bench, FLOOR), [])),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def agreement(of_job: list[Row], of_floor: list[Row]) -> str:
    """Say whether a job found as many trials passed as the floor did."""
    wanted = {row.passed for row in of_floor if row.passed is not None}
    found = {row.passed for row in of_job}
    if not wanted:
        return ""
    return "yes" if found == wanted else "NO"


def given_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make bench", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each job (3)")
    parser.add_argument("--cases", type=int, help="cases, instead of the usual two shapes")
    parser.add_argument("--trials", type=int, help="recordings a case, likewise")
    parser.add_argument(
        "--million",
        action="store_true",
        help="also 10,000, 100,000 and 1,000,000 recordings of 1,000 cases, once",
    )
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only benches whose name holds it"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="append every measurement, one a line"
    )
    parser.add_argument("--folder", type=Path, help="where to put the work (a temporary folder)")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one process (600)")
    return parser.parse_args()


def shapes_of(given: argparse.Namespace) -> list[Shape]:
    """Give the shapes of work that were asked for."""
    usual = list(SHAPES)
    if given.cases is not None or given.trials is not None:
        usual = [Shape(given.cases or SHAPES[0].cases, given.trials or SHAPES[0].trials)]
    shapes = usual + list(GROWING if given.million else ())
    return [shape for shape in shapes if given.only in shape.name]


def errands_of(given: argparse.Namespace) -> tuple[Errands, ...]:
    """Give the running of agents that was asked for."""
    if given.cases is not None or given.trials is not None:
        return (Errands(given.cases or TINY.cases, given.trials or TINY.trials),)
    return (*ERRANDS, *((MANY,) if given.million else ()))


def jobs_of(given: argparse.Namespace, folder: Path) -> list[Job]:
    """Write the work and give every job on it that was asked for."""
    jobs = [job for job in startup_jobs() if given.only in job.bench]
    jobs += [Job(*peer) for peer in peers.startup() if given.only in peer[0]]
    for shape in shapes_of(given):
        place = folder / f"work-{shape.cases}-{shape.trials}"
        files = workload.write(place, cases=shape.cases, trials=shape.trials)
        jobs += grading_jobs(shape, *files)
        if not shape.once:
            jobs += [Job(shape.name, tool, command) for tool, command in peers.grading(*files)]
    for errands in errands_of(given):
        if given.only in errands.name:
            place = folder / f"errands-{errands.cases}-{errands.agent}"
            settings = running.write(place, cases=errands.cases, agent=errands.agent)
            jobs += running_jobs(errands, settings)
    return jobs


def main() -> int:
    """Measure, keep, and print; 1 when a job of ours failed or disagreed with the floor."""
    given = given_arguments()
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        jobs = jobs_of(given, folder)
        rows = []
        for row in run_jobs(jobs, rounds=given.rounds, work=folder / "runs", limit=given.limit):
            rows.append(row)
            if given.json is not None:
                with given.json.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(as_json(row)) + "\n")
            if not row.ok:
                said = row.took.output.decode(errors="replace").strip().rpartition("\n")[2]
                print(f"{row.job.bench}, {row.job.tool}: exit {row.took.exit}: {said}")
    report = table(rows)
    print(report)
    return 1 if "| NO |" in report or any(not row.ok for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
