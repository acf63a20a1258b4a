"""fairtrial run: options, and one call of cli.launch."""

import shlex
from typing import Any

import click

from fairtrial.cli.options import (
    baseline_option,
    config_option,
    json_option,
    judge_option,
    verbose_option,
)
from fairtrial.cli.written import written_options

_EPILOG = """\b
Examples:
  fairtrial run                         all cases, offline: the scripts speak for the model
  fairtrial run 'refund-*' -k 5         some cases, five trials each
  fairtrial run --live --max-cost 2     ask the real model, and spend at most 2
  fairtrial run --only failed,flaky     again what did not pass in the newest run
  fairtrial run --resume                go on with the newest run that was cut short
  fairtrial run --live -k 5 --adaptive  and more trials of what may have become worse
  fairtrial run --gate                  run, then decide as `fairtrial gate` does

Exit codes: 0 all measured and passed, 1 a trial failed, 2 usage or files,
3 something could not be measured, 130 interrupted. With --gate those of `fairtrial gate`."""


class _Trials(click.ParamType[int]):
    """A number of trials; a word is most likely a case that was to be selected, as in pytest."""

    name = "number"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Give the number."""
        text = str(value)
        if not text.lstrip("-").isdigit():
            words = shlex.quote(f"*{text}*")
            self.fail(
                f"is the number of trials, got {text!r}; cases are selected by ids and globs as "
                f"arguments: fairtrial run {words}",
                param,
                ctx,
            )
        if not text.isascii() or len(text) > 9 or int(text) < 1:
            self.fail(f"wanted a whole number from 1 up, got {text}", param, ctx)
        return int(text)


def _only(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    from fairtrial.flow.selecting import OUTCOMES

    words = [word.strip() for word in (value or "").split(",") if word.strip()]
    for word in words:
        if word not in OUTCOMES:
            known = ", ".join(OUTCOMES)
            raise click.BadParameter(f"{word!r} is no outcome; known are {known}", ctx, param)
    return tuple(words)


@click.command(name="run", epilog=_EPILOG)
@click.argument("names", nargs=-1, metavar="[IDS...]")
@click.option("-k", "--trials", "k", type=_Trials(), help="Trials a case, whatever the case says.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag.")
@click.option("--protected", is_flag=True, help="Only protected cases.")
@click.option(
    "--only",
    metavar="LIST",
    callback=_only,
    help="Only cases that were failed, errored, flaky (a list with commas) in the newest run.",
)
@click.option("--agent", metavar="MODULE:NAME", help="The agent. Default: as in the settings.")
@click.option("--world", metavar="MODULE:CLASS", help="The world. Default: as in the settings.")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME", help="A variant; twice for two runs."
)
@click.option("--live", is_flag=True, help="Ask the real model; without, scripts speak for it.")
@judge_option
@click.option("--model", metavar="NAME", help="The model's name, for the agent.")
@click.option("--seed", type=int, metavar="N", help="Of worlds and agents. Default: 0.")
@click.option("--concurrency", type=int, metavar="N", help="Trials at once. Default: 8.")
@click.option("--timeout", type=float, metavar="S", help="Seconds a trial. Default: 120.")
@click.option("--run-timeout", type=float, metavar="S", help="Seconds the whole run.")
@click.option(
    "--isolation",
    type=click.Choice(["thread", "process"]),
    help="process: the agent runs in processes of its own.",
)
@click.option("--step-cap", type=int, metavar="N", help="Steps after which an agent is stopped.")
@click.option("--retries", type=int, metavar="N", help="Attempts after a provider failed.")
@click.option("--max-cost", type=float, metavar="AMOUNT", help="What the run may spend.")
@click.option(
    "--adaptive",
    is_flag=True,
    help="More trials of cases that may be worse than the baseline, until that is told.",
)
@click.option(
    "--max-extra",
    type=click.IntRange(1),
    metavar="N",
    help="With --adaptive: so many more at most. Default: as many as were planned.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Go on with a run that was cut short: only what is missing is run.",
)
@click.option("--gate", "with_gate", is_flag=True, help="Then decide, as `fairtrial gate` does.")
@baseline_option
@click.option("--allow-removed", is_flag=True, help="With --gate: cases may be gone.")
@click.option("--strict", is_flag=True, help="With --gate: exit 4 when inconclusive.")
@json_option("the run")
@written_options
@click.option("--allow-failures", is_flag=True, help="Exit 0 though trials failed.")
@click.option("--no-save", is_flag=True, help="Keep no run folder under .fairtrial/runs.")
@click.option("--grader", "graders", multiple=True, metavar="MODULE:FUNCTION", help="One more.")
@click.option("--tool-error", metavar="MATCHER", help="Which results count as errors, as JSON.")
@click.option("--currency", metavar="CODE", help="What costs are counted in. Default: USD.")
@click.option(
    "--protected-tag", "protected_tags", multiple=True, metavar="TAG", help="Protects its cases."
)
@config_option
@verbose_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the last line.")
def command(**given: Any) -> int:
    """Run the agent on cases, grade every trial, print the scorecard, save the run.

    IDS are ids of cases or globs; none is the whole suite. A case file among them is read instead
    of those of the settings.
    """
    from fairtrial.cli.asked import Asked
    from fairtrial.cli.launch import run_as_asked

    return run_as_asked(Asked(**given))
