"""The town of an operator's daily book: six stations visited each day for ten years with their pump hours, and 200 reaches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from benchmarks import town as drawn
from benchmarks.towns import Made, grown
from sewershed.ledger import working
from sewershed.ledger.log import Draft

STATIONS = 6
REACHES = 200
DAYS = 3650
CLEANED_EVERY_DAYS = 300


def made(database: str, folder: Path) -> Made:
    """Returns the town, all worked out."""
    town = grown(folder, database, rows, "an operator's daily book")
    with town.opened():
        working.recompute(is_compared=False)
    return town


def rows(draw: drawn.Draw, town: str) -> Iterator[Draft]:
    """Yields the rows: 43,000 of the stations, 2,800 of the reaches."""
    since = drawn.TODAY - timedelta(DAYS)
    for number in range(STATIONS):
        station = draw.id()
        said = {
            "name": f"Station {number}",
            "in_service_since": since.isoformat(),
            "generator": "on_site",
            "pumps": "2",
        }
        yield draw.facts(station, "station", said)
        hours = [1000 * number, 1000 * number]  # in tenths
        for offset in range(DAYS):
            at = datetime.combine(since + timedelta(offset), time(14, draw.random.randrange(60)), UTC)  # nine in winter
            hours = [one + draw.random.randrange(10, 80) for one in hours]
            if draw.happens(0.98):
                yield draw.event(station, "station_visited", at)
                read = {f"hours_{pump}": f"{tenths / 10:.1f}" for pump, tenths in enumerate(hours, 1)}
                yield draw.event(station, "pump_hours_read", at, read)
    manholes = [draw.id() for _ in range(REACHES + 1)]
    for number, manhole in enumerate(manholes):
        yield draw.facts(manhole, "manhole", {"name": f"MH-{number}"})
    for number in range(REACHES):
        reach = draw.id()
        said = {
            "name": f"P-{number}", "town": town, "is_gravity": True, "length_ft": f"{180 + number}", "diameter_in": "8",
            "from_manhole": manholes[number], "to_manhole": manholes[number + 1],
        }  # fmt: skip
        yield draw.facts(reach, "pipe", said)
        for days in range(DAYS - number, 0, -CLEANED_EVERY_DAYS):
            day = drawn.TODAY - timedelta(days)
            yield draw.event(reach, "line_cleaned", day, {"length_ft": said["length_ft"], "method": "jetting"})
