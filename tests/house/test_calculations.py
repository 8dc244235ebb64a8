"""A calculation says what happens exactly at its bound and when it will not answer."""

from __future__ import annotations

import ast
from pathlib import Path

import sewershed

PROGRAMS = Path(sewershed.__file__).parent / "programs"
DOORS = {"function", "provider"}  # what a rulebook can reach (rules/doors.py)
COMPULSORY = ("Edge:", "Refuses:")


def calculations(text: str) -> list[ast.FunctionDef]:
    """Returns the functions of a Python text that a rulebook can reach."""
    return [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(door, ast.Call) and getattr(door.func, "id", "") in DOORS for door in node.decorator_list)
    ]


def what_lacks(text: str) -> list[str]:
    return [
        f"{calculation.name} lacks {word}"
        for calculation in calculations(text)
        for word in COMPULSORY
        if word not in (ast.get_docstring(calculation) or "")
    ]


def test_the_guard_finds_a_planted_offence() -> None:
    text = '@function(args={})\ndef flow_gpm():\n    """Returns it.\n\n    Edge: none.\n    """\n\ndef other(): ...\n'
    assert what_lacks(text) == ["flow_gpm lacks Refuses:"]


def test_every_calculation_says_its_edge_and_when_it_refuses() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PROGRAMS.rglob("*.py")}
    assert any(calculations(text) for text in texts.values()), "no calculation found: this guard looks at nothing"
    assert {str(path): lacks for path, text in texts.items() if (lacks := what_lacks(text))} == {}
