"""Judges of two public sets, held against the people who labelled them, by the calibration itself.

    python bench/agreement/judges.py

prints for each judge accuracy, agreement of the two orders and kappa, and fails where a figure that
comes with the data does not come out to its printed digits.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from datasets import data_folder, rows

from fairtrial.judge import calibrate
from fairtrial.records import Calibration, JudgeVerdict, Label
from fairtrial.stats import position_flip_rate

_UNREAD = {"garbage": None, "Tie": "0"}  # what one judge of pandalm wrote, as the labels have it


class Known(NamedTuple):
    """What is known of a judge, as printed beside the data; None where nothing is."""

    labels: int
    accuracy: float
    kappa: float
    orders: float | None = None


KNOWN = {
    "natural GPT-4/Vanilla": Known(33, 0.9697, 0.9385, 1.0),
    "adv GPT-4/Vanilla": Known(134, 0.7873, 0.5672, 0.9179),
    "adv ChatGPT/Vanilla": Known(134, 0.2985, -0.4179, 0.6418),
    "pandalm gpt35": Known(389, 0.7352, 0.5192),
    "pandalm pandalm7b": Known(399, 0.6692, 0.4355),
}
PEOPLE = {"a1 and a2": 0.8308, "a1 and a3": 0.8827, "a2 and a3": 0.8625}
"""Kappa of each two of the people who labelled pandalm."""

WRONG = "natural GPT-4/Vanilla"
"""Its kappa is published as 0.2678 beside an accuracy of .955: upstream coded the verdicts as 0 and
1 and left the labels at 1 and 2, so that a right answer counted as a wrong one."""


class Row(NamedTuple):
    """A judge on a set."""

    name: str
    accuracy: float
    kappa: float | None
    orders: float | None
    calibration: Calibration


def llmbar(data: Path, subset: str, judge: str) -> Row:
    """Measure a judge of llmbar on a subset (the start of its name), in both orders."""
    labels: list[Label] = []
    first: list[JudgeVerdict] = []
    second: list[JudgeVerdict] = []
    same = other = 0
    verdicts = {row["item"]: row["verdicts"] for row in rows(data / "verdicts.jsonl.gz")}
    for item in rows(data / "items.jsonl.gz"):
        if not item["subset"].startswith(subset):
            continue
        labels.append(Label(case=item["id"], label=item["label"]))
        told = verdicts[item["id"]][judge]
        for verdict, order in zip(told, (first, second), strict=True):
            order.append(JudgeVerdict(case=item["id"], verdict=verdict, judge=judge))
        same += told[0] == told[1]
        other += told[0] != told[1]
    one, two = calibrate(labels, first), calibrate(labels, second)
    assert one.overall.accuracy_strict is not None
    assert two.overall.accuracy_strict is not None
    accuracy = (one.overall.accuracy_strict + two.overall.accuracy_strict) / 2
    flips = position_flip_rate(other, same + other)["rate"]
    return Row(f"{subset} {judge}", accuracy, one.overall.kappa, 1 - flips, one)


def pandalm(data: Path, judge: str) -> Row:
    """Measure a judge of pandalm against the majority of three people."""
    labels: list[Label] = []
    verdicts: list[JudgeVerdict] = []
    for row in rows(data / "rows.jsonl.gz"):
        labels += _labels(row)
        said = row[f"judge_{judge}"]
        said = _UNREAD.get(said, said) if isinstance(said, str) else said
        verdicts.append(JudgeVerdict(case=row["id"], verdict=said, judge=judge))
    told = calibrate(labels, verdicts)
    assert told.overall.accuracy is not None
    return Row(f"pandalm {judge}", told.overall.accuracy, told.overall.kappa, None, told)


def _labels(row: dict[str, Any]) -> Iterator[Label]:
    for number, said in enumerate(row["annotators"], 1):
        yield Label(case=row["id"], label=said, labeller=f"a{number}")


def measured(choices: Path, pairs: Path) -> list[Row]:
    """Measure every judge that something is known of, in the folders of llmbar and pandalm."""
    asked = (("natural", "GPT-4/Vanilla"), ("adv", "GPT-4/Vanilla"), ("adv", "ChatGPT/Vanilla"))
    own = [llmbar(choices, subset, judge) for subset, judge in asked]
    return [*own, *(pandalm(pairs, judge) for judge in ("gpt35", "pandalm7b"))]


def other_than_known(row: Row) -> list[str]:
    """Say which figures do not come out as printed."""
    known = KNOWN[row.name]
    told = {
        "labels": (row.calibration.overall.labels, known.labels),
        "accuracy": (round(row.accuracy, 4), known.accuracy),
        "kappa": (None if row.kappa is None else round(row.kappa, 4), known.kappa),
        "orders": (None if row.orders is None else round(row.orders, 4), known.orders),
    }
    return [
        f"{row.name}: {what} is {is_}, and {was} is known"
        for what, (is_, was) in told.items()
        if is_ != was
    ]


def main() -> int:
    """Print the figures; 1 where one is not as it is known."""
    wrong: list[str] = []
    for row in measured(data_folder("llmbar"), data_folder("pandalm")):
        orders = "" if row.orders is None else f", the orders agree in {row.orders:.4f}"
        print(f"{row.name}: accuracy {row.accuracy:.4f}, kappa {row.kappa:.4f}{orders}")
        wrong += other_than_known(row)
        people = row.calibration.labellers.pairs
        for pair, kappa in people.items():
            if kappa is None or round(kappa, 4) != PEOPLE[pair]:
                wrong.append(f"{row.name}: {pair} have {kappa}, and {PEOPLE[pair]} is known")
    print(f"{WRONG}: its kappa is published as 0.2678, with verdicts and labels coded apart")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
