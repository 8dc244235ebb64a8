"""What was measured, beside the bound it is to keep (DESIGN.md 10).

A line takes its figures from pytest-benchmark: the median and the 95th percentile of the time on the wall, and beside them
the processor time of this process, which tells how much of it was waiting for a busy machine.
"""

from __future__ import annotations

import os
import platform
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any


@dataclass(slots=True)
class Line:
    """One line of the table: what, its bound if it has one, and every time it took, in seconds."""

    what: str
    bound_s: float | None
    wall_s: Sequence[float]
    cpu_s: Sequence[float]
    is_p95: bool  # the bound is on the 95th percentile, not on the median
    note: str = ""

    @property
    def is_kept(self) -> bool | None:
        """Tells whether the bound is kept; None where there is none. Edge: exactly the bound keeps it."""
        if self.bound_s is None:
            return None
        return (p95(self.wall_s) if self.is_p95 else median(self.wall_s)) <= self.bound_s


@dataclass(slots=True)
class Clock:
    """Takes the processor time of what it calls."""

    cpu_s: list[float] = field(default_factory=list)

    def of(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the same work, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            begun = _cpu()
            try:
                return work(*args, **kwargs)
            finally:
                self.cpu_s.append(_cpu() - begun)

        return timed


LINES: list[Line] = []
LOADS: list[float] = []


def measure(
    benchmark: Any,
    what: str,
    work: Callable[..., Any],
    *,
    bound_s: float | None,
    rounds: int,
    setup: Callable[[], Any] | None = None,
    warmup_rounds: int = 0,
    is_p95: bool = False,
    note: str | Callable[[], str] = "",
) -> Any:
    """Measures work by rounds, notes its line, and returns what the last round returned.

    Args:
        benchmark: pytest-benchmark's fixture.
        what: the words of the line.
        work: what is done in a round.
        bound_s: the bound; None: it has none, and is shown all the same.
        rounds: how often.
        setup: done before each round, not measured; may return (args, kwargs) for the work.
        warmup_rounds: done before, not measured.
        is_p95: the bound is on the 95th percentile.
        note: what else is to be said; of a function, what it says after the last round.
    """
    clock = Clock()
    LOADS.append(os.getloadavg()[0])
    result = benchmark.pedantic(clock.of(work), setup=setup, rounds=rounds, iterations=1, warmup_rounds=warmup_rounds)
    LOADS.append(os.getloadavg()[0])
    wall = list(benchmark.stats.stats.sorted_data)
    said = note() if callable(note) else note
    LINES.append(Line(what, bound_s, wall, clock.cpu_s[warmup_rounds:], is_p95, said))
    return result


def note_line(what: str, bound_s: float | None, wall_s: Sequence[float], note: str = "") -> None:
    """Adds a line that was measured inside another."""
    LINES.append(Line(what, bound_s, wall_s, (), is_p95=False, note=note))


def p95(times: Sequence[float]) -> float:
    """Returns the 95th percentile by nearest rank: the time that 95 of 100 do not exceed.

    Example:
        >>> p95([float(n) for n in range(1, 101)]), p95([1.0, 3.0])
        (95.0, 3.0)
    """
    ordered = sorted(times)
    return ordered[-(-95 * len(ordered) // 100) - 1]


def say(seconds: float) -> str:
    """Returns a time with three figures.

    Example:
        >>> say(0.01234), say(0.25), say(41.27)
        ('12.3 ms', '250 ms', '41.3 s')
    """
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s"


def table() -> list[str]:
    """Returns the table as lines of text, one for each thing measured, and one that says what is not kept."""
    head = ("what", "bound", "median", "p95", "processor", "rounds", "kept?")
    rows = [head, *(_cells(line) for line in LINES)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    made = [shown[0], "-" * len(shown[0])]
    for line, text in zip(LINES, shown[1:], strict=True):
        made.append(text)
        if line.note:
            made.append(f"    {line.note}")
    bounded = [line for line in LINES if line.bound_s is not None]
    broken = [line.what for line in bounded if not line.is_kept]
    made += ["", f"{len(bounded) - len(broken)} of {len(bounded)} bounds are kept."]
    made += [f"NOT KEPT: {what}" for what in broken]
    return made


def machine() -> str:
    """Returns what it was measured on, and how busy that was meanwhile."""
    memory = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal"))
    loads = f"load {min(LOADS):.1f} to {max(LOADS):.1f}" if LOADS else "nothing measured"
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return (
        f"{time.strftime('%Y-%m-%d %H:%M')}; {os.cpu_count()} cores, {int(memory.split()[1]) / 2**20:.0f} GiB, {system}, "
        f"Python {platform.python_version()}; {loads}"
    )


def _cells(line: Line) -> tuple[str, ...]:
    kept = {True: "kept", False: "NOT KEPT", None: ""}[line.is_kept]
    bound = "" if line.bound_s is None else say(line.bound_s) + (" p95" if line.is_p95 else "")
    cpu = say(median(line.cpu_s)) if line.cpu_s else ""
    return (line.what, bound, say(median(line.wall_s)), say(p95(line.wall_s)), cpu, str(len(line.wall_s)), kept)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
