"""The story of fairtrial, one file a verb: the only place where the rooms meet.

Entered by its files (`flow.grade`, `flow.compare`, ...), so that each verb loads only what it
needs.
"""

__all__: list[str] = []
