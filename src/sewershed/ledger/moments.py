"""Moments as people type and read them, at a terminal and at the desk: "2024-03-08 15:40" in, "Fri Mar 8, 3:40 pm" out."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sewershed.rules.moments import day_of, end_of, is_instant, read_moment
from sewershed.rules.record import Moment

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_TYPED = re.compile(r"(\d{4}-\d\d-\d\d)[ T]+(\S.*)")
_WRITTEN = re.compile(r"\b(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?(?![\w-])")
_TIME = re.compile(r"\d\d?:\d\d")
_TWELVE = re.compile(r"(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])\.?m\.?", re.IGNORECASE)


def moment_of(text: str, zone: ZoneInfo) -> Moment:
    """Returns the day or the instant that somebody typed; a blank may stand for the T between day and time.

    Refuses: as `read_moment`.

    Example:
        >>> moment_of("2024-03-08 15:40", ZoneInfo("America/New_York")).isoformat()
        '2024-03-08T20:40:00+00:00'
    """
    return read_moment(iso_text(text), zone)


def iso_text(text: str) -> str:
    """Returns a typed moment with the T that the record writes, its hour with two figures.

    Edge: what is no day, with or without a time, stays as it was typed, so that whoever refuses it can show it.

    Example:
        >>> iso_text("2024-03-08 9:05"), iso_text("2024-03-08 3:40 pm"), iso_text("2024-03-08")
        ('2024-03-08T09:05', '2024-03-08T15:40', '2024-03-08')
        >>> iso_text("next Friday")
        'next Friday'
    """
    typed = text.strip()
    match = _TYPED.fullmatch(typed)
    return f"{match[1]}T{clock_text(match[2]) or match[2]}" if match else typed


def in_words(text: str) -> str:
    """Returns a text in which the days and the instants that the engine writes are words, each at the time of day it bears.

    Example:
        >>> in_words("if read as confirmation: due 2023-11-04T08:20-04:00, or 2023-11-05")
        'if read as confirmation: due Sat Nov 4, 2023, 8:20 am, or Sun Nov 5, 2023'
        >>> in_words("22-359(e)"), in_words("2023-13-40")
        ('22-359(e)', '2023-13-40')
    """
    return _WRITTEN.sub(_in_words, text)


def _in_words(found: re.Match[str]) -> str:
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2] or '00:00'}")
    except ValueError:
        return found[0]
    hour = f"{moment.hour % 12 or 12}:{moment.minute:02} {'am' if moment.hour < 12 else 'pm'}"
    return f"{day_words(moment.date())}{f', {hour}' if found[2] else ''}"


def clock_text(text: str) -> str:
    """Returns a typed time of day as the record writes it, or nothing where it is none.

    Edge: 12 am is the first minute of a day, 12 pm its noon.

    Example:
        >>> [clock_text(text) for text in ("9:05", "15:40:30", "3 pm", "12:10 am", "12 pm", "soon")]
        ['09:05', '15:40:30', '15:00', '00:10', '12:00', '']
    """
    if match := _TWELVE.fullmatch(text):
        hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
        return f"{hour:02}:{match[2] or '00'}"
    if not _TIME.match(text):
        return ""
    return f"0{text}" if text[1] == ":" else text


def instant_of(text: str, zone: ZoneInfo) -> datetime:
    """Returns the instant that is asked about. Edge: a bare day is asked about at its last second."""
    return end_of(moment_of(text, zone), zone)


def day_words(day: date, today: date | None = None) -> str:
    """Returns a day in words, with the year where it is not this one.

    Example:
        >>> day_words(date(2024, 3, 9), date(2024, 3, 8)), day_words(date(2024, 3, 9))
        ('Sat Mar 9', 'Sat Mar 9, 2024')
    """
    said = f"{day:%a %b} {day.day}"
    return said if today is not None and day.year == today.year else f"{said}, {day.year}"


def clock_words(instant: datetime, zone: ZoneInfo) -> str:
    """Returns the time of day in words.

    Example:
        >>> from datetime import UTC
        >>> clock_words(datetime(2024, 3, 8, 20, 40, tzinfo=UTC), ZoneInfo("America/New_York"))
        '3:40 pm'
    """
    local = instant.astimezone(zone)
    hour = local.hour % 12 or 12
    seconds = f":{local.second:02}" if local.second else ""
    return f"{hour}:{local.minute:02}{seconds} {'am' if local.hour < 12 else 'pm'}"


def moment_words(moment: Moment, zone: ZoneInfo, today: date | None = None) -> str:
    """Returns a day or an instant in words.

    Example:
        >>> moment_words(date(2024, 3, 13), ZoneInfo("America/New_York"), date(2024, 3, 8))
        'Wed Mar 13'
    """
    said = day_words(day_of(moment, zone), today)
    return f"{said}, {clock_words(moment, zone)}" if is_instant(moment) else said


def left_words(due: Moment, now: datetime, zone: ZoneInfo) -> str:
    """Returns how long there is until a limit, or how long it has passed.

    Edge: on the last day itself a day limit says "today"; at the very instant an hour limit has 0 min left.

    Example:
        >>> from datetime import UTC
        >>> zone, now = ZoneInfo("America/New_York"), datetime(2024, 3, 8, 21, 45, tzinfo=UTC)
        >>> left_words(datetime(2024, 3, 9, 20, 40, tzinfo=UTC), now, zone), left_words(date(2024, 3, 13), now, zone)
        ('22 h 55 min left', '5 days left')
        >>> left_words(date(2024, 3, 8), now, zone), left_words(date(2024, 3, 1), now, zone)
        ('today', '7 days overdue')
    """
    if is_instant(due):
        left = due - now
        return f"{span_words(abs(left))} {'left' if left >= timedelta() else 'overdue'}"
    days = (day_of(due, zone) - day_of(now, zone)).days
    if days in (0, 1):
        return "today" if days == 0 else "tomorrow"
    return f"{abs(days):,} day{'' if abs(days) == 1 else 's'} {'left' if days > 0 else 'overdue'}"


def span_words(span: timedelta) -> str:
    """Returns a span of time in words: minutes below an hour, hours and minutes below two days, then days.

    Example:
        >>> [span_words(timedelta(minutes=n)) for n in (7, 60, 1375, 2880, 10080)]
        ['7 min', '1 h', '22 h 55 min', '2 days', '7 days']
    """
    if span >= 2 * _DAY:
        return f"{span // _DAY:,} days"
    hours, minutes = span // _HOUR, span % _HOUR // _MINUTE
    return " ".join(filter(None, (f"{hours} h" if hours else "", f"{minutes} min" if minutes or not hours else "")))
