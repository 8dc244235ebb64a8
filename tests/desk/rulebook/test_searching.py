"""Words and figures are found as they are typed: nothing is guessed, and a figure is a whole one."""

from __future__ import annotations

import pytest

from sewershed.desk.rulebook.searching import Wanted, flat


@pytest.mark.parametrize(
    ("text", "said", "is_in"),
    [
        ("1,000", "a spill of 1000 gallons", True), ("1000", "a spill of 1,000 gallons", True), ("100", "1,000 gallons", False),
        ("1,000", "21,000 gallons", False), ("1,000", "1,000,000 gallons", False), ("000", "1,000 gallons", False),
        ("30", "within 30 days", True), ("30", "within 300 days", False), ("30", "22-30(a)", False), ("30", "1.30", False),
        ("30", "30.5 feet", False), ("2.5", "a BOD of 2.50", False), ("2.50", "a BOD of 2.50", True), ("30", "(30) days.", True),
        ("22-30", "22-30(a)", True), ("22-30", "22-309", False), ("22-30", "122-30", False), ("24 hours", "24 of 48 hours", True),
        ('"24 hours"', "24 of 48 hours", False), ('"24 hours"', "within 24  hours", True), ("twenty", "24 hours", False),
        ("GALLON", "a thousand gallons", True), ("galon", "a thousand gallons", False), ("$25,000", "up to $25,000 a day", True),
        ("", "anything", False), ('""', "anything", False),
    ],
)  # fmt: skip
def test_it_stands_there_or_it_does_not(text, said, is_in):
    assert Wanted(text).is_in([said]) is is_in


def test_all_of_it_must_stand_somewhere_in_what_is_looked_at():
    assert Wanted("press 1,000").is_in(["Issue a press release", "from 1000 gallons"])
    assert not Wanted("press 2,000").is_in(["Issue a press release", "from 1000 gallons"])


def test_where_it_stands_together_comes_first():
    wanted = Wanted("24 hours")
    together, apart = wanted.best(["within 24 hours"]), wanted.best(["24 of 48 hours"])
    assert together > apart
    assert wanted.best(["24 apples", "48 hours of 24", "speak within 24 hours"])[1] == "speak within 24 hours"


def test_commas_between_thousands_are_none_and_others_are():
    assert flat("1,000,000 and 1,2 and 12,345 A") == "1000000 and 1,2 and 12345 a"
