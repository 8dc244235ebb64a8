"""Every mutant of the rules and the calculations: what else each place of the code could say.

A mutant is one comparison, condition, sum, number, word, answer or statement made another. Not changed, since no law is in
them: docstrings, type hints, decorators, what an error says, what an assert states, text with blanks in it, parts of
f-strings, the `strict` of zip, `__all__`. Papers are left out too: they are looked at as pages.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parents[1]
SOURCE = Path("src/sewershed")
MODULES = ("rules/**/*.py", "programs/*/*.py")
EXPLAINED = Path("tests/house/survivors.toml")

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
CALCULATED: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one place: `id` is what a person reads, and what stands in the file of those explained."""

    id: str
    kind: str
    module: str
    block: int  # the line on which the statements around it begin; 0: outside every function
    start: int
    end: int
    text: str

    def made(self, source: bytes) -> bytes:
        """Returns the source of its module, changed."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class _Finder(ast.NodeVisitor):
    """Finds every mutant of a module."""

    def __init__(self, module: str, source: bytes) -> None:
        self.module, self.source, self.found = module, source, list[Mutant]()
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.names, self.block = list[str](), 0
        self.seen: Counter[str] = Counter()
        self.visit(ast.parse(source))

    def add(self, kind: str, node: Any, text: str) -> None:
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        first, last = self.starts[node.lineno - 1], self.starts[node.end_lineno]
        was = " ".join(self.source[first:last].decode().split())
        becomes = " ".join((self.source[first:start] + text.encode() + self.source[end:last]).decode().split())
        named = f"{self.module} {'.'.join(self.names) or '-'}: {was}  ->  {becomes}"
        self.seen[named] += 1
        again = f"  ({self.seen[named]})" if self.seen[named] > 1 else ""
        self.found.append(Mutant(named + again, kind, self.module, self.block, start, end, text))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.JoinedStr, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)) or _is_message(node):
            return
        getattr(self, f"on_{type(node).__name__}", lambda _: None)(node)
        is_function = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        if is_function:
            self.names.append(node.name)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases") or _is_declaration(node):
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                outer, self.block = self.block, _block_of(node, value, self.block)
                for statement in value[_said(node, value) :]:
                    self.visit(statement)
                self.block = outer
            else:
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, ast.AST):
                        self.visit(one)
        if is_function:
            self.names.pop()

    def on_Compare(self, node: ast.Compare) -> None:  # noqa: N802 - named for the node
        for at, op in enumerate(node.ops):
            ops = [*node.ops[:at], COMPARED[type(op)](), *node.ops[at + 1 :]]
            self.add("comparison", node, ast.unparse(ast.Compare(node.left, ops, node.comparators)))

    def on_BoolOp(self, node: ast.BoolOp) -> None:  # noqa: N802
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.add("and/or", node, ast.unparse(ast.BoolOp(other, node.values)))

    def on_UnaryOp(self, node: ast.UnaryOp) -> None:  # noqa: N802
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.add("not", node, f"({ast.unparse(node.operand)})")

    def on_BinOp(self, node: ast.BinOp) -> None:  # noqa: N802
        if type(node.op) in CALCULATED:
            self.add("sum", node, ast.unparse(ast.BinOp(node.left, CALCULATED[type(node.op)](), node.right)))

    def on_AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        if type(node.op) in CALCULATED:
            self.add("sum", node, ast.unparse(ast.AugAssign(node.target, CALCULATED[type(node.op)](), node.value)))

    def on_Constant(self, node: ast.Constant) -> None:  # noqa: N802
        value = node.value
        if isinstance(value, bool):
            self.add("number", node, str(not value))
        elif isinstance(value, int):
            self.add("number", node, str(value + 1))
        elif isinstance(value, str) and value and " " not in value and "\n" not in value:
            is_number = value.replace(".", "", 1).isdigit()
            self.add("number" if is_number else "word", node, repr(value + "1" if is_number else value + "X"))

    def on_If(self, node: ast.If | ast.While | ast.IfExp) -> None:  # noqa: N802
        self.condition(node.test)

    on_While = on_IfExp = on_If  # noqa: N815

    def on_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.condition(test)

    def condition(self, test: ast.expr) -> None:
        if not isinstance(test, (ast.Compare, ast.UnaryOp, ast.BoolOp)):  # those have changes of their own
            self.add("condition", test, f"(not ({ast.unparse(test)}))")

    def on_Return(self, node: ast.Return) -> None:  # noqa: N802
        if node.value and not (isinstance(node.value, ast.Constant) and node.value.value in (None, True, False)):
            self.add("answer", node.value, "None")

    def on_Expr(self, node: ast.Expr) -> None:  # noqa: N802
        if isinstance(node.value, ast.Call):
            self.add("statement", node, "pass")

    def on_Break(self, node: ast.Break) -> None:  # noqa: N802
        self.add("statement", node, "continue")

    def on_Continue(self, node: ast.Continue) -> None:  # noqa: N802
        self.add("statement", node, "break")


def _is_message(node: ast.AST) -> bool:
    """Tells whether this only makes what an error says, or declares what no run can change."""
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    name = ast.unparse(node.func).rsplit(".", 1)[-1] if isinstance(node, ast.Call) else ""
    return name in ("Problem", "cast", "TypeVar") or name.endswith("Error")


def _is_declaration(node: ast.AST) -> bool:
    """Tells whether this is an alias of types or what a module exports, which no run reads."""
    if not isinstance(node, ast.Assign):
        return False
    name, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
    return (
        name in ("__all__", "__slots__")
        or "Literal[" in value
        or ("|" in value and "{" not in value and "(" not in value)
    )


def _said(node: ast.AST, body: list[ast.stmt]) -> int:
    """Returns how many statements at the beginning are no code: the docstring."""
    has_docstring = (
        isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None
    )
    return int(has_docstring and isinstance(body[0], ast.Expr))


def _block_of(node: ast.AST, body: list[ast.stmt], around: int) -> int:
    """Returns the line on which a block of a function begins; outside functions 0."""
    if isinstance(node, (ast.Module, ast.ClassDef)) or (around == 0 and not isinstance(node, ast.FunctionDef)):
        return 0
    return body[0].lineno


def modules(house: Path) -> list[str]:
    """Returns the modules that are changed, below the package."""
    return sorted({str(path.relative_to(house / SOURCE)) for like in MODULES for path in (house / SOURCE).glob(like)})


def of_module(module: str, source: bytes) -> list[Mutant]:
    """Returns every mutant of a module."""
    return _Finder(module, source).found


def mutants(house: Path) -> list[Mutant]:
    """Returns every mutant there is."""
    return [one for module in modules(house) for one in of_module(module, (house / SOURCE / module).read_bytes())]


def explained(house: Path) -> dict[str, str]:
    """Returns the mutants that were read and are left alive, each with the reason."""
    return {one["mutant"]: one["because"] for one in tomllib.loads((house / EXPLAINED).read_text())["survivor"]}


class _Marker(ast.NodeTransformer):
    """Lets every block of every function tell that it was reached."""

    def __init__(self, module: str) -> None:
        self.module, self.block = module, 0

    def visit(self, node: ast.AST) -> ast.AST:
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                outer, self.block = self.block, _block_of(node, value, self.block)
                for one in list(value):
                    self.visit(one)
                if self.block:
                    mark = f"_reached(({self.module!r}, {self.block}))"
                    value.insert(_said(node, value), ast.parse(mark).body[0])
                self.block = outer
            else:
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, (ast.excepthandler, ast.match_case)):
                        self.visit(one)
        return node


def marked(module: str, source: bytes) -> str:
    """Returns the source of a module whose blocks call `_reached` with the module and their line."""
    return ast.unparse(_Marker(module).visit(ast.parse(source)))
