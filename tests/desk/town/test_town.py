"""The town's own pages: what they say, to whom, and what they record."""

from __future__ import annotations

import csv
import io
import re
from datetime import date

import pytest

from sewershed.desk.jobs.worker import Worker
from sewershed.desk.town import adopted, care
from sewershed.ledger import actions, backup, canonical, log, papers, people, queries, rights, supplements
from sewershed.ledger.adopting import town_id
from sewershed.ledger.models import Account
from tests.desk.conftest import PASSWORD
from tests.desk.recorded import ROLES, spill

FOR_ALL = ("/town/", "/town/people/", "/town/closed/", "/town/law/", "/town/plan/", "/log/", "/log/verify/")
FOR_ADMINISTRATORS = ("/town/accounts/", "/town/accounts/new/", "/town/accounts/admin/", "/town/law/newer/", "/town/doctor/",
                      "/town/backups/", "/town/backups/restore/")  # fmt: skip
RECORDING = {"/town/people/offices/": "town", "/town/plan/instructed/": "spills"}


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# ------------------------------------------------------------------------------------------------ to whom


@pytest.mark.parametrize("role", ROLES)
def test_each_role_reaches_what_its_rights_say_and_is_refused_the_rest_plainly(town, oak, signed_in, role):
    client = signed_in(f"a.{role}", roles={role})
    account = Account.objects.get(name=f"a.{role}")
    for path in FOR_ALL:
        assert client.get(path).status_code == 200, path
    for path in FOR_ADMINISTRATORS:
        answer = client.get(path)
        assert answer.status_code == (200 if role == "administrator" else 403), path
        if role != "administrator":
            assert "may not administer" in text_of(answer), path
    for path, program in RECORDING.items():
        may = rights.may(account, "record", program)
        assert client.get(path).status_code == (200 if may else 403), path


def test_nobody_reaches_them_without_signing_in(town, nobody):
    for path in (*FOR_ALL, *FOR_ADMINISTRATORS, *RECORDING, "/town/backups/any.tar.gz"):
        for method in (nobody.get, nobody.post):
            answer = method(path)
            assert answer.status_code == 302, path
            assert answer.url.startswith("/sign-in/"), path


@pytest.mark.parametrize("path", FOR_ADMINISTRATORS)
def test_what_only_an_administrator_may_send_changes_nothing_for_others(town, signed_in, admin, path):
    client = signed_in("manager")
    before, accounts = log.head(), Account.objects.count()
    answer = client.post(path, {"do": "close", "name": "x", "roles": "clerk", "plan": "0" * 12})
    assert answer.status_code in (403, 405)
    assert (log.head(), Account.objects.filter(is_active=True).count()) == (before, accounts)
    assert backup.newest(town.backups) is None


def test_the_way_between_the_pages_shows_what_may_be_opened(town, signed_in):
    assert "Backups" in text_of(signed_in().get("/town/"))
    assert "Backups" not in text_of(signed_in("clerk").get("/town/"))


# ------------------------------------------------------------------------------------------------ the town


def test_the_first_page_says_facts_and_how_the_record_stands(town, admin, signed_in, django_assert_max_num_queries):
    client = signed_in("clerk")
    client.get("/town/")
    with django_assert_max_num_queries(30):
        said = text_of(client.get("/town/"))
    for words in ("Spring Hope", "County Nash", "There is none", "3 rows", "Contacts none yet", "Say a fact"):
        assert words in said, words
    assert "Say a fact" not in text_of(signed_in("auditor").get("/town/"))
    actions.set_facts("town", {"population": "1309"}, as_account=admin)
    assert "1,309" in text_of(client.get("/town/"))
    then = client.get("/town/", {"day": "2024-03-11", "time": "09:00", "known": "then"})
    assert "1,309" not in text_of(then)
    assert 'class="do"' not in then.content.decode()


def test_days_closed_are_rows_and_holidays_are_the_books(town, admin, signed_in):
    actions.record("offices_closed", "town", as_account=admin, at="2024-01-16", data={"until": "2024-01-17"})
    said = text_of(signed_in().get("/town/closed/"))
    assert "Tue Jan 16 to Wed Jan 17" in said
    assert "Mon Jan 15" in said  # the birthday of Martin Luther King in 2024, a state holiday
    assert "Holidays of the book in 2024" in said


# ------------------------------------------------------------------------------------------------ people and offices


