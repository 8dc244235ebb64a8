"""Registers: narrowed, sorted, paged and taken out as files, all by what stands in the address."""

from __future__ import annotations

import csv
import io
import re

import openpyxl

from sewershed.desk.shell import examples

PAGE = "/-/components/register"


def pipes(client, query: str = "") -> list[str]:
    return re.findall(
        r'<th scope="row" class=""><a href="#main">(P-\d+)</a>', client.get(PAGE + query).content.decode()
    )


def test_a_list_comes_in_pages(signed_in):
    client = signed_in()
    assert pipes(client) == [f"P-{number:03}" for number in range(1, 51)]
    assert pipes(client, "?page=4") == [f"P-{number:03}" for number in range(151, 162)]
    assert pipes(client, "?page=99") == pipes(client, "?page=4")
    assert pipes(client, "?page=x") == pipes(client)
    assert "<b>161 pipes</b>" in client.get(PAGE).content.decode()


def test_a_list_sorts_by_its_heads_and_says_so(signed_in):
    client = signed_in()
    lengths = {one.pipe: one.length_ft for one in examples.PIPES}
    up, down = pipes(client, "?sort=length_ft"), pipes(client, "?sort=-length_ft")
    assert [lengths[one] for one in up] == sorted(lengths.values())[:50]
    assert [lengths[one] for one in down] == sorted(lengths.values(), reverse=True)[:50]
    assert 'aria-sort="descending"' in client.get(PAGE + "?sort=-length_ft").content.decode()
    assert pipes(client, "?sort=spoons") == pipes(client)


def test_a_list_is_narrowed_and_says_when_nothing_answers(signed_in):
    client = signed_in()
    assert pipes(client, "?text=p-07") == [f"P-{number:03}" for number in range(70, 80)]
    page = client.get(PAGE + "?text=spoons").content.decode()
    assert "<b>0 pipes</b> of those you asked for" in page
    assert "Nothing answers to what you asked for." in page


def test_turning_a_page_keeps_what_was_asked(signed_in):
    page = signed_in().get(PAGE + "?material=PVC&sort=-length_ft").content.decode()
    assert '<input type="hidden" name="sort" value="-length_ft">' in page
    assert "as=csv" in re.search(r'href="([^"]*)">CSV', page)[1]
    assert "material=PVC" in re.search(r'href="([^"]*)">CSV', page)[1]


def test_the_whole_list_goes_out_as_csv_and_excel(signed_in):
    client = signed_in()
    answer = client.get(PAGE + "?as=csv&material=PVC&sort=-length_ft&page=2")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="register.csv"'
    head, *lines = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert head == ["Pipe", "Kind", "Street", "From", "To", "Size, in", "Length, ft", "Material", "Laid", "Cleaning"]
    expected = sorted((one for one in examples.PIPES if one.material == "PVC"), key=lambda one: -one.length_ft)
    assert [line[6] for line in lines] == [str(one.length_ft) for one in expected]
    answer = client.get(PAGE + "?as=xlsx&material=PVC&sort=-length_ft")
    rows = list(openpyxl.load_workbook(io.BytesIO(answer.content))["List"].iter_rows(values_only=True))
    assert [row[6] for row in rows[1:]] == [one.length_ft for one in expected]  # numbers, as numbers
    assert {row[9] for row in rows[1:]} == {one.state for one in expected}


def test_what_nobody_recorded_is_said_in_the_page_and_empty_in_a_file(signed_in):
    client = signed_in()
    assert "Not recorded" in client.get(PAGE + "?text=P-002").content.decode()
    _, line = csv.reader(io.StringIO(client.get(PAGE + "?as=csv&text=P-002").content.decode("utf-8-sig")))
    assert line[7] == ""


def test_a_text_of_a_stranger_stays_a_text(signed_in, monkeypatch):
    from dataclasses import replace

    monkeypatch.setattr(examples, "PIPES", [replace(examples.PIPES[0], street="<script>x()</script>", kind="=1+1")])
    client = signed_in()
    assert "&lt;script&gt;x()&lt;/script&gt;" in client.get(PAGE).content.decode()
    _, line = csv.reader(io.StringIO(client.get(PAGE + "?as=csv").content.decode("utf-8-sig")))
    assert line[1:3] == ["'=1+1", "<script>x()</script>"]
