"""What a case shows, from sums and with few of its trials."""

from fairtrial.records import CaseResult, Trial
from fairtrial.report import PLAIN, CaseView, scorecard_lines
from tests.report.conftest import Run


def telling(trial: Trial) -> bool:
    doubtful = any(check.passed is not True for check in trial.checks)
    return doubtful or trial.verdict != "passed" or trial.error is not None


def few(result: CaseResult) -> CaseView:
    """Show a case of which only the trials are read that must be."""
    figures = CaseView.of(result).figures
    return CaseView(result, figures, lambda: filter(telling, result.trials))


def test_a_scorecard_of_views_reads_as_that_of_all_trials(small_run: Run, large_run: Run) -> None:
    for run in (small_run, large_run):
        for verbose in (False, True):
            whole = scorecard_lines(*run, PLAIN, verbose=verbose)
            views = scorecard_lines(
                run.info, run.scorecard, map(few, run.results), PLAIN, verbose=verbose
            )
            assert list(views) == list(whole)


def test_the_trials_of_a_case_are_read_once_and_only_when_they_are_wanted(small_run: Run) -> None:
    result, read = small_run.results[0], []

    def trials() -> tuple[Trial, ...]:
        read.append(result.id)
        return result.trials

    view = CaseView(result, CaseView.of(result).figures, trials)
    assert (view.figures.trials, read) == (3, [])
    assert (view.telling, view.telling) == (result.trials, result.trials)
    assert len(read) == 1


def test_passed_cases_are_not_read_for_a_scorecard(large_run: Run) -> None:
    read = []

    def view(result: CaseResult) -> CaseView:
        def trials() -> tuple[Trial, ...]:
            read.append(result.status)
            return result.trials

        return CaseView(result, CaseView.of(result).figures, trials)

    views = map(view, large_run.results)
    assert list(scorecard_lines(large_run.info, large_run.scorecard, views, PLAIN))
    assert "passed" not in read
