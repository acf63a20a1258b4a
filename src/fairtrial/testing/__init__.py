"""For tests in Python."""
