"""The grammar of RULEBOOK.md 4: what binds tighter, what is refused, and the words of the refusal (its section 10)."""

import pytest

from sewershed.rules.conditions import ConditionError
from sewershed.rules.conditions.grammar import parse
from sewershed.rules.conditions.nodes import Binary, Call, Connective, Field, IfElse, ListOf, Literal, Name, Node, Sign


def shape(node: Node) -> str:
    """Returns a tree with a bracket around every piece that has parts."""
    match node:
        case Literal():
            return repr(node.value) if isinstance(node.value, str) else str(node.value)
        case Name():
            return node.text
        case Field():
            return f"{shape(node.of)}.{node.name}"
        case Call():
            of = "" if node.of is None else f"{shape(node.of)}."
            return f"{of}{node.name}({', '.join(map(shape, node.arguments))})"
        case ListOf():
            return f"[{', '.join(map(shape, node.items))}]"
        case Sign():
            return f"({node.sign}{shape(node.of)})"
        case Binary():
            return f"({shape(node.left)} {node.sign} {shape(node.right)})"
        case Connective():
            return f"({f' {node.sign} '.join(map(shape, node.parts))})"
        case IfElse():
            return f"({shape(node.test)} ? {shape(node.yes)} : {shape(node.no)})"
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        # expr = or [ "?" expr ":" expr ]: the condition of a branch is an or; branches nest to the right
        ("a || b ? c : d || e", "((a || b) ? c : (d || e))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        # or, and: && binds tighter than ||; each takes any number of parts
        ("a || b && c || d", "(a || (b && c) || d)"),
        ("a && b && c", "(a && b && c)"),
        ("a && (b && c)", "(a && (b && c))"),
        # rel: one comparison between sums
        ("a + 1 == b * 2", "((a + 1) == (b * 2))"),
        ("a in [1, 2] && b", "((a in [1, 2]) && b)"),
        ("!a == b", "((!a) == b)"),
        ("(a < b) == (c < d)", "((a < b) == (c < d))"),
        # sum, term: from left to right, * and / before + and -
        ("a - b - c", "((a - b) - c)"),
        ("a / b / c", "((a / b) / c)"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("(a + b) * c", "((a + b) * c)"),
        # unary: signs bind tighter than * and looser than a dot
        ("-a * b", "((-a) * b)"),
        ("a - -b", "(a - (-b))"),
        ("!!a.b", "(!(!a.b))"),
        ("- a.b(1).c", "(-a.b(1).c)"),
        # postfix and primary
        ("a.b.c", "a.b.c"),
        ("last('ev', it.x > 1).y", "last('ev', (it.x > 1)).y"),
        ("a.last('ev|ev2').y.z", "a.last('ev|ev2').y.z"),
        ("a.b.all(x, x.c)", "a.b.all(x, x.c)"),
        ("f()", "f()"),
        ("[]", "[]"),
        ("['a', \"b\"]", "['a', 'b']"),
        ("true", "True"),
        ("2.50", "2.50"),
        ("inner", "inner"),
        # space, and lines, mean nothing
        ("  a\n  &&\tb ", "(a && b)"),
        ("a&&b||c", "((a && b) || c)"),
    ],
)
def test_trees(source, tree):
    assert shape(parse(source)) == tree


@pytest.mark.parametrize(
    ("source", "message"),
    [
        # RULEBOOK.md 10, word for word
        ("house.width_ft => 5", "cannot read '=> 5'"),
        ("house.width_ft > 5 and house.kitchen", "unexpected 'and'"),
        ("1 < 2 < 3", "comparisons cannot be chained"),
        # the same, elsewhere
        ("a == b == c", "comparisons cannot be chained"),
        ("a in b in c", "comparisons cannot be chained"),
        ("a = b", "cannot read '= b'"),
        ("a & b", "cannot read '& b'"),
        ("a # b", "cannot read '# b'"),
        ("'open", "cannot read ''open'"),
        ("a == 'it\\'s'", "cannot read ''it\\'s''"),
        ("a == 'two\nlines'", "cannot read ''two\nlines''"),
        (
            "a == \N{LEFT DOUBLE QUOTATION MARK}b\N{RIGHT DOUBLE QUOTATION MARK}",
            "cannot read '\N{LEFT DOUBLE QUOTATION MARK}b\N{RIGHT DOUBLE QUOTATION MARK}'",
        ),
        ("a > \N{ARABIC-INDIC DIGIT FIVE}", "cannot read '\N{ARABIC-INDIC DIGIT FIVE}'"),
        ("x" + "@" * 60, "cannot read '" + "@" * 40 + "...'"),
        ("", "unexpected end"),
        ("   ", "unexpected end"),
        ("a >", "unexpected end"),
        ("a ? b", "unexpected end"),
        ("(a", "unexpected end"),
        ("a)", "unexpected ')'"),
        ("> 5", "unexpected '>'"),
        ("a.5", "unexpected '5'"),
        ("5ft", "unexpected 'ft'"),
        (".5 > a", "unexpected '.'"),
        ("a 'b'", "unexpected 'b'"),
        ("in", "unexpected 'in'"),
        ("[a,]", "unexpected ']'"),
        ("f(a", "unexpected end"),
        ("a.b(,)", "unexpected ','"),
        ("a ?? b", "unexpected '?'"),
        ("not a", "unexpected 'a'"),
    ],
)
def test_what_cannot_be_read(source, message):
    with pytest.raises(ConditionError) as error:
        parse(source)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("fits", "too_much"),
    [
        ("(" * 29 + "a" + ")" * 29, "(" * 30 + "a" + ")" * 30),  # 30 expressions inside each other
        ("!" * 59 + "a", "!" * 60 + "a"),  # 60 nodes inside each other
        ("-" * 59 + "a", "-" * 60 + "a"),
        ("1" + " + 1" * 59, "1" + " + 1" * 60),
        ("a" + ".b" * 59, "a" + ".b" * 60),
        ("1" * 100, "1" * 101),  # digits of a number
    ],
)
def test_size_has_a_bound(fits, too_much):
    parse(fits)
    with pytest.raises(ConditionError, match=r"^(nested too deeply; give a part of it a name|cannot read '1+\.\.\.')"):
        parse(too_much)


def test_breadth_has_none():
    node = parse(" || ".join(f"a.b == {n}" for n in range(1000)))
    assert isinstance(node, Connective)
    assert len(node.parts) == 1000


def test_every_node_keeps_its_text():
    node = parse("a.b  >=\n   2 && !(c)")
    assert isinstance(node, Connective)
    assert [part.text for part in node.parts] == ["a.b  >= 2", "!(c)"]