def test_an_office_is_recorded_and_ends_by_a_correction(town, oak, admin, signed_in):
    client = signed_in("clerk")
    assert "Operator in responsible charge Operator Principal" in text_of(client.get("/town/people/"))
    form = {
        "office": "town_manager",
        "person": "orc",
        "first": "2024-03-01",
        "until": "",
        "as_": "designee",
        "paper": "minutes",
    }
    assert client.post("/town/people/offices/", form).status_code == 302
    said = text_of(client.get("/town/people/"))
    assert "Town manager Operator Designee Fri Mar 1 further notice minutes" in said
    held = next(one for one in people.holdings() if one.office == "town_manager")
    page = client.post(f"/town/people/offices/{held.row}/end/", {"until": "2024-03-08", "why": "another was appointed"})
    assert page.status_code == 302
    row = queries.rows("orc", as_account=admin)[-1]
    assert (row.data["until"], row.why, row.stands) == ("2024-03-08", "another was appointed", "stands")
    said = text_of(client.get("/town/people/"))
    assert "Offices that ended 1" in said
    assert people.holders("town_manager", date(2024, 3, 9)) == ()
    assert people.holders("town_manager", date(2024, 3, 8)) == ("orc",)


def test_an_office_that_cannot_be_taken_comes_back_beside_its_field(town, oak, signed_in):
    before = log.head()
    form = {"office": "town_manager", "person": "orc", "first": "2024-03-01", "until": "2024-02-29", "as_": "principal"}
    answer = signed_in().post("/town/people/offices/", form)
    assert answer.status_code == 422
    assert "The last day lies before the first." in text_of(answer)
    assert log.head() == before
    assert signed_in().get("/town/people/offices/c1/end/").status_code == 404  # a call is no holding


# ------------------------------------------------------------------------------------------------ accounts


def test_an_account_is_made_and_its_person_comes_in_by_the_link(town, oak, signed_in, nobody):
    answer = signed_in().post("/town/accounts/new/", {"name": "orc", "person": "orc", "roles": ["operator"]})
    path = re.search(r"http://localhost(/sign-in/first/orc/[^\"]+)", answer.content.decode())
    assert path is not None
    assert "shown this once" in text_of(answer)
    assert nobody.get(path[1]).status_code == 200
    nobody.post(path[1], {"password": "lift station weir 9", "again": "lift station weir 9"})
    assert nobody.get("/town/").status_code == 200
    assert Account.objects.get(name="orc").person == "orc"
    said = text_of(signed_in().get("/town/accounts/"))
    assert "orc Operator operator Can sign in" in said
    assert nobody.get(path[1]).status_code == 410  # used


def test_a_name_that_was_given_is_not_given_again(town, signed_in):
    answer = signed_in().post("/town/accounts/new/", {"name": "admin", "roles": ["clerk"]})
    assert answer.status_code == 422
    assert "the name admin was given before" in text_of(answer)


def test_an_account_gets_other_roles_and_is_closed_but_not_the_last_administrator(town, signed_in):
    client = signed_in()
    signed_in("clerk")
    client.post("/town/accounts/clerk/", {"do": "change", "roles": ["crew", "inspector"]})
    assert Account.objects.get(name="clerk").role_set() == {"crew", "inspector"}
    client.post("/town/accounts/clerk/", {"do": "close"})
    assert not Account.objects.get(name="clerk").is_active
    assert "Closed" in text_of(client.get("/town/accounts/"))
    answer = client.post("/town/accounts/clerk/", {"do": "link"}, follow=True)
    assert "the account clerk is closed: open it first" in text_of(answer)
    answer = client.post("/town/accounts/admin/", {"do": "close"}, follow=True)
    assert "admin is the last administrator" in text_of(answer)
    answer = client.post("/town/accounts/admin/", {"do": "change", "roles": ["clerk"]})
    assert (answer.status_code, Account.objects.get(name="admin").roles) == (422, "administrator")


