"""Which column of a list is which field: by names that such columns really bear. What is not sure is left to a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sewershed.rules.types import Type

TIME = Type("time")  # a time of day in a column of its own, beside the day (see values.read_moment_of)


@dataclass(frozen=True, slots=True)
class Target:
    """A field that a column may fill.

    The dictionary (columns.toml) is looked up by `name`: best with what has the field before it ("assembly.serial",
    "interceptor_serviced.gallons"), else bare ("serial"). Names that are no field: "id" (the list's own number of the row or
    thing), "on" (its day), "at" (day and time), "time" (a time of day, type TIME), "note".
    """

    name: str
    label: str
    type: Type
    means: str = ""
    also: tuple[str, ...] = ()  # further names, of the caller


@dataclass(frozen=True, slots=True)
class Match:
    """What a column was taken for, and why; else why not, with the names of the targets it may be."""

    column: str
    target: str | None
    because: str
    others: tuple[str, ...] = ()


def match_columns(
    columns: Sequence[str], targets: Sequence[Target], remembered: Mapping[str, str] = MappingProxyType({})
) -> tuple[Match, ...]:
    """Returns what each column is, in the order of the columns.

    Args:
        columns: the names at the head of the list.
        targets: the fields that may be filled.
        remembered: column to target (or to "" for: leave it out), as a person corrected it before.

    Edge: two columns never match the same target by themselves, and a column that may be two targets matches neither.
    """
    raise NotImplementedError
