"""Short keys that a person can type: a thing by any of its names, a line by its thing and the last words of its rule.

A thing goes by its id, its number (`24-001`), the number of a call on it (`C24-002`), an alias, its label, or a word of its
label that no other has. A paper goes by its kind and number: `spill report 24-001`. A line of what is due goes by the thing and the last words of the rule: `24-001 tell`,
`24-001 private.recorded`; where one rule has several items or periods, with the label of one: `town cleaning FY2024`. The full
key, or any beginning of it that no other has, does as well.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from sewershed.cli.failing import Failure
from sewershed.rules.problems import did_you_mean

if TYPE_CHECKING:
    from sewershed.cli.towns import Here
    from sewershed.ledger.shown import Due, Named
    from sewershed.rules.vocabulary import Vocabulary


WHOLE = 2  # bars of a whole key: rule, thing, trigger
MOST = 50  # things that a part of a name is looked for in
MOST_SHOWN = 8  # of those, where none is meant surely
SHORTEST = 3  # letters of a word that is looked for by itself


def vocabulary_of(here: Here) -> Vocabulary:
    """Returns the vocabulary that the town runs."""
    from sewershed.ledger import law

    return law.in_force().vocabulary


# ------------------------------------------------------------------------------------------------ things


def thing_named(here: Here, name: str, type: str = "") -> Named:
    """Returns the thing of a name, of a type where one is wanted.

    Refuses: a name that no thing has, or several have; both with what there is, and the words to write.
    """
    found = candidates(here, name, type)
    if not found:
        _lost(here, name, type)
    best = found[0]
    if len(best) > 1:
        raise Failure(f"{name!r} may mean {len(best)} things; write one of these:", _handles(here, best))
    return best[0]


def candidates(here: Here, name: str, type: str = "") -> list[list[Named]]:
    """Returns the things that a name may mean, the surest first: by the whole of a name; by a word of the label.

    Args:
        here: the town.
        name: as typed.
        type: of the thing; any, if left out.
    """
    from sewershed.ledger import queries

    whole = list(queries.called(name, as_account=here.account, type=type))
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    by_word = [one for one in _holding(here, name, type) if word.search(one.label) and one not in whole]
    there = [one for one in by_word if not one.joined_into] or by_word
    return [level for level in (whole, there) if level]


def _holding(here: Here, text: str, type: str) -> Sequence[Named]:
    """Returns things in whose names a text stands, be it a part of a word."""
    from sewershed.ledger import queries

    if type:
        return queries.things(type, as_account=here.account, text=text, limit=MOST).items
    return queries.find(text, as_account=here.account, limit=MOST).items


def _lost(here: Here, name: str, type: str) -> NoReturn:
    """Refuses a name that no thing has: with the things in whose names it stands, or a word of it does."""
    what = type.replace("_", " ") if type else "thing"
    words = [word for word in re.findall(r"\w+", name) if len(word) >= SHORTEST] if len(name.split()) > 1 else []
    for text in (name, *sorted(words, key=len, reverse=True)):
        near = _holding(here, text, type) or (_holding(here, text, "") if type else ())
        if near:
            raise Failure(f"there is no {what} {name!r} in the record; the nearest:", _handles(here, near[:MOST_SHOWN]))
    raise Failure(f"there is no {what} {name!r} in the record")


def _handles(here: Here, things: Sequence[Named]) -> list[str]:
    """Returns for each thing the words that mean it and no other, as they are typed, and what it is called."""
    typed = [shlex.quote(_sure_name(here, one)) for one in things]
    across = max(len(text) for text in typed) + 2
    return [f"{text.ljust(across)}{one.label}" for text, one in zip(typed, things, strict=True)]


def _sure_name(here: Here, thing: Named) -> str:
    """Returns the shortest name of a thing that means it and no other."""
    from sewershed.ledger import queries

    names = (short_name(thing.label, thing.id, number_forms(vocabulary_of(here))), thing.label)
    sure = (name for name in names if [one.id for one in queries.called(name, as_account=here.account)] == [thing.id])
    return next(sure, thing.id)


def short_name(label: str, id: str, number_forms: Sequence[re.Pattern[str]]) -> str:
    """Returns the name under which a thing stands in a short key: the number in its label, else its id.

    Example:
        >>> short_name("spill 24-001, Branch Street", "k3p9x2m4q7aa", [re.compile(r"[0-9]{2}-[0-9]{3,}")])
        '24-001'
    """
    for form in number_forms:
        found = re.search(rf"(?<![\w-]){form.pattern}(?![\w-])", label)
        if found:
            return found[0]
    return id


def number_forms(vocabulary: Vocabulary) -> list[re.Pattern[str]]:
    """Returns what the numbers of the vocabulary's series look like."""
    series = [one.series for one in vocabulary.things.values()] + [one.series for one in vocabulary.events.values()]
    forms = dict.fromkeys(_form(one) for one in series if one)
    return [re.compile(form) for form in forms]


