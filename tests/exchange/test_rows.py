"""What messages say of lines and texts. Expected sentences are written by hand."""

from __future__ import annotations

from sewershed.exchange.rows import lines_in_words, shown


def test_neighbors_are_said_together_from_three_on():
    assert lines_in_words([9]) == "line 9"
    assert lines_in_words([3, 4]) == "lines 3, 4"
    assert lines_in_words([5, 3, 4]) == "lines 3 to 5"
    assert lines_in_words([1, 3, 5, 7, 9, 11]) == "lines 1, 3, 5, 7, 9, 11"
    assert lines_in_words([1, 3, 5, 7, 9, 11, 13]) == "lines 1, 3, 5, 7, 9, 11, and 1 more"


def test_a_text_is_shown_on_one_line_and_cut():
    assert shown("a\r\n\tb\x00c") == "a b c"
    assert shown("x" * 60) == "x" * 60
    assert shown("x" * 61) == "x" * 59 + "…"
