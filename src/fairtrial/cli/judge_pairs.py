"""fairtrial judge compare and probe: options, and one call of a story each."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.apart import keep_outs_apart
from fairtrial.cli.options import (
    NOT_MEASURED,
    PASSED,
    complain,
    config_option,
    json_option,
    judge_of,
    judge_option,
    print_lines,
    project_of,
    verbose_option,
)
from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.cases import Suite
    from fairtrial.config import Project
    from fairtrial.flow.judge_many import Wanted
    from fairtrial.flow.judging import JudgeOptions
    from fairtrial.flow.probe import ProbedRun
    from fairtrial.store import Redactor, SavedRun

_COMPARE = """\b
Examples:
  fairtrial judge compare RUN_A RUN_B --judge dry     what it would ask, and about how much
  fairtrial judge compare RUN_A RUN_B --judge live --json pairs.json
  fairtrial judge compare RUN_A RUN_B RUN_C           three runs, on one scale

Exit codes: 0 compared, 2 usage or files, 3 nothing could be judged."""

_PROBE = """\b
Examples:
  fairtrial judge probe latest --judge dry            what it would ask, and about how much
  fairtrial judge probe latest --sample 40 --judge live
  fairtrial judge probe RUN RUN2 --labels L --labels L2     also whether it prefers its family

