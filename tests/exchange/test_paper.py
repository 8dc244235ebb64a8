"""Papers as files: tagged, titled, the same bytes each time, nothing over the edge, nothing left blank."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import sewershed.programs
from sewershed.exchange.paper import STANDARDS, PaperError, Press, as_text
from sewershed.programs.spills.papers import press_release, public_notice, spill_report, spill_response_plan
from sewershed.programs.spills.papers.spill_report import SpillReport
from tests.pdf_pages import ink_right_of, open_pdf, tags_of, text_of
from tests.spill_papers import AT, FORM, HEAD, PAPERS, ZONE, frame, release, report

TEMPLATES = Path(sewershed.programs.__path__[0])
EVERY = pytest.mark.parametrize("template", PAPERS)


@pytest.fixture(scope="module")
def press():
    return Press()


def make(press, template, data=None, **changed):
    return press.paper(template, frame(**changed), PAPERS[template]() if data is None else data, at=AT)


def test_every_template_of_every_program_is_tried_here():
    there = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.glob("*/papers/*.typ")} - {
        "town/papers/page.typ",
        "spills/papers/public.typ",
    }
    assert there == set(PAPERS)


@EVERY
def test_it_is_tagged_titled_and_in_a_language(press, template):
    with open_pdf(make(press, template).pdf) as file:
        assert file.Root.MarkInfo.Marked
        assert str(file.Root.Lang) == "en-US"
        assert file.Root.ViewerPreferences.DisplayDocTitle
        assert str(file.docinfo.Title) == "Sewage on Branch Street"
        metadata = file.Root.Metadata.read_bytes().decode()
        assert "pdfuaid:part>1<" in metadata
        assert "pdfaid:part>2<" in metadata
        assert "pdfaid:conformance>A<" in metadata
        tags = tags_of(file)
    assert tags[0] == "Document"
    assert tags.count("Title") == 1 or "H1" in tags


@EVERY
def test_tables_have_header_cells(press, template):
    with open_pdf(make(press, template).pdf) as file:
        tags = tags_of(file)
    assert tags.count("THead") == tags.count("Table")
    assert ("Table" in tags) == ("TH" in tags)


@EVERY
def test_the_same_data_gives_the_same_bytes(press, template):
    first, second = make(press, template), make(Press(), template)
    assert first.sha256 == second.sha256 == sha256(first.pdf).hexdigest()
    assert first.data_sha256 == second.data_sha256
    later = press.paper(template, frame(), PAPERS[template](), at=AT + timedelta(seconds=1))
    assert later.data_sha256 == first.data_sha256
    assert later.sha256 != first.sha256


@EVERY
def test_the_data_beside_it_is_all_that_went_in(press, template):
    data = PAPERS[template]()
    kept = json.loads(make(press, template, data).data)
    assert kept["paper"] == json.loads(json.dumps(data))
    assert kept["frame"] == json.loads(json.dumps(asdict(frame())))


@EVERY
def test_only_fonts_of_the_wheel_and_all_of_them_inside(press, template):
    with open_pdf(make(press, template).pdf) as file:
        fonts = {
            str(font.BaseFont).split("+")[-1]: font for page in file.pages for font in page.resources.Font.values()
        }
        for name, font in fonts.items():
            assert name.startswith(("LibertinusSerif", "DejaVuSansMono", "NewCM")), name
            described = font.DescendantFonts[0].FontDescriptor
            assert "/FontFile3" in described or "/FontFile2" in described


@EVERY
def test_long_values_wrap(press, template):
    word = " ".join(["x" * 300, "https://example.org/" + "a-b/" * 40, "manhole " * 30, "responsibilities" * 9])
    data = as_text({"frame": asdict(frame()), "paper": PAPERS[template](word)})
    pages = press._compiler.compile(input=TEMPLATES / template, format="png", ppi=24, sys_inputs={"data": data})
    pages = pages if isinstance(pages, list) else [pages]
    for page in pages:
        # the right margin is one inch of eight and a half; a hair of it is left to letters that lean over
        assert ink_right_of(page, 7.56 / 8.5) == 0


def test_the_guard_against_overflow_sees_an_overflow(press):
    source = b'#set page("us-letter", margin: 1in)\n#' + b"x" * 200 + b"\n"
    source = source.replace(b"\n#x", b"\nx")
    page = press._compiler.compile(input=source, format="png", ppi=24)
    assert ink_right_of(page, 7.56 / 8.5) > 0


@EVERY
def test_what_stands_around_every_paper(press, template):
    text = text_of(make(press, template).pdf)
    assert "Town of Made-up Ford" in text
    assert "24-003" in text
    assert "Example data." in text
    assert HEAD in text
    assert "3f9c2a81d0e4" in text
    with open_pdf(make(press, template).pdf) as file:
        assert f"Page {len(file.pages)} of {len(file.pages)}" in text
    assert "DRAFT" not in text


@EVERY
def test_it_says_at_its_end_what_of_it_is_from_memory(press, template):
    said = "Regional office: from memory: check before relying on it"
    assert said in " ".join(text_of(make(press, template, cautions=(said,)).pdf).split())
    assert "from memory: check" not in text_of(make(press, template).pdf)


@EVERY
def test_a_draft_says_so_on_every_page_and_has_no_number(press, template):
    paper = make(press, template, number=None, is_draft=True, is_example=False)
    text = text_of(paper.pdf)
    with open_pdf(paper.pdf) as file:
        assert text.count("DRAFT") == len(file.pages)
    assert "Draft, without number" in text
    assert "Example data" not in text


def test_a_paper_that_is_issued_has_a_number():
    with pytest.raises(PaperError, match="needs its number"):
        frame(number=None)
    with pytest.raises(PaperError, match="head is missing"):
        replace(frame(), head="")


def bare(text):
    """Returns a text without blanks and hyphens: a line may end within a word."""
    return text.translate(dict.fromkeys(map(ord, " \u00a0-\u00ad\u2010")))


def test_every_field_and_cause_of_the_form_is_printed(press):
    text = text_of(make(press, spill_report.TEMPLATE).pdf)
    labels = [label for section in FORM.sections for _, label in section.fields]
    asked = [question for questions in FORM.questions.values() for _, question in questions]
    expected = [*labels, *FORM.causes.values(), *asked, FORM.certification]
    assert [words for words in expected if bare(words) not in bare(text)] == []
    assert text.count("\u2612") == 10


def test_nothing_known_is_said_to_be_not_known(press):
    data = spill_report.build(FORM, SpillReport(), zone=ZONE)
    text = text_of(make(press, spill_report.TEMPLATE, data).pdf)
    fields = sum(len(section.fields) for section in FORM.sections)
    of_the_call = 4  # to whom, where, on which day, at what time: none on record
    # each other field once, the cause, and the certifier's name, title, telephone and day
    assert text.count("not known") == fields - of_the_call + 1 + 4
    assert text.count("none on record") == of_the_call
    assert "Not known yet" in text
    assert text.count("\u2610") == 10


def test_a_bare_day_is_said_to_have_no_time(press):
    data = spill_report.build(FORM, SpillReport(start=date(2024, 3, 8), stop=date(2024, 3, 9)), zone=ZONE)
    text = text_of(make(press, spill_report.TEMPLATE, data).pdf)
    assert "March 8, 2024" in text
    assert "12:00" not in text


def test_times_are_the_towns_in_words(press):
    text = text_of(make(press, press_release.TEMPLATE).pdf).replace("\u00a0", " ")
    assert "Friday, March 8, 2024, 3:25 pm" in text
    assert "Friday, March 8, 2024, 5:00 pm" in text


def test_a_draft_notice_names_what_is_wanting(press):
    values = {**release()["values"], "water": None}
    wanting = {"not_known": [{"head": "Release", "labels": ["Water"]}], "before_issuing": {"water": "how much is open"}}
    data = {**release(), "values": values, **wanting}
    text = text_of(make(press, press_release.TEMPLATE, data, number=None, is_draft=True).pdf)
    assert "Not known yet: 1 answer" in text
    assert "This paper cannot be issued yet: how much is open." in text
    assert "sent" not in text.split("Not known yet")[1].split("At a glance")[0]


def test_the_notice_bears_the_caption_of_the_law(press):
    assert "NOTICE OF DISCHARGE OF UNTREATED SEWAGE" in text_of(make(press, public_notice.TEMPLATE).pdf)


def test_the_plan_names_what_it_lacks(press):
    text = text_of(make(press, spill_response_plan.TEMPLATE).pdf)
    assert "To mend in this plan" in text
    assert "Appendix A: Contacts" in text.replace("  ", " ")


def test_data_is_never_run_as_markup(press):
    word = '#panic("run") *bold* $x$ [y] \\ @z <b>'
    text = text_of(make(press, spill_report.TEMPLATE, report(word)).pdf)
    assert bare(word) in bare(text)


def test_what_cannot_stand_in_a_paper(press):
    with pytest.raises(PaperError, match=r"paper\.gallons: 2\.5 \(float\)"):
        press.paper(press_release.TEMPLATE, frame(), {"gallons": 2.5}, at=AT)
    with pytest.raises(PaperError, match=r"paper\.days\[0\]"):
        press.paper(press_release.TEMPLATE, frame(), {"days": [date(2024, 3, 8)]}, at=AT)
    with pytest.raises(PaperError, match="there is no template"):
        press.paper("spills/papers/no_such.typ", frame(), {}, at=AT)
    with pytest.raises(PaperError, match=r"press_release\.typ"):
        press.paper(press_release.TEMPLATE, frame(), {}, at=AT)


def test_both_standards_are_asked_of_the_compiler():
    assert STANDARDS == ["a-2a", "ua-1"]
