"""Moments as people type and read them: the words stand in the ledger, where the desk finds them too."""

from sewershed.ledger.moments import (
    clock_words,
    day_words,
    instant_of,
    iso_text,
    left_words,
    moment_of,
    moment_words,
    span_words,
)

__all__ = [
    "clock_words", "day_words", "instant_of", "iso_text", "left_words", "moment_of", "moment_words", "span_words",
]  # fmt: skip
