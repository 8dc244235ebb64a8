"""Memory: Python's collector looks for rings of objects that nobody uses, and for that walks all that there are."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Keeps the collector from walking while much is made of which all stays: it would do so again and again, for nothing.

    Edge: inside another `uncollected`, or where the collector is off, it stays off.

    Example:
        >>> with uncollected():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def pass_over() -> None:
    """Lets the collector pass over all that there is now, for as long as the process lives: what a server has read to keep.

    Edge: a ring among it that nobody uses any longer is never freed, so it is for a process that has just begun.
    """
    gc.freeze()
