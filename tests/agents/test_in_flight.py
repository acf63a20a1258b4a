"""Tasks under way, and how each is stopped."""

import threading
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents.in_flight import InFlight
from fairtrial.errors import TrialOverError

if TYPE_CHECKING:
    from tests.agents.conftest import TaskMaker


def test_abandoning_stops_the_work_of_that_task_alone(make_task: "TaskMaker") -> None:
    flight, stopped = InFlight(), list[str]()
    first, second = make_task(), make_task()
    with flight.attempt(first) as one, flight.attempt(second) as other:
        one.on_stop(lambda: stopped.append("first"))
        other.on_stop(lambda: stopped.append("second"))
        flight.abandon(first)
        assert (stopped, one.stopped, other.stopped) == (["first"], True, False)
        other.go_on()
        with pytest.raises(TrialOverError):
            one.go_on()


def test_abandoning_before_there_is_something_to_stop_stops_it_then(make_task: "TaskMaker") -> None:
    flight, stopped, task = InFlight(), list[bool](), make_task()
    with flight.attempt(task) as attempt:
        flight.abandon(task)
        attempt.on_stop(lambda: stopped.append(True))
    assert stopped == [True]


def test_a_task_abandoned_before_it_began_never_begins(make_task: "TaskMaker") -> None:
    flight, task = InFlight(), make_task()
    flight.abandon(task)
    with pytest.raises(TrialOverError), flight.attempt(task):
        raise AssertionError("it began")
    with flight.attempt(make_task()):
        pass  # an equal task is another one


def test_closing_stops_all_and_begins_nothing(make_task: "TaskMaker") -> None:
    flight, stopped = InFlight(), threading.Event()
    with flight.attempt(make_task()) as attempt:
        attempt.on_stop(stopped.set)
        flight.close()
    assert stopped.is_set()
    with pytest.raises(TrialOverError), flight.attempt(make_task()):
        raise AssertionError("it began")


def test_what_has_ended_is_not_stopped(make_task: "TaskMaker") -> None:
    flight, task, stopped = InFlight(), make_task(), list[bool]()
    with flight.attempt(task) as attempt:
        attempt.on_stop(lambda: stopped.append(True))
        attempt.on_stop(None)
        flight.abandon(task)
    flight.close()
    assert stopped == []
