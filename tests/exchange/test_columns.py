"""Columns are matched by their whole name or left to a person. Names are those that such lists bear, expected by hand."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from sewershed.exchange.columns import Target, match_columns, plain_name, says_replaced, unit_of_heading, units_asked
from sewershed.rules.types import DATE, NUMBER, TEXT, Type
from sewershed.rules.units import UnitError, unit
from sewershed.rules.vocabulary import read_vocabulary

CHOICE = Type("choice", words=("DCVA", "RP"))
INTERCEPTORS = [
    Target("interceptor.id", "Number", TEXT),
    Target("interceptor.name", "Name", TEXT, "The kitchen it serves"),
    Target("interceptor.premises", "Premises", TEXT),
    Target("interceptor.capacity_gal", "Capacity", NUMBER),
    Target("interceptor_serviced.on", "Day", DATE),
    Target("interceptor_serviced.gallons", "Gallons", NUMBER),
    Target("interceptor_serviced.hauler", "Hauler", TEXT),
]
TESTS = [
    Target("assembly.id", "Number", TEXT),
    Target("assembly.type", "Type", CHOICE),
    Target("assembly_tested.on", "Day", DATE),
    Target("assembly_tested.check1_psi", "First check", NUMBER),
    Target("assembly_tested.check2_psi", "Second check", NUMBER),
    Target("assembly_tested.relief_psi", "Relief valve", NUMBER),
    Target("assembly_tested.tester", "Tester", TEXT),
    Target("assembly_tested.gauge", "Gauge", TEXT),
]
ROUNDS = [
    Target("station.name", "Station", TEXT),
    Target("station_visited.on", "Day", DATE),
    Target("station_visited.time", "Time", Type("time")),
    Target("station_visited.by", "Done by", TEXT),
    Target("pump_hours_read.hours_1", "Pump 1", NUMBER),
    Target("pump_hours_read.hours_2", "Pump 2", NUMBER),
]
CLEANING = [
    Target("line_cleaned.on", "Day", DATE),
    Target("pipe.from_manhole", "From", TEXT),
    Target("pipe.to_manhole", "To", TEXT),
    Target("line_cleaned.length_ft", "Feet cleaned", NUMBER),
    Target("line_cleaned.method", "How", TEXT),
    Target("line_cleaned.found", "What came out", TEXT),
]
RAIN = [Target("rain_measured.at", "Day and time", Type("instant")), Target("rain_measured.rain_in", "Rain", NUMBER)]


def matched(
    columns: list[str], targets: list[Target], remembered: dict[str, str] | None = None
) -> dict[str, str | None]:
    return {one.column: one.target for one in match_columns(columns, targets, remembered or {})}


@pytest.mark.parametrize(
    ("targets", "column", "target"),
    [
        (INTERCEPTORS, "FSE Name", "interceptor.name"),
        (INTERCEPTORS, "DBA", "interceptor.name"),
        (INTERCEPTORS, "Permit No.", "interceptor.id"),
        (INTERCEPTORS, "FacilityID", "interceptor.id"),
        (INTERCEPTORS, "GREASE TRAP SIZE (GAL)", "interceptor.capacity_gal"),
        (INTERCEPTORS, "capacity_gal", "interceptor.capacity_gal"),
        (INTERCEPTORS, "Last Pump-Out", "interceptor_serviced.on"),
        (INTERCEPTORS, "Gal. Pumped", None),  # no name of the dictionary: left to a person
        (INTERCEPTORS, "Gallons Pumped", "interceptor_serviced.gallons"),
        (INTERCEPTORS, "Septage Hauler", "interceptor_serviced.hauler"),
        (INTERCEPTORS, "Owner's Cousin", None),
        (TESTS, "BFP ID", "assembly.id"),
        (TESTS, "Device Type", "assembly.type"),
        (TESTS, "Date Tested", "assembly_tested.on"),
        (TESTS, "CV1 (psid)", "assembly_tested.check1_psi"),
        (TESTS, "#2 Check", "assembly_tested.check2_psi"),
        (TESTS, "RV opened at", "assembly_tested.relief_psi"),
        (TESTS, "Test Kit S/N", "assembly_tested.gauge"),
        (TESTS, "Tester Cert. #", "assembly_tested.tester"),
        (ROUNDS, "Lift Station", "station.name"),
        (ROUNDS, "P1 Hrs", "pump_hours_read.hours_1"),
        (ROUNDS, "Hours, Pump 2", "pump_hours_read.hours_2"),
        (ROUNDS, "Checked by", "station_visited.by"),
        (CLEANING, "US MH", "pipe.from_manhole"),
        (CLEANING, "To Manhole", "pipe.to_manhole"),
        (CLEANING, "LF", "line_cleaned.length_ft"),
        (CLEANING, "Footage Cleaned (ft)", "line_cleaned.length_ft"),
        (CLEANING, "Material Removed", "line_cleaned.found"),
        (RAIN, "Time Stamp", "rain_measured.at"),
        (RAIN, "Rainfall (in)", "rain_measured.rain_in"),
        (RAIN, "Precip", "rain_measured.rain_in"),
    ],
)
def test_a_column_is_known_by_the_names_that_such_columns_bear(targets, column, target):
    assert matched([column], targets)[column] == target


def test_two_names_of_the_same_field_are_left_to_a_person():
    found = match_columns(["Gallons", "Gallons Pumped", "Quantity"], INTERCEPTORS)
    assert [one.target for one in found] == [None, None, None]
    assert "Gallons Pumped" in found[0].because
    assert found[0].others == ("interceptor_serviced.gallons",)


def test_of_a_field_s_own_and_a_usual_name_the_own_one_is_taken():
    targets = [Target("interceptor.x", "Serial", TEXT), Target("gauge.owner", "Whose", TEXT)]
    # "owner" is the field's own word; "property owner" a usual name of any field called owner
    found = {one.column: one for one in match_columns(["Owner", "Property Owner"], targets)}
    assert found["Owner"].target == "gauge.owner"
    assert found["Property Owner"].target is None
    assert found["Property Owner"].others == ("gauge.owner",)


def test_two_columns_never_match_the_same_target():
    assert matched(["Last Pumped", "Date Pumped"], INTERCEPTORS) == {"Last Pumped": None, "Date Pumped": None}


def test_a_column_that_may_be_two_targets_matches_neither_and_offers_both():
    targets = [Target("assembly_installed.on", "Installed", DATE), Target("pipe.laid_on", "Laid", DATE)]
    (found,) = match_columns(["Install Date"], targets)
    assert (found.target, set(found.others)) == (None, {"assembly_installed.on", "pipe.laid_on"})


def test_what_a_person_corrected_goes_before_everything():
    found = matched(
        ["Last Pumped", "Date Pumped", "DBA"], INTERCEPTORS, {"Date Pumped": "interceptor_serviced.on", "DBA": ""}
    )
    assert found == {"Last Pumped": None, "Date Pumped": "interceptor_serviced.on", "DBA": None}


def test_what_is_remembered_of_a_field_that_there_is_not_is_forgotten():
    assert matched(["DBA"], INTERCEPTORS, {"DBA": "interceptor.nickname"}) == {"DBA": "interceptor.name"}


def test_the_caller_may_add_names():
    target = Target("assembly.colour", "Color", TEXT, also=("Paint",))
    assert matched(["PAINT"], [target]) == {"PAINT": "assembly.colour"}


def test_a_name_that_is_only_near_is_offered_and_not_taken():
    (found,) = match_columns(["Haulers"], INTERCEPTORS)
    assert (found.target, found.others) == (None, ("interceptor_serviced.hauler",))


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Serial #", "serial number"),
        ("SerialNumber", "serial number"),
        ("GPMRating", "gpm rating"),
        ("acct_no", "account number"),
        ("Owner's", "owners"),
        ("", ""),
    ],
)
def test_names_are_compared_without_capitals_and_points(said, plain):
    assert plain_name(said) == plain


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("Size (in)", "in"), ("Checked in", ""), ("Size, in.", "in"), ("size_in", "in"), ("Start min", ""), ("Run (min)", "minute"), ("Hours", "hour"),
     ("Percent full", "percent"), ("% full", "percent"), ("Gallons per minute", "gallon/minute"), ("Feet of gallons", ""), ("Use (kgal)", "1000 gallon"), ("Name", "")],
)  # fmt: skip
def test_a_heading_says_its_unit(heading, expected):
    assert unit_of_heading(heading) == expected


def test_every_unit_of_the_dictionary_is_one_that_the_engine_knows():
    said = tomllib.loads(files("sewershed.exchange").joinpath("columns.toml").read_text())
    units = [
        *said["units"],
        *said["units_apart"],
        *said["asked"],
        *(one for those in said["asked"].values() for one in those),
    ]
    assert len(units) > 30
    unknown = []
    for one in units:
        try:
            unit(one.partition(" ")[2] if one[0].isdigit() else one)
        except UnitError:
            unknown.append(one)
    assert set(unknown) == {"share"}  # a share of one, which is no unit of its own


def test_every_field_of_the_dictionary_is_one_of_the_vocabulary():
    """A word of the record that is given another name takes its names along, or they would be looked up by nobody."""
    said = tomllib.loads(files("sewershed.exchange").joinpath("columns.toml").read_text())
    folder = Path(str(files("sewershed.programs")))
    known = read_vocabulary(sorted(folder.glob("*/vocabulary.toml")))
    of_events = {"on", "at", "time", "by"}
    strange = []
    for section in set(said) - {"short", "units", "units_apart", "asked", "meter", "names"}:
        if section in known.events:
            fields = {*known.events[section].data, *of_events}
        else:
            fields = {*known.things[section].facts, "id"} if section in known.things else set()
        strange += [f"{section}.{field}" for field in said[section] if field not in fields]
    assert strange == []


def test_no_name_of_the_dictionary_is_of_two_fields_of_the_same_thing():
    """A field and the number of its thing ("id") may share one: a list has either."""
    said = tomllib.loads(files("sewershed.exchange").joinpath("columns.toml").read_text())
    apart = {"short", "units", "units_apart", "asked", "meter", "names"}
    shared = []
    for section, fields in said.items():
        if section in apart:
            continue
        by_name: dict[str, list[str]] = {}
        for field, names in fields.items():
            for name in {plain_name(one) for one in names}:
                by_name.setdefault(name, []).append(field)
        shared += [(section, name, those) for name, those in by_name.items() if len(those) > 1 and "id" not in those]
    assert shared == []


def test_units_that_the_field_writes_otherwise_are_asked_about():
    assert units_asked("gallon/minute") == ("gallon/minute", "gallon/day", "mgd")
    assert units_asked("gallon") == ()


@pytest.mark.parametrize(
    "note", ["new hour meter on pump 1", "Meter replaced 1/3", "counter reset to zero", "REPLACEMENT"]
)
def test_a_note_says_that_a_meter_was_replaced(note):
    assert says_replaced(note)


@pytest.mark.parametrize("note", ["", "pump 1 off for repair", "meter dark", "renewed the belt"])
def test_another_note_does_not(note):
    assert not says_replaced(note)
