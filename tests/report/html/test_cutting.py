import json

from fairtrial.report.html.cutting import CUT_KEY, LONGEST_LINE, cut_line


def test_texts_and_lists_are_cut_and_the_trial_says_so() -> None:
    line = json.dumps({"answer": "x" * 9000, "steps": list(range(1000)), "ok": True}).encode()
    cut = json.loads(cut_line(line))
    assert cut["answer"].endswith("… (5,000 more characters)")
    assert cut["steps"][299:] == [299, "… (700 more items)"]
    assert (cut["ok"], cut[CUT_KEY]) == (True, True)


def test_a_long_mapping_is_cut() -> None:
    cut = json.loads(cut_line(json.dumps({"state": {f"k{n}": n for n in range(900)}}).encode()))
    assert cut["state"]["…"] == "(600 more items)"


def test_many_short_values_come_to_an_end() -> None:
    line = json.dumps({"steps": [[[n] * 90 for n in range(200)] for _ in range(200)]}).encode()
    assert 0 < len(cut_line(line)) <= LONGEST_LINE


def test_what_cannot_be_cut_small_enough_is_left_out() -> None:
    line = json.dumps({str(n): {str(m): "y" * 4000 for m in range(300)} for n in range(9)}).encode()
    assert cut_line(line) == b""


def test_what_is_no_trial_is_left_out() -> None:
    for line in (b"[1]", b"{", b"[" * 100_000, b'{"a":"%s"}' % (b"x" * 2**25)):
        assert cut_line(line) == b""
