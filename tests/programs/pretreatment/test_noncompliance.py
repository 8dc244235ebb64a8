"""Significant noncompliance. Vectors SNC-1 to SNC-13 are worked by hand from the text of 40 CFR 403.8(f)(2)(viii) and
433.15; the year of copper results is edge case 101 of the rulebook's specification, worked by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from sewershed.programs.pretreatment.noncompliance import (
    Measurement,
    is_late_beyond,
    review_factor,
    snc,
    snc_of_user,
    tallies,
    windows_ended,
    windows_of_year,
)
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown

HALF = windows_of_year(2024, "half_years")[0]
USER = Thing("user-1", "user")


def measure(parameter, values, maximum, **more):
    return [
        Measurement(parameter, date(2024, 1, 1 + n), Decimal(value), maximum, **more) for n, value in enumerate(values)
    ]


def verdicts(measurements, window=HALF):
    found = tallies(measurements, window, chronic_percent=66, trc_percent=33)
    return {tally.test: tally.verdict for tally in found}


@pytest.mark.parametrize(
    ("parameter", "limit", "values", "chronic", "review"),
    [
        ("copper", "3.38", ["3.40", "3.50", "3.39", "3.20", "3.45", "1.00"], True, False),  # SNC-1: 4 of 6
        ("zinc", "2.61", ["3.132", "1.0", "1.0"], False, True),  # SNC-2: exactly 1.2 times the limit counts
        ("zinc", "2.61", ["3.131", "1.0", "1.0"], False, False),  # a hair below it does not
        ("bod", "300", ["420", "419.9", "100", "100", "100", "100"], False, False),  # SNC-3: 1 of 6
        ("bod", "300", ["420", "421", "100", "100", "100", "100"], False, True),  # SNC-4: 2 of 6
        ("copper", "3.38", ["3.38", "3.38", "3.38"], False, False),  # SNC-5: at the limit is not above it
        ("copper", "3.38", ["5.0"], True, True),  # SNC-6: one sample is all of them
    ],
)
def test_both_tests_follow_the_text(parameter, limit, values, chronic, review):
    assert verdicts(measure(parameter, values, Decimal(limit))) == {"chronic": chronic, "technical_review": review}


def test_ph_has_no_technical_review_and_is_beyond_outside_its_range():
    low = [Measurement("ph", date(2024, 2, n), Decimal("4.8"), minimum=Decimal(5)) for n in (1, 2)]  # SNC-9
    at = [Measurement("ph", date(2024, 2, n), Decimal("5.0"), minimum=Decimal(5)) for n in (1, 2)]
    assert verdicts(low) == {"chronic": True}
    assert verdicts(at) == {"chronic": False}


@pytest.mark.parametrize(("beyond", "total", "chronic"), [(2, 3, True), (66, 100, True), (65, 99, False)])
def test_66_percent_is_66_and_not_two_thirds(beyond, total, chronic):
    results = [
        Measurement("lead", date(2024, 3, 1), Decimal(1 if n < beyond else "0.1"), Decimal("0.5"), id=str(n))
        for n in range(total)
    ]
    assert verdicts(results)["chronic"] is chronic


@pytest.mark.parametrize(("beyond", "total", "review"), [(1, 3, True), (33, 100, True), (32, 97, False)])
def test_33_percent_is_33_and_not_a_third(beyond, total, review):
    results = [
        Measurement("lead", date(2024, 3, 1), Decimal(1 if n < beyond else "0.1"), Decimal("0.5"), id=str(n))
        for n in range(total)
    ]
    assert verdicts(results)["technical_review"] is review


def test_a_nondetect_counts_and_does_not_exceed_unless_its_reporting_limit_does():
    limit = Decimal("0.175")
    clean = [Measurement("zinc", date(2024, 2, 1), Decimal("0.01"), limit, qualifier="<")]
    coarse = [Measurement("zinc", date(2024, 2, 1), Decimal("0.20"), limit, qualifier="<", id="e7")]
    assert verdicts(clean) == {"chronic": False, "technical_review": False}
    found = verdicts(coarse)["chronic"]
    assert isinstance(found, Unknown)
    assert found.wants[0].event == "e7"


def test_what_cannot_be_told_matters_only_where_it_decides():
    limit = Decimal(1)
    sure = measure("zinc", ["2", "2", "2"], limit)
    unsure = [Measurement("zinc", date(2024, 2, 1), Decimal(2), None, id="no-limit")]
    assert verdicts(sure + unsure)["chronic"] is True  # 3 of 4 in any case
    assert isinstance(verdicts(sure[:1] + unsure)["technical_review"], bool)  # 1 of 2 in any case
    assert verdicts(measure("zinc", ["0.1"], limit) + unsure)["chronic"] is False  # at most 1 of 2
    assert isinstance(verdicts(measure("zinc", ["0.1"], limit) + unsure)["technical_review"], Unknown)  # 0 or 1 of 2


@pytest.mark.parametrize(
    ("day", "counted"), [(date(2023, 12, 31), 0), (date(2024, 1, 1), 1), (date(2024, 6, 30), 1), (date(2024, 7, 1), 0)]
)
def test_both_ends_of_a_window_belong_to_it(day, counted):
    found = tallies([Measurement("zinc", day, Decimal(2), Decimal(1))], HALF, chronic_percent=66, trc_percent=33)
    assert [t.total for t in found] == [1, 1][: 2 * counted]


@pytest.mark.parametrize(
    ("pollutant", "factor"),
    [
        ("bod", "1.4"),
        ("cbod", "1.4"),
        ("tss", "1.4"),
        ("oil_grease", "1.4"),
        ("zinc", "1.2"),
        ("ph", None),
        ("flow", None),
    ],
)
def test_the_factor_of_each_pollutant(pollutant, factor):
    """40 CFR 403.8(f)(2)(viii)(B): 1.4 for BOD, TSS, fats, oil and grease, 1.2 for all others except pH."""
    assert review_factor(pollutant) == (None if factor is None else Decimal(factor))


def test_a_sample_without_result_is_not_counted_and_points_are_apart():
    limit = Decimal(1)
    void = [Measurement("zinc", date(2024, 2, 1), None, limit, qualifier="no_result")]
    assert verdicts(measure("zinc", ["2"], limit) + void)["chronic"] is True
    two = measure("zinc", ["2"], limit, point="outfall 1") + measure("zinc", ["0.1"], limit, point="outfall 2")
    found = tallies(two, HALF, chronic_percent=66, trc_percent=33)
    assert {(t.point, t.verdict) for t in found if t.test == "chronic"} == {("outfall 1", True), ("outfall 2", False)}


@pytest.mark.parametrize(
    ("due", "done", "grace", "late"),
    [
        (date(2024, 1, 15), date(2024, 2, 29), 45, False),  # SNC-11: day 45 of a leap year
        (date(2024, 1, 15), date(2024, 3, 1), 45, True),
        (date(2023, 1, 15), date(2023, 3, 1), 45, False),
        (date(2023, 1, 15), date(2023, 3, 2), 45, True),
        (date(2024, 1, 1), date(2024, 3, 31), 90, False),  # SNC-12: day 90
        (date(2024, 1, 1), date(2024, 4, 1), 90, True),
        (date(2024, 1, 1), None, 90, True),  # still missing in June
    ],
)
def test_lateness_beyond_the_grace(due, done, grace, late):
    assert is_late_beyond(due, done, grace, as_of=date(2024, 6, 1)) is late


# ------------------------------------------------------------------ edge case 101: a user's record over two years


@dataclass
class Result:
    id: str
    day: date
    data: dict


@dataclass
class Calendar:
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("America/New_York"))


@dataclass
class Record:
    results: list[Result]
    calendar: Calendar = field(default_factory=Calendar)

    def events(self, thing, names):
        assert (thing, names) == (USER, ("sample_result",))
        return self.results

    def fact(self, thing, name):
        raise AssertionError(f"nobody asks for {name}")


COPPER = {
    date(2023, 10, 10): "5.0",
    date(2023, 11, 8): "4.5",
    date(2023, 12, 13): "3.9",
    date(2024, 1, 17): "4.4",
    date(2024, 2, 14): "0.9",
    date(2024, 3, 13): "1.0",
    date(2024, 4, 17): "0.8",
    date(2024, 5, 15): "1.1",
    date(2024, 6, 12): "4.2",
    **{date(2024, month, 10): "0.9" for month in range(7, 13)},
}


def record_of(values):
    data = {"parameter": "copper", "permit_limit": Decimal("3.38")}
    return Record([Result(str(day), day, {**data, "value": Decimal(value)}) for day, value in values.items()])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("rolling_quarters", [{"chronic", "technical_review"}, {"technical_review"}, set(), set()]),
        ("half_years", [{"technical_review"}, set()]),
    ],
)
def test_case_101_six_month_windows_of_2024(kind, expected):
    results = [Measurement("copper", day, Decimal(value), Decimal("3.38")) for day, value in COPPER.items()]
    found = [
        {t.test for t in tallies(results, window, chronic_percent=66, trc_percent=33) if t.verdict is True}
        for window in windows_of_year(2024, kind)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("asked", "kind", "answer"),
    [
        (date(2024, 3, 31), "rolling_quarters", None),  # the window of July to December 2023 has three results
        (date(2024, 4, 1), "rolling_quarters", True),
        (date(2024, 9, 30), "rolling_quarters", True),
        (date(2024, 10, 1), "rolling_quarters", False),
        (date(2024, 7, 1), "half_years", True),
        (date(2025, 1, 1), "half_years", False),
    ],
)
def test_case_101_as_a_fact_of_the_user(asked, kind, answer):
    asks = {"chronic_percent": 66, "trc_percent": 33, "windows": kind}
    value, steps = snc_of_user.explain(asks, record_of(COPPER), USER, asked)
    assert value == (True if answer is None else answer)
    assert any("copper" in step and "percent" in step for step in steps)


def test_case_101_as_the_yearly_list():
    asks = dict.fromkeys(snc.asks, 0) | {"chronic_percent": 66, "trc_percent": 33, "windows": "rolling_quarters"}
    assert snc.call(asks, record_of(COPPER), USER, date(2025, 1, 1)) == (
        "A copper 2023-10-01 to 2024-03-31",
        "B copper 2023-10-01 to 2024-03-31",
        "B copper 2024-01-01 to 2024-06-30",
    )


def test_a_window_without_a_measurement_is_no_compliance():
    asks = {"chronic_percent": 66, "trc_percent": 33, "windows": "half_years"}
    value = snc_of_user.call(asks, Record([]), USER, date(2024, 7, 1))
    assert isinstance(value, Unknown)
    assert [(want.kind, want.what) for want in value.wants] == [("event", "sample_result")]


def test_the_yearly_list_refuses_where_a_window_holds_no_measurement():
    asks = dict.fromkeys(snc.asks, 0) | {"chronic_percent": 66, "trc_percent": 33, "windows": "half_years"}
    value = snc.call(asks, Record([]), USER, date(2024, 7, 1))
    assert isinstance(value, Unknown)
    assert [(want.kind, want.what) for want in value.wants] == [("event", "sample_result")]


def test_the_newest_window_that_has_ended_counts_from_the_day_after_it():
    assert windows_ended(date(2024, 12, 31), "half_years")[-1].last == date(2024, 6, 30)
    assert windows_ended(date(2025, 1, 1), "half_years")[-1].last == date(2024, 12, 31)
    assert len(windows_ended(date(2024, 2, 1), "rolling_quarters")) == 4


def test_the_books_figures_are_asked_by_name():
    assert set(snc.asks) == {"chronic_percent", "trc_percent", "late_report_days", "late_milestone_days", "windows"}
    assert set(snc_of_user.asks) == {"chronic_percent", "trc_percent", "windows"}
    assert str(snc_of_user.result) == "true/false"


def test_a_share_is_exact():
    limit = Decimal("3.38")
    tally = tallies(measure("copper", ["4"] * 2 + ["1"], limit), HALF, chronic_percent=Fraction(200, 3), trc_percent=33)
    assert tally[0].verdict is True  # exactly two thirds of three


@pytest.mark.parametrize(
    ("qualifier", "value", "beyond"),
    [
        ("<", "3.38", False),  # below a reporting limit that lies at the limit itself
        ("<", "3.39", None),  # below 3.39: it may lie above 3.38
        (">", "3.38", True),  # more than the limit
        (">", "3.37", None),
        (">", "9", True),
    ],
)
def test_what_lies_below_or_above_what_can_be_measured(qualifier, value, beyond):
    one = Measurement("copper", date(2024, 1, 1), Decimal(value), Decimal("3.38"), qualifier=qualifier)
    assert one.is_beyond(one.maximum, or_equal=False) is beyond


@pytest.mark.parametrize(
    ("value", "maximum", "asked"),
    [(None, None, "sample_result.value"), (Decimal(1), None, "sample_result.permit_limit")],
)
def test_what_is_missing_of_a_result_is_asked_for(value, maximum, asked):
    one = Measurement("copper", date(2024, 1, 1), value, maximum, id="s1")
    assert one.wants("user-1").what == asked