def test_whose_access_was_changed_is_read_in_the_log(town, oak, signed_in):
    client = signed_in()
    client.post("/town/accounts/new/", {"name": "orc", "person": "orc", "roles": ["operator"]})
    client.post("/town/accounts/orc/", {"do": "link"})
    client.post("/town/accounts/orc/", {"do": "close"})
    answer = client.get("/log/", {"kind": "access_changed"})
    said = text_of(answer)
    for words in (
        "Account: orc; Person: Operator; Roles: operator; What: Account opened", "Account: orc; What: Link given",
        "Account: orc; What: Account closed",
    ):  # fmt: skip
        assert words in said, words
    assert "/sign-in/first/" not in answer.content.decode()
    (row,) = re.findall(r'href="(/row/[^"]+)"', answer.content.decode())[:1]
    assert client.get(row).status_code == 200
    assert client.get(f"{row}correct/").status_code == 404


def test_a_password_that_is_changed_by_its_own_person_is_in_the_log_and_the_person_stays_signed_in(town, signed_in):
    account = signed_in("clerk") and Account.objects.get(name="clerk")
    account.set_password(PASSWORD)
    account.save()
    client = signed_in("clerk")
    sent = {"oldpassword": PASSWORD, "password1": "lift station weir 9", "password2": "lift station weir 9"}
    assert client.post("/account/password/", sent).status_code == 302
    assert client.get("/town/").status_code == 200
    assert Account.objects.get(name="clerk").check_password("lift station weir 9")
    assert "Account: clerk; What: Password set" in text_of(signed_in().get("/log/"))


# ------------------------------------------------------------------------------------------------ the log


def test_the_log_says_who_did_what_and_what_a_correction_changed(
    town, oak, admin, signed_in, django_assert_max_num_queries
):
    actions.correct("c1", as_account=admin, why="heard it wrong", data={"what": "smell"}, at="2024-03-11T09:05")
    actions.withdraw("c1", as_account=admin, why="it was a drill")
    client = signed_in("clerk")
    client.get("/log/")
    with django_assert_max_num_queries(40):
        said = text_of(client.get("/log/"))
    assert f"{log.head().position} rows" in said
    for words in (
        "Correction of call C24-001", "What: Sewage on ground became Smell", "Because: heard it wrong",
        "Happened: Mon Mar 11, 9:10 am became Mon Mar 11, 9:05 am", "Withdrawal of call", "it was a drill", "Office held",
    ):  # fmt: skip
        assert words in said, words


# The town and its law, a person and the office held, a spill, its call, an arrival, a withdrawal: eight rows of one day.
@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"thing": "s1"}, 4), ({"what": "call"}, 1), ({"what": "facts"}, 3), ({"what": "withdrawals"}, 1),
        ({"what": "corrections"}, 0), ({"by": "account:admin"}, 8), ({"by": "person:orc"}, 1), ({"from": "2024-03-11"}, 8),
        ({"from": "2024-03-12"}, 0), ({"to": "2024-03-11"}, 8), ({"to": "2024-03-10"}, 0), ({"thing": "no such thing"}, 0),
        ({"what": "office_held", "thing": "orc"}, 1), ({"what": "office_held", "thing": "s1"}, 0),
    ],
)  # fmt: skip
def test_the_log_is_narrowed_by_thing_person_kind_and_days(town, oak, admin, signed_in, asked, count):
    actions.record("crew_arrived", oak, as_account=admin, at="2024-03-11T10:00", performed_by="orc")
    actions.withdraw("c1", as_account=admin, why="it was a drill")
    page = signed_in().get("/log/", asked)
    assert page.content.count(b'<th scope="row"') == count


def test_the_log_leaves_out_what_an_account_may_not_see(town, oak, signed_in, monkeypatch):
    client = signed_in("crew")
    assert "Call C24-001" in text_of(client.get("/log/"))
    monkeypatch.setattr(rights, "table", lambda: {"crew": {"*": frozenset({"see"}), "spills": frozenset()}})
    said = text_of(client.get("/log/"))
    assert "Call C24-001" not in said
    assert "5 rows" in said  # seven without the spill and its call


def test_the_log_leaves_private_values_out_for_whoever_reads_from_outside(town, oak, signed_in):
    for kind in ("", "csv"):
        assert "252-555-0171" in signed_in("clerk").get("/log/", {"as": kind}).content.decode()
        assert "252-555-0171" not in signed_in("auditor").get("/log/", {"as": kind}).content.decode()


def test_the_log_goes_out_as_a_file_row_by_row(town, oak, signed_in):
    out = signed_in().get("/log/", {"as": "csv"})
    head, *rows = csv.reader(io.StringIO(out.content.decode("utf-8-sig")))
    assert len(rows) == log.head().position
    last = dict(zip(head, rows[0], strict=True))
    assert (last["Row"], last["Id of the row"], last["What"], last["Entered by"]) == (
        "6",
        "c1",
        "Call C24-001",
        "admin",
    )
    assert signed_in().get("/log/", {"as": "xlsx"}).content[:2] == b"PK"


