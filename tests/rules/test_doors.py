"""The doors from a rulebook to Python."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import sewershed.programs
from sewershed.rules.doors import Function, Provider, function, provider
from sewershed.rules.units import UnitError

PROGRAMS = sorted(module.name for module in pkgutil.iter_modules(sewershed.programs.__path__) if module.ispkg)


def test_the_programs_offer_the_four_calculations_that_the_books_call():
    offered = {}
    for program in PROGRAMS:
        module = importlib.import_module(f"sewershed.programs.{program}")
        for door in (*getattr(module, "FUNCTIONS", ()), *getattr(module, "PROVIDERS", ())):
            assert door.name not in offered, f"{door.name} is offered twice"
            offered[door.name] = type(door)
    assert offered == {
        "manning_full_fps": Function,
        "snc": Provider,
        "snc_of_user": Provider,
        "front_foot": Provider,
    }


def test_a_unit_nobody_knows_is_refused_where_it_is_declared():
    with pytest.raises(UnitError):

        @function(args={"side_ft": {"type": "number", "unit": "feets"}}, result={"type": "number"})
        def square(side_ft):
            return side_ft * side_ft


def test_a_provider_gives_its_value_alone_or_with_its_steps():
    @provider(asks={"least": {"type": "number"}}, result={"type": "bool"})
    def enough(asks, view, thing, moment):
        return view >= asks["least"], (f"{view} of {asks['least']}",)

    assert enough.call({"least": 2}, 2, None, None) is True
    assert enough.explain({"least": 2}, 1, None, None) == (False, ("1 of 2",))
