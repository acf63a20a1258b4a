"""The history of a suite as a page: a sparkline a case, newest run last."""

from collections.abc import Iterator

import msgspec

from fairtrial.records import History
from fairtrial.report.html.document import html_document


def history_pieces(history: History, *, version: str = "") -> Iterator[bytes]:
    """Give the history as an HTML file, piece by piece.

    Args:
        history: The runs, oldest first.
        version: Of fairtrial, for the foot of the page.

    >>> page = b"".join(history_pieces(History(runs=())))
    >>> page.startswith(b"<!doctype html>")
    True
    """
    runs = []
    names: dict[str, None] = {}
    for run in history.runs:
        names |= dict.fromkeys(run.cases)
        runs.append(
            {
                key: value
                for key, value in msgspec.to_builtins(run).items()
                if key not in {"cases", "protected"}
            }
        )
    newest = history.runs[-1] if history.runs else None
    # What is in the newest run comes first, in its order; what is gone from it follows.
    ordered = dict.fromkeys(newest.cases if newest else ()) | names
    protected = set(newest.protected if newest else ())
    cases = [
        {
            "i": name,
            "p": int(name in protected),
            "r": [run.cases.get(name) for run in history.runs],
        }
        for name in ordered
    ]
    data = {
        "kind": "history",
        "version": version,
        "runs": runs,
        "cases": cases,
        "others": history.others,
        "unread": history.unread,
    }
    return html_document("History - fairtrial", data, ())
