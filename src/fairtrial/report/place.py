"""Where a case stands, as file and line."""


def place_of(source: str | None) -> tuple[str | None, int | None]:
    """Give file and line of a `file:line`; None of what is not known.

    >>> place_of("evals/orders.yaml:24"), place_of("cases.json"), place_of(None)
    (('evals/orders.yaml', 24), ('cases.json', None), (None, None))
    """
    if not source:
        return None, None
    file, colon, line = source.rpartition(":")
    if colon and file and line.isascii() and line.isdigit() and len(line) < 10:
        return file, int(line)
    return source, None
