"""Case files in, cases out: located errors, hints, lint, and the JSON Schema for editors."""

import importlib
from typing import TYPE_CHECKING

from fairtrial.cases.identity import content_hash
from fairtrial.cases.loading import load_cases, load_suite
from fairtrial.cases.rules import SuiteRule
from fairtrial.cases.suite import CaseFile, Suite

if TYPE_CHECKING:
    from fairtrial.cases.checks import ALWAYS_CHECKED, asked_checks, named_by
    from fairtrial.cases.coverage import Coverage, coverage_of
    from fairtrial.cases.inline import read_case
    from fairtrial.cases.lint import Lint, lint_suite
    from fairtrial.cases.schema import case_schema

_LATER = {
    "ALWAYS_CHECKED": "checks",
    "Coverage": "coverage",
    "Lint": "lint",
    "asked_checks": "checks",
    "case_schema": "schema",
    "coverage_of": "coverage",
    "lint_suite": "lint",
    "named_by": "checks",
    "read_case": "inline",
}
"""What grading and running do not need, and where it is."""

__all__ = [
    "ALWAYS_CHECKED",
    "CaseFile",
    "Coverage",
    "Lint",
    "Suite",
    "SuiteRule",
    "asked_checks",
    "case_schema",
    "content_hash",
    "coverage_of",
    "lint_suite",
    "load_cases",
    "load_suite",
    "named_by",
    "read_case",
]


def __getattr__(name: str) -> object:
    """Load what linting alone needs when it is asked for.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