def _form(series: str) -> str:
    r"""Returns the pattern of a series.

    Example:
        >>> _form("C{yy}.{n:03}") == r"C[0-9]{2}\.[0-9]{3,}"
        True
    """
    parts = re.split(r"(\{[^}]*\})", series)
    made = ""
    for part in parts:
        if part == "{yy}":
            made += "[0-9]{2}"
        elif part == "{yyyy}":
            made += "[0-9]{4}"
        elif part.startswith("{n"):
            least = part.strip("{}").partition(":")[2].lstrip("0")
            made += f"[0-9]{{{least or 1},}}"
        else:
            made += re.escape(part)
    return made


# ------------------------------------------------------------------------------------------------ lines


def short_keys(lines: Iterable[Due], forms: Sequence[re.Pattern[str]]) -> dict[str, str]:
    """Returns, by key, the short key of each line: its thing, and as many last words of its rule as tell it apart.

    Args:
        lines: of the list.
        forms: of numbers, from `number_forms`.
    """
    known = list(lines)
    by_thing: dict[str, list[Due]] = {}
    for line in known:
        by_thing.setdefault(line.thing, []).append(line)
    made = {}
    for group in by_thing.values():
        for line in group:
            others = [one for one in group if one is not line]
            words = _last_words(line, others)
            same = [one for one in others if _fits(one.rule, words)]
            label = f" {line.label}" if line.label and any(one.label != line.label for one in same) else ""
            made[line.key] = f"{short_name(line.thing_label, line.thing, forms)} {words}{label}"
    return made


def _last_words(line: Due, others: Sequence[Due]) -> str:
    parts = line.rule.split(".")
    for count in range(1, len(parts)):
        words = ".".join(parts[-count:])
        if not any(_fits(one.rule, words) and one.rule != line.rule for one in others):
            return words
    return line.rule


def _fits(rule: str, words: str) -> bool:
    return rule == words or rule.endswith(f".{words}")


def key_named(here: Here, words: Sequence[str]) -> str:
    """Returns the full key that was typed: whole, by its beginning, or by thing and last words of the rule.

    Edge: where a rule has several items on a thing and none is named, the most urgent open one is meant, else the latest.

    Refuses: what fits nothing, or several lines; both with what there is.
    """
    typed = " ".join(words).strip()
    if "|" in typed:
        return _by_beginning(here, typed)
    if len(typed.split()) < 2:
        raise Failure(
            f"{typed!r} is no key; write the thing and the last words of the rule, such as `24-001 tell`. "
            "`sewershed due` and `sewershed show` print the keys.",
            _rules_about(here, [one for level in candidates(here, typed)[:1] for one in level]),
        )
    several: list[str] = []
    for name, rule, label in _readings_of(typed):
        for level in candidates(here, name):
            matches: Mapping[str, list[str]] = {one.id: _keys_of(here, one.id, rule, label) for one in level}
            fitting = [keys for keys in matches.values() if keys]
            if len(fitting) == 1:
                return fitting[0][0]
            if fitting:
                several = [f"{_sure_name(here, one)} {rule}  {one.label}" for one in level if matches[one.id]]
                break
    if several:
        raise Failure(f"{typed!r} may mean {len(several)} lines; write one of these:", several)
    raise _no_such_rule(here, typed)


