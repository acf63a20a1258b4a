"""fairtrial schema: the JSON Schema of case files, for editors."""

import json

import click

from fairtrial.cli.options import print_lines

_EPILOG = """\b
Examples:
  fairtrial schema > evals/cases.schema.json
  # and as the first line of a case file:
  # yaml-language-server: $schema=cases.schema.json"""


@click.command(name="schema", epilog=_EPILOG)
def command() -> int:
    """Print the JSON Schema of case files, which gives editors completion and checks."""
    from fairtrial.cases import case_schema

    print_lines([json.dumps(case_schema(), indent=2, ensure_ascii=False)])
    return 0
