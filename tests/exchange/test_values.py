"""What a cell says: nulls, questions by column, days, times on a clock that changes, units. Expected by hand.

The clock of New York in 2024: 10 March 2:00 becomes 3:00 (standard is -05:00), 3 November 2:00 becomes 1:00 again.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from sewershed.exchange.columns import TIME, Match, Target
from sewershed.exchange.lists import BadCell, Line, Sheet
from sewershed.exchange.values import (
    Null,
    Unread,
    filled_down,
    questions_about,
    read_cell,
    read_moment_of,
    readings_of,
)
from sewershed.rules.types import BOOL, DATE, INSTANT, MOMENT, NUMBER, TEXT, Thing, Type

NEW_YORK = ZoneInfo("America/New_York")
D = Decimal
GALLONS, GPM, INCHES, PERCENT, MONEY = (Type("number", unit=one) for one in ("gallon", "gpm", "in", "percent", ""))
TYPES = Type("choice", words=("DCVA", "RP", "not_new"))


def sheet_of(cells: list[object], *, epoch: int | None = None, unit: str = "") -> Sheet:
    lines = tuple(Line(n, (cell,)) for n, cell in enumerate(cells, start=2))
    return Sheet("a", ("x",), 1, lines, (), epoch=epoch, units=(("x", unit),) if unit else ())


def asked(cells: list[object], kind: Type, **more: object) -> dict[str, tuple[str, ...]]:
    """Returns the questions about a column: what each asks, with its choices."""
    found = questions_about(sheet_of(cells, **more), [Match("x", "f", "")], [Target("f", "F", kind)], NEW_YORK)
    return {one.kind: tuple(choice.value for choice in one.choices) for one in found}


def read(cells: list[object], kind: Type, answers: dict[str, str] | None = None, **more: object) -> list[object]:
    """Returns what each cell of a column is read as; of an unread one its reason's first words are enough to tell."""
    sheet = sheet_of(cells, **more)
    readings = readings_of(sheet, [Match("x", "f", "")], [Target("f", "F", kind)], NEW_YORK, {"x": answers or {}})
    return [read_cell(cell, kind, readings["x"], NEW_YORK) for cell in cells]


def one(cell: object, kind: Type, **answers: str) -> object:
    return read_cell(cell, kind, answers, NEW_YORK)


def utc(*said: int) -> datetime:
    return datetime(*said, tzinfo=UTC)


# ------------------------------------------------------------------------------------------------ nulls


@pytest.mark.parametrize(
    "cell", [None, "", "  ", "\u00a0", "N/A", "n/a", "na", "none", "NULL", "nil", "-", " - ", "--", "\u2014", "#N/A"]
)
@pytest.mark.parametrize("kind", [TEXT, GALLONS, DATE, MOMENT, BOOL, TYPES, TIME])
def test_what_says_nothing_is_blank(cell, kind):
    assert one(cell, kind) is Null.BLANK


@pytest.mark.parametrize("cell", ["unknown", "UNK", "?", "??", "TBD", "not known"])
@pytest.mark.parametrize("kind", [TEXT, GALLONS, DATE, MOMENT, BOOL, TYPES, TIME])
def test_asked_and_not_known_is_another_null(cell, kind):
    assert one(cell, kind) is Null.NOT_KNOWN


def test_a_word_of_the_field_goes_before_a_null():
    assert one("None", Type("choice", words=("none", "portable"))) == "none"
    assert one("unknown", Type("choice", words=("unknown", "known"))) == "unknown"


@pytest.mark.parametrize(
    ("cell", "kind"),
    [("0", GALLONS), (D(0), GALLONS), ("no", BOOL), (False, BOOL), ("Nan", TEXT), ("N. A. Smith Rd", TEXT)],
)
def test_zero_and_no_are_no_nulls(cell, kind):
    assert not isinstance(one(cell, kind), Null)


# ------------------------------------------------------------------------------------------------ day and month


