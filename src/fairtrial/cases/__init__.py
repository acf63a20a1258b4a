"""Case files in, cases out: located errors, hints, lint, and the JSON Schema for editors."""

from fairtrial.cases.checks import ALWAYS_CHECKED, asked_checks, named_by
from fairtrial.cases.coverage import Coverage, coverage_of
from fairtrial.cases.identity import content_hash
from fairtrial.cases.lint import Lint, lint_suite
from fairtrial.cases.loading import load_cases, load_suite
from fairtrial.cases.rules import SuiteRule
from fairtrial.cases.schema import case_schema
from fairtrial.cases.suite import CaseFile, Suite

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
]
