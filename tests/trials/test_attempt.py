"""An attempt knows how late it is, and what carries over to the next."""

from fairtrial.trials.attempt import Attempt


def test_an_attempt_that_is_back_is_not_late_however_long_nobody_looks() -> None:
    attempt = Attempt("job")
    attempt.started = 0.0
    attempt.returned = True
    assert attempt.late_by(99.0, timeout=1.0) < 0


def test_only_the_providers_failures_count_as_retries() -> None:
    lost = Attempt("job", waited=2.0).again(provider_failed=False)
    failed = lost.again(provider_failed=True)
    assert (lost.number, lost.retries) == (2, 0)
    assert (failed.number, failed.retries, failed.waited) == (3, 1, 2.0)