def test_days_that_could_all_be_either_are_asked_about_once():
    assert asked(["3/4/2024", "5/6/2024"], DATE) == {"day_order": ("mdy", "dmy")}
    assert [type(cell) for cell in read(["3/4/2024"], DATE)] == [Unread]
    assert read(["3/4/2024"], DATE, {"day_order": "mdy"}) == [date(2024, 3, 4)]
    assert read(["3/4/2024"], DATE, {"day_order": "dmy"}) == [date(2024, 4, 3)]


@pytest.mark.parametrize(("cell", "expected"), [("3/13/2024", date(2024, 3, 4)), ("13/3/2024", date(2024, 4, 3))])
def test_one_day_that_fits_one_way_settles_the_column(cell, expected):
    assert asked(["3/4/2024", cell], DATE) == {}
    assert read(["3/4/2024", cell], DATE)[0] == expected


def test_an_answer_does_not_go_before_what_the_file_says():
    assert read(["3/4/2024", "3/13/2024"], DATE, {"day_order": "dmy"}) == [date(2024, 3, 4), date(2024, 3, 13)]


def test_a_day_that_is_the_same_either_way_is_not_asked_about():
    assert (asked(["3/3/2024"], DATE), read(["3/3/2024"], DATE)) == ({}, [date(2024, 3, 3)])


def test_a_column_that_excludes_itself_is_refused_whole_with_its_lines():
    cells = ["13/02/2024", "3/4/2024", "02/13/2024", "2024-05-06"]
    (question,) = questions_about(sheet_of(cells), [Match("x", "f", "")], [Target("f", "F", DATE)], NEW_YORK)
    assert (question.kind, question.choices, set(question.lines)) == ("day_order", (), {2, 4})
    assert "line 4" in question.asks
    assert "line 2" in question.asks
    assert all(isinstance(cell, Unread) for cell in read(cells, DATE))
    assert all(isinstance(cell, Unread) for cell in read(cells, DATE, {"day_order": "mdy"}))


def test_days_turned_around_by_a_spreadsheet_are_refused_whole():
    """A spreadsheet that puts the month first took 04/03 for 3 April turned around, and left 13/03 a text."""
    cells = [date(2024, 4, 3), "13/03/2024", date(2024, 5, 12)]
    assert asked(cells, DATE) == {"day_order": ()}
    assert asked([*cells, date(2024, 5, 13)], DATE) == {}  # a real day after the 12th: they were not turned around
    assert asked([date(2024, 4, 3), "3/13/2024"], DATE) == {}


def test_eight_figures_are_a_day_also_where_a_workbook_keeps_a_number():
    assert read(["20240305", D(20240305)], DATE, epoch=1900) == [date(2024, 3, 5)] * 2


def test_a_day_that_is_none_is_unread_and_leaves_the_others():
    cells = ["3/13/2024", "2/30/2024", "soon"]
    assert [isinstance(cell, Unread) for cell in read(cells, DATE)] == [False, True, True]


@pytest.mark.parametrize(("answer", "year"), [("2000", 2098), ("1900", 1998), ("split", 1998)])
def test_years_of_two_figures_are_asked_about(answer, year):
    assert asked(["3/13/98"], DATE) == {"century": ("2000", "split", "1900")}
    assert isinstance(read(["3/13/98"], DATE)[0], Unread)
    assert read(["3/13/98"], DATE, {"century": answer}) == [date(year, 3, 13)]


def test_the_middle_of_the_century_parts_it_where_so_answered():
    assert read(["3/13/49", "3/13/50"], DATE, {"century": "split"}) == [date(2049, 3, 13), date(1950, 3, 13)]


def test_a_leap_day_of_another_century_is_unread():
    assert read(["2/29/00"], DATE, {"century": "2000"}) == [date(2000, 2, 29)]
    assert isinstance(read(["2/29/00"], DATE, {"century": "1900"})[0], Unread)  # 1900 had none


# ------------------------------------------------------------------------------------------------ days as numbers


