"""Which conditions can be seen never to hold together. Each answer is plain logic, beside the smallest change that turns it."""

from __future__ import annotations

import pytest

from sewershed.rules.conditions.apart import are_apart, meaning_of

APART = [
    ("event.passed", "!event.passed"),
    ("event.kind == 'a'", "event.kind != 'a'"),
    ("event.kind == 'a'", "'b' == event.kind"),
    ("event.kind in ['a', 'b']", "event.kind in ['c']"),
    ("event.kind in ['a', 'b']", "event.kind != 'a' && event.kind == 'c'"),
    ("event.gal >= 15000", "event.gal < 15000"),
    ("event.gal > 5.0", "event.gal <= 5"),
    ("event.gal < 5", "5 < event.gal"),
    ("event.gal == 7", "event.gal > 7"),
    ("event.kind == 'a' && event.passed", "event.gal > 5 && !event.passed"),
    ("event.kind == 'a' || event.kind == 'b'", "event.kind == 'c'"),
    ("false", "event.passed"),
    ("(event.kind == 'a')", "!(event.kind=='a')"),
]
TOGETHER = [
    ("event.passed", "event.passed"),
    ("event.passed", "!event.repeated"),
    ("event.kind != 'a'", "event.kind != 'b'"),
    ("event.kind in ['a', 'b']", "event.kind in ['b', 'c']"),
    ("event.gal >= 15000", "event.gal <= 15000"),
    ("event.gal > 4", "event.gal < 5"),
    ("event.gal < 4", "event.gal < 5"),
    ("event.gal == 7", "event.gal >= 7"),
    ("event.kind == 'a' || event.kind == 'c'", "event.kind == 'c'"),
    ("event.kind == 'a' ? event.passed : false", "event.kind == 'b'"),  # not understood: taken to hold
    ("true", "event.passed"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_never_together(one, other):
    assert are_apart([one], [other])
    assert are_apart([other], [one])


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_perhaps_together(one, other):
    assert not are_apart([one], [other])
    assert not are_apart([other], [one])


def test_all_of_one_side_holds_and_none_is_apart_from_nothing():
    assert are_apart(["event.gal > 5", "event.passed"], ["!event.passed"])
    assert not are_apart(["event.gal > 5", "event.passed"], [])


def test_an_item_stands_for_its_word():
    assert are_apart(["event.step == item"], ["event.step == 'belts'"], item=("floats", ""))
    assert not are_apart(["event.step == item"], ["event.step == 'belts'"], item=("belts", ""))
    assert are_apart(["event.step == item"], ["event.step == item"], item=("floats", "belts"))


def test_blanks_and_brackets_have_no_meaning():
    assert meaning_of("a.b  ==  'x'  &&  (a.c > 5)") == meaning_of("a.b == 'x' && a.c > 5")
    assert meaning_of("a.b == 'x'") != meaning_of("a.b == 'y'")
