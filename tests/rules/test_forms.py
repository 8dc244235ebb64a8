"""Words of papers in a book: every key there, of its shape, and nothing else; one mistake a file, its message whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.rules.library import Library, Program, load
from sewershed.rules.loading.forms import Key, PaperForm
from sewershed.rules.problems import RulebookError

VOCABULARY = Path(__file__).parents[1] / "cases/engine/vocabulary/vocabulary.toml"
IDENTITY = 'id = "b"\nname = "Testing"\ntime_zone = "America/New_York"\n'
FORMS = (
    PaperForm(
        "notice",
        (
            Key("caption", "text", "What stands above it"),
            Key("advice", "texts", "What people are advised to do", may_be_left_out=True),
            Key("words", "words", "How it says words", may_be_left_out=True),
            Key("stages", "entries", "Where each entry stands", may_be_left_out=True),
            Key("questions", "questions", "What is asked", may_be_left_out=True),
            Key("sections", "sections", "Its parts", may_be_left_out=True),
        ),
    ),
    PaperForm("letter", (Key("pairs", "pairs", "Its parts"),)),
)
NOTICE = 'paper = "notice"\n'
WHOLE = (
    NOTICE
    + 'caption = "Notice"\nadvice = ["Stay out."]\n[words]\nfax = "by fax"\n[stages]\nfirst = ["t"]\n'
    + '[questions]\nroots = [["last", "When?"]]\n[[sections]]\nhead = "Where"\nfields = [["city", "City"]]\n'
)
ENTRY = '[[standard]]\nid = "t"\ncites = ["1"]\nmeans = "It is wide"\non = "house"\ntest = "house.width_ft > 5"\n'


def loaded(folder: Path, *files: str, forms: tuple[PaperForm, ...] = FORMS) -> Library:
    (folder / "b/forms").mkdir(parents=True)
    (folder / "b/rulebook.toml").write_text(IDENTITY, "utf-8")
    (folder / "b/a.toml").write_text(ENTRY, "utf-8")
    for name, text in zip("xyz", files, strict=False):
        (folder / f"b/forms/{name}.toml").write_text(text, "utf-8")
    return load([Program(VOCABULARY, forms=forms)], [folder / "b"])


def problems(folder: Path, *files: str) -> list[str]:
    with pytest.raises(RulebookError) as caught:
        loaded(folder, *files)
    return [str(one) for one in caught.value.problems]


def test_a_whole_one_loads(tmp_path):
    assert loaded(tmp_path, WHOLE, 'paper = "letter"\npairs = [["a", ""]]\n').books["b"].id == "b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'paper' is missing: say whose words these are; there are letter, notice"),
        ('paper = "notise"', "no program has a paper 'notise'; did you mean 'notice'?; there are letter, notice"),
        (NOTICE, "notice: 'caption' is missing: What stands above it"),
        (f'{NOTICE}caption = " "', "notice: 'caption' must be a text"),
        (f"{NOTICE}caption = 1", "notice: 'caption' must be a text"),
        (f'{NOTICE}caption = "N"\ncaptoin = "N"', "notice: unknown key 'captoin'; did you mean 'caption'?"),
        (f'{NOTICE}caption = "N"\nadvice = []', "notice: 'advice' must be a list of texts"),
        (f'{NOTICE}caption = "N"\nadvice = "Go"', "notice: 'advice' must be a list of texts"),
        (f'{NOTICE}caption = "N"\n[words]\na = 1', "notice: 'words' must be a table of texts"),
        (f'{NOTICE}caption = "N"\n[stages]\nfirst = "t"', "notice: 'stages' must be a table of lists of ids of entries"),
        (f'{NOTICE}caption = "N"\n[stages]\nfirst = ["tt"]', "notice: stages: no entry 'tt'; did you mean 't'?"),
        (f'{NOTICE}caption = "N"\n[questions]\na = [["k"]]', "notice: 'questions' must be a table of lists of pairs of texts"),
        (
            f'{NOTICE}caption = "N"\n[[sections]]\nhead = "H"',
            "notice: 'sections' must be tables with head and fields, the fields a list of pairs of texts",
        ),
        ('paper = "letter"\npairs = [["a", "b", "c"]]', "letter: 'pairs' must be a list of pairs of texts"),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_file(tmp_path, text, said):
    assert problems(tmp_path, text) == [f"b/forms/x.toml: {said}"]


def test_what_is_no_toml_and_what_stands_twice_is_named(tmp_path):
    first, second = problems(tmp_path, "paper", WHOLE, WHOLE)
    assert first.startswith("b/forms/x.toml: cannot be read: ")
    assert second == "b/forms/z.toml: the words of notice stand in y.toml already"


def test_a_law_is_read_without_where_nobody_says_what_papers_take(tmp_path):
    """An adopted supplement goes on running when a newer program wants more of its forms."""
    assert loaded(tmp_path, "", forms=()).books["b"].id == "b"