@pytest.mark.parametrize(
    ("serial", "epoch", "expected"),
    [
        # ECMA-376 part 1, 18.17.4: 1 is 1 January 1900 there, 0 is 1 January 1904; Microsoft's own: 39448 is 1 January 2008
        ("39448", "1900", date(2008, 1, 1)),
        ("37986", "1904", date(2008, 1, 1)),  # 1,462 days fewer
        ("0061", "1900", date(1900, 3, 1)),
        ("0059", "1900", date(1900, 2, 28)),
        ("39448.5", "1900", date(2008, 1, 1)),  # noon; the day is asked
    ],
)
def test_days_counted_by_a_spreadsheet(serial, epoch, expected):
    assert set(asked([serial], DATE)) == {"epoch"}
    assert read([serial], DATE, {"epoch": epoch}) == [expected]


@pytest.mark.parametrize("answers", [{}, {"epoch": "none"}])
def test_a_number_is_no_day_until_somebody_says_so(answers):
    assert isinstance(read(["39448"], DATE, answers)[0], Unread)


def test_the_day_that_was_not_is_unread():
    assert isinstance(read(["0060"], DATE, {"epoch": "1900"})[0], Unread)  # 29 February 1900


@pytest.mark.parametrize(("epoch", "expected"), [(1900, date(2008, 1, 1)), (1904, date(2012, 1, 2))])
def test_a_workbook_says_from_when_it_counts(epoch, expected):
    assert asked([D(39448)], DATE, epoch=epoch) == {}
    assert read([D(39448)], DATE, epoch=epoch) == [expected]


def test_a_year_alone_is_asked_about_and_is_no_count():
    assert asked(["1985", D(2011)], DATE) == {"year": ("first", "none")}
    assert [type(cell) for cell in read(["1985"], DATE)] == [Unread]
    assert read(["1985", D(2011)], DATE, {"year": "first"}) == [date(1985, 1, 1), date(2011, 1, 1)]


# ------------------------------------------------------------------------------------------------ times


def test_times_without_am_or_pm_are_asked_about():
    cells = ["2024-03-05 7:05", "2024-03-05 12:10"]
    assert asked(cells, MOMENT) == {"half_day": ("24", "am", "pm", "none")}
    assert read(cells, MOMENT, {"half_day": "24"}) == [utc(2024, 3, 5, 12, 5), utc(2024, 3, 5, 17, 10)]
    assert read(cells, MOMENT, {"half_day": "am"}) == [utc(2024, 3, 5, 12, 5), utc(2024, 3, 5, 5, 10)]
    assert read(cells, MOMENT, {"half_day": "pm"}) == [utc(2024, 3, 6, 0, 5), utc(2024, 3, 5, 17, 10)]
    assert read(cells, MOMENT, {"half_day": "none"}) == [date(2024, 3, 5), date(2024, 3, 5)]
    assert all(isinstance(cell, Unread) for cell in read(cells, MOMENT))


@pytest.mark.parametrize("cell", ["2024-03-05 13:00", "2024-03-05 0:30"])
def test_one_time_that_only_a_clock_of_24_hours_shows_settles_the_column(cell):
    assert asked(["2024-03-05 7:05", cell], INSTANT) == {}
    assert read(["2024-03-05 7:05", cell], INSTANT)[0] == utc(2024, 3, 5, 12, 5)


def test_am_and_pm_settle_their_own_cells_only():
    cells = ["2024-03-05 7:05 pm", "2024-03-05 7:05"]
    assert set(asked(cells, INSTANT)) == {"half_day"}
    assert [isinstance(cell, Unread) for cell in read(cells, INSTANT)] == [False, True]
    assert read(cells, INSTANT)[0] == utc(2024, 3, 6, 0, 5)


def test_a_day_asked_of_a_time_is_the_day_that_is_written():
    assert read(["2024-03-05 23:30", datetime(2024, 3, 5, 23, 30)], DATE) == [date(2024, 3, 5)] * 2  # noqa: DTZ001