def test_the_chain_is_walked_and_a_head_on_a_paper_held_against_it(town, oak, signed_in):
    client, head = signed_in("auditor"), log.head()
    assert "7 rows, each as it was written." in text_of(client.get("/log/verify/", {"walk": "1", "head": ""}))
    later = f"{head.position + 2}:{'ab' * 10}"
    assert "2 rows were cut off at the end" in text_of(client.get("/log/verify/", {"walk": "1", "head": later}))
    answer = client.get("/log/verify/", {"walk": "1", "head": "twelve"})
    assert answer.status_code == 422
    assert "is not the head of a log" in text_of(answer)


# ------------------------------------------------------------------------------------------------ doctor and backups


def test_the_doctor_says_what_is_wrong_and_mends_what_loses_nothing(town, signed_in):
    client = signed_in()
    (town.folder / "secret.toml").chmod(0o644)
    said = text_of(client.get("/town/doctor/"))
    assert "can be read by others on this machine" in said
    assert "There is no backup" in said
    mended = text_of(client.post("/town/doctor/", follow=True))
    assert "Mended:" in mended
    assert (town.folder / "secret.toml").stat().st_mode & 0o077 == 0
    client.post("/town/backups/")
    assert "Nothing is wrong." in text_of(client.get("/town/doctor/"))


def test_in_a_long_record_the_doctor_and_the_walk_are_jobs(town, oak, signed_in, monkeypatch):
    monkeypatch.setattr(care, "MOST_ROWS_AT_ONCE", 5)  # it has six
    client, head = signed_in(), log.head()
    assert "There is no backup" not in text_of(client.get("/town/doctor/"))
    assert client.post("/town/doctor/", {"do": "look"}).url.startswith("/jobs/")
    assert client.post("/log/verify/", {"head": head.short}).url.startswith("/jobs/")
    assert client.post("/log/verify/", {"head": "twelve"}).status_code == 422
    Worker().until_idle()
    assert "1. there is no backup. A lost disk would be a lost record." in text_of(client.get("/town/doctor/"))
    assert f"6 rows, each as it was written. Head {head.short}" in text_of(client.get("/jobs/"))
    assert "what the plan lacks stands on the paper" in text_of(client.get("/town/plan/"))


def test_a_backup_is_made_listed_and_taken_away(town, oak, signed_in):
    client = signed_in()
    assert "There is no backup" in text_of(client.get("/town/backups/"))
    said = text_of(client.post("/town/backups/", follow=True))
    assert f"The backup is made: 6 rows, head {log.head().short}" in said
    assert "Today" in said
    path = backup.newest(town.backups)
    answer = client.get(f"/town/backups/{path.name}")
    assert b"".join(answer.streaming_content) == path.read_bytes()
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert client.get("/town/backups/secret.toml").status_code == 404
    assert client.get("/town/backups/..%2Fsecret.toml").status_code == 404


@pytest.mark.parametrize(("most", "is_long"), [(6, False), (5, True)])  # the record has six rows
def test_a_long_backup_is_a_job(town, oak, signed_in, monkeypatch, most, is_long):
    monkeypatch.setattr(care, "MOST_ROWS_AT_ONCE", most)
    client = signed_in()
    answer = client.post("/town/backups/")
    assert answer.url.startswith("/jobs/") == is_long
    assert (backup.newest(town.backups) is None) == is_long
    Worker().until_idle()
    assert "6 rows" in text_of(client.get("/jobs/")) or not is_long
    assert backup.inspect(backup.newest(town.backups)).faults == ()


def test_a_backup_is_looked_at_and_the_command_is_shown(town, oak, signed_in, tmp_path):
    client = signed_in()
    client.post("/town/backups/")
    path = backup.newest(town.backups)
    before = (log.head(), sorted(town.folder.iterdir()))
    said = text_of(client.post("/town/backups/restore/", {"name": path.name}))
    assert "It is whole." in said
    assert f"sewershed restore {path} {town.folder}-restored" in said
    assert "It holds every row that there is" in said
    with path.open("rb") as file:
        sent = text_of(client.post("/town/backups/restore/", {"backup": file}))
    assert "It is whole." in sent
    assert (log.head(), sorted(town.folder.iterdir())) == before  # nothing was restored, nothing kept
    damaged = path.read_bytes()[:-200]
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(damaged)
    with broken.open("rb") as file:
        answer = client.post("/town/backups/restore/", {"backup": file})
    assert answer.status_code == 422
    assert "It cannot be restored." in text_of(answer)
    assert client.post("/town/backups/restore/", {}).status_code == 422


