"""Work over many things, shared among the cores of the machine.

What follows from the record of one thing is worked out without regard to the others, and a whole town takes half as long on
two cores. A child sees the memory of its parent as it was when it began, so that the record need not be read again; what it
made comes back through a pipe. Where it must ask the database, it opens a connection of its own.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, NoReturn, TypeVar

from django.db import connections

from sewershed.ledger.errors import LedgerError

T = TypeVar("T")
LEAST = 5_000  # things; with fewer a second process gains nothing
MOST_PROCESSES = 4  # each holds what it makes until it is done
_inherited: list[Any] = []  # in a child: its parent's connections, neither used nor closed


def shared(things: Sequence[str], work: Callable[[Sequence[str]], T]) -> list[T]:
    """Returns what work gives for the parts of many things, the parts in no order that matters.

    Edge: with few things, one core, other threads (which a child would not have) or a transaction under way, all is done
    here, as one part.

    Refuses: to return a part of it, where a child came to grief (`LedgerError`); what work itself raised is raised here.

    Args:
        things: their ids.
        work: works some of them out; what it returns must be plain data.
    """
    count = min(_cores(), MOST_PROCESSES)
    is_alone = threading.active_count() == 1 and not any(one.in_atomic_block for one in connections.all())
    if count == 1 or len(things) < LEAST or not is_alone:
        return [work(things)]
    children = [_begin(things[place::count], work) for place in range(1, count)]
    try:
        found = [work(things[::count])]
        return found + [_outcome(pipe) for _, pipe in children]
    finally:
        for child, pipe in children:
            pipe.close()
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)  # it has nothing left to do
            os.waitpid(child, 0)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1  # elsewhere forks are not safe


def _begin(part: Sequence[str], work: Callable[[Sequence[str]], object]) -> tuple[int, BinaryIO]:
    """Begins a child that works out a part, and returns its id and where what it makes will be read."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _work(part, work, write)
    os.close(write)
    return child, os.fdopen(read, "rb")


def _work(part: Sequence[str], work: Callable[[Sequence[str]], object], write: int) -> NoReturn:
    """Does what a child is there for, and ends it without the parent's farewells."""
    status = 1
    try:
        for one in connections.all(initialized_only=True):
            _inherited.append(one.connection)
            one.connection = None
        with os.fdopen(write, "wb") as out:
            try:
                made: object = work(part)
            except Exception as error:  # noqa: BLE001  # it is raised in the parent
                made = error
            pickle.dump(made, out, protocol=pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _outcome(pipe: BinaryIO) -> Any:
    try:
        made = pickle.load(pipe)  # noqa: S301  # written by our own child
    except (EOFError, pickle.UnpicklingError):
        raise LedgerError("a process that shared the work came to grief; is there memory enough?") from None
    if isinstance(made, Exception):
        raise made
    return made
