"""Forms are sent what nobody would type, and files that are not what they say: nothing breaks, what is wrong is refused."""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import zipfile
import zlib
from urllib.parse import urljoin

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sewershed.desk.api.actions import make_token
from sewershed.ledger import files, log
from sewershed.ledger.verify import verify
from tests.desk.addresses import APART, Address, addresses, examples
from tests.desk.conftest import HOST
from tests.desk.form_pages import Form, forms_in
from tests.trials import IS_SOAK, trials

SENDINGS = 1500  # of forms in the soak
FINE = frozenset({200, 201, 202, 204, 301, 302, 303, 400, 403, 404, 405, 409, 410, 413, 415, 422, 429})
ENDS_SESSION = {
    "account_change_password",
    "account_set_password",
    "usersessions_list",
}  # then the browser signs in again
SLOW = {"backups", "restore"}  # each sends a whole town to and fro; tests/desk/town looks at them
PNG = b"\x89PNG\r\n\x1a\n"
ODD = (
    "", " ", "0", "-1", "1e308", "1" * 400, "NaN", "Infinity", "½", "٣", "1,5", "0x10", "true", "null", "[]", "{}", "?", "on",
    "2024-02-30", "0000-00-00", "9999-12-31", "10000-01-01", "2024-03-10", "02:30", "25:61", "2024-03-11T09:10", "2024-11-03T01:30",
    "<script>alert(1)</script>", "{{ 7*7 }}{% load %}", "' OR 1=1 --", "=cmd|' /C calc'!A0", "../../etc/passwd", "\x00", "a\x00b", "\r\nX: y",
    "\u202eexe.gpj", "é" * 3000, "x" * 60_000, "😀" * 50, "s1", "c1", "orc", "nothing", "__class__", "%s%n", "\ud7ff", "\ufeff", "\\", '"',
)  # fmt: skip


@pytest.fixture
def known(town, admin) -> dict[str, str]:
    return examples(admin)


def browser(admin) -> Client:
    client = Client(HTTP_HOST=HOST, raise_request_exception=False)
    client.force_login(admin)
    return client


def pages_with_forms(client: Client, known: dict[str, str]) -> list[tuple[Address, Form]]:
    found = []
    for one in addresses(known):
        if one.name in APART or one.name in SLOW or one.path.startswith("/api/") or one.name == "first_sign_in":
            continue
        answer = client.get(one.path)
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            found += [(one, form) for form in forms_in(answer.content.decode()) if "sign-out" not in form.action]
    return found


def drawn(form: Form, draw: random.Random) -> dict[str, list[str]]:
    """Returns what is sent: a form as it stands, with some of its answers made odd, left out, or said twice."""
    sent = form.untouched()
    for one in form.inputs:
        fate = draw.random()
        if one.kind in ("file", "submit") or fate < 0.35:
            continue
        if fate < 0.45:
            sent.pop(one.name, None)
        elif fate < 0.6 and one.choices:
            sent[one.name] = [draw.choice(one.choices)]
        elif fate < 0.95:
            sent[one.name] = [draw.choice(ODD)]
        else:
            sent[one.name] = [draw.choice(ODD) for _ in range(draw.randint(2, 40))]
    if draw.random() < 0.2:
        sent[draw.choice(("csrfmiddlewaretoken", "x", "row_id", "do", "day", "page", "sort"))] = [draw.choice(ODD)]
    return sent


@pytest.mark.soak
def test_no_form_breaks_whatever_it_is_sent(town, known, admin):
    seed = random.SystemRandom().randrange(10**9) if IS_SOAK else 5357
    client, draw, broken = browser(admin), random.Random(seed), {}
    found = pages_with_forms(client, known)
    assert len(found) > 60
    for number in range(max(trials(SENDINGS), len(found) if IS_SOAK else 0)):
        one, form = found[number % len(found)] if IS_SOAK else draw.choice(found)
        where = urljoin(f"http://{HOST}{one.path}", form.action or one.path).removeprefix(f"http://{HOST}")
        sent = drawn(form, draw)
        answer = client.post(where, sent) if form.method == "post" else client.get(where, sent)
        if answer.status_code not in FINE:
            broken[f"{one.name}: {where}"] = (
                answer.status_code,
                {name: [each[:60] for each in said] for name, said in sent.items()},
            )
        if one.name in ENDS_SESSION:
            client = browser(admin)
    assert not broken, f"seed {seed}: {broken}"
    assert verify().faults == ()  # the record is whole


