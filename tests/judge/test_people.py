"""Labels: which of them count, and whether they were drawn at random."""

import pytest

from fairtrial.judge import calibrate
from fairtrial.judge.people import sort_out
from fairtrial.records import JudgeVerdict, Label


def labels(*weights: float | None, item: str = "polite") -> list[Label]:
    return [
        Label(case=f"c{at}", item=item, label="pass", weight=weight)
        for at, weight in enumerate(weights)
    ]


def test_labels_of_examples_are_kept_apart_and_counted() -> None:
    verdicts = [JudgeVerdict(case=f"c{at}", item="polite", verdict=at > 0) for at in range(3)]
    told = calibrate(labels(None, None, None), verdicts, apart={("c0", "polite"), ("c1", "other")})
    assert (told.kept_apart, told.overall.labels, told.overall.accuracy) == (1, 2, 1.0)
    assert told.unlabelled == 1


def test_labels_of_another_transcript_say_nothing_of_this_one() -> None:
    seen = [Label(case="c", trial=at, label="pass", transcript=f"t{at}") for at in range(3)]
    seen.append(Label(case="c", trial=9, label="pass"))
    parted = sort_out(seen, frozenset(), {("c", 0): "t0", ("c", 1): "new"})
    assert ([one.trial for one in parted.used], parted.elsewhere) == ([0, 9], 2)


def test_labels_of_two_runs_are_not_mixed_unseen() -> None:
    two = [Label(case="c", label="pass", labeller=name, transcript=name) for name in ("ana", "bo")]
    with pytest.raises(ValueError, match="name the one that the verdicts are of with --run"):
        calibrate(two, [])
    assert calibrate(two, [], transcripts={("c", 0): "bo"}).elsewhere == 1


@pytest.mark.parametrize("weight", [0.0, -1.0, 1e300])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match=r"item 'polite': a weight of .*; it is 1 or more"):
        calibrate(labels(weight), [])


@pytest.mark.parametrize(
    ("given", "random"),
    [
        (labels(4.0, 4.0), True),
        (labels(4.0, 4.0) + labels(2.0, 2.0, item="short"), True),
        (labels(4.0, 2.0), False),
        (labels(4.0, None), False),
        (labels(None, None), False),
        ([], False),
    ],
)
def test_labels_were_drawn_at_random_where_all_of_an_item_weigh_the_same(
    given: list[Label], random: bool
) -> None:
    assert calibrate(given, []).random is random