Exit codes: 0 probed, 2 usage or files, 3 nothing could be judged."""


def _cases_option(function: Callable[..., int]) -> Callable[..., int]:
    return click.option(
        "--cases",
        "case_files",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The cases of the runs. Default: those that each was graded by.",
    )(function)


@click.command(name="compare", epilog=_COMPARE, short_help="Runs against each other, by a judge.")
@click.argument("names", nargs=-1, metavar="RUN_A RUN_B [RUN...]")
@click.option(
    "--question",
    metavar="TEXT",
    help="What is asked of two answers. Default: which of them serves the user better.",
)
@judge_option
@json_option("the comparison")
@_cases_option
@config_option
@verbose_option
def compare(
    names: tuple[str, ...],
    question: str | None,
    judge: str | None,
    json_out: Path | None,
    case_files: tuple[Path, ...],
    config: Path | None,
    verbose: bool,
) -> int:
    """Have the judge compare two or more runs, answer by answer, in both orders.

    RUN is a folder, an id, the start of one, `latest`, or a file that --json wrote. A verdict that
    changes with the order is a tie, and counted. Without --judge live only replies on file speak.
    """
    from fairtrial.flow.judge_compare import CompareOptions, compare_answers
    from fairtrial.judge import BETTER
    from fairtrial.report import comparison_lines, style_for
    from fairtrial.store import find_run, write_json

    project = project_of(config)
    runs = [find_run(name, project.root) for name in names]
    suites = [_suite(run, case_files, project) for run in runs]
    keep_outs_apart({"--json": json_out}, project, *runs, others=tuple(case_files))
    asked = BETTER if question is None else _not_empty(question)
    options = CompareOptions(_judge(project, judge), _redactor(), asked)
    told = compare_answers(runs, suites, options, _told(options.judge, project.config.currency))
    if json_out is not None:
        write_json(json_out, told)
    style = style_for(sys.stdout, os.environ)
    print_lines(comparison_lines(told, project.config.currency, style, verbose=verbose))
    # Answers that are the same are a tie that nobody was asked about: alone they measure nothing.
    measured = any(pair.judged > (pair.identical if pair.unjudged else 0) for pair in told.pairs)
    return PASSED if measured or told.use.asks == "dry" else NOT_MEASURED


@click.command(name="probe", epilog=_PROBE, short_help="What sways a judge.")
@click.argument("names", nargs=-1, required=True, metavar="RUN [RUN...]")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=20,
    metavar="N",
    help="Trials that are changed and judged. Default: 20.",
)
@click.option(
    "--labels",
    "label_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="F",
    help="What people said of a run, in the order of the runs: for its own family's answers.",
)
@judge_option
@json_option("what was found")
@_cases_option
@config_option
@verbose_option
def probe(
    names: tuple[str, ...],
    sample: int,
    label_files: tuple[Path, ...],
    judge: str | None,
    json_out: Path | None,
    case_files: tuple[Path, ...],
    config: Path | None,
    verbose: bool,
) -> int:
    """Probe the judge for bias on trials of a saved run that are changed on purpose.

    The first RUN is probed; with --labels further ones, by agents on other models, tell whether the
    judge prefers its own family. Without --judge live only replies on file speak.
    """
    from fairtrial.flow.probe import ProbeOptions, probe_judge
    from fairtrial.report import probe_lines, style_for
    from fairtrial.store import find_run, write_json

    _refuse_more(label_files, names)
    project = project_of(config)
    runs = [find_run(name, project.root) for name in names]
    others = (*case_files, *label_files)
    keep_outs_apart({"--json": json_out}, project, *runs, others=others)
    options = ProbeOptions(_judge(project, judge), _redactor(), sample)
    probed = [
        _probed(run, _suite(run, case_files, project), label_files[at : at + 1])
        for at, run in enumerate(runs)
    ]
    told = probe_judge(probed, options, _told(options.judge, project.config.currency))
    if json_out is not None:
        write_json(json_out, told)
    style = style_for(sys.stdout, os.environ)
    print_lines(probe_lines(told, project.config.currency, style, verbose=verbose))
    measured = any(one.pairs for one in told.probes) or told.use.asks == "dry"
    return PASSED if measured else NOT_MEASURED


def _not_empty(question: str) -> str:
    """Give what the judge is asked instead.

    Raises:
        UsageError: It is nothing.
    """
    if not question.strip():
        raise UsageError("--question: wanted a question, got an empty text")
    return question.strip()


def _refuse_more(labels: Sequence[Path], names: Sequence[str]) -> None:
    """Refuse labels of no run.

    Raises:
        UsageError: There are more files of labels than runs.
    """
    if len(labels) > len(names):
        raise UsageError(
            f"--labels: {len(labels)} files for {len(names)} of the runs; they are taken in order"
        )


def _judge(project: "Project", asked: str | None) -> "JudgeOptions":
    """Give the judge; without `--judge` and `judge.live` it speaks from its file.

    Raises:
        UsageError: There is none, or it is off.
    """
    if asked == "off":
        raise UsageError("--judge off: nothing can be judged without a judge")
    found = judge_of(project, asked)
    if found is None:
        found = judge_of(project, "replay")  # no reply is on file yet, which is said
    assert found is not None  # a judge that is asked for is there, or its lack an error
    return found


def _suite(run: "SavedRun", files: Sequence[Path], project: "Project") -> "Suite":
    from fairtrial.cases import load_suite
    from fairtrial.flow.grade import case_files_of

    found = [*files] or case_files_of(run) or project.case_files()
    return load_suite(found, protected_tags=project.config.protected_tags)


def _probed(run: "SavedRun", suite: "Suite", labels: Sequence[Path]) -> "ProbedRun":
    from fairtrial.flow.probe import ProbedRun
    from fairtrial.records import Label
    from fairtrial.store import read_records

    said = [label for file in labels for label in read_records(file, Label)]
    model = run.info.settings.get("model")
    return ProbedRun(run, suite, said, model if isinstance(model, str) else None)


def _redactor() -> "Redactor":
    from fairtrial.store import Redactor, known_secrets

    return Redactor(known_secrets(os.environ))


def _told(judge: "JudgeOptions", currency: str) -> "Callable[[Wanted], None]":
    """Say what a live judge is going to be asked, before it is."""

    def tell(wanted: "Wanted") -> None:
        if judge.asks != "live":
            return
        tokens = "" if wanted.tokens is None else f", about {wanted.tokens:,} tokens"
        calls = "1 call" if wanted.calls == 1 else f"{wanted.calls:,} calls"
        cost = "" if wanted.cost is None else f", about {wanted.cost:.4g} {currency}"
        complain(f"asking {judge.judge.name}: {calls}{tokens}{cost}")

    return tell