@pytest.mark.parametrize("letters", [500, 501, 60_000])
def test_a_search_for_what_no_name_is_finds_nothing(town, known, admin, letters):
    """SQLite refuses a pattern of more than 50,000 bytes."""
    client, text = browser(admin), "é" * letters
    for path, name in (
        ("/find/", "q"),
        ("/things/spill/", "q"),
        ("/things/person/", "q"),
        ("/", "whose"),
        ("/documents/", "q"),
        ("/log/", "q"),
        ("/spills/", "q"),
    ):
        assert client.get(path, {name: text}).status_code in FINE, path
    program = api_of(admin)
    assert program.get("/api/find/", {"q": text}).status_code == (422 if letters > 10_000 else 200)
    assert program.get("/api/things/spill/", {"where": f"location has {text}"}).status_code == (
        422 if letters > 10_000 else 200
    )


# ------------------------------------------------------------------------------------------------ files


def zip_bomb() -> bytes:
    """Returns 100 kB that would be 100 MB unpacked."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"\x00" * 100_000_000)
    return packed.getvalue()


def picture_bomb() -> bytes:
    """Returns a small PNG that claims 60,000 by 60,000 points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        PNG
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"\x00" * 1000))
        + chunk(b"IEND", b"")
    )


def photograph(exif: bytes) -> bytes:
    """Returns the beginning of a JPEG that says something of itself (Exif 2.3, 4.5.4)."""
    body = b"Exif\x00\x00" + exif
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", min(len(body) + 2, 65535)) + body + b"\xff\xd9"


def loop() -> bytes:
    """Returns Exif whose directory leads to itself, of a thousand entries that claim four billion values each."""
    entries = b"".join(struct.pack("<HHII", 0x8769, 4, 0xFFFFFFFF, 8) for _ in range(1000))
    return b"II*\x00\x08\x00\x00\x00" + struct.pack("<H", 1000) + entries + struct.pack("<I", 8)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"
REFUSED = {  # name, kind, content
    "a picture that is a drawing with a script": ("a.png", "image/png", SVG),
    "a drawing": ("a.svg", "image/svg+xml", SVG),
    "a page": ("a.html", "text/html", HTML),
    "a page that says it is a picture": ("a.jpg", "image/jpeg", HTML),
    "a program": ("a.exe", "application/x-msdownload", b"MZ" + b"\x00" * 100),
    "a program that says it is a paper": ("a.pdf", "application/pdf", b"MZ" + b"\x00" * 100),
    "a text with zero bytes": ("a.txt", "text/plain", b"a\x00b"),
    "nothing": ("a.png", "image/png", b""),
    "no kind": ("a", "", b"x"),
    "a script": ("a.js", "application/javascript", b"alert(1)"),
}  # fmt: skip
KEPT = {  # what is what it says, whatever it is besides: kept, and never opened or run
    "a paper that is a page too": ("a.pdf", "application/pdf", b"%PDF-1.4\n" + HTML),
    "a picture that is a script too": ("a.gif", "image/gif", b"GIF89a=1;alert(1)//"),
    "a page that says it is a text": ("a.txt", "text/plain", HTML),
    "a packed bomb": ("a.zip", "application/zip", zip_bomb()),
    "a sheet that is a bomb": ("a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", zip_bomb()),
    "a picture that claims to be huge": ("a.png", "image/png", picture_bomb()),
    "a photograph whose words lead in a circle": ("a.jpg", "image/jpeg", photograph(loop())),
    "a photograph cut off": ("a.jpg", "image/jpeg", photograph(b"MM\x00*\x00\x00\x00\x08")[:14]),
    "a name that leads out": ("../../../etc/passwd", "image/png", PNG),
    "a name of many letters": ("x" * 900 + ".png", "image/png", PNG + b"1"),
    "a name that turns around": ("\u202egnp.exe", "image/png", PNG + b"2"),
    "a name with quotes and an end of line": ('a"\r\nb.png', "image/png", PNG + b"3"),
    "a packed archive as a picture's neighbor": ("a.png", "image/png", PNG + gzip.compress(b"x" * 100)),
}  # fmt: skip


