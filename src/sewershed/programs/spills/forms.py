"""What the papers of a spill take from a rulebook: the words of a place, in its folder `forms`."""

from __future__ import annotations

from sewershed.rules.loading.forms import Key, PaperForm

FORMS = (
    PaperForm(
        "spill_report",
        (
            Key("name", "text", "What the state calls its form"),
            Key("title", "text", "The title of the form"),
            Key("edition", "text", "Which edition of the form this is"),
            Key("agency", "text", "To which agency it goes"),
            Key("part_one", "text", "The heading of the part that says what happened"),
            Key("part_two", "text", "The heading of the part that asks by cause"),
            Key("certification", "text", "What whoever signs it certifies"),
            Key("words", "words", "How the form says words of a choice", may_be_left_out=True),
            Key("causes", "words", "The causes that the form lists: the word of the vocabulary, and its label"),
            Key("sections", "sections", "Its fields under their headings: the key of the report, and the form's label"),
            Key("questions", "questions", "By cause what it asks: a key, and the question"),
        ),
    ),
    PaperForm(
        "press_release",
        (
            Key("caption", "text", "What stands above it"),
            Key("agency", "text", "The agency that was told, as a sentence begins with it"),
            Key("advice", "texts", "What people are advised to do", may_be_left_out=True),
        ),
    ),
    PaperForm(
        "public_notice",
        (
            Key("caption", "text", "The caption that the law words"),
            Key("agency", "text", "The agency that was told, as a sentence begins with it"),
        ),
    ),
    PaperForm(
        "spill_response_plan",
        (
            Key("title", "text", "The title of the plan", may_be_left_out=True),
            Key("purpose", "text", "What the plan is for"),
            Key("objectives", "texts", "What it is to reach"),
            Key("intake", "texts", "What a caller is asked"),
            Key("elements", "pairs", "What such a plan must have, and where it has it; empty: nowhere"),
            Key("stages", "entries", "In which stage each duty stands"),
        ),
    ),
)
