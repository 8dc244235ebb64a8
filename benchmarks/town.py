"""A town as large as the bounds speak of, made up: its log, drawn from a seed over the shipped vocabulary and books.

Every part of it is what such a town has: premises and their owners, backflow assemblies tested each year, kitchens with
interceptors, pump stations visited each day, pipes cleaned, spills from call to report. A few rows are corrected or
withdrawn, a few facts are missing, some tests fail and some visits were forgotten, as in any record.

The same numbers and the same seed give the same rows, and the log's own pen adds them, so that the chain holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sewershed.ledger import canonical
from sewershed.ledger.log import Draft

BOOK = "us.nc.spring_hope"
NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)  # a Monday, 15:00 in the town
TODAY = NOW.date()
TOWN_FACTS = {
    "county": "Nash", "collects_from": "2016-07-01", "gravity_ft": "600000", "force_main_ft": "60000",
    "lines_under_5_years_ft": "20000", "average_flow_gpd": "410000",
}  # fmt: skip
_PARTICULARS = ("address", "date", "installer", "make", "owner", "place", "test", "type")
TESTERS = 20
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_FACILITIES = ("restaurant", "school", "carwash", "lawn_irrigation", "fire_system", "industrial", "other")


@dataclass(frozen=True, slots=True)
class Size:
    """How many of each there are."""

    premises: int
    assemblies: int
    interceptors: int
    stations: int
    pipes: int
    spills: int
    assembly_years: int = 5
    interceptor_months: int = 96
    station_days: int = 3650

    @property
    def things(self) -> int:
        """Returns how many things there are, owners, manholes and testers among them, without the town itself."""
        own = self.assemblies + self.interceptors + self.stations + self.spills
        return 2 * self.premises + own + 2 * self.pipes + 2 * TESTERS


LARGE = Size(premises=15_100, assemblies=8_000, interceptors=610, stations=30, pipes=5_000, spills=1_200)


@dataclass(frozen=True, slots=True)
class Tester:
    """Somebody who tests assemblies, and the gauge it is done with."""

    id: str
    gauge: str


@dataclass(slots=True)
class Draw:
    """Draws rows; all that is drawn comes from one seed."""

    account: str
    vocabulary: str
    random: random.Random = field(default_factory=lambda: random.Random(5357))

    def id(self) -> str:
        """Returns an id of the length that the ledger gives."""
        number = self.random.getrandbits(60)
        return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(55, -5, -5))

    def happens(self, share: float) -> bool:
        """Tells whether something happens that happens so often."""
        return self.random.random() < share

    def facts(self, thing: str, type: str, said: Mapping[str, Any], day: str = "") -> Draft:
        """Returns a facts row."""
        return self._draft("facts", type, thing, said, day=day)

    def event(self, thing: str, name: str, at: date | datetime, said: Mapping[str, Any] | None = None) -> Draft:
        """Returns an event."""
        if isinstance(at, datetime):
            return self._draft("event", name, thing, said or {}, at=canonical.instant_text(at), utc_offset="-05:00")
        return self._draft("event", name, thing, said or {}, day=at.isoformat())

    def decided(self, thing: str, fact: str, value: str, on: date) -> Draft:
        """Returns what a person decided about a fact that is judged."""
        return self.event(thing, "decided", on, {"fact": fact, "value": value, "because": "looked at on site"})

    def corrected(self, row: Draft, said: Mapping[str, Any]) -> Draft:
        """Returns a row that replaces another and says the same, but for what is given."""
        data = canonical.write({**canonical.read(row.data), **said})
        return Draft(
            id=self.id(), kind=row.kind, name=row.name, thing=row.thing, at=row.at, day=row.day, at_is=row.at_is,
            utc_offset=row.utc_offset, recorded_by=self.account, data=data, replaces=row.id, why="read wrongly",
            source="form", vocabulary=self.vocabulary,
        )  # fmt: skip

    def withdrawn(self, row: Draft) -> Draft:
        """Returns a row that voids another."""
        return Draft(
            id=self.id(), kind="void", thing=row.thing, recorded_by=self.account, voids=row.id, why="entered twice",
            source="form", vocabulary=self.vocabulary,
        )  # fmt: skip

    def _draft(self, kind: str, name: str, thing: str, said: Mapping[str, Any], **when: str) -> Draft:
        data = canonical.write({name: value for name, value in said.items() if value != ""})
        is_event = kind == "event"
        return Draft(
            id=self.id(), kind=kind, name=name, thing=thing, recorded_by=self.account, data=data, source="form",
            at_is="exact" if is_event else "", vocabulary=self.vocabulary, **when,
        )  # fmt: skip


def rows(size: Size, draw: Draw, town: str) -> Iterator[Draft]:
    """Yields the rows of the whole town, thing by thing.

    Args:
        size: how many of each.
        draw: the seed and who enters them.
        town: the id of the town, which stands already.
    """
    premises = []
    for number in range(size.premises):
        premises.append(draw.id())
        yield from premises_rows(draw, premises[-1], number)
    testers = [Tester(draw.id(), draw.id()) for _ in range(TESTERS)]
    for number, tester in enumerate(testers):
        yield from tester_rows(draw, tester, number, size.assembly_years)
    for number in range(size.assemblies):
        place, tester = premises[number % len(premises)], draw.random.choice(testers)
        yield from assembly_rows(draw, draw.id(), place, tester, size.assembly_years)
    for number in range(size.interceptors):
        place = premises[(number * 7) % len(premises)]
        yield from interceptor_rows(draw, draw.id(), place, size.interceptor_months, number)
    for number in range(size.stations):
        yield from station_rows(draw, draw.id(), size.station_days, number)
    manholes = [draw.id() for _ in range(size.pipes)]
    for number, manhole in enumerate(manholes):
        at = [
            f"{-77.9 + number % 100 * 0.0009:.6f}",
            f"{35.9 + number // 100 * 0.0007:.6f}",
        ]  # a hundred along each street
        point = {"type": "Point", "coordinates": at}
        yield draw.facts(manhole, "manhole", {"name": f"MH-{number}", "depth_ft": f"{4 + number % 12}", "point": point})
    for number in range(size.pipes):
        yield from pipe_rows(draw, draw.id(), town, manholes, number)
    for number in range(size.spills):
        yield from spill_rows(draw, draw.id(), number)


def subjects(count: int, draw: Draw) -> Iterator[Draft]:
    """Yields the rows of so many mixed subjects of about seven events each: assemblies, kitchens, stations."""
    place, tester = draw.id(), Tester(draw.id(), draw.id())
    yield from premises_rows(draw, place, 0)
    yield from tester_rows(draw, tester, 0, years=2)
    for number in range(count):
        thing = draw.id()
        match number % 4:
            case 0 | 2:
                yield from assembly_rows(draw, thing, place, tester, years=2)
            case 1:
                yield from interceptor_rows(draw, thing, place, 4, number)
            case 3:
                yield from station_rows(draw, thing, 7, number)


# ------------------------------------------------------------------------------------------------ one of each


def premises_rows(draw: Draw, thing: str, number: int) -> Iterator[Draft]:
    """Yields the rows of premises and of their owner."""
    owner = draw.id()
    yield draw.facts(owner, "person", {"name": f"Owner {number}", "mailing_address": f"{number} Example Street"})
    said = {
        "address": f"{100 + number} {('Oak', 'Ash', 'Elm', 'Nash')[number % 4]} Street", "owner": owner, "inside_town": True,
        "facility": draw.random.choice(_FACILITIES), "is_commercial": number % 3 == 0, "auxiliary_supply": "none",
        "is_access_denied": False,
    }  # fmt: skip
    if draw.happens(0.05):
        del said["facility"]
    yield draw.facts(thing, "premises", said)
    if draw.happens(0.5):
        yield draw.decided(thing, "hazard", "health" if number % 9 == 0 else "non_health", _days_ago(1900))
    if draw.happens(0.1):
        told = _days_ago(draw.random.randrange(30, 900))
        yield draw.event(thing, "bf_notice", told, {"what": "contain"})
        if draw.happens(0.8):
            yield draw.event(thing, "assembly_put_in", told + timedelta(draw.random.randrange(20, 230)), {"type": "RP"})


def tester_rows(draw: Draw, tester: Tester, number: int, years: int) -> Iterator[Draft]:
    """Yields the rows of a tester, certified every other year, and of the gauge, certified each year."""
    said = {"name": f"Tester {number}", "is_licensed_plumber": True, "has_course_certificate": True}
    yield draw.facts(tester.id, "tester", said)
    yield draw.facts(tester.gauge, "gauge", {"serial": f"G{number}", "tester": tester.id})
    for days in range(365 * years + 40, 0, -350):
        yield draw.event(tester.gauge, "gauge_certified", _days_ago(days))
    for days in range(365 * years + 40, 0, -700):
        yield draw.event(tester.id, "tester_certified", _days_ago(days))


def assembly_rows(draw: Draw, thing: str, premises: str, tester: Tester, years: int) -> Iterator[Draft]:
    """Yields the rows of an assembly: installed, then tested about once a year, each test reported."""
    what = draw.random.choice(("RP", "DCVA", "DCVA", "DCDA", "PVB"))
    serial = f"S{draw.random.randrange(10**6):06}"
    facts = {
        "premises": premises,
        "type": what,
        "serial": serial,
        "size_in": "2",
        "is_horizontal": True,
        "is_below_grade": False,
    }
    yield draw.facts(thing, "assembly", facts if draw.happens(0.98) else {"premises": premises, "serial": serial})
    installed = _days_ago(365 * years - draw.random.randrange(0, 300))
    yield draw.event(thing, "assembly_installed", installed)
    yield draw.event(
        thing,
        "assembly_particulars",
        installed + timedelta(draw.random.randrange(5, 18)),
        {"contains": list(_PARTICULARS)},
    )
    day = installed + timedelta(draw.random.randrange(2, 12))
    while day <= TODAY:
        test = draw.event(thing, "assembly_tested", day, _readings(draw, tester, serial))
        yield test
        if draw.happens(0.01):
            yield draw.corrected(test, {"check1_psi": "7.5"})
        if draw.happens(0.97):
            yield draw.event(
                thing, "test_report_sent", min(TODAY, day + timedelta(draw.random.randrange(1, 15))), {"test": test.id}
            )
        if draw.happens(0.004):
            yield draw.withdrawn(test)
        day += timedelta(draw.random.randrange(340, 385))


def _readings(draw: Draw, tester: Tester, serial: str) -> dict[str, Any]:
    fails = draw.happens(0.03)
    said = {
        "tester": tester.id, "gauge": tester.gauge, "serial": serial, "method": "opening_point", "bypass_passes": True,
        "check1_psi": "0.5" if fails else "8.2", "check2_psi": "2.4", "check2_is_tight": True, "relief_psi": "3.1",
        "air_inlet_psi": "1.6",
    }  # fmt: skip
    if draw.happens(0.01):
        del said["check1_psi"]
    return said


def interceptor_rows(draw: Draw, thing: str, premises: str, months: int, number: int) -> Iterator[Draft]:
    """Yields the rows of a kitchen's interceptor: emptied about each month, each month's record filed, inspected each year."""
    said = {
        "name": f"Kitchen {number}", "premises": premises, "capacity_gal": draw.random.choice(("750", "1000", "1500")),
        "is_cooking": True, "peak_flow_gpm": "30", "peak_flow_basis": "actual",
    }  # fmt: skip
    yield draw.facts(thing, "interceptor", said)
    started = _days_ago(30 * months)
    yield draw.event(thing, "interceptor_started", started)
    day, last_inspected = started, started
    while (day := day + timedelta(draw.random.randrange(24, 34))) <= TODAY:
        if draw.happens(0.04):
            continue  # forgotten
        serviced = draw.event(
            thing, "interceptor_serviced", day, {"gallons": said["capacity_gal"], "hauler": "the hauler"}
        )
        yield serviced
        if draw.happens(0.005):
            yield draw.corrected(serviced, {"gallons": "900"})
        if draw.happens(0.95):
            filed = min(TODAY, day + timedelta(draw.random.randrange(2, 30)))
            yield draw.event(thing, "service_record_filed", filed, {"period": f"{day:%Y-%m}"})
        if (day - last_inspected).days > 330:
            last_inspected = day
            yield draw.event(thing, "interceptor_inspected", day, {"findings": "in order"})


def station_rows(draw: Draw, thing: str, days: int, number: int) -> Iterator[Draft]:
    """Yields the rows of a pump station: visited each day, or each week where it is on telemetry; a visit in fifty forgotten."""
    since = _days_ago(days)
    has_telemetry = number % 3 != 0
    said = {"name": f"Station {number}", "in_service_since": since.isoformat(), "generator": "on_site"}
    yield draw.facts(thing, "station", said)
    yield draw.decided(thing, "has_telemetry", "true" if has_telemetry else "false", since)
    yield draw.event(thing, "plan_copy_at_station", since + timedelta(min(40, days)))
    step = 7 if has_telemetry else 1
    for offset in range(0, days, step):
        if draw.happens(0.98):
            yield draw.event(thing, "station_visited", _at(since + timedelta(offset), 9, draw.random.randrange(60)))


def pipe_rows(draw: Draw, thing: str, town: str, manholes: list[str], number: int) -> Iterator[Draft]:
    """Yields the rows of a pipe, cleaned now and then."""
    said = {
        "name": f"P-{number}", "town": town, "is_gravity": number % 11 != 0, "length_ft": f"{180 + number % 240}", "diameter_in": "8",
        "from_manhole": manholes[number], "to_manhole": manholes[(number + 1) % len(manholes)],
    }  # fmt: skip
    yield draw.facts(thing, "pipe", said)
    for _ in range(draw.random.randrange(3)):
        day = _days_ago(draw.random.randrange(3000))
        yield draw.event(thing, "line_cleaned", day, {"length_ft": said["length_ft"], "method": "jetting"})


def spill_rows(draw: Draw, thing: str, number: int) -> Iterator[Draft]:
    """Yields the rows of a spill: most are run through to the report, some found to be none, a few still open."""
    called = _at(_days_ago(draw.random.randrange(1, 1500)), draw.random.randrange(6, 22), draw.random.randrange(60))
    place = f"{number} Example Street"
    yield draw.facts(thing, "spill", {"location": place, "source": "sanitary_sewer"})
    yield draw.event(
        thing,
        "call",
        called,
        {"what": "manhole_overflowing", "location": place, "channel": "telephone", "reporter": "a caller"},
    )

    def after(minutes: int, name: str, **said: Any) -> Draft:
        return draw.event(thing, name, min(called + timedelta(minutes=minutes), NOW), said)

    yield after(9, "spill_investigated", findings="seen")
    if draw.happens(0.25):
        yield after(40, "found_to_be_none", reason="nothing_found")
        return
    gallons = draw.random.choice((40, 350, 900, 1001, 2500, 16000))
    to_water = gallons if draw.happens(0.3) else 0
    yield after(25, "crew_arrived", is_running=True)
    yield after(28, "spill_confirmed", findings="the manhole overflows")
    yield after(40, "cause_found", causes=["grease"])
    yield after(45, "destination_found", destination="water_body" if to_water else "ground", was_wet=False)
    yield after(50, "spill_contained", how="sandbags")
    yield after(55, "area_secured", how="cones")
    yield after(60, "photographs_taken", stage="on_site")
    yield after(70, "spill_stopped", because="corrected")
    yield after(
        80, "start_estimated", started_at=canonical.instant_text(called - timedelta(minutes=30)), started_is="estimated"
    )
    yield after(90, "volume_estimated", method="eyeball", result_gal=str(gallons))
    assessed = {
        "ground_gal": str(gallons - to_water),
        "surface_water_gal": str(to_water),
        "reached_water": to_water > 0,
        "contained": True,
    }
    if draw.happens(0.05):
        assessed["surface_water_gal"] = None
    yield after(100, "spill_assessed", **assessed)
    yield after(120, "state_told", way="person", spoken_to="staff of the regional office", office="the regional office")
    yield after(200, "area_clean", is_disposed_properly=True)
    yield after(210, "site_disinfected", agent="lime")
    yield after(215, "photographs_taken", stage="after_clean_up")


def _days_ago(days: int) -> date:
    return TODAY - timedelta(days)


def _at(day: date, hour: int, minute: int) -> datetime:
    """Returns an instant of a day by the town's winter clock; good enough for rows that are made up."""
    return min(datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC) + timedelta(hours=5), NOW)