def api_of(admin) -> Client:
    token = make_token(admin, "files", {"administrator"})
    return Client(HTTP_HOST=HOST, raise_request_exception=False, headers={"Authorization": f"Bearer {token}"})


def upload(said: tuple[str, str, bytes]) -> SimpleUploadedFile:
    name, kind, content = said
    made = SimpleUploadedFile("x", content, kind)
    made._name = name  # as a hand-made request may say it: Django's own would tidy it up
    return made


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_what_it_says_is_refused_and_not_kept(town, known, admin, what):
    program = api_of(admin)
    before, kept = log.head(), len(list(files.all_kept(town.files)))
    answer = program.post("/api/thing/s1/files/", {"file": upload(REFUSED[what])})
    assert answer.status_code == 422, answer.content
    assert answer.json()["reasons"]
    assert (log.head(), len(list(files.all_kept(town.files)))) == (before, kept)


@pytest.mark.parametrize("what", KEPT)
def test_what_is_kept_is_never_opened_and_opens_nothing(town, known, admin, what):
    program, client, content = api_of(admin), browser(admin), KEPT[what][2]
    answer = program.post("/api/thing/s1/files/", {"file": upload(KEPT[what])})
    assert answer.status_code == 201, answer.content
    for out in (
        client.get(f"/thing/{answer.json()['thing']}/file/"),
        program.get(f"/api/thing/{answer.json()['thing']}/file/"),
    ):
        assert out.content == content
        assert out.headers["X-Content-Type-Options"] == "nosniff"
        assert out.headers["Content-Security-Policy"].startswith(("sandbox", "default-src 'none'"))
        kind, shown = out.headers["Content-Type"], out.headers["Content-Disposition"]
        assert kind in ("image/png", "image/jpeg", "image/webp", "application/pdf") or (kind, shown[:10]) == (
            "application/octet-stream",
            "attachment",
        )
        assert not {"/", "\\", "\r", "\n", "\u202e"} & set(shown)
    assert client.get("/thing/s1/", follow=True).status_code == 200
    assert list(town.folder.parent.glob("**/passwd")) == []


@pytest.mark.parametrize("more", [0, 1], ids=["the most", "a byte more"])
def test_a_file_of_the_most_bytes_is_kept_and_one_more_is_refused(town, known, admin, monkeypatch, more):
    """The bound is 50 MB; here a smaller one, so that the test does not write that much."""
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    for one in (files.check, files.check_size):
        monkeypatch.setattr(one, "__defaults__", (1000,))
    content = PNG + b"\x00" * (1000 - len(PNG) + more)
    answer = api_of(admin).post("/api/thing/s1/files/", {"file": upload(("a.png", "image/png", content))})
    assert answer.status_code == (422 if more else 201), answer.content


def test_a_name_longer_than_anybody_reads_cannot_be_read(town, known, admin):
    answer = api_of(admin).post("/api/thing/s1/files/", {"file": upload(("x" * 5000, "image/png", PNG))})
    assert (answer.status_code, bool(answer.json()["reasons"])) == (400, True)


def test_every_form_with_a_file_takes_hostile_ones_without_breaking(town, known, admin):
    client, broken, seen = browser(admin), {}, 0
    hostile = [*REFUSED.values(), *(said for said in KEPT.values() if len(said[2]) < 50_000)]
    for number, (one, form) in enumerate(pages_with_forms(client, known)):
        fields = [each.name for each in form.inputs if each.kind == "file"]
        for place, name in enumerate(fields):
            seen += 1
            for said in hostile if IS_SOAK else hostile[(number + place) % 4 :: 4]:  # a part of them each
                answer = client.post(form.action or one.path, {**form.untouched(), name: upload(said)})
                if answer.status_code not in FINE:
                    broken[f"{one.name}.{name}"] = (answer.status_code, said[:2])
    assert broken == {}
    assert seen > 1


def test_a_backup_that_is_none_is_refused(town, known, admin):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo("../../out")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"owned"))
    before = log.head()
    for content in (b"", b"x" * 1000, gzip.compress(b"\x00" * 20_000_000), packed.getvalue(), zip_bomb()):
        answer = browser(admin).post(
            "/town/backups/restore/", {"file": upload(("b.tar.gz", "application/gzip", content)), "backup": "b.tar.gz"}
        )
        assert answer.status_code in FINE
    assert log.head() == before
    assert list(town.folder.parent.glob("**/out")) == []
