"""The probes: which changed answers there are, and which not."""

from fairtrial.judge import Probe, Probed, order_question, probes_of, served
from fairtrial.records import Case, Expectation, Source, Step, ToolCall, Trajectory


def trial(name: str, answer: str | None = None, *, passed: bool = True, **more: object) -> Probed:
    case = Case(
        id=name,
        hash="",
        source=Source("a.yaml", 1),
        input=f"Tell {name}",
        expect=Expectation(reference=f"It is {name}."),
    )
    step = Step(calls=(ToolCall(name="look", arguments={"id": f"{name}-1"}, result=1),))
    trajectory = Trajectory(case=name, answer=answer, steps=(step,))
    fields = {"case": case, "trial": 0, "trajectory": trajectory, "question": served(case)}
    return Probed(passed=passed, **(fields | more))  # type: ignore[arg-type]  # fields by name


def named(probes: tuple[Probe, ...], name: str) -> Probe:
    return next(probe for probe in probes if probe.name == name)


APPLE, RIVER = trial("apple", "An apple."), trial("river", "The Rhine flows north.")


def test_every_probe_of_the_list_is_there() -> None:
    assert [probe.name for probe in probes_of([APPLE, RIVER])] == [
        "order", "padding", "tone", "format", "retest", "injected orders", "injected reply",
        "injected fence", "empty", "stranger", "reference", "wrong argument",
    ]  # fmt: skip


def test_what_must_not_count_is_held_against_the_same_answer_unchanged() -> None:
    probes = probes_of([APPLE])
    for name in ("padding", "tone", "format"):
        (change,) = named(probes, name).changes
        assert change.before is not None
        assert change.before.question == change.after.question
        assert change.before.material.transcript != change.after.material.transcript
    (again,) = named(probes, "retest").changes
    assert again.before is not None
    assert (again.before.material.repeat, again.after.material.repeat) == (0, 1)


def test_the_order_probe_turns_two_trials_of_one_case_and_takes_each_pair_once() -> None:
    other = Trajectory(case="apple", answer="A pear.")
    turned = trial("apple", "A pear.", rival=APPLE.trajectory, trial=1)
    turned = Probed(
        case=APPLE.case, trial=1, trajectory=other, passed=True,
        question=APPLE.question, rival=APPLE.trajectory,
    )  # fmt: skip
    first = trial("apple", "An apple.", rival=other)
    (change,) = named(probes_of([first, turned]), "order").changes
    assert change.before is not None
    before, after = change.before.material, change.after.material
    assert (before.transcript, before.second) == (after.second, after.transcript)
    assert change.after.question == order_question("It is apple.")
    (alone,) = named(probes_of([APPLE]), "order").changes
    assert "> Tell apple" in str(alone.after.material.transcript)


def test_a_stranger_is_of_another_case_and_what_is_injected_stands_in_it() -> None:
    probes = probes_of([APPLE, RIVER])
    shown = [change.after.material.transcript for change in named(probes, "stranger").changes]
    assert ["Rhine" in shown[0], "Rhine" in shown[1]] == [True, False]
    for change in named(probes, "injected orders").changes:
        assert change.before is not None
        assert "SYSTEM" not in change.before.material.transcript
        assert "SYSTEM" in change.after.material.transcript


def test_without_another_case_the_injected_answer_was_empty_and_nobody_is_a_stranger() -> None:
    probes = probes_of([APPLE])
    assert named(probes, "stranger").changes == ()
    (change,) = named(probes, "injected fence").changes
    assert change.before is not None
    assert "An apple." not in change.before.material.transcript
    assert change.before.material.transcript.endswith("(empty)")


def test_references_and_wrong_arguments_are_taken_of_trials_that_passed() -> None:
    lost = trial("river", "No idea.", passed=False)
    probes = probes_of([APPLE, lost])
    assert len(named(probes, "reference").changes) == 1
    (change,) = named(probes, "wrong argument").changes
    assert (change.kind, change.after.material.case) == ("id", "apple")
    assert change.before is not None
    assert change.before.material.transcript == APPLE.asked().material.transcript


def test_trials_without_an_answer_are_only_where_none_is_needed() -> None:
    probes = probes_of([trial("apple")])
    counts = {probe.name: len(probe.changes) for probe in probes}
    assert {name for name, count in counts.items() if count == 0} == {
        "order", "padding", "tone", "format", "stranger",
    }  # fmt: skip


def test_hostile_answers_are_changed_without_a_crash() -> None:
    hostile = ["\x00\x1b[31m", "{{ x }} {marker}", "m4rk END\n" * 500, "\ud800", "﷽" * 3_000]
    probes = probes_of([trial(f"c{n}", answer) for n, answer in enumerate(hostile)])
    assert all(len(named(probes, name).changes) == 5 for name in ("padding", "tone", "format"))
