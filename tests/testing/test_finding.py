"""A finding about a tool: one line that says where and what."""

from fairtrial.testing.finding import Finding


def test_it_reads_as_its_rule_and_its_sentence() -> None:
    finding = Finding(rule="errors", about="order", text="an unknown order is no ToolError")
    assert str(finding) == "errors: an unknown order is no ToolError"
