"""How the papers take over what the record holds: moments as texts, volumes for print, and None for what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from sewershed.rules.figures import gallons
from sewershed.rules.moments import say
from sewershed.rules.record import Moment
from sewershed.rules.types import Number

NO_RECORD = "none on record"  # of what a row would say, and no row does: whether it was so is not known


@dataclass(frozen=True, slots=True)
class Told:
    """A call by which the state was told: to whom, and when."""

    whom: str
    at: Moment


class CannotWriteError(ValueError):
    """A paper whose facts contradict each other or lack what it cannot do without; all of it at once."""

    def __init__(self, paper: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{paper} cannot be written: " + "; ".join(self.problems))


def write_or_refuse(paper: str, problems: Sequence[str]) -> None:
    """Refuses a paper that has problems.

    Raises:
        CannotWriteError: with every problem.
    """
    if problems:
        raise CannotWriteError(paper, problems)


def moment_text(moment: Moment | None, zone: ZoneInfo) -> str | None:
    """Returns a moment as a paper's data holds it: a day, or local time with its offset."""
    return None if moment is None else say(moment, zone)


def gallons_text(value: Number | None) -> str | None:
    """Returns a volume for print, or None where it is not known."""
    return None if value is None else gallons(value)


def angle_text(degrees: Decimal | None, signs: tuple[str, str]) -> str | None:
    r"""Returns a latitude or longitude in degrees, minutes and seconds, with its letter.

    Units: decimal degrees, north and east positive; seconds to a tenth, half up (about 10 ft).
    Edge: seconds that round to 60 carry into the minutes. Zero is north or east.
    Refuses: more than 180 degrees.

    Example:
        >>> angle_text(Decimal("35.9449"), ("N", "S")), angle_text(Decimal("-78.1099999"), ("E", "W"))
        ('35° 56\' 41.6" N', '78° 06\' 36.0" W')
    """
    if degrees is None:
        return None
    if abs(degrees) > 180:
        raise ValueError(f"{degrees} is no latitude or longitude; give decimal degrees, west and south negative")
    tenths = int(Fraction(abs(degrees)) * 36000 + Fraction(1, 2))
    minutes, tenths = divmod(tenths, 600)
    whole, minutes = divmod(minutes, 60)
    return f"{whole}° {minutes:02}' {tenths // 10:02}.{tenths % 10}\" {signs[0] if degrees >= 0 else signs[1]}"


def unfounded(determined: Moment | None, water_gal: Number | None, water_name: str | None) -> dict[str, str]:
    """Returns what a paper to the public would assert of the water though nobody recorded it, by the key of the value.

    Edge: no gallons in the water are no reason to say that sewage reached it.

    Example:
        >>> unfounded(None, 0, "Branch")
        {'determined': 'nobody determined that sewage reached water', 'water': 'how much reached it is not recorded'}
    """
    checks = (
        ("determined", determined is not None, "nobody determined that sewage reached water"),
        ("water", bool(water_gal), "how much reached it is not recorded"),
        ("water_name", bool(water_name), "which water it reached is not recorded"),
    )
    return {name: says for name, is_said, says in checks if not is_said}


def told_data(told: Sequence[Told], zone: ZoneInfo) -> list[dict[str, str | None]]:
    """Returns who was told for the state and when, each named for what it is, the first as it begins a sentence, too.

    Edge: a call to the emergency office does not say that the agency was told.

    Example:
        >>> from datetime import date
        >>> told_data([Told("the Agency", date(2024, 3, 8))], ZoneInfo("UTC"))
        [{'whom': 'the Agency', 'begins': 'The Agency', 'at': '2024-03-08'}]
    """
    return [
        {"whom": one.whom, "begins": f"{one.whom[:1].upper()}{one.whom[1:]}", "at": moment_text(one.at, zone)}
        for one in told
    ]


def not_known(head: str, labels: Mapping[str, str], values: Mapping[str, object]) -> list[dict[str, object]]:
    """Returns which of the labelled values are not known, as a paper lists them, or nothing.

    Example:
        >>> not_known("Notice", {"where": "Location", "when": "Started"}, {"where": "Branch Street", "when": None})
        [{'head': 'Notice', 'labels': ['Started']}]
    """
    missing = [label for name, label in labels.items() if values[name] is None]
    return [{"head": head, "labels": missing}] if missing else []
