"""A suite: the cases of one or more files, and what is needed to say more about them."""

from msgspec import Struct

from fairtrial.cases.rules import SuiteRule
from fairtrial.records import Case


class CaseFile(Struct, frozen=True, kw_only=True):
    """One file of a suite."""

    name: str
    """As given, relative where it was given so."""
    path: str
    """Where it can be read again."""
    cases: int
    """How many cases it holds: as many as were written."""


class Suite(Struct, frozen=True, kw_only=True):
    """Cases in the order of the files."""

    cases: tuple[Case, ...]
    files: tuple[CaseFile, ...]
    rules: tuple[SuiteRule, ...] = ()
