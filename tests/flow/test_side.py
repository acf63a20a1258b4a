"""One side of a confirmation: where its trials are kept."""

from pathlib import Path

from fairtrial.flow.side import side_folder


def test_sides_are_kept_beside_the_runs_so_that_the_newest_run_stays_the_newest() -> None:
    folder = side_folder(Path("shop"), "id", "candidate")
    assert folder == Path("shop/.fairtrial/confirm/id-candidate")
