from fairtrial.records import Case, Expectation, Limits, Source


def test_a_source_reads_as_file_and_line() -> None:
    assert str(Source("evals/fees.yaml", 12)) == "evals/fees.yaml:12"


def test_a_case_asks_for_nothing_by_itself() -> None:
    case = Case(id="c", hash="0", source=Source("a.yaml", 1))
    assert (case.expect, case.limits, case.rules) == (Expectation(), Limits(), ())
    assert (case.protected, case.informs) == (False, ())
