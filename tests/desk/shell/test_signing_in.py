"""Signing in: the one-time link, passwords, the second factor, the limit on tries; and what nobody gets without it."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.test import Client

from sewershed.desk.shell import signing_in
from sewershed.ledger import actions
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.rights import table
from tests.desk.conftest import HOST, PASSWORD


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def sign_in(client: Client, name: str = "admin", password: str = PASSWORD):
    return client.post("/sign-in/", {"login": name, "password": password})


def reasons(response) -> list[str]:
    return re.findall(r"<li>(?:<a [^>]*>[^<]*</a>: )?([^<]*)</li>", response.content.decode())


@pytest.fixture
def real(town, monkeypatch):
    """The same town, said to be no example: its record would be real."""
    from dataclasses import replace
    from datetime import timedelta

    from django.conf import settings

    monkeypatch.setattr(settings, "TOWN", replace(town, is_example=False, clock_shift=timedelta()))


@pytest.fixture
def with_password(admin):
    return actions.change_account("admin", as_account=admin, password=PASSWORD)


# ------------------------------------------------------------------------------------------------ the one-time link


def test_a_link_sets_a_password_signs_in_and_works_once(real, admin, nobody):
    link = signing_in.one_time_path("admin", as_account=admin)
    page = nobody.get(link)
    assert page.status_code == 200
    assert not is_signed_in(nobody)
    assert nobody.post(link, {"password": PASSWORD, "again": PASSWORD}).headers["Location"] == "/"
    assert is_signed_in(nobody)
    assert Account.objects.get(name="admin").password.startswith("argon2$argon2id$")
    other = Client(HTTP_HOST=HOST)
    assert other.get(link).status_code == 410
    assert other.post(link, {"password": PASSWORD, "again": PASSWORD}).status_code == 410
    assert not is_signed_in(other)


def test_looking_at_a_link_does_not_use_it_up(admin, nobody):
    link = signing_in.one_time_path("admin", as_account=admin)
    assert [nobody.get(link).status_code for _ in range(3)] == [200, 200, 200]


def test_in_an_example_town_a_password_may_be_left_out(admin, nobody):
    link = signing_in.one_time_path("admin", as_account=admin)
    assert nobody.post(link, {"password": "", "again": ""}).status_code == 302
    assert is_signed_in(nobody)
    assert not Account.objects.get(name="admin").has_usable_password()
    assert Client(HTTP_HOST=HOST).get(link).status_code == 410


def test_elsewhere_it_is_needed(real, admin, nobody):
    page = nobody.post(signing_in.one_time_path("admin", as_account=admin), {"password": "", "again": ""})
    assert reasons(page) == ["This answer is needed.", "This answer is needed."]
    assert not is_signed_in(nobody)


@pytest.mark.parametrize(
    ("password", "again", "expected"),
    [
        ("elevenchars", "elevenchars", "This password is too short. It must contain at least 12 characters."),
        ("password1234", "password1234", "This password is too common."),
        ("administrator", "administrator", "This password is too common."),
        (PASSWORD, PASSWORD + "!", "The two are not the same."),
    ],
)
def test_what_is_no_password_is_refused_with_its_reason(real, admin, nobody, password, again, expected):
    page = nobody.post(signing_in.one_time_path("admin", as_account=admin), {"password": password, "again": again})
    assert page.status_code == 200
    assert reasons(page) == [expected]
    assert not Account.objects.get(name="admin").has_usable_password()


def test_a_password_like_the_name_is_refused(real, admin, nobody):
    actions.open_account("collection.clerk", as_account=admin, roles={"clerk"})
    link = signing_in.one_time_path("collection.clerk", as_account=admin)
    page = nobody.post(link, {"password": "collection.clerk1", "again": "collection.clerk1"})
    assert reasons(page) == ["The password is too similar to the name."]


def test_twelve_characters_are_enough(real, admin, nobody):
    link = signing_in.one_time_path("admin", as_account=admin)
    assert nobody.post(link, {"password": "twelve.chars", "again": "twelve.chars"}).status_code == 302


@pytest.mark.parametrize(("age", "status"), [(timedelta(days=3), 200), (timedelta(days=3, seconds=1), 410)])
def test_a_link_works_for_three_days(admin, nobody, monkeypatch, age, status):
    link = signing_in.one_time_path("admin", as_account=admin)
    now = datetime.now()  # noqa: DTZ005  # as Django's tokens count
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda _: now + age)
    made = datetime.now() - now  # noqa: DTZ005
    assert made < timedelta(seconds=1)
    assert nobody.get(link).status_code == status


def test_a_link_made_up_or_of_another_account_opens_nothing(admin, nobody):
    actions.open_account("clerk", as_account=admin, roles={"clerk"})
    link = signing_in.one_time_path("clerk", as_account=admin)
    assert nobody.get(link.replace("/clerk/", "/admin/")).status_code == 410
    assert nobody.get("/sign-in/first/admin/abc-0123/").status_code == 410
    assert nobody.get("/sign-in/first/nobody/abc-0123/").status_code == 410


def test_only_an_administrator_makes_a_link_for_another(admin):
    clerk = actions.open_account("clerk", as_account=admin, roles={"clerk"})
    assert signing_in.one_time_path("clerk", as_account=clerk)
    with pytest.raises(NotAllowed):
        signing_in.one_time_path("admin", as_account=clerk)
    with pytest.raises(NotFound):
        signing_in.one_time_path("nobody", as_account=admin)
    actions.change_account("clerk", as_account=admin, is_active=False)
    with pytest.raises(Refused, match="the account clerk is closed: open it first"):
        signing_in.one_time_path("clerk", as_account=admin)


def test_a_link_of_an_account_that_was_closed_since_opens_nothing(admin, nobody):
    actions.open_account("clerk", as_account=admin, roles={"clerk"})
    link = signing_in.one_time_path("clerk", as_account=admin)
    actions.change_account("clerk", as_account=admin, is_active=False)
    assert nobody.get(link).status_code == 410


def test_a_town_needs_a_first_link_until_an_administrator_has_a_password(admin):
    assert not signing_in.can_anybody_sign_in()
    actions.open_account("clerk", as_account=admin, roles={"clerk"}, password=PASSWORD)
    assert not signing_in.can_anybody_sign_in()
    actions.change_account("admin", as_account=admin, password=PASSWORD)
    assert signing_in.can_anybody_sign_in()


# ------------------------------------------------------------------------------------------------ by password


def test_by_name_and_password_and_out_again(with_password, nobody):
    assert sign_in(nobody).headers["Location"] == "/"
    assert is_signed_in(nobody)
    assert nobody.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert not is_signed_in(nobody)


def test_one_is_led_on_to_where_one_wanted_to_go_but_not_away(with_password, nobody):
    assert nobody.get("/-/rights/").headers["Location"] == "/sign-in/?next=/-/rights/"
    said = {"login": "admin", "password": PASSWORD}
    assert nobody.post("/sign-in/", {**said, "next": "/-/rights/"}).headers["Location"] == "/-/rights/"
    nobody.post("/sign-out/")
    assert nobody.post("/sign-in/", {**said, "next": "//elsewhere.example/"}).headers["Location"] == "/"


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(with_password, nobody):
    expected = ["There is no open account with that name and password."]
    assert reasons(sign_in(nobody, password="wrong")) == expected
    assert reasons(sign_in(nobody, name="nobody")) == expected


def test_a_closed_account_does_not_sign_in(admin, with_password, nobody):
    actions.open_account("clerk", as_account=admin, roles={"clerk"}, password=PASSWORD)
    actions.change_account("clerk", as_account=admin, is_active=False)
    sign_in(nobody, "clerk")
    assert not is_signed_in(nobody)


def test_an_account_that_is_closed_is_signed_out_at_its_next_page(admin, signed_in):
    clerk = signed_in("clerk")
    assert is_signed_in(clerk)
    actions.change_account("clerk", as_account=admin, is_active=False)
    assert not is_signed_in(clerk)


def test_the_sixth_wrong_try_must_wait_whatever_it_says(with_password, nobody):
    for _ in range(5):
        assert reasons(sign_in(nobody, password="wrong")) == ["There is no open account with that name and password."]
    assert reasons(sign_in(nobody)) == ["Too many tries. Wait five minutes, then try again."]
    assert not is_signed_in(nobody)


def test_nobody_makes_an_account_for_himself(nobody):
    assert nobody.get("/sign-up/").status_code == 404
    assert nobody.get("/account/signup/").status_code == 404


def test_changing_the_password_signs_out_every_other_device(with_password, nobody):
    other = Client(HTTP_HOST=HOST)
    sign_in(nobody)
    sign_in(other)
    words = {"oldpassword": PASSWORD, "password1": PASSWORD + " ten", "password2": PASSWORD + " ten"}
    assert nobody.post("/account/password/", words).status_code == 302
    assert is_signed_in(nobody)
    assert not is_signed_in(other)


def test_devices_are_listed_and_signed_out(with_password, nobody):
    other = Client(HTTP_HOST=HOST, HTTP_USER_AGENT="a lost telephone")
    sign_in(nobody)
    sign_in(other)
    assert "a lost telephone" in nobody.get("/account/devices/").content.decode()
    nobody.post("/account/devices/")
    assert is_signed_in(nobody)
    assert not is_signed_in(other)


# ------------------------------------------------------------------------------------------------ the second factor


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def test_with_an_authenticator_a_password_is_not_enough(with_password, nobody):
    secret = generate_totp_secret()
    TOTP.activate(with_password, secret)
    assert sign_in(nobody).headers["Location"] == "/account/second-factor/authenticate/"
    assert not is_signed_in(nobody)
    page = nobody.post(
        "/account/second-factor/authenticate/", {"code": "000000" if code_of(secret) != "000000" else "1"}
    )
    assert reasons(page) == ["Incorrect code."]
    assert not is_signed_in(nobody)
    assert nobody.post("/account/second-factor/authenticate/", {"code": code_of(secret)}).headers["Location"] == "/"
    assert is_signed_in(nobody)


def test_a_recovery_code_works_once(with_password):
    TOTP.activate(with_password, generate_totp_secret())
    code = RecoveryCodes.activate(with_password).get_unused_codes()[0]
    for expected in (True, False):
        client = Client(HTTP_HOST=HOST)
        sign_in(client)
        client.post("/account/second-factor/authenticate/", {"code": code})
        assert is_signed_in(client) is expected


def test_a_one_time_link_does_not_go_past_the_second_factor(with_password, nobody):
    TOTP.activate(with_password, generate_totp_secret())
    link = signing_in.one_time_path("admin", as_account=with_password)
    assert (
        nobody.post(link, {"password": PASSWORD, "again": PASSWORD})
        .headers["Location"]
        .startswith("/account/second-factor/")
    )
    assert not is_signed_in(nobody)


def test_a_lost_telephone_is_forgotten(with_password, nobody):
    TOTP.activate(with_password, generate_totp_secret())
    RecoveryCodes.activate(with_password)
    assert signing_in.forget_second_factors(with_password) == 2
    sign_in(nobody)
    assert is_signed_in(nobody)


@pytest.mark.parametrize(("age", "is_asked_again"), [(15 * 60 - 1, False), (15 * 60, True)])
def test_a_second_factor_is_set_up_within_15_minutes_of_the_password(
    with_password, nobody, monkeypatch, age, is_asked_again
):
    path = "/account/second-factor/totp/activate/"
    sign_in(nobody)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    assert (
        nobody.get(path).headers["Location"] == "/account/confirm/?next=%2Faccount%2Fsecond-factor%2Ftotp%2Factivate%2F"
    )
    assert reasons(nobody.post("/account/confirm/", {"password": "wrong"})) == [
        "That is not the password of this account."
    ]
    assert nobody.post("/account/confirm/", {"password": PASSWORD, "next": path}).headers["Location"] == path
    assert nobody.get(path).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + age)
    assert nobody.get(path).status_code == (302 if is_asked_again else 200)


# ------------------------------------------------------------------------------------------------ roles


def test_every_role_sees_what_it_may_do(signed_in):
    roles = list(table())
    assert len(roles) == 7
    for role in roles:
        page = signed_in(f"a.{role}", roles={role}).get("/-/rights/").content.decode()
        assert page.count('<span class="chosen">Yours</span>') == 1
        assert f'{role} <span class="chosen">Yours' in page
