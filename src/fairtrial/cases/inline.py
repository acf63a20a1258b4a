"""One case that stands in Python and not in a file, read by the same rules."""

from collections.abc import Mapping

import msgspec

from fairtrial.cases.json_source import read_json
from fairtrial.cases.reading import FileReader, Shared
from fairtrial.errors import ProblemsError
from fairtrial.records import Case, Json, NotJsonError, plain


def read_case(
    written: Mapping[str, Json], place: str, *, protected_tags: tuple[str, ...] = ()
) -> Case:
    """Read a case as a mapping holds it.

    Args:
        written: As a case file would have it.
        place: What stands before each mistake, and is the case's source.
        protected_tags: The case is protected if it has one of them.

    Raises:
        ProblemsError: What is wrong with it, all of it.

    >>> case = {"id": "greet", "input": "Hi", "expect": {"answer": {"contains": ["hello"]}}}
    >>> read_case(case, "test_greet.py").id
    'greet'
    >>> read_case({**case, "inptu": "Hi"}, "test_greet.py")
    Traceback (most recent call last):
    fairtrial.errors.ProblemsError: test_greet.py: inptu: unknown field; ...
    """
    try:
        text = msgspec.json.encode([plain(written)]).decode()
    except NotJsonError as error:
        raise ProblemsError([f"{place}: the case is no JSON: {error}"]) from None
    parsed = read_json(text)
    reader = FileReader(place, Shared(protected_tags=frozenset(protected_tags)))
    cases = [case for document in parsed.documents for case in reader.whole(document)]
    faults = [*parsed.faults, *reader.faults]
    if faults:
        told = (f"{place}: {fault.field}: {fault.text}" for fault in sorted(faults))
        raise ProblemsError(list(dict.fromkeys(told)))
    (case,) = cases
    return case
