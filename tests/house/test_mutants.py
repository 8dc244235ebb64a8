"""What `make mutate` changes, and that each mutant that was read and left alive still exists. Expected values by hand."""

from __future__ import annotations

from collections.abc import Iterable

from scripts.mutants import HOUSE, explained, marked, mutants, of_module

SOURCE = b'''"""A module."""

from typing import Literal

Kind = Literal["day", "week"]


def is_late(days: int = 0, *, kind: str = "day") -> bool:
    """Tells whether it is late."""
    if days < 0:
        raise ValueError("less than nothing")
    return days > 30 and kind == "day"
'''


def gone(explanations: Iterable[str], existing: Iterable[str]) -> list[str]:
    return sorted(set(explanations) - set(existing))


def test_what_is_changed_and_what_is_not() -> None:
    found = [(one.kind, one.id.removeprefix("m.py is_late: ")) for one in of_module("m.py", SOURCE)]
    signature, late = 'def is_late(days: int = 0, *, kind: str = "day") -> bool:', 'return days > 30 and kind == "day"'
    assert sorted(found) == sorted([
        ("number", f"{signature}  ->  {signature.replace('= 0', '= 1')}"),
        ("word", f"{signature}  ->  {signature.replace(chr(34) + 'day' + chr(34), repr('dayX'))}"),
        ("comparison", "if days < 0:  ->  if days <= 0:"),
        ("number", "if days < 0:  ->  if days < 1:"),
        ("answer", f"{late}  ->  return None"),
        ("and/or", f"{late}  ->  return days > 30 or kind == 'day'"),
        ("comparison", f"{late}  ->  {late.replace('>', '>=')}"),
        ("number", f"{late}  ->  {late.replace('30', '31')}"),
        ("comparison", f"{late}  ->  return days > 30 and kind != 'day'"),
        ("word", f"{late}  ->  return days > 30 and kind == 'dayX'"),
    ])  # fmt: skip


def test_a_mutant_differs_in_its_one_place() -> None:
    late = next(one for one in of_module("m.py", SOURCE) if one.id.endswith('days > 31 and kind == "day"'))
    assert late.made(SOURCE) == SOURCE.replace(b"30", b"31")


def test_each_block_of_a_function_tells_that_it_was_reached() -> None:
    lines = [line.strip() for line in marked("m.py", SOURCE).splitlines()]
    assert [line for line in lines if "_reached" in line] == ["_reached(('m.py', 9))", "_reached(('m.py', 11))"]
    assert lines[lines.index("_reached(('m.py', 9))") - 1] == '"""Tells whether it is late."""'


def test_every_survivor_that_is_explained_still_exists() -> None:
    existing = {one.id for one in mutants(HOUSE)}
    assert len(existing) > 5_000, "this guard looks at nothing"
    assert gone(["m.py f: a  ->  b"], existing) == ["m.py f: a  ->  b"]  # the guard finds a planted one
    reasons = explained(HOUSE)
    assert gone(reasons, existing) == [], "take these out of tests/house/survivors.toml"
    assert [mutant for mutant, because in reasons.items() if not because.strip()] == []
