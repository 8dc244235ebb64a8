"""What a paper leaves open is answered somewhere: every field of the forms has its fact or its record."""

from __future__ import annotations

from pathlib import Path

import sewershed
from sewershed.ledger.papers.questions import ANSWERED_BY, SIGNING
from sewershed.programs.spills.papers import press_release, public_notice
from sewershed.programs.spills.papers.form import read_form
from sewershed.rules.vocabulary import read_vocabulary

PACKAGE = Path(sewershed.__file__).parent
FORMS = [path for path in sorted((PACKAGE / "rulebooks").rglob("forms/*.toml")) if 'paper = "spill_report"' in path.read_text("utf-8")]  # fmt: skip


def test_every_field_of_a_form_is_answered_by_something():
    assert FORMS, "no form of a spill report: this guard looks at nothing"
    for path in FORMS:
        form = read_form(path.read_text("utf-8"))
        keys = [key for section in form.sections for key, _ in section.fields]
        assert [key for key in keys if key not in ANSWERED_BY] == [], path.name
    for labels in (press_release.LABELS, public_notice.LABELS):
        assert [key for key in labels if key not in ANSWERED_BY] == []


def test_what_answers_is_a_fact_or_a_datum_of_the_vocabulary():
    vocabulary = read_vocabulary(sorted((PACKAGE / "programs").glob("*/vocabulary.toml")))
    page_of = {"total", "water"}  # asked on the page of the assessment, not by that name
    for key, (owner, name) in ANSWERED_BY.items():
        if (owner, name) == SIGNING:
            continue
        known = vocabulary.things[owner].facts if owner in vocabulary.things else vocabulary.events[owner].data
        assert name in known or key in page_of, (key, owner, name)
