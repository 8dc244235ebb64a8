"""Views that somebody keeps: under a name, for oneself alone, and of this desk alone."""

from __future__ import annotations

import pytest

from sewershed.desk.shell import actions
from sewershed.desk.shell.models import KeptView
from sewershed.ledger.errors import Refused

LIST = "/"


def keep(client, name, address):
    return client.post("/account/views/keep/", {"name": name, "address": address}, follow=True)


def test_a_narrowed_list_is_kept_and_shown_again(signed_in):
    client = signed_in()
    answer = keep(client, "  Spills   by place ", f"{LIST}?program=spills&by=place&page=3&as=csv")
    assert answer.redirect_chain == [
        (f"{LIST}?program=spills&by=place", 302)
    ]  # not the page on which one stood, nor a file
    page = answer.content.decode()
    assert "Kept as “Spills by place”." in page
    assert f'<a href="{LIST}?program=spills&amp;by=place" aria-current="page">Spills by place</a>' in page
    assert "Spills by place" not in client.get("/things/person/").content.decode()  # each list has its own


def test_the_same_name_again_keeps_the_newer_view(signed_in):
    client = signed_in()
    keep(client, "Mine", f"{LIST}?by=place")
    keep(client, "Mine", f"{LIST}?by=person")
    assert [one.address for one in KeptView.objects.all()] == [f"{LIST}?by=person"]


@pytest.mark.parametrize(
    ("name", "address", "said"),
    [
        ("", LIST, "give the view a name of at most 60 signs"),
        ("x" * 61, LIST, "give the view a name of at most 60 signs"),
        ("Mine", "/nothing/of/ours/", "is no page of this desk"),
        ("Mine", "https://elsewhere.example/things/spill/", "is not of this desk"),
        ("Mine", "//elsewhere.example/things/spill/", "is not of this desk"),
    ],
)
def test_what_is_no_view_of_the_desk_is_not_kept(signed_in, name, address, said):
    answer = keep(signed_in(), name, address)
    assert answer.redirect_chain == [("/account/views/", 302)]
    assert "Not kept: " in answer.content.decode()
    assert said in answer.content.decode()
    assert KeptView.objects.count() == 0


def test_sixty_signs_are_a_name(signed_in):
    keep(signed_in(), "x" * 60, LIST)
    assert KeptView.objects.get().name == "x" * 60


def test_nobody_sees_or_gives_up_what_another_keeps(signed_in):
    keep(signed_in(), "Mine", LIST)
    other = signed_in("auditor")
    assert "Mine</a>" not in other.get(LIST).content.decode() + other.get("/account/views/").content.decode()
    assert other.post(f"/account/views/{KeptView.objects.get().pk}/give-up/").status_code == 404
    assert KeptView.objects.count() == 1


def test_a_view_is_given_up(signed_in):
    client = signed_in()
    keep(client, "Mine", LIST)
    answer = client.post(f"/account/views/{KeptView.objects.get().pk}/give-up/", follow=True)
    assert "The view “Mine” is given up." in answer.content.decode()
    assert KeptView.objects.count() == 0


def test_an_account_keeps_a_hundred_at_most(admin, monkeypatch):
    monkeypatch.setattr(actions, "MOST_VIEWS", 2)
    for name in ("one", "two"):
        actions.keep_view(admin, name, LIST)
    with pytest.raises(Refused, match="keeps 2 views already"):
        actions.keep_view(admin, "three", LIST)
    actions.keep_view(admin, "two", f"{LIST}?by=place")  # the same again is no third