# ------------------------------------------------------------------------------------------------ the law


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, town) -> dict[str, bytes]:
    """Other books than those that run: the clock of one duty is another."""
    parts = supplements.gather("us.nc.spring_hope", *supplements.installed(town.own_books))
    monkeypatch.setattr(adopted, "installed", lambda: parts)
    return parts


def test_where_nothing_newer_is_installed_there_is_nothing_to_adopt(town, signed_in):
    assert "The installed rulebooks are those that run." in text_of(signed_in("clerk").get("/town/law/"))
    assert "There is nothing to adopt" in text_of(signed_in().get("/town/law/newer/"))


def test_a_newer_supplement_is_read_first_then_adopted(town, oak, signed_in, newer):
    path = "books/us.nc.spring_hope/rulebook.toml"
    newer[path] = newer[path].replace(b'edition = "2023-12"', b'edition = "2024-03"')
    client = signed_in()
    assert "Read what would change" in text_of(client.get("/town/law/"))
    page = client.get("/town/law/newer/")
    assert "edition was 2023-12, is 2024-03" in text_of(page)
    plan = re.search(r'name="plan" value="(\w+)"', page.content.decode())[1]
    before = log.head()
    unread = client.post("/town/law/newer/", {"plan": plan, "number": "2"})
    assert unread.status_code == 422
    assert "Read what would change, then say that you did." in text_of(unread)
    other = client.post("/town/law/newer/", {"plan": "0" * 64, "is_read": "on"})
    assert "something has changed since you read the plan" in text_of(other)
    assert log.head() == before
    done = client.post("/town/law/newer/", {"plan": plan, "number": "2", "is_read": "on"}, follow=True)
    assert "is adopted, row" in text_of(done)
    assert "Supplement 2 Runs" in text_of(client.get("/town/law/"))
    rows = supplements.adoptions()
    assert (rows[-1][0].recorded_by, canonical.read(rows[-1][0].data)["number"]) == ("admin", "2")
    assert rows[-1][1] == supplements.hash_of(newer)


def test_in_a_large_town_the_plan_is_a_job_and_is_kept_to_be_read(town, oak, admin, signed_in, newer, monkeypatch):
    monkeypatch.setattr(adopted, "MOST_COMPARED", 2)  # it has three things: the town, a person, a spill
    path = "books/us.nc.spring_hope/rulebook.toml"
    newer[path] = newer[path].replace(b'edition = "2023-12"', b'edition = "2024-03"')
    client = signed_in()
    said = text_of(client.get("/town/law/newer/"))
    assert "comparing the two laws over all of its record takes a while" in said
    assert "edition was" not in said
    assert signed_in("manager").post("/town/law/newer/", {"do": "read"}).status_code == 403
    assert re.match("/jobs/[0-9a-f-]+/", client.post("/town/law/newer/", {"do": "read"}).url)
    assert "What a newer law would change" in text_of(client.get("/town/law/newer/"))
    Worker().until_idle()
    actions.record("crew_arrived", oak, as_account=admin, at="2024-03-11T10:00")
    page = client.get("/town/law/newer/")
    assert "edition was 2023-12, is 2024-03" in text_of(page)
    assert "1 row came since it was worked out" in text_of(page)
    plan = re.search(r'name="plan" value="(\w+)"', page.content.decode())[1]
    assert client.post("/town/law/newer/", {"plan": plan, "is_read": "on"}).status_code == 302
    assert supplements.adoptions()[-1][1] == supplements.hash_of(newer)
    assert "There is nothing to adopt" in text_of(client.get("/town/law/newer/"))


def test_a_supplement_that_cannot_read_a_row_is_refused_with_the_row(town, oak, signed_in, newer):
    path = "programs/spills/vocabulary.toml"
    newer[path] = newer[path].replace(b'"sewage_on_ground", ', b"")
    client, before = signed_in(), log.head()
    page = client.get("/town/law/newer/")
    said = text_of(page)
    assert "It cannot be adopted." in said
    assert "row 6 (c1, call on s1" in said
    assert 'name="plan"' not in page.content.decode()
    assert client.post("/town/law/newer/", {"plan": "0" * 64, "is_read": "on"}).status_code == 422
    assert log.head() == before


