"""What reading a return value gives."""

from fairtrial.records import Trajectory
from fairtrial.traces.reading import Returned


def test_a_reading_is_a_trajectory_or_why_there_is_none() -> None:
    read, refused = Returned(trajectory=Trajectory(case="c")), Returned(refusal="no")
    assert (read.refusal, read.notes) == (None, ())
    assert refused.trajectory is None
