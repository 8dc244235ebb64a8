"""What is wrong with a condition."""

from __future__ import annotations


class ConditionError(ValueError):
    """A condition that cannot be used; its text says why, in the words that a loader puts after the condition."""
