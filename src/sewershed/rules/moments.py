"""Moments: a day of which no time is known, or an instant (docs/explanation/rulebook.md 7.1 and 7.4).

A day is a `datetime.date`; an instant is an aware `datetime` in UTC, to the second. A time without an offset is local time
of the town's zone, with its daylight saving. A day is never taken for its midnight: where only the day is known and the
time decides, the answer is that it cannot be told.

Python counts a datetime among the dates, so `is_instant` is asked first wherever both may come.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING, TypeGuard
from zoneinfo import ZoneInfo

if TYPE_CHECKING:  # the record asks this module for the day of an event
    from sewershed.rules.record import Moment


class MomentError(ValueError):
    """A text that is no moment, or a local time that is not one instant."""


_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(microsecond=0, tzinfo=UTC)
_DAY_TEXT = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_INSTANT_TEXT = re.compile(r"([^T]*)T(\d\d):(\d\d)(?::(\d\d))?(?:(Z)|([+-])(\d\d):(\d\d))?", re.ASCII)


def read_day(text: str) -> date:
    """Returns the day that a text such as "2024-03-05" names.

    Refuses: with `MomentError`, any other form, and a day that the calendar does not have.

    Example:
        >>> read_day("2024-02-29")
        datetime.date(2024, 2, 29)
        >>> read_day("2023-02-29")
        Traceback (most recent call last):
            ...
        sewershed.rules.moments.MomentError: '2023-02-29' is not a date; 2023-02 has the days 01 to 28
    """
    match = _DAY_TEXT.fullmatch(text)
    if match is None:
        raise MomentError(f"'{text}' is not a date; write year, month and day, e.g. 2024-02-29")
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    try:
        return date(year, month, day)
    except ValueError:
        if year < 1:
            raise MomentError(f"'{text}' is not a date; the years are 0001 to 9999") from None
        if not 1 <= month <= 12:
            raise MomentError(f"'{text}' is not a date; the months are 01 to 12") from None
        last = (date(year, month, 28) + timedelta(days=4)).replace(day=1) - _DAY
        raise MomentError(f"'{text}' is not a date; {match[1]}-{match[2]} has the days 01 to {last.day}") from None


def read_moment(text: str, zone: ZoneInfo) -> Moment:
    """Returns the day, or the instant, that a text names.

    "2024-03-05" is a day. "2024-03-05T10:00" (or with seconds) is local time of the zone; with an offset or Z at its end it
    is exact, whatever the zone.

    Edge: the first and the last minute of the hour that comes twice, or never, belong to it; the minutes before and after
    do not.

    Refuses: with `MomentError`, what is neither; a local time that happens twice, showing both offsets; one that never
    happens; fractions of a second.

    Example:
        >>> new_york = ZoneInfo("America/New_York")
        >>> read_moment("2024-03-05", new_york), read_moment("2024-03-05T10:00", new_york).isoformat()
        (datetime.date(2024, 3, 5), '2024-03-05T15:00:00+00:00')
        >>> read_moment("2024-03-10T02:30", new_york)
        Traceback (most recent call last):
            ...
        sewershed.rules.moments.MomentError: 2024-03-10T02:30 does not exist in America/New_York (clocks go forward)
    """
    if "T" not in text:
        return read_day(text)
    match = _INSTANT_TEXT.fullmatch(text)
    if match is None:
        raise MomentError(f"'{text}' is not a moment; write a day, e.g. 2024-03-05, or a time, e.g. 2024-03-05T10:00")
    day_text, hour, minute, second, is_utc, sign, offset_hours, offset_minutes = match.groups()
    day = read_day(day_text)
    try:
        clock = time(int(hour), int(minute), int(second or 0))
    except ValueError:
        raise MomentError(f"'{text}' has no time of day; it runs from 00:00:00 to 23:59:59") from None
    local = datetime.combine(day, clock)
    try:
        if is_utc:
            return local.replace(tzinfo=UTC)
        if sign:
            if int(offset_minutes) > 59 or int(offset_hours) > 23:
                raise MomentError(f"'{text}' has no offset of a clock; write hours and minutes, e.g. -05:00")
            offset = timedelta(hours=int(offset_hours), minutes=int(offset_minutes))
            return local.replace(tzinfo=timezone(-offset if sign == "-" else offset)).astimezone(UTC)
        return _at_local(local, text, zone)
    except OverflowError:
        raise MomentError(f"'{text}' lies outside the years 0001 to 9999") from None


def _at_local(local: datetime, text: str, zone: ZoneInfo) -> datetime:
    """Returns the instant of a local time, which must happen exactly once."""
    # Python's "fold" asks for the earlier (0) or the later (1) of two readings. Where the clocks go back the earlier has
    # the greater offset; where they go forward, and the time never happens, it is the other way round.
    earlier, later = local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
    before, after = earlier.utcoffset(), later.utcoffset()
    if before == after:
        return earlier.astimezone(UTC)
    if before is None or after is None or before < after:
        raise MomentError(f"{text} does not exist in {zone} (clocks go forward)")
    raise MomentError(
        f"{text} happens twice in {zone} (clocks go back); give the offset, "
        f"e.g. {text}{_offset(earlier)} or {text}{_offset(later)}"
    )


def _offset(local: datetime) -> str:
    """Returns the offset of a local time as "-05:00"."""
    return local.isoformat()[19:]


def is_instant(moment: Moment) -> TypeGuard[datetime]:
    """Tells whether the time of day is known."""
    return isinstance(moment, datetime)


def day_of(moment: Moment, zone: ZoneInfo) -> date:
    """Returns the local day in which a moment lies.

    Edge: local midnight belongs to the day that begins.

    Example:
        >>> day_of(read_moment("2024-03-05T03:00Z", UTC), ZoneInfo("America/New_York"))
        datetime.date(2024, 3, 4)
    """
    return _local(moment, zone).date() if isinstance(moment, datetime) else moment


def start_of(moment: Moment, zone: ZoneInfo) -> datetime:
    """Returns the first instant of a day; of an instant, the instant itself.

    Edge: where the clocks go forward at midnight, the day begins at the first time there is.
    """
    return moment if isinstance(moment, datetime) else _start_of_day(moment, zone)


def end_of(moment: Moment, zone: ZoneInfo) -> datetime:
    """Returns the last second of a local day, however long it is; of an instant, the instant itself.

    Example:
        >>> new_york = ZoneInfo("America/New_York")
        >>> day = date(2023, 11, 5)  # 25 hours long
        >>> end_of(day, new_york) - start_of(day, new_york)
        datetime.timedelta(days=1, seconds=3599)
    """
    if isinstance(moment, datetime):
        return moment
    return _LAST if moment == date.max else _start_of_day(moment + _DAY, zone) - _SECOND


@lru_cache(maxsize=65_536)
def _start_of_day(day: date, zone: ZoneInfo) -> datetime:
    # Where midnight happens twice this is the first; where it never does, the offset from before the gap leads exactly
    # to the gap's end, which is the first time the day has.
    try:
        return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)
    except OverflowError:  # the first day of all, east of Greenwich
        return _FIRST


def _local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Returns an instant on the clock of the zone."""
    if instant.tzinfo is None:
        # Python would read it by the clock of the machine, which the law does not know.
        raise TypeError(f"{instant.isoformat()} has no offset; an instant is in UTC")
    return instant.astimezone(zone)


