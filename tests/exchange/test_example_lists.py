"""The five lists of a clerk: what becomes of each line and fault (tests/exchange/lists/README.md). Expected by hand."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sewershed.exchange.columns import TIME, Target, match_columns
from sewershed.exchange.lists import BadCell, Sheet, open_list
from sewershed.exchange.series import Reading, counted, gaps, out_of_order, stuck, twice
from sewershed.exchange.values import (
    Null,
    Unread,
    filled_down,
    questions_about,
    read_cell,
    read_moment_of,
    readings_of,
)
from sewershed.rules.types import BOOL, DATE, INSTANT, TEXT, Type

LISTS = Path(__file__).parent / "lists"
ZONE = ZoneInfo("America/New_York")
D = Decimal
GALLONS, FEET, HOURS, PSI, INCHES, GPM = (
    Type("number", unit=one) for one in ("gallon", "ft", "hour", "psi", "in", "gallon/minute")
)


class Opened:
    """A list with its columns matched and its questions answered."""

    def __init__(self, name: str, fields: dict[str, Type], answered: dict[str, dict[str, str]] | None = None) -> None:
        self.sheet: Sheet = open_list((LISTS / name).read_bytes(), name)[0]
        self.types = fields
        self.targets = [Target(field, field.rpartition(".")[2], kind) for field, kind in fields.items()]
        self.matches = match_columns(self.sheet.columns, self.targets)
        self.column = {one.target: one.column for one in self.matches if one.target}
        self.questions = questions_about(self.sheet, self.matches, self.targets, ZONE)
        self.readings = readings_of(self.sheet, self.matches, self.targets, ZONE, answered or {})
        self.filled = filled_down(self.sheet, self.readings)

    def read(self, field: str) -> dict[int, object]:
        """Returns what the cells of a field say, by line."""
        column = self.column[field]
        return {
            number: read_cell(cell, self.types[field], self.readings[column], ZONE)
            for number, cell in self.filled.column(column)
        }

    def asked(self) -> set[tuple[str, str]]:
        return {(one.column, one.kind) for one in self.questions}

    def unread(self, field: str) -> list[int]:
        return [number for number, value in self.read(field).items() if isinstance(value, Unread)]


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.*")), ids=lambda path: path.name)
def test_every_list_says_that_it_is_example_data(path):
    if path.suffix == ".md":
        return
    sheets = open_list(path.read_bytes(), path.name)
    said = [str(cell) for sheet in sheets for one in sheet.apart for cell in one.cells]
    assert any("EXAMPLE DATA" in one for one in said)


def test_there_are_five_lists():
    assert len([path for path in LISTS.iterdir() if path.suffix != ".md"]) == 5


# ------------------------------------------------------------------------------------------------ food establishments

KITCHENS = {
    "interceptor.id": TEXT, "interceptor.name": TEXT, "interceptor.premises": TEXT, "interceptor.capacity_gal": GALLONS,
    "interceptor.is_cooking": BOOL, "interceptor_serviced.on": DATE, "interceptor_serviced.gallons": GALLONS,
    "interceptor_serviced.hauler": TEXT, "interceptor_inspected.on": DATE,
}  # fmt: skip
POINT = {"decimal": "point"}


def kitchens() -> Opened:
    return Opened("food_establishments.csv", KITCHENS, {"Interceptor Size (gal)": POINT, "Gallons Pumped": POINT})


def test_the_kitchens_stand_in_25_lines_one_of_them_bad():
    sheet = kitchens().sheet
    assert (sheet.header_line, len(sheet.lines)) == (2, 24)
    assert [(one.number, one.is_bad) for one in sheet.apart] == [(1, False), (26, True), (30, False)]


def test_every_column_of_the_kitchens_with_a_field_is_matched():
    opened = kitchens()
    assert set(opened.column) == set(KITCHENS)
    assert [one.column for one in opened.matches if one.target is None] == ["Contact", "Phone", "Notes"]


def test_what_is_asked_about_the_kitchens():
    assert kitchens().asked() == {
        ("Interceptor Size (gal)", "decimal"), ("Gallons Pumped", "decimal"), ("Last Pumped", "day_order"),
    }  # fmt: skip


def test_names_and_numbers_of_kitchens_are_texts():
    opened = kitchens()
    ids, names = opened.read("interceptor.id"), opened.read("interceptor.name")
    assert (ids[3], names[3], names[4], names[23], names[24]) == (
        "0001",
        "Café Olé",
        "Fish House, The",
        "=Equal Foods",
        "+Plus Kitchen",
    )
    assert names[15] == '"Big" Burger'  # the line before it has a break within a cell, and is two lines of the file
    assert [number for number, said in ids.items() if said == "0016"] == [19, 22]


def test_sizes_of_interceptors():
    sizes = kitchens().read("interceptor.capacity_gal")
    assert [sizes[n] for n in (3, 4, 6)] == [D(1000), D(1500), D(1000)]
    assert isinstance(sizes[9], Unread)  # 50 gpm
    assert [number for number, said in sizes.items() if said is Null.NOT_KNOWN] == [10, 21]
    assert [number for number, said in sizes.items() if said is Null.BLANK] == [11, 17]


def test_the_day_that_excludes_the_others_refuses_its_column_alone():
    opened = kitchens()
    (refused,) = [one for one in opened.questions if not one.choices]
    assert (refused.column, refused.lines[1]) == ("Last Pumped", 20)
    assert Counter(type(said) for said in opened.read("interceptor_serviced.on").values()) == {Unread: 19, Null: 5}
    inspected = opened.read("interceptor_inspected.on")
    assert (inspected[3], inspected[5], inspected[17]) == (date(2024, 1, 9), date(2024, 1, 10), Null.BLANK)


# ------------------------------------------------------------------------------------------------ assemblies

ASSEMBLIES = {
    "assembly.id": TEXT, "assembly.type": Type("choice", words=("DCVA", "DCDA", "PVB", "RP", "RPDA", "AG")), "assembly.serial": TEXT,
    "assembly.size_in": INCHES, "assembly_installed.on": DATE, "assembly_tested.on": DATE, "assembly_tested.check1_psi": PSI,
    "assembly_tested.check2_psi": PSI, "assembly_tested.relief_psi": PSI, "assembly_tested.tester": TEXT, "assembly_tested.gauge": TEXT,
}  # fmt: skip
WORDS = {"word rpz": "RP", "word dc": "DCVA", "word double check": "DCVA"}


def assemblies() -> Opened:
    answered = {"Assembly Type": WORDS, "Test Date": {"day_order": "mdy"}, "Install Date": {"year": "none"}}
    return Opened("backflow_assemblies.xlsx", ASSEMBLIES, answered)


def test_the_workbook_of_assemblies_has_two_lists():
    first, second = open_list((LISTS / "backflow_assemblies.xlsx").read_bytes(), "a.xlsx")
    assert (first.name, first.header_line, len(first.lines), first.epoch) == ("Devices", 3, 20, 1900)
    assert (second.name, [line.cells[1] for line in second.lines]) == ("Testers", ["0012", "0013", "0009"])
    assert any("Sheet3" in remark for remark in first.remarks)
    due = dict(first.column("Next Due"))
    assert due[4] == date(2025, 3, 4)  # as stored: 365 days after 4 March 2024
    assert [number for number, cell in due.items() if isinstance(cell, BadCell)] == [12, 13, 14, 19, 20]


def test_what_is_asked_about_the_assemblies():
    assert assemblies().asked() == {
        ("Assembly Type", "word rpz"), ("Assembly Type", "word dc"), ("Assembly Type", "word double check"),
        ("Install Date", "year"), ("Test Date", "day_order"),
    }  # fmt: skip


def test_the_cells_of_assemblies():
    opened = assemblies()
    assert set(opened.column) == set(ASSEMBLIES)
    ids, serials, sizes = (opened.read(f"assembly.{one}") for one in ("id", "serial", "size_in"))
    assert [ids[n] for n in (4, 22, 23)] == ["00101", "00118", "00119"]
    assert [serials[n] for n in (4, 6, 9, 15, 20)] == ["A10455", "123450", "987654321099", Null.BLANK, "0055021"]
    assert [sizes[n] for n in (4, 5, 7)] == [D("0.75"), D(1), D("1.5")]
    assert opened.unread("assembly.size_in") == [11]  # 3/4, which Excel made 4 March
    assert opened.unread("assembly.type") == []
    tested, installed = opened.read("assembly_tested.on"), opened.read("assembly_installed.on")
    assert [tested[n] for n in (4, 12, 19, 20)] == [
        date(2024, 3, 4),
        date(2024, 3, 11),
        date(2024, 3, 15),
        Null.NOT_KNOWN,
    ]
    assert (installed[4], installed[10]) == (date(2015, 6, 1), Null.NOT_KNOWN)
    assert opened.unread("assembly_installed.on") == [13]
    assert opened.read("assembly_tested.check2_psi")[13] == D(2)
    assert opened.unread("assembly_tested.check2_psi") == [16, 17]  # "tight"
    assert opened.unread("assembly_tested.relief_psi") == [23]  # an error of the spreadsheet


# ------------------------------------------------------------------------------------------------ pump hours

ROUNDS = {
    "station_visited.on": DATE, "station_visited.time": TIME, "station.name": TEXT, "station_visited.by": TEXT,
    "pump_hours_read.hours_1": HOURS, "pump_hours_read.hours_2": HOURS, "note": TEXT,
}  # fmt: skip


def rounds() -> Opened:
    return Opened("pump_hours.csv", ROUNDS, {"Date": {"century": "2000"}, "Time": {"half_day": "24"}})


def hours(opened: Opened, field: str) -> list[Reading]:
    days, clocks, stations, values, notes = (
        opened.read(one) for one in ("station_visited.on", "station_visited.time", "station.name", field, "note")
    )
    read = []
    for number in days:
        moment = read_moment_of(days[number], clocks[number], {}, {"half_day": "24"}, ZONE)
        value, note = values[number], notes[number]
        read.append(
            Reading(
                number,
                str(stations[number]),
                moment,
                value if isinstance(value, D) else None,
                note if isinstance(note, str) else "",
            )
        )
    return read


def test_the_rounds_are_asked_about_and_read():
    opened = rounds()
    assert opened.asked() == {("Date", "century"), ("Time", "half_day")}
    assert set(opened.column) == set(ROUNDS)
    assert hours(opened, "pump_hours_read.hours_1")[0] == Reading(
        3, "Mill", datetime(2024, 1, 2, 13, 10, tzinfo=UTC), D("9978.4")
    )
    assert opened.read("pump_hours_read.hours_1")[30] is Null.BLANK


def test_the_counters_of_pump_1():
    found = counted(hours(rounds(), "pump_hours_read.hours_1"), ZONE, rolls_at=D(10000), most_an_hour=D(1))
    assert {(one.kind, one.lines, one.amount) for one in found} == {
        ("rolled_over", (9, 12), D("7.7")),  # 10000 - 9993.5 + 1.2
        ("replaced", (13, 16), None),
    }
    assert [one.lines for one in stuck(hours(rounds(), "pump_hours_read.hours_1"), 4)] == [(11, 14, 17, 20)]


def test_the_counters_of_pump_2_are_asked_about():
    found = counted(hours(rounds(), "pump_hours_read.hours_2"), ZONE, rolls_at=D(10000), most_an_hour=D(1))
    assert {(one.kind, one.lines, one.is_question) for one in found} == {
        ("replaced", (13, 16), True),  # the note means the counter of pump 1
        ("too_much", (24, 26), True),  # 12571: a point was left out
        ("fell", (26, 29), True),  # and so the next is lower
        ("fell", (31, 34), True),  # 4471.8 after 4477.4
    }


def test_a_round_that_stands_twice():
    assert [(one.kind, one.lines) for one in twice(hours(rounds(), "pump_hours_read.hours_1"))] == [("twice", (22, 24))]


# ------------------------------------------------------------------------------------------------ cleaning

CLEANED = {
    "line_cleaned.on": DATE, "line_cleaned.by": TEXT, "pipe.from_manhole": TEXT, "pipe.to_manhole": TEXT, "line_cleaned.length_ft": FEET,
    "line_cleaned.method": Type("choice", words=("jetting", "rodding", "bucket", "chemical", "other")), "line_cleaned.found": TEXT,
}  # fmt: skip


def cleaned() -> Opened:
    same = {"below": "same"}
    return Opened(
        "cleaning_log.xlsx",
        CLEANED,
        {"Date": same, "Crew": same, "Method": {"word jet": "jetting", "word root saw": "other"}},
    )


def test_the_cleaning_log_has_16_lines_and_its_totals_apart():
    sheet = cleaned().sheet
    assert (sheet.header_line, len(sheet.lines)) == (4, 16)
    assert [one.number for one in sheet.apart] == [1, 2, 10, 19, 25, 26, 28]
    assert [one.cells[5] for one in sheet.apart if one.number in (10, 19, 25)] == [D(1405), D(1410), D(1415)]


def test_the_cleaning_log_is_asked_about_and_read():
    opened = cleaned()
    assert set(opened.column) == set(CLEANED)
    assert opened.asked() == {("Date", "below"), ("Crew", "below"), ("Method", "word jet"), ("Method", "word root saw")}
    on, feet = opened.read("line_cleaned.on"), opened.read("line_cleaned.length_ft")
    assert [on[n] for n in (5, 7, 8, 15, 24)] == [
        date(2024, 2, 5),
        date(2024, 2, 5),
        date(2024, 2, 6),
        date(2024, 3, 4),
        date(2024, 4, 2),
    ]
    assert opened.read("line_cleaned.by")[24] == "crew 3"
    assert [feet[n] for n in (5, 9, 14, 17)] == [D(300), D(265), Null.NOT_KNOWN, D(350)]
    assert opened.unread("line_cleaned.length_ft") == [18]
    february = sum(feet[n] for n in (5, 6, 7, 8, 9))
    assert february == D(1405)  # as the clerk's own total says
    assert opened.unread("line_cleaned.method") == []


# ------------------------------------------------------------------------------------------------ telemetry

TELEMETRY = {
    "telemetry_read.at": INSTANT,
    "telemetry_read.level_ft": FEET,
    "telemetry_read.flow_gpm": GPM,
    "rain_measured.rain_in": INCHES,
    "telemetry_read.quality": TEXT,
}


def telemetry(clock: str) -> Opened:
    return Opened("telemetry.csv", TELEMETRY, {"Timestamp": {"day_order": "mdy", "clock": clock}})


def levels(opened: Opened) -> list[Reading]:
    at, level = opened.read("telemetry_read.at"), opened.read("telemetry_read.level_ft")
    return [
        Reading(number, "level", moment, level[number] if isinstance(level[number], D) else None)
        for number, moment in at.items()
        if isinstance(moment, datetime)
    ]


def test_the_telemetry_is_asked_about_and_its_units_are_known():
    opened = telemetry("local")
    assert opened.asked() == {("Timestamp", "day_order"), ("Timestamp", "clock")}
    assert dict(opened.sheet.units) == {"Wet Well Level": "ft", "Station Flow": "gallon/minute", "Rain Gauge": "in"}
    assert [(one.number, one.is_bad) for one in opened.sheet.apart] == [(2, False), (30, True), (31, False)]


def test_on_the_town_s_clock_one_time_was_never_and_two_were_twice():
    opened = telemetry("local")
    assert opened.unread("telemetry_read.at") == [7, 24, 25]
    assert [len(said.readings) for said in opened.read("telemetry_read.at").values() if isinstance(said, Unread)] == [
        0,
        2,
        2,
    ]


def test_on_standard_time_every_hour_is_once():
    opened = telemetry("standard")
    assert opened.unread("telemetry_read.at") == []
    at = opened.read("telemetry_read.at")
    assert (at[7], at[24]) == (datetime(2024, 3, 10, 7, tzinfo=UTC), datetime(2024, 11, 3, 6, tzinfo=UTC))


def test_what_the_log_of_levels_shows():
    readings = levels(telemetry("standard"))
    march = [one for one in readings if one.line < 22]
    assert [(one.kind, one.lines) for one in stuck(march, 6)] == [("stuck", (11, 12, 13, 14, 15, 16))]
    assert [one.lines for one in out_of_order(march, ZONE)] == [(19, 20)]
    assert [one.lines for one in gaps(march, ZONE, timedelta(hours=1))] == [(18, 20)]  # 13:00 to 16:00
    assert {(one.kind, one.lines) for one in twice(readings)} == {("differs", (24, 25)), ("twice", (28, 29))}
