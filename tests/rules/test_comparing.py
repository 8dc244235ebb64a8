"""What one law says and another does not: a line, an entry, a doubt; expected differences are read off the two books by hand."""

from __future__ import annotations

from pathlib import Path

from sewershed.rules.comparing import Difference, by_local_name, differences
from sewershed.rules.library import Program, load

VOCABULARY = Path(__file__).parents[1] / "cases" / "engine" / "vocabulary" / "vocabulary.toml"
IDENTITY = 'id = "{0}"\nname = "{0}"\ntime_zone = "America/New_York"\nedition = "1"\n[roles]\nowner = "owner"\n'
DUTY = """
[[duty]]
id = "mend"
cites = ["1"]
means = "Mend it"
who = "owner"
on = "house"
opens = {{ event = "notice" }}
due = {{ within = "{0}" }}
met_by = {{ event = "repair" }}
"""
DOUBT = """
[[doubt]]
id = "D-1"
about = ["mend"]
choices = ["a", "b"]
applied = "{0}"
settle_by = "owner"
means = "Which"
cites = ["2"]
"""


def entries(folder: Path, name: str, rules: str):
    book = folder / name
    book.mkdir()
    (book / "rulebook.toml").write_text(IDENTITY.format(name))
    (book / "rules.toml").write_text(rules)
    return by_local_name(load([Program(VOCABULARY, (), ())], [book]).books[name])


def test_only_the_lines_that_differ_are_told(tmp_path):
    old = entries(tmp_path, "one", DUTY.format("5 days") + DOUBT.format("a"))
    new = entries(tmp_path, "two", DUTY.format("9 days") + DOUBT.format("b"))
    assert list(differences(old, new)) == [
        Difference("D-1", "reading applied until settled", "a", "b"),
        Difference("duty mend", "due", "within 5 days", "within 9 days"),
    ]
    assert list(differences(old, old)) == []


def test_an_entry_that_only_one_has_is_told_by_its_meaning_and_clause(tmp_path):
    old = entries(tmp_path, "one", DUTY.format("5 days"))
    new = entries(tmp_path, "two", DUTY.format("5 days").replace("mend", "paint").replace("Mend", "Paint"))
    assert list(differences(old, new)) == [
        Difference("duty mend", "", "Mend it (1)", None),
        Difference("duty paint", "", None, "Paint it (1)"),
    ]
