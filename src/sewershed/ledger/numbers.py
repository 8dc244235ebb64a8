"""Numbers of papers, calls and things: one series a kind and year, given out under the lock, never given again.

The format stands in the vocabulary: ``"{yy}-{n:03}"``. The row that takes a number keeps it, with the series, the year
and the count, so that the series can be read back from the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Series

NUMBER = "_number"  # where a row of the log keeps the number it took itself
THING_NUMBER = "_thing_number"  # the number it gave to its thing
COUNTS = "_counts"  # what these numbers are in their series: name/year/count
KEPT = (NUMBER, THING_NUMBER, COUNTS)  # what a row keeps of numbers, and a correction of it does not repeat
_FIELD = re.compile(r"\{(yy|yyyy|n)(?::(\d+))?\}")


def take(series: str, template: str, year: int) -> tuple[str, str]:
    """Returns the next number of a series, and its name/year/count for the row to keep."""
    return take_many(series, template, year, 1)[0]


def take_many(series: str, template: str, year: int, how_many: int) -> list[tuple[str, str]]:
    """Returns the next numbers of a series, each with its name/year/count for the row to keep.

    Edge: the first of a year is 1, whatever the year before had reached.

    Refuses: a format without ``{n}``.

    Raises:
        Refused: naming the format.
    """
    kept, _ = Series.objects.get_or_create(name=series, year=year, defaults={"last": 0})
    first = kept.last + 1
    kept.last += how_many
    kept.save(update_fields=["last"])
    return [(formatted(template, year, n), f"{series}/{year}/{n}") for n in range(first, kept.last + 1)]


def formatted(template: str, year: int, n: int) -> str:
    """Returns a number in its format.

    Example:
        >>> formatted("{yy}-{n:03}", 2024, 7)
        '24-007'
    """
    if "{n" not in template:
        raise Refused(f'the series format {template!r} has no place for the number; write e.g. "{{yy}}-{{n:03}}"')

    def put(found: re.Match[str]) -> str:
        value = {"yy": f"{year % 100:02}", "yyyy": f"{year:04}", "n": str(n)}[found[1]]
        return value.zfill(int(found[2] or 0))

    return _FIELD.sub(put, template)


def reached(counts: Iterable[str]) -> dict[tuple[str, int], int]:
    """Returns how far each series has been given out, from what the rows keep.

    Example:
        >>> reached(["spill/2024/1", "spill/2024/2", "spill/2023/9"])
        {('spill', 2024): 2, ('spill', 2023): 9}
    """
    last: dict[tuple[str, int], int] = {}
    for count in counts:
        series, year, n = count.rsplit("/", 2)
        last[series, int(year)] = max(int(n), last.get((series, int(year)), 0))
    return last
