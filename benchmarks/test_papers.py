"""Papers: one letter as PDF, and a thousand, each with its own words."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from benchmarks import town as drawn
from benchmarks.measured import measure
from sewershed.exchange.paper import Frame, Press
from sewershed.programs.spills.papers import caller_letter

ZONE = ZoneInfo("America/New_York")
LETTERS = 1_000


@pytest.fixture(scope="module")
def press() -> Press:
    made = Press()
    letter(made, 0)  # the first one reads the fonts
    return made


def letter(press: Press, number: int) -> bytes:
    """Returns a letter to a caller, unlike all others."""
    called = datetime(2026, 3, 8, 9, 30, tzinfo=ZONE) + timedelta(hours=number)
    said = caller_letter.CallerLetter(
        to=(f"Caller {number}", f"{number} Example Street"), day=date(2026, 3, 10), call_number=f"26-{number:04}",
        called=called, location=f"Example Street at number {number}", outcome="spill", arrived=called + timedelta(minutes=25),
        stopped=called + timedelta(minutes=70), said=("We cleared the line and will look at it again next month.",),
        advice=("Keep away from the ditch until the signs are gone.",), signer="the operator", signer_title="operator in charge",
        signer_telephone="555-0100",
    )  # fmt: skip
    frame = Frame(
        town="Example", address=("1 Example Street",), office="Public works", kind="Letter to the caller",
        title=f"Letter to the caller: number {number}", number=f"26-{number:04}", is_draft=False, is_example=True,
        supplement_number="1", supplement_hash="0" * 64, head="1:0123456789abcdef0123",
    )  # fmt: skip
    pdf = press.paper(caller_letter.TEMPLATE, frame, caller_letter.build(said, zone=ZONE), at=drawn.NOW).pdf
    assert pdf.startswith(b"%PDF")
    return pdf


def test_one_letter(benchmark, press):
    numbers = iter(range(1, 10_000))
    measure(
        benchmark, "a letter as PDF", lambda: letter(press, next(numbers)), bound_s=0.15, rounds=40, warmup_rounds=2
    )


def test_a_thousand_letters(benchmark, press):
    measure(
        benchmark, "1,000 letters as PDF", lambda: [letter(press, 10_000 + number) for number in range(LETTERS)],
        bound_s=60, rounds=1,
    )  # fmt: skip