@pytest.mark.parametrize("midnight", ["2024-03-05 0:00", "2024-03-05 12:00:00 AM", datetime(2024, 3, 5)])  # noqa: DTZ001
def test_midnight_of_every_line_is_the_day(midnight):
    assert read([midnight, midnight], MOMENT) == [date(2024, 3, 5)] * 2
    assert read([midnight, "2024-03-06 13:00"], MOMENT)[0] == utc(2024, 3, 5, 5)  # among others it is a time
    assert isinstance(read([midnight], INSTANT)[0], Unread)


def test_the_end_of_the_day_is_the_next_midnight():
    assert read(["2024-03-05 24:00", "2024-03-05 13:00"], INSTANT)[0] == utc(2024, 3, 6, 5)


SKIPPED, TWICE, BEFORE, AFTER = "2024-03-10 02:30", "2024-11-03 01:30", "2024-03-10 01:59", "2024-03-10 03:00"


def test_a_time_that_the_clock_skips_is_unread_or_of_another_clock():
    assert set(asked([SKIPPED, "2024-03-10 13:00"], INSTANT)) == {"clock"}
    assert asked([BEFORE, AFTER, "2024-03-10 13:00"], INSTANT) == {}
    both = [SKIPPED, "2024-03-10 13:00"]
    assert [type(cell) for cell in read(both, INSTANT, {"clock": "local"})] == [Unread, datetime]
    assert read(both, INSTANT, {"clock": "standard"}) == [utc(2024, 3, 10, 7, 30), utc(2024, 3, 10, 18)]
    assert read(both, INSTANT, {"clock": "utc"}) == [utc(2024, 3, 10, 2, 30), utc(2024, 3, 10, 13)]


@pytest.mark.parametrize("answers", [{}, {"clock": "local"}])
def test_a_time_that_the_clock_shows_twice_is_unread_with_both_readings(answers):
    both = [TWICE, "2024-11-03 13:00"]
    assert set(asked(both, INSTANT)) == {"clock"}
    unread, plain = read(both, INSTANT, answers)
    assert isinstance(unread, Unread)
    assert unread.readings == (utc(2024, 11, 3, 5, 30), utc(2024, 11, 3, 6, 30))
    assert not unread.why.startswith("it:")
    assert plain == utc(2024, 11, 3, 18)


@pytest.mark.parametrize(
    ("edge", "is_asked"), [("00:59:59", False), ("01:00", True), ("01:59:59", True), ("02:00", False)]
)
def test_the_hour_that_comes_twice_has_its_edges(edge, is_asked):
    assert bool(asked([f"2024-11-03 {edge}", "2024-11-03 13:00"], INSTANT)) == is_asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-11-03 01:30 EDT", utc(2024, 11, 3, 5, 30)),
        ("2024-11-03 01:30 EST", utc(2024, 11, 3, 6, 30)),
        ("2024-07-03 01:30 EST", utc(2024, 7, 3, 6, 30)),  # a recorder that keeps standard time in summer
        ("2024-11-03T01:30-04:00", utc(2024, 11, 3, 5, 30)),
        ("2024-11-03 01:30Z", utc(2024, 11, 3, 1, 30)),
    ],
)
def test_a_time_that_says_its_clock_is_not_asked_about(text, expected):
    assert asked([text], INSTANT) == {} or set(asked([text], INSTANT)) == {"half_day"}
    assert one(text, INSTANT, half_day="24") == expected


def test_the_name_of_another_clock_is_unread():
    assert isinstance(one("2024-11-03 13:30 PST", INSTANT, half_day="24"), Unread)


def test_a_time_of_a_workbook_is_on_the_town_s_clock():
    assert one(datetime(2024, 7, 3, 13, 30), INSTANT) == utc(2024, 7, 3, 17, 30)  # noqa: DTZ001


# ------------------------------------------------------------------------------------------------ day and time apart


