"""Which column of a list is which field: by names that such columns really bear. What is not sure is left to a person.

The names stand in columns.toml, as data; the words of the vocabulary are added by whoever asks. A column is taken for a field
only where its whole name, read without capitals, points and unit, is one of the field's names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType

from sewershed.rules.types import Type

TIME = Type("time")  # a time of day in a column of its own, beside the day (see values.read_moment_of)

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ANY_WORD = re.compile(r"[a-z0-9]+")
_BRACKETS = re.compile(r"[(\[{]([^)\]}]*)[)\]}]")
_NEAR = 0.72  # how alike two names are that are offered beside each other
_MOST_OFFERED = 3
_NAME, _USUAL = 0, 1  # how sure a name is: the field's own, or one that such columns often bear


@dataclass(frozen=True, slots=True)
class Target:
    """A field that a column may fill.

    The dictionary (columns.toml) is looked up by `name`: best with what has the field before it ("assembly.serial",
    "interceptor_serviced.gallons"), else bare ("serial"). Names that are no field: "id" (the list's own number of the row or
    thing), "on" (its day), "at" (day and time), "time" (a time of day, type TIME), "by" (who did it), "note".
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

    Edge: what is remembered goes before everything. Two columns never match the same target by themselves: the one that
    bears the field's own name does, else neither. A column that may be two targets matches neither and offers both.

    Example:
        >>> from sewershed.rules.types import NUMBER, TEXT
        >>> targets = [Target("assembly.serial", "Serial", TEXT), Target("assembly.size_in", "Size", NUMBER)]
        >>> [(one.column, one.target) for one in match_columns(["Serial #", "Size (in.)", "Owner"], targets)]
        [('Serial #', 'assembly.serial'), ('Size (in.)', 'assembly.size_in'), ('Owner', None)]
    """
    known = {target.name: target for target in targets}
    by_name = _by_name(targets)
    kept = {column: name for column, name in remembered.items() if column in columns and (not name or name in known)}
    taken = {name for name in kept.values() if name}
    free = [column for column in columns if column not in kept]
    wanted: dict[str, dict[str, int]] = {}  # column -> the targets that have its name, with how sure it is
    for column in free:
        found: dict[str, int] = {}
        for form in _forms(column):
            for name, sure in by_name.get(form, {}).items():
                if name not in taken:
                    found[name] = min(sure, found.get(name, sure))
        wanted[column] = found
    claims: dict[str, list[tuple[int, str]]] = {}  # target -> the columns whose surest target it alone is
    for column, found in wanted.items():
        if len(best := _best(found)) == 1:
            claims.setdefault(best[0], []).append((found[best[0]], column))
    held = {}
    for name, claimed in claims.items():
        surest = [column for sure, column in claimed if sure == min(claimed)[0]]
        if len(surest) == 1:
            held[surest[0]] = name
    return tuple(
        _match(column, kept, held, wanted.get(column, {}), claims, [one for one in targets if one.name not in taken])
        for column in columns
    )


def columns_known(columns: Sequence[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """Returns the columns that bear a name of some target: by how many there are it shows what a list may be of.

    Example:
        >>> from sewershed.rules.types import TEXT
        >>> columns_known(["Serial #", "Owner"], [Target("assembly.serial", "Serial", TEXT)])
        ('Serial #',)
    """
    by_name = _by_name(targets)
    return tuple(column for column in columns if any(form in by_name for form in _forms(column)))


def _match(
    column: str,
    kept: Mapping[str, str],
    held: Mapping[str, str],
    found: Mapping[str, int],
    claims: Mapping[str, Sequence[tuple[int, str]]],
    targets: Sequence[Target],
) -> Match:
    if column in kept:
        return Match(
            column, kept[column] or None, "so it was taken before" if kept[column] else "it was left out before"
        )
    if column in held:
        name = held[column]
        why = "it is so called in the record" if found[name] == _NAME else "columns of such lists are often so called"
        return Match(column, name, why)
    best = _best(found)
    if len(best) > 1:
        return Match(column, None, "it may be more than one field; say which", tuple(best))
    if best:
        rivals = [other for _, other in claims[best[0]] if other != column]
        return Match(column, None, f"'{rivals[0]}' may be the same field; say which of them it is", tuple(best))
    return Match(column, None, "no field bears its name; say what it is, or leave it out", _near(column, targets, held))


def _best(found: Mapping[str, int]) -> list[str]:
    """Returns the targets that are surest."""
    return [name for name, sure in found.items() if sure == min(found.values())]


def _near(column: str, targets: Sequence[Target], held: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the targets with a name nearest to that of a column, for a person to choose from."""
    form = plain_name(column)
    scored = []
    for target in targets:
        if target.name in held.values():
            continue
        likest = max((SequenceMatcher(None, form, name).ratio() for name in _names(target)), default=0.0)
        if likest >= _NEAR:
            scored.append((-likest, target.name))
    return tuple(name for _, name in sorted(scored)[:_MOST_OFFERED])


