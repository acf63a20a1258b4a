"""A probing in the terminal: what was changed, expected and came."""

from msgspec.structs import replace

from fairtrial.records import (
    Detection,
    JudgeProbing,
    JudgeUse,
    Leniency,
    ProbeExample,
    ProbeResult,
)
from fairtrial.report import Style, probe_lines

USE = JudgeUse(judge="small", fingerprint="f", asks="live", verdicts=20, calls=20)
TONE = ProbeResult(
    name="tone",
    change="the answer says how sure it is",
    expected="same",
    pairs=10,
    flips=3,
    rate=0.3,
    interval=(0.1, 0.6),
    to_pass=2,
    to_fail=1,
    unjudged=1,
    examples=tuple(
        ProbeExample(
            case=f"c{n}", trial=0, question="Is polite", before=True, after=False, reason="so it is"
        )
        for n in range(3)
    ),
)


def told(*probes: ProbeResult, use: JudgeUse = USE, verbose: bool = False) -> str:
    probing = JudgeProbing(run="r1", sampled=20, probes=probes, use=use)
    return " ".join("\n".join(probe_lines(probing, "USD", Style(), verbose=verbose)).split())


def test_each_probe_says_what_was_expected_and_what_came_with_examples() -> None:
    text = told(TONE)
    assert "Judge small, probed on 20 trials of r1." in text
    assert "tone changed the answer says how sure it is expected the verdict stays" in text
    assert "came 3 of 10 pairs changed, 30 % [10, 60]; to PASS 2, to FAIL 1" in text
    assert "1 without a verdict" in text
    assert "c0 trial 0, Is polite: PASS, then FAIL: so it is" in text
    assert "c2 trial 0" not in text
    assert "and 1 more (show with --verbose)" in text
    assert "c2 trial 0" in told(TONE, verbose=True)


def test_a_known_verdict_that_came_otherwise_is_said_so() -> None:
    empty = ProbeResult(
        name="empty", change="the answer is empty", expected="FAIL", pairs=4, flips=1, rate=0.25,
        interval=(0.1, 0.7), to_pass=1,
    )  # fmt: skip
    assert "expected FAIL came 1 of 4 pairs otherwise, 25 %" in told(empty)
    swayed = replace(empty, unfit=2)
    assert "left out: 2 records that it passed before any change" in told(swayed)


def test_faults_found_are_told_by_kind() -> None:
    faults = ProbeResult(
        name="wrong argument", change="x", expected="FAIL", pairs=4, flips=1, rate=0.25,
        interval=(0.1, 0.7), unfit=1,
        detections=(Detection(kind="date", planted=4, found=3, rate=0.75, interval=(0.2, 0.99)),),
    )  # fmt: skip
    text = told(faults)
    assert "date 3 of 4 found, 75 % [20, 99]" in text
    assert "left out: 1 record that it failed without the fault too" in text


def test_places_noise_and_leniency_have_their_own_words() -> None:
    order = replace(TONE, first=3, second=0, p=0.25, examples=())
    assert "the first place won both times in 3, the second in 0 (p 0.25)" in told(order)
    assert "one call errs with a chance of 6.2 %" in told(replace(TONE, noise=0.0622))
    leniency = Leniency(
        own=0.16, other=-0.02, difference=0.18, error=0.08, own_answers=50, other_answers=40
    )
    text = told(ProbeResult(name="own family", change="x", expected="same", leniency=leniency))
    assert "+16.0 points more than people do of 50 answers of its own family, -2.0" in text
    assert "+18.0 points apart (error 8.0)" in text


def test_what_was_not_measured_says_why_and_shows_no_number() -> None:
    none = ProbeResult(
        name="stranger", change="x", expected="FAIL", not_measured="not measured: no other case"
    )
    text = told(none, use=replace(USE, asks="replay", wanted_calls=3))
    assert "came not measured: no other case" in text
    assert "%" not in text
    assert "not on file 3 replies" in text


def test_a_dry_run_shows_what_it_would_ask_alone() -> None:
    use = replace(USE, asks="dry", wanted_calls=300, wanted_tokens=120_000)
    text = told(TONE, use=use)
    assert "would ask 300 calls, about 120,000 tokens, the price is not known" in text
    assert "tone" not in text


def test_text_from_outside_cannot_paint_or_break_lines() -> None:
    bad = "\x1b[31m\n::error::"
    example = ProbeExample(case=bad, trial=0, question=bad, after=True, change=bad, reason=bad)
    probing = JudgeProbing(
        run=bad, sampled=1, probes=(replace(TONE, examples=(example,)),), use=USE
    )
    text = "\n".join(probe_lines(probing, bad, Style(), verbose=True))
    assert "\x1b" not in text
    assert not any(line.startswith("::error::") for line in text.splitlines())