@pytest.mark.parametrize(
    ("day", "clock", "expected"),
    [
        ("2024-03-05", "14:30", utc(2024, 3, 5, 19, 30)),
        ("2024-03-05", "2:30 pm", utc(2024, 3, 5, 19, 30)),
        ("2024-03-05", D("0.5"), utc(2024, 3, 5, 17)),  # half a day, as a workbook keeps a time
        (date(2024, 3, 5), "1430", utc(2024, 3, 5, 19, 30)),
        (datetime(2024, 3, 5), "14:30:00", utc(2024, 3, 5, 19, 30)),  # noqa: DTZ001
        ("2024-03-05 0:00:00", "12/30/1899 14:30:00", utc(2024, 3, 5, 19, 30)),  # as a database exports both
        (datetime(2024, 3, 5), "14:30", utc(2024, 3, 5, 19, 30)),  # noqa: DTZ001
        ("2024-03-05", None, date(2024, 3, 5)),
        ("2024-03-05", "unk", date(2024, 3, 5)),
        ("unk", "14:30", Null.NOT_KNOWN),
        (None, "14:30", Null.BLANK),
    ],
)
def test_a_day_and_a_time_beside_it_are_a_moment(day, clock, expected):
    assert read_moment_of(day, clock, {}, {}, NEW_YORK) == expected


@pytest.mark.parametrize(
    ("day", "clock"),
    [
        ("soon", "14:30"),
        ("2024-03-05", "late"),
        ("2024-03-05", "7:05"),
        ("2024-03-10", "02:30 "),
        ("2024-03-05", "25:00"),
    ],
)
def test_a_day_and_a_time_of_which_one_is_not_settled_are_unread(day, clock):
    assert isinstance(read_moment_of(day, clock, {}, {}, NEW_YORK), Unread)


def test_a_time_beside_a_day_that_comes_twice_has_both_readings():
    found = read_moment_of("2024-11-03", "01:30", {}, {"half_day": "24"}, NEW_YORK)
    assert isinstance(found, Unread)
    assert found.readings == (utc(2024, 11, 3, 5, 30), utc(2024, 11, 3, 6, 30))


def beside(days: list[object], clocks: list[object]) -> list[tuple[str, str]]:
    """Returns what is asked about a column of days and one of times."""
    sheet = Sheet(
        "a", ("d", "t"), 1, tuple(Line(n, one) for n, one in enumerate(zip(days, clocks, strict=True), start=2)), ()
    )
    targets = [Target("e.on", "On", DATE), Target("e.time", "Time", TIME)]
    found = questions_about(sheet, [Match("d", "e.on", ""), Match("t", "e.time", "")], targets, NEW_YORK)
    return [(one.column, one.kind) for one in found]


def test_times_beside_days_are_asked_about_where_the_clock_skips_them_or_shows_them_twice():
    assert beside(["2024-11-03", "2024-11-03"], ["01:30", "13:00"]) == [("t", "clock")]
    assert beside([date(2024, 3, 10), "2024-11-03"], ["T02:30:00", "13:00"]) == [("t", "clock")]
    assert beside(["2024-11-04", "2024-11-03"], ["01:30", "13:00"]) == []
    assert beside(["2024-11-03", None], ["01:30 EST", "13:00"]) == []
    assert read_moment_of("2024-11-03", "01:30", {}, {"half_day": "24", "clock": "standard"}, NEW_YORK) == utc(
        2024, 11, 3, 6, 30
    )


def test_a_time_that_a_workbook_keeps_is_of_24_hours():
    assert asked(["T07:05:00", "T08:00:00"], TIME) == {}
    assert one("T07:05:00", TIME) == "07:05:00"


def test_two_times_that_differ_are_unread():
    assert isinstance(read_moment_of("2024-03-05 14:00", "14:30", {}, {}, NEW_YORK), Unread)
    assert read_moment_of("2024-03-05 14:30", "14:30", {}, {}, NEW_YORK) == utc(2024, 3, 5, 19, 30)


# ------------------------------------------------------------------------------------------------ numbers