# ------------------------------------------------------------------------------------------------ the spill plan


def test_the_plan_shows_its_lists_what_is_due_and_what_it_lacks(
    town, oak, admin, signed_in, django_assert_max_num_queries
):
    client = signed_in("operator")
    said = text_of(client.get("/town/plan/"))
    assert "It has no version yet." in said
    assert "It cannot be written yet:" in said
    facts = {"role": "Bypass contractor", "used_for": "Both pumps out"}
    actions.set_facts("k1", facts, as_account=admin, type="contact")
    actions.set_facts("e1", {"name": "Trash pump", "count": "3"}, as_account=admin, type="equipment")
    actions.record("plan_revised", "town", as_account=admin, at="2024-03-08", data={"version": "March 2024"})
    client.get("/town/plan/")
    with django_assert_max_num_queries(90):
        said = text_of(client.get("/town/plan/"))
    for words in (
        "Version March 2024", "Bypass contractor Not recorded Not recorded Both pumps out Change", "Trash pump 3",
        "Bypass contractor has no telephone number.", "Review the spill plan each year", "Log who was instructed",
    ):  # fmt: skip
        assert words in said, words
    assert client.get("/documents/spill_response_plan/draft/town/").status_code == 200
    outside = text_of(signed_in("auditor").get("/town/plan/"))
    assert "Log who was instructed" not in outside


def test_a_line_of_the_plan_is_edited_and_one_is_back_at_it(town, admin, signed_in):
    actions.set_facts("k1", {"role": "Bypass contractor"}, as_account=admin, type="contact")
    client = signed_in("operator")
    page = client.get("/town/plan/").content.decode()
    sent = {"row_at_day": "", "row_by": "", "row_office": ""}
    (change,) = re.findall(r'href="(/thing/k1/facts/[^"]+)"', page)
    assert client.post(change, {**sent, "phone": "252-555-0173"}).url == "/town/plan/#line-k1"
    assert 'id="line-k1"' in client.get("/town/plan/").content.decode()
    (add,) = re.findall(r'href="(/things/equipment/new/[^"]+)"', page)
    back = client.post(add, {**sent, "name": "Trash pump"}).url
    (made,) = queries.things("equipment", as_account=admin).items
    assert back == f"/town/plan/#line-{made.id}"
    assert f'id="line-{made.id}"' in client.get("/town/plan/").content.decode()
    (review,) = re.findall(r'href="(/thing/town/record/plan_reviewed/[^"]+)"', page)
    assert client.get(review).status_code == 200


def test_who_was_instructed_is_named(town, oak, admin, signed_in):
    actions.record("plan_revised", "town", as_account=admin, at="2024-03-08", data={"version": "March 2024"})
    client = signed_in("operator")
    assert "Tell all staff to consult the plan" in text_of(client.get("/town/plan/"))
    none = client.post("/town/plan/instructed/", {"at": "2024-03-11", "people": []})
    assert none.status_code == 422
    assert "Say who was instructed." in text_of(none)
    form = {"at": "2024-03-11", "people": ["orc"], "version": "March 2024", "by": ""}
    assert client.post("/town/plan/instructed/", form).status_code == 302
    row = queries.rows(town_id(), as_account=admin)[-1]
    assert (row.name, row.data) == (
        "staff_instructed",
        {"people": ["orc"], "how_many": "1", "version": "March 2024"},
    )
    said = text_of(client.get("/town/plan/"))
    assert "Staff instructed How many: 1. People: Operator. Version: March 2024" in said


def test_a_copy_that_was_issued_stands_on_the_page_of_the_plan(town, oak, admin, signed_in):
    actions.set_facts("k1", {"role": "Bypass contractor"}, as_account=admin, type="contact")
    actions.record("plan_revised", "town", as_account=admin, at="2024-03-08", data={"version": "March 2024"})
    issued = papers.issue("spill_response_plan", town_id(), as_account=admin)
    page = signed_in("crew").get("/town/plan/")
    assert "Issued 24-001" in text_of(page)
    assert f'href="/documents/{issued.thing}/"' in page.content.decode()
