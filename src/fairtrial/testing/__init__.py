"""For tests in Python: whether a tool is fit for an agent, and whether a case passed."""

from fairtrial.testing.assertions import assert_passed, assert_tool
from fairtrial.testing.finding import Finding
from fairtrial.testing.tool_check import check_tool

__all__ = ["Finding", "assert_passed", "assert_tool", "check_tool"]