def test_thousands_or_decimals_are_asked_about_where_all_could_be_either():
    assert asked(["1,234", "7"], GALLONS) == {"decimal": ("point", "comma")}
    assert read(["1,234", "7"], GALLONS, {"decimal": "point"}) == [D(1234), D(7)]
    assert read(["1,234", "7"], GALLONS, {"decimal": "comma"}) == [D("1.234"), D(7)]
    assert [type(cell) for cell in read(["1,234", "7"], GALLONS)] == [Unread, D]


@pytest.mark.parametrize(
    ("cell", "expected"), [("12.5", D(1234)), ("1,000,000", D(1234)), ("12,5", D("1.234")), ("1.000,5", D("1.234"))]
)
def test_one_number_that_fits_one_way_settles_the_column(cell, expected):
    assert asked(["1,234", cell], GALLONS) == {}
    assert read(["1,234", cell], GALLONS)[0] == expected


def test_numbers_that_exclude_each_other_refuse_the_column():
    cells = ["12.5", "12,5", "7"]
    assert asked(cells, GALLONS) == {"decimal": ()}
    assert all(isinstance(cell, Unread) for cell in read(cells, GALLONS))


def test_the_unit_of_the_head_is_taken_and_turned_exactly():
    assert (asked(["2"], GPM, unit="mgd"), asked(["2"], GPM)) == ({}, {"unit": ("gallon/minute", "gallon/day", "mgd")})
    assert read(["1.44"], GPM, unit="mgd") == [D(1000)]  # 1,440,000 gallons in 1,440 minutes
    assert read(["1440"], GPM, {"unit": "gallon/day"}) == [D(1)]
    assert isinstance(read(["1440"], GPM)[0], Unread)
    assert read(["1.5"], GALLONS, unit="1000 gallon") == [D(1500)]
    assert read(["12.7"], INCHES, unit="mm") == [D("0.5")]  # an inch is 25.4 mm (24 FR 5348)
    assert read(["10"], INCHES, unit="mm") == [D("0.393701")]  # 10 / 25.4 = 0.39370078…, which has no end


def test_a_head_in_what_measures_otherwise_refuses_the_column():
    assert asked(["50"], GALLONS, unit="gallon/minute") == {"unit": ()}
    assert isinstance(read(["50"], GALLONS, unit="gallon/minute")[0], Unread)


def test_a_cell_may_say_its_own_unit():
    assert read(["1000 gal", "2 kgal"], GALLONS) == [D(1000), D(2000)]
    assert isinstance(one("50 gpm", GALLONS), Unread)
    assert isinstance(one("50 gpm", NUMBER), Unread)
    assert asked(["100 gpm"], GPM) == {}


def test_a_percentage():
    assert read(["25%"], PERCENT) == [D(25)]
    assert set(asked([D("0.25")], PERCENT)) == {"unit"}
    assert read([D("0.25")], PERCENT, {"unit": "share"}) == [D(25)]


@pytest.mark.parametrize("cell", ["<5", "about 200", "tight", True, date(2024, 3, 4), BadCell("#REF!", "an error")])
def test_what_is_no_number_is_unread_with_its_text(cell):
    found = one(cell, GALLONS)
    assert isinstance(found, Unread)
    assert found.text


def test_money_has_two_places():
    assert one("$1,200.50", Type("money"), decimal="point") == D("1200.50")
    assert isinstance(one("1.005", Type("money"), decimal="point"), Unread)


# ------------------------------------------------------------------------------------------------ texts, words, yes and no


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("00123", "00123"),
        (D("12345.0"), "12345"),
        (D("1E+3"), "1000"),
        (D("1.50"), "1.5"),
        (" x ", "x"),
        (True, "yes"),
        (date(2024, 3, 4), "2024-03-04"),
        (D(999_999_999_999_999), "999999999999999"),
    ],
)
def test_a_text_is_what_stands_there(cell, expected):
    assert one(cell, TEXT) == expected
    assert one(cell, Type("ref", to="station")) == Thing(expected, "station")


def test_a_number_of_more_digits_than_a_spreadsheet_keeps_is_no_id():
    assert isinstance(one(D(10**15), TEXT), Unread)