def is_after(a: Moment, b: Moment, zone: ZoneInfo) -> bool:
    """Tells whether one moment is after another.

    Edge: the same instant, or the same day where only days are known, is not after. Where one has a time and the other
    only a day, it takes a later day.

    Example:
        >>> new_york = ZoneInfo("America/New_York")
        >>> noon, day = read_moment("2024-03-05T12:00", new_york), date(2024, 3, 5)
        >>> is_after(noon, day, new_york), is_after(noon, date(2024, 3, 4), new_york)
        (False, True)
    """
    if isinstance(a, datetime):
        return a > b if isinstance(b, datetime) else day_of(a, zone) > b
    return a > day_of(b, zone)


def in_time(event: Moment, limit: Moment, zone: ZoneInfo) -> bool | None:
    """Tells whether something happened in time; None where its time of day decides and is not known.

    Edge: on the last day, or at the very second of the limit, is in time. An event of which only the day is known is in
    time when that whole day is, late when none of it is, and otherwise None.

    Example:
        >>> new_york = ZoneInfo("America/New_York")
        >>> limit = read_moment("2023-11-04T07:05", new_york)
        >>> [in_time(read_moment(text, new_york), limit, new_york)
        ...  for text in ("2023-11-04T07:05", "2023-11-04T07:06", "2023-11-03", "2023-11-04", "2023-11-05")]
        [True, False, True, None, False]
    """
    if not isinstance(limit, datetime):
        return day_of(event, zone) <= limit
    if isinstance(event, datetime):
        return event <= limit
    if end_of(event, zone) <= limit:
        return True
    return False if limit < start_of(event, zone) else None


def say(moment: Moment, zone: ZoneInfo) -> str:
    """Returns a moment in words of a record: a day, or local time with its offset; seconds where they are not zero.

    Example:
        >>> say(read_moment("2023-11-06T00:00Z", UTC), ZoneInfo("America/New_York"))
        '2023-11-05T19:00-05:00'
    """
    if not isinstance(moment, datetime):
        return moment.isoformat()
    return _local(moment, zone).isoformat(timespec="seconds" if moment.second else "minutes")
