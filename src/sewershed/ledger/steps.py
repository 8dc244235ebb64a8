"""The engine's steps in sentences: what was asked in the words of the vocabulary, what came out, and beside both the rule's own words.

The engine writes its steps in the language of the rules (rules/conditions/explain.py), which whoever compares them with a book
wants to see. Whoever disputes a notice wants them in words. What has no sentence here stays as the engine wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from sewershed.ledger.explaining import CANNOT_TELL, NOTED, step_of
from sewershed.ledger.moments import moment_of
from sewershed.ledger.wording import Words, label_of, plain, small, title
from sewershed.rules.moments import MomentError
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact

YES, NO, NONE = "Yes", "No", "Nothing"
UNKNOWN = "Cannot tell"
_SIGNS: Mapping[str, tuple[str, Callable[[Fraction, Fraction], bool]]] = {
    ">=": ("at least", lambda a, b: a >= b), "<=": ("at most", lambda a, b: a <= b), "==": ("", lambda a, b: a == b),
    "!=": ("not", lambda a, b: a != b), ">": ("more than", lambda a, b: a > b), "<": ("less than", lambda a, b: a < b),
}  # fmt: skip
_MOMENT = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?(?![\w-])")
_SIDES = re.compile(r"(.+?) (>=|<=|==|!=|>|<|in) (.+)")
_MISSING = re.compile(r", missing: .*\Z")
_SOURCE = re.compile(r" \(([^()]|\([^()]*\))*\)\Z")  # after a right side that is no constant: what it is read from
_PICKED = re.compile(r"(?:last|first)\('(\w+)'\)\.(\w+)")
_KNOWN = re.compile(r"known\((.+)\)")
_OPENER = re.compile(r"(?:event|it)\.(\w+) == trigger\.(\w+)")
_SIZE = re.compile(r"size\((.+)\)")
_PATH = re.compile(r"\w+(?:\.\w+)+")
_DERIVED = re.compile(r"(\S+) = (.+?)(?: \([\w, .]+\))? by (.+)\Z")
_HAPPENED = re.compile(r"(?:(first|last) )?(\w+(?: or \w+)*)(?: of [\w.]+)?(?: in [\w ]+)?( with .+)?: \S+ \((.+)\)\Z")
_NOTHING = re.compile(r"no (\w+(?: or \w+)*)(?: of [\w.]+)?(?: in ([\w ]+?))?( with .+?)?( \(of \d+\))?\Z")
_OF_EVENT = re.compile(r"(\w+) of (\d{4}-\S+?)(: | against |\Z)")
_CONSTANT = re.compile(r"\[.*\]|'[^']*'|-?[\d./]+|true|false")
_WORD = re.compile(r"'[a-z][a-z_]*'")  # of the vocabulary, not of whoever wrote a text
_LANGUAGE = re.compile(r"\w\.\w*_|\w\(|==|!=|&&|\|\||\bcannot\b\Z|'\w+'|\b[a-z]+_[a-z_]+\b")


@dataclass(frozen=True, slots=True)
class SaidStep:
    """A step as it is read: what was asked, what came out, how deep it stands, and how the rule has it where that differs."""

    text: str
    result: str = ""
    raw: str = ""
    depth: int = 0

    @property
    def is_unknown(self) -> bool:
        """Tells whether it could not be told."""
        return self.result == UNKNOWN


def said(line: str, words: Words, about: str = "") -> SaidStep:
    """Returns a step of the engine in words.

    Edge: what has no sentence stands as the engine wrote it, with its days and times in words.

    Args:
        line: the step, indented by what it rests on.
        words: of the page.
        about: the type of thing in question: its facts need no name before them.
    """
    raw, depth = line.strip(), (len(line) - len(line.lstrip())) // 2
    found = _sentence(raw, words, about)
    if found is None:
        text, result = step_of(raw)
        shown = UNKNOWN if result == CANNOT_TELL else "" if result == NOTED else _plainly(result, words)
        found = (_plainly(text, words), shown)
    text, result = found
    is_other = bool(_LANGUAGE.search(raw)) and raw != text
    return SaidStep(text[:1].upper() + text[1:], result, raw if is_other else "", depth)


def condition(text: str, words: Words, about: str = "") -> str:
    """Returns a condition of a rule in words; as the rule has it, where some part of it has no sentence.

    Args:
        text: the condition.
        words: of the page.
        about: as `said`.
    """
    either = [[_part(one.strip(), words, about) for one in each.split(" && ")] for each in text.split(" || ")]
    if not all(all(parts) for parts in either):
        return text
    if len(either) == 1:
        return "; ".join(either[0])
    first, *rest = [" and ".join([parts[0], *(small(one) for one in parts[1:])]) for parts in either]
    return "; or ".join([first, *(small(one) for one in rest)])


def _part(text: str, words: Words, about: str) -> str:
    if (match := _OPENER.fullmatch(text)) and (fact := _datum(match[1], words)):
        return f"{label_of(fact)}: {'the one that opened it' if match[2] == 'id' else 'as in what opened it'}"
    if found := _sides(text, words, about):
        return found
    is_not = text.startswith("!")
    if match := _KNOWN.fullmatch(text.lstrip("!")):
        _, what = _named(match[1], words, about)
        return f"It is {'not ' if is_not else ''}on record: {small(what)}" if what else ""
    _, what = _named(text.lstrip("!"), words, about)
    return f"{what}: {NO if is_not else YES}" if what else ""


def _sentence(raw: str, words: Words, about: str) -> tuple[str, str] | None:
    """Returns what was asked and what came out in words, or None where there is no sentence for it."""
    if match := _NOTHING.fullmatch(raw):
        if all(one in words.vocabulary.events for one in match[1].split(" or ")):
            return _nothing(match[1], match[2] or "", is_narrower=bool(match[3]), words=words), NONE
        return None
    if match := _DERIVED.fullmatch(raw):
        fact, what = _named(match[1], words, about)
        value = UNKNOWN if match[2].startswith("?") else _value(match[2], fact, words)
        return (f"{what} ({match[3]})", value) if what else None
    if match := _HAPPENED.fullmatch(raw):
        if all(one in words.vocabulary.events for one in match[2].split(" or ")):
            which = f", the {match[1]}" if match[1] else ""
            fits = " that fits the rule" if match[3] else ""
            return f"{_events(match[2])}{which}{fits}", _plainly(match[4], words)
        return None
    if raw.startswith("does not hold: "):
        asked = _sides(raw.removeprefix("does not hold: "), words, about)
        return (asked, NO) if asked else ("What is asked does not hold", "")
    if match := _OF_EVENT.match(raw):
        if match[1] in words.vocabulary.events:
            rest = _plainly(raw[match.end(2) :], words)
            return f"{title(match[1])}, {_plainly(match[2], words)}{rest}", ""
        return None
    label, colon, rest = _MISSING.sub("", raw).partition(": ")
    return _asked(label, rest, words, about) if colon else None


def _asked(label: str, rest: str, words: Words, about: str) -> tuple[str, str] | None:
    """Returns a step that gives the value of something, or holds it against something."""
    if all(one in words.vocabulary.events for one in label.split(" or ")):
        return (f"{_events(label)}: nothing is recorded that tells", UNKNOWN) if rest == "?" else None
    if match := _KNOWN.fullmatch(label):
        _, what = _named(match[1], words, about)
        return (f"It is on record: {small(what)}", YES if rest == "true" else NO) if what else None
    fact, what = _named(label, words, about)
    if not what:
        return None
    sides = _SIDES.fullmatch(_SOURCE.sub("", rest))
    if sides is None:
        return what, UNKNOWN if rest == "?" else _value(rest, fact, words)
    left, sign, right = sides.groups()
    against = _against(sign, right, fact, words)
    if left == "?" or right == "?":
        return f"{what}: {against}", UNKNOWN
    return f"{what}: {_value(left, fact, words)}. Asked: {against}", _truth(left, sign, right)


def _sides(text: str, words: Words, about: str) -> str:
    """Returns a comparison as a book writes it, in words; nothing where it is more than one."""
    match = _SIDES.fullmatch(text)
    if match is None or not _CONSTANT.fullmatch(match[3]):
        return ""
    fact, what = _named(match[1], words, about)
    return f"{what}: {_against(match[2], match[3], fact, words)}" if what else ""


def _against(sign: str, right: str, fact: Fact | None, words: Words) -> str:
    if sign == "in":
        items = [_value(one.strip(), fact, words) for one in right.strip("[]").split(",")]
        return f"one of {', '.join(items)}"
    word = _SIGNS[sign][0]
    return " ".join(filter(None, (word, _value(right, fact, words))))


def _truth(left: str, sign: str, right: str) -> str:
    """Returns whether a comparison of two constants holds; nothing where that is for the engine alone to say."""
    if sign == "in":
        return YES if left in [one.strip() for one in right.strip("[]").split(",")] else NO
    try:
        holds = _SIGNS[sign][1](Fraction(left), Fraction(right))
    except (ValueError, ZeroDivisionError):
        if sign not in ("==", "!="):
            return ""
        holds = (left == right) is (sign == "==")
    return YES if holds else NO


def _named(path: str, words: Words, about: str) -> tuple[Fact | None, str]:
    """Returns a field by the words with which a rule reads it, and what it means; nothing where it is no plain field."""
    if match := _SIZE.fullmatch(path):
        fact, what = _named(match[1], words, about)
        return Fact("count", Type("number")), f"How many: {small(what)}" if what else ""
    if match := _PICKED.fullmatch(path):
        fact = words.fact(match[1], match[2])
        return fact, f"{title(match[1])}: {small(_means(fact))}" if fact else ""
    if not _PATH.fullmatch(path):
        return None, ""
    owner, *names = path.split(".")
    if owner in ("event", "trigger", "it", "item"):
        fact = _datum(names[0], words) if len(names) == 1 else None
        return fact, _means(fact) if fact else ""
    if owner == "book":
        ask = words.vocabulary.asks.get(names[0])
        return Fact(names[0], ask) if ask is not None else None, f"The books: {plain(names[0])}"
    fact, at = None, owner
    for name in names:
        fact = words.fact(at, name)
        if fact is None:
            kind = words.vocabulary.things.get(at)
            has = kind.has.get(name) if kind else None
            return None, f"{plain(name)} of the {plain(at)}" if has is not None and name == names[-1] else ""
        at = fact.type.to or at
    whose = "" if owner == about else f"{title(owner)}: "
    said_of = _means(fact) if fact else ""
    return fact, f"{whose}{small(said_of) if whose else said_of}"


def _datum(name: str, words: Words) -> Fact | None:
    """Returns a field of the event in question, of which a step does not say which it is: the same in all that have it."""
    found = [one.data[name] for one in words.vocabulary.events.values() if name in one.data]
    same = {_means(one) for one in found}
    if len(same) == 1:
        return found[0]
    return Fact(name, found[0].type) if found else None


def _means(fact: Fact | None) -> str:
    """Returns what a field means; of one that the books derive, whose meaning says how, what it is called."""
    if fact is None:
        return ""
    return label_of(fact) if fact.derived else (fact.means or label_of(fact)).rstrip(".")


def _value(text: str, fact: Fact | None, words: Words) -> str:
    """Returns a value as the engine writes it, in words with its unit."""
    bare = text.strip().strip("'")
    kind = fact.type.kind if fact else ""
    if bare in ("true", "false"):
        return YES if bare == "true" else NO
    if kind == "ref":
        return words.name(bare)
    if kind == "choice" or _WORD.fullmatch(text.strip()):
        return title(bare)
    if fact is not None and kind in ("number", "money"):
        try:
            Fraction(bare)
        except (ValueError, ZeroDivisionError):
            return bare
        return words.value(bare, fact.type)
    return _plainly(bare, words)


def _plainly(text: str, words: Words) -> str:
    """Returns a text with its days and instants in words."""

    def moment(match: re.Match[str]) -> str:
        try:
            return words.moment(moment_of(match[0], words.zone))
        except MomentError:
            return match[0]

    return _MOMENT.sub(moment, text)


def _events(names: str) -> str:
    first, *rest = names.split(" or ")
    return " or ".join([title(first), *(plain(one) for one in rest)])


def _nothing(names: str, window: str, *, is_narrower: bool, words: Words) -> str:
    what = " or ".join(plain(one) for one in names.split(" or "))
    within = f" in {window}" if window else ""
    return f"Recorded as {what}{within}{' that fits the rule' if is_narrower else ''}"