@pytest.mark.parametrize(
    ("cell", "expected"), [("rp", "RP"), ("R.P.", "RP"), ("Not New", "not_new"), ("not_new", "not_new")]
)
def test_a_word_is_known_by_value_or_label(cell, expected):
    assert one(cell, TYPES) == expected


def test_a_word_that_is_none_is_asked_about_once():
    assert asked(["RPZ", "rp", "rpz ", "DC"], TYPES) == {
        "word rpz": ("DCVA", "RP", "not_new", "-"),
        "word dc": ("DCVA", "RP", "not_new", "-"),
    }
    found = read(["RPZ", "DC"], TYPES, {"word rpz": "RP", "word dc": "-"})
    assert found[0] == "RP"
    assert isinstance(found[1], Unread)


@pytest.mark.parametrize("cell", ["yes", "Y", "TRUE", "x", "1", D(1), True])
def test_yes(cell):
    assert one(cell, BOOL) is True


@pytest.mark.parametrize("cell", ["no", "N", "False", "0", D(0), False])
def test_no(cell):
    assert one(cell, BOOL) is False


@pytest.mark.parametrize("cell", ["maybe", "2", D(2), "yes?"])
def test_neither_yes_nor_no_is_unread(cell):
    assert isinstance(one(cell, BOOL), Unread)


def test_a_day_where_yes_or_no_is_asked_is_said_as_it_stands_there():
    said = one(date(2024, 3, 4), BOOL)
    assert isinstance(said, Unread)
    assert "2024-03-04" in said.why
    assert "datetime" not in said.why


@pytest.mark.parametrize("kind", ["list", "record", "geometry", "file", "event", "span"])
def test_what_no_cell_holds_is_unread(kind):
    assert isinstance(one("x", Type(kind)), Unread)


# ------------------------------------------------------------------------------------------------ written once a group


def grouped(cells: list[tuple[object, ...]]) -> Sheet:
    return Sheet("a", ("Date", "Crew", "From"), 1, tuple(Line(n, one) for n, one in enumerate(cells, start=2)), ())


GROUPS = grouped(
    [("d1", "c1", "a"), (None, None, "b"), (None, "", "c"), ("d2", "c1", "d"), (None, "c2", "e"), (None, None, "f")]
)
MATCHES = [Match("Date", "on", ""), Match("Crew", "by", ""), Match("From", "from", "")]
TARGETS = [Target("on", "On", TEXT), Target("by", "By", TEXT), Target("from", "From", TEXT)]


def test_blanks_below_a_group_s_first_line_are_asked_about_and_filled_where_so_answered():
    found = questions_about(GROUPS, MATCHES, TARGETS, NEW_YORK)
    assert [(one.column, one.kind, one.lines) for one in found] == [
        ("Date", "below", (3, 4, 6, 7)),
        ("Crew", "below", (3, 4, 7)),
    ]
    readings = readings_of(GROUPS, MATCHES, TARGETS, NEW_YORK, {"Date": {"below": "same"}, "Crew": {"below": "blank"}})
    filled = filled_down(GROUPS, readings)
    assert [line.cells[0] for line in filled.lines] == ["d1", "d1", "d1", "d2", "d2", "d2"]
    assert [line.cells[1] for line in filled.lines] == ["c1", None, "", "c1", "c2", None]


def test_blanks_of_a_column_right_of_a_full_one_are_no_groups():
    notes = Sheet("a", ("Id", "Note"), 1, tuple(Line(n, (str(n), "x" if n == 2 else None)) for n in range(2, 9)), ())
    assert questions_about(notes, [Match("Note", "on", "")], TARGETS, NEW_YORK) == ()


def test_two_blanks_are_no_group_and_three_are():
    for blanks, is_asked in ((2, False), (3, True)):
        cells = [("d", "c", "f"), *[(None, "c", "f")] * blanks]
        assert bool(questions_about(grouped(cells), MATCHES, TARGETS, NEW_YORK)) == is_asked
