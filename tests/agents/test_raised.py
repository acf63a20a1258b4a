"""What agents outside this process raise."""

import pickle

from fairtrial.agents import AgentFailedError, ProviderFailedError
from fairtrial.errors import ProviderError


def test_a_failed_agent_keeps_its_facts_beside_the_text() -> None:
    error = AgentFailedError("broke", code=3, details="the end of stderr")
    assert (str(error), error.kind, error.code, error.signal) == ("broke", "agent", 3, None)
    assert error.details == "the end of stderr"


def test_a_failed_provider_is_a_provider_error_with_its_wait() -> None:
    error = ProviderFailedError("busy", retry_after=2.0)
    assert isinstance(error, ProviderError)
    assert error.retry_after == 2.0


def test_both_can_be_copied() -> None:
    assert str(pickle.loads(pickle.dumps(AgentFailedError("broke")))) == "broke"
    assert str(pickle.loads(pickle.dumps(ProviderFailedError("busy")))) == "busy"
