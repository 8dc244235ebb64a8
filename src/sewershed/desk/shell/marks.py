"""Marks: the word of a state, its shape and its color. Never one of the three alone.

The words are the engine's (`rules.todo`), and those of a finding. The shape lies in the sprite of the page under `s-SHAPE`,
the color in `desk.css` under `is-COLOR`.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a state."""

    word: str
    shape: str
    color: str
    means: str


MARKS = {
    mark.word: mark
    for mark in (
        Mark("Overdue", "overdue", "overdue", "The day has passed and nothing that counts is recorded"),
        Mark("Due soon", "soon", "soon", "Within 7 days, or its hours are running"),
        Mark("Needs decision", "decide", "decide", "The text leaves it to a person, or contradicts itself"),
        Mark("Cannot tell", "unknown", "unknown", "A fact is missing. Never counted as in order"),
        Mark("Waiting", "waiting", "waiting", "Open, more than 7 days off, or not started"),
        Mark("Met", "met", "met", "Recorded in time"),
        Mark("Met late", "late", "late", "Recorded after the day"),
        Mark("Excused", "excused", "rest", "The text lifts it here, with the reason"),
        Mark("Stayed", "stayed", "rest", "On hold, by appeal or order"),
        Mark("Not needed", "ended", "rest", "Its condition was not met, so nothing is owed"),
        Mark("Ended", "ended", "rest", "Over without being met: the reason stands beside it"),
        Mark("Replaced", "ended", "rest", "Another duty took its place"),
        Mark("Withdrawn", "ended", "rest", "What it rested on was withdrawn"),
        Mark("Not met", "overdue", "overdue", "A finding: what the clause asks is not so"),
        Mark("Not regulated", "ended", "rest", "A finding: no clause says anything of it"),
    )
}


def mark(word: str) -> Mark:
    """Returns the mark of a state.

    Refuses: a word that has no mark, so that no state is ever shown without one.

    Raises:
        LookupError: naming the words there are.
    """
    try:
        return MARKS[word]
    except KeyError:
        raise LookupError(f"{word!r} is no state that has a mark; there are {', '.join(MARKS)}") from None


def picture(shape: str) -> SafeString:
    """Returns a shape of the sprite; what it says must stand beside it in words."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#s-{}"/></svg>', shape)


def marked(word: str, text: str = "") -> SafeString:
    """Returns the mark of a state with its word, or with other words that say as much."""
    one = mark(word)
    return format_html('<span class="state is-{}">{}{}</span>', one.color, picture(one.shape), text or word)


def marked_alone(word: str) -> SafeString:
    """Returns the mark of a state whose word only a screen reader says: for a list under a heading that says it."""
    one = mark(word)
    return format_html(
        '<span class="state is-{}">{}<span class="usa-sr-only">{}</span></span>', one.color, picture(one.shape), word
    )
