"""Spans: what is read, how it is written again, what is refused."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.rules.spans import UNITS, Span, SpanError, SpanUnit, parse_span, read_unit


def refusal(text: str) -> str:
    with pytest.raises(SpanError) as error:
        parse_span(text)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30 minutes", Span(30, "minutes")),
        ("24 hours", Span(24, "hours")),
        ("1 day", Span(1, "days")),
        ("30 days", Span(30, "days")),
        ("30 days?", Span(30, "days", unsaid=True)),
        ("1 day?", Span(1, "days", unsaid=True)),
        ("10 business days", Span(10, "business_days")),
        ("1 business day", Span(1, "business_days")),
        ("2 weeks", Span(2, "weeks")),
        ("6 months", Span(6, "months")),
        ("1 year", Span(1, "years")),
        ("0 days", Span(0, "days")),
        ("1.5 hours", Span(Decimal("1.5"), "hours")),
    ],
)
def test_spans_are_read_and_written_again(text: str, span: Span) -> None:
    assert parse_span(text) == span
    assert str(span) == text


@pytest.mark.parametrize(
    "text",
    [
        "thirty days",
        "30",
        "days",
        "30 fortnights",
        "30days",
        "30  days",
        " 30 days",
        "-30 days",
        "30 Days",
        "30 days ?",
        "30 days??",
        "",
        "٣٠ days",
        "30 working days",
    ],
)
def test_what_is_no_span_is_refused_in_the_words_of_the_specification(text: str) -> None:
    assert refusal(text) == f'bad span \'{text}\'; write e.g. "24 hours", "10 business days", "6 months"'


@pytest.mark.parametrize("text", ["24 hours?", "5 business days?", "2 weeks?", "6 months?"])
def test_only_days_can_be_unsaid(text: str) -> None:
    assert refusal(text) == f"bad span '{text}'; only days can leave open which they are"


@pytest.mark.parametrize(
    ("n", "unit", "message"),
    [
        (Decimal("1.5"), "days", "a span of 1.5 days cannot be counted, days are whole"),
        (Fraction(1, 2), "weeks", "a span of 1/2 weeks cannot be counted, weeks are whole"),
        (Decimal("0.5"), "months", "a span of 0.5 months cannot be counted, months are whole"),
        (Decimal("0.5"), "years", "a span of 0.5 years cannot be counted, years are whole"),
        (Decimal("2.5"), "business_days", "a span of 2.5 business days cannot be counted, business days are whole"),
        (Fraction(1, 7), "hours", "a span of 1/7 hours does not come to whole seconds"),
        (Decimal("0.001"), "minutes", "a span of 0.001 minutes does not come to whole seconds"),
        (-1, "days", "a span of -1 days is negative"),
        (Decimal("-0.5"), "hours", "a span of -0.5 hours is negative"),
        (Decimal("NaN"), "days", "a span of NaN days is no amount of time"),
        (Decimal("Infinity"), "hours", "a span of Infinity hours is no amount of time"),
        (10**12, "days", "a span of 1000000000000 days is no amount of time"),
    ],
)
def test_an_amount_that_cannot_be_counted_is_refused(n: int, unit: SpanUnit, message: str) -> None:
    with pytest.raises(SpanError) as error:
        Span(n, unit)
    assert str(error.value) == message


@pytest.mark.parametrize("unit", UNITS)
def test_a_whole_decimal_is_the_same_span(unit: SpanUnit) -> None:
    span = Span(Decimal("14.0"), unit)  # as a record gives it: { n = "trigger.days" }
    assert span == Span(14, unit)
    assert hash(span) == hash(Span(14, unit))
    assert str(span) == str(Span(14, unit))
    assert type(span.n) is int


@pytest.mark.parametrize(
    ("span", "length"),
    [
        (Span(30, "minutes"), timedelta(minutes=30)),
        (Span(Decimal("1.5"), "hours"), timedelta(minutes=90)),
        (Span(Fraction(1, 3600), "hours"), timedelta(seconds=1)),
        (Span(2, "days"), timedelta(hours=48)),
        (Span(2, "weeks"), timedelta(days=14)),
        (Span(2, "business_days"), None),
        (Span(2, "months"), None),
        (Span(2, "years"), None),
    ],
)
def test_the_length_is_elapsed_time_where_the_calendar_does_not_matter(span: Span, length: timedelta | None) -> None:
    assert span.length == length


def test_unsaid_days_are_read_one_way_or_the_other() -> None:
    unsaid = parse_span("5 days?")
    assert unsaid.read_as("calendar") == Span(5, "days")
    assert unsaid.read_as("business") == Span(5, "business_days")
    said = parse_span("5 days")
    assert said.read_as("business") is said


def test_units_are_read_singular_and_plural() -> None:
    assert {read_unit(word) for word in ("day", "days")} == {"days"}
    assert {read_unit(word) for word in ("business day", "business days")} == {"business_days"}
    with pytest.raises(SpanError) as error:
        read_unit("bussiness days")
    assert str(error.value) == "unknown unit of time 'bussiness days'; did you mean 'business days'?"


@given(st.integers(0, 10_000), st.sampled_from(UNITS), st.booleans())
def test_every_span_is_read_back_from_its_text(n: int, unit: SpanUnit, unsaid: bool) -> None:
    span = Span(n, unit, unsaid=unsaid and unit == "days")
    assert parse_span(str(span)) == span