def _by_name(targets: Iterable[Target]) -> dict[str, dict[str, int]]:
    """Returns the targets by each of their names, with how sure the name is."""
    found: dict[str, dict[str, int]] = {}
    for target in targets:
        for name, sure in _names(target).items():
            there = found.setdefault(name, {})
            there[target.name] = min(sure, there.get(target.name, sure))
    return found


def _names(target: Target) -> dict[str, int]:
    """Returns the names of a target, without capitals and unit, and how sure each is."""
    of, _, field = target.name.rpartition(".")
    own = {field, f"{of} {field}", target.label, target.means.removeprefix("Its "), *target.also}
    own |= set(_dictionary().get(of, {}).get(field, ()))
    names: dict[str, int] = {}
    for sure, said in ((_USUAL, _dictionary()["names"].get(field, ())), (_NAME, own)):
        for one in said:
            names |= dict.fromkeys(_forms(one), sure)
    names.pop("", None)
    return names


def _forms(name: str) -> tuple[str, ...]:
    """Returns a name without capitals and points, as it stands and without its unit."""
    whole = plain_name(_BRACKETS.sub(_unless_unit, name))
    words = whole.split()
    if len(words) > 1 and unit_word(words[-1]):
        return whole, " ".join(words[:-1])
    return (whole,)


def _unless_unit(found: re.Match[str]) -> str:
    return " " if unit_word(found[1]) else f" {found[1]} "


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Returns a name of a column as names are compared: small letters, whole words, short words written out.

    Example:
        >>> plain_name("Acct. No."), plain_name("FacilityID"), plain_name("serial_#"), plain_name("CV1 (psid)")
        ('account number', 'facility id', 'serial number', 'cv1 psid')
    """
    text = _HUMP.sub(" ", name).replace("#", " number ").replace("%", " percent ").replace("&", " and ").lower()
    text = text.replace("'", "").replace("s/n", " serial number ")
    words = [_short().get(word, word) for word in _ANY_WORD.findall(text)]
    return " ".join(words).replace("number number", "number")


def unit_word(text: str) -> str:
    """Returns the unit that a word names where it stands for itself, or "".

    Example:
        >>> unit_word("(Gal)"), unit_word("in."), unit_word("Premier")
        ('gallon', 'in', '')
    """
    return _units(is_apart=True).get(_unit_text(text), "")


def unit_of_heading(name: str) -> str:
    """Returns the unit that the name of a column says, or "" where it says none, or two.

    Edge: a word that is also another one ("in", "min") counts only in brackets, after a comma or at the end after an
    underscore.

    Example:
        >>> [unit_of_heading(one) for one in ("Capacity (gal)", "Rain, in", "Hours run", "Checked in", "depth_ft", "Gallons per day")]
        ['gallon', 'in', 'hour', '', 'ft', 'gallon/day']
    """
    for apart in (
        *_BRACKETS.findall(name),
        name.rpartition(",")[2] if "," in name else "",
        name.rpartition("_")[2] if "_" in name else "",
    ):
        if unit := unit_word(apart):
            return unit
    text = f" {_unit_text(name)} "
    units = _units(is_apart=False)
    found: list[str] = []
    for word in sorted(units, key=len, reverse=True):
        if f" {word} " in text:
            found.append(units[word])
            text = text.replace(f" {word} ", "  ")
    return found[0] if len(set(found)) == 1 else ""


def _unit_text(name: str) -> str:
    text = _HUMP.sub(" ", name) if not name.isupper() else name
    return " ".join(
        re.findall(r"[a-z0-9/]+", text.replace("%", " percent ").replace("°", "deg ").replace(" / ", "/").lower())
    )


# ------------------------------------------------------------------------------------------------ the dictionary


@cache
def _dictionary() -> dict[str, dict[str, tuple[str, ...]]]:
    """Returns names by what has the field and by the field; "names" holds those of any."""
    said = _file()
    return {
        section: {field: tuple(names) for field, names in fields.items()}
        for section, fields in said.items()
        if section != "short"
    }


@cache
def _file() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files("sewershed.exchange").joinpath("columns.toml").read_text(encoding="utf-8"))


@cache
def _short() -> dict[str, str]:
    return {word: str(whole) for word, whole in _file()["short"].items()}


@cache
def _units(*, is_apart: bool) -> dict[str, str]:
    """Returns units by the words that name them; with those that are also other words where they stand apart."""
    found: dict[str, str] = {}
    for section in ("units", "units_apart") if is_apart else ("units",):
        for unit, words in _file()[section].items():
            found |= {_unit_text(word): unit for word in words}
    return found


def units_asked(unit: str) -> tuple[str, ...]:
    """Returns the units in which the field also writes what the record keeps in this one; () where there is no other."""
    return tuple(_file()["asked"].get(unit, ()))


def says_replaced(note: str) -> bool:
    """Tells whether a note beside a reading says that the meter was replaced or set to zero.

    Example:
        >>> says_replaced("New hour meter installed"), says_replaced("checked floats")
        (True, False)
    """
    text = f" {plain_name(note)} "
    return any(f" {plain_name(word)} " in text for word in _file()["meter"]["replaced"])