def _no_such_rule(here: Here, typed: str) -> Failure:
    """Returns what to say where no rule fits: of the thing that was most likely named, and the rules there are about it.

    Edge: the most words that name a thing are taken for its name, the rest for the rule.
    """
    parts = typed.split()
    for at in range(len(parts), 0, -1):
        name, words = " ".join(parts[:at]), " ".join(parts[at:])
        levels = candidates(here, name)
        if not levels:
            continue
        rules = _rules_about(here, levels[0])
        about = levels[0][0].label if len(levels[0]) == 1 else f"any of the {len(levels[0])} things called {name!r}"
        if not words:
            return Failure(f"say which rule about {about}, by its last words; there are:", rules)
        if not rules:
            return Failure(f"nothing was ever due or found about {about}")
        near = did_you_mean(words, {rule.rpartition(".")[2] for rule in rules})
        return Failure(f"no rule about {about} ends with the words {words!r}{near}; there are:", rules)
    _lost(here, " ".join(parts[:-1]), "")


def _rules_about(here: Here, things: Iterable[Named]) -> list[str]:
    return sorted({key.partition("|")[0] for one in things for key in _all_keys(here, one.id)})


def _readings_of(typed: str) -> Iterable[tuple[str, str, str]]:
    """Yields thing, rule and label of what was typed: the thing may have blanks in its name, the label as well."""
    parts = typed.split()
    for at in range(len(parts) - 1, 0, -1):  # the rule is one word; what follows it is the label
        yield " ".join(parts[:at]), parts[at], " ".join(parts[at + 1 :])


def _keys_of(here: Here, thing: str, rule: str, label: str) -> list[str]:
    """Returns the keys on a thing under a rule, the one that is meant first."""
    from sewershed.ledger import queries
    from sewershed.rules.findings import OPEN_STATES

    leading = {line.key for line in queries.due(as_account=here.account, thing=thing).items}
    every = [
        line
        for line in queries.due(as_account=here.account, thing=thing, is_all=True).items
        if _fits(line.rule, rule) and label in ("", line.label)
    ]
    leaders = [line.key for line in every if line.key in leading]
    others = [line.key for line in every if line.key not in leading and line.state in OPEN_STATES]
    ended = [line.key for line in reversed(every) if line.state not in OPEN_STATES]
    findings = [
        one.key
        for one in reversed(queries.findings(as_account=here.account, thing=thing, limit=10_000))
        if _fits(one.rule, rule) and label in ("", one.about, str(one.day))
    ]
    return [*leaders, *others, *ended, *findings]


def _all_keys(here: Here, thing: str) -> list[str]:
    from sewershed.ledger import queries

    lines = queries.due(as_account=here.account, thing=thing, is_all=True).items
    findings = queries.findings(as_account=here.account, thing=thing, limit=10_000)
    return [line.key for line in lines] + [one.key for one in findings]


def _by_beginning(here: Here, typed: str) -> str:
    """Returns the only key that begins as typed; the thing in it may go by any of its names."""
    rule, _, rest = typed.partition("|")
    name, bar, end = rest.partition("|")
    keys: list[str] = []
    for one in [one for level in candidates(here, name) for one in level] if name else []:
        whole = f"{rule}|{one.id}{bar}{end}" if bar else f"{rule}|{one.id}"
        keys += [key for key in _all_keys(here, one.id) if key.startswith(whole)]
        if whole in keys or (one.id == name and typed.count("|") >= WHOLE):
            return typed if one.id == name else whole  # a whole key may be of another day, when it was or will be owed
    keys = list(dict.fromkeys(keys))
    if len(keys) == 1:
        return keys[0]
    if keys:
        raise Failure(f"{len(keys)} keys begin with {typed!r}; write more of one:", keys)
    raise Failure(f"no key begins with {typed!r}; `sewershed due --all` and `sewershed show` print keys")
