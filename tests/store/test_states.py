import json
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.store.states import keep_state, restore_state

TRAJECTORY = b'{"case":"a","initial_state":{"n":1.0,"big":123456789012345678901234567890},"x":1e1}'


def test_a_state_goes_to_a_file_and_comes_back_as_it_was_written(tmp_path: Path) -> None:
    kept = keep_state(TRAJECTORY, tmp_path)
    assert b"big" not in kept
    assert restore_state(kept, tmp_path) == TRAJECTORY


def test_equal_states_share_a_file(tmp_path: Path) -> None:
    keep_state(TRAJECTORY, tmp_path)
    keep_state(TRAJECTORY.replace(b'"a"', b'"b"'), tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "line", [b'{"case":"a"}', b'{"initial_state":null}', b'{"answer":"\\"initial_state\\""}']
)
def test_a_trajectory_without_a_state_is_left_alone(tmp_path: Path, line: bytes) -> None:
    assert keep_state(line, tmp_path) is line
    assert restore_state(line, tmp_path) is line
    assert list(tmp_path.iterdir()) == []


def test_a_state_that_looks_like_a_kept_one_is_kept_too(tmp_path: Path) -> None:
    line = b'{"initial_state":{"sha256":"../../secret"}}'
    kept = keep_state(line, tmp_path)
    assert json.loads(kept) != json.loads(line)
    assert restore_state(kept, tmp_path) == line


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    kept = keep_state(TRAJECTORY, tmp_path / "states")
    with pytest.raises(StoreError, match="an initial state of the run is missing"):
        restore_state(kept, tmp_path)
