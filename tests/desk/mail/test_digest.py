"""The morning mail: who gets what, by a real mail server or into the folder, once, and what is said when nobody knows."""

from __future__ import annotations

import email
import os
import re
import signal
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default

import pytest
from django.conf import settings

from sewershed.desk.jobs import worker
from sewershed.desk.jobs.models import Job
from sewershed.desk.jobs.worker import Worker
from sewershed.desk.mail import actions, delivering, tasks
from sewershed.desk.mail.models import Mailing
from sewershed.ledger import actions as ledger
from sewershed.ledger import clock
from sewershed.ledger.errors import TownError
from sewershed.ledger.town import Mail, read_town
from tests.desk.conftest import NOW
from tests.desk.recorded import spill

LOOK = "Look at every report of a spill within two hours"  # SORP III.A.2, and 2 hours from 9:10 is 11:10
ADDRESS = "manager@town.example"


@dataclass
class Server:
    """A mail server of the test's own: what it got, and at which word it does what (RFC 5321)."""

    port: int = 0
    got: list[EmailMessage] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)  # in place of its own; "" breaks the line


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Talk(socketserver.StreamRequestHandler):
        def say(self, word: str, usual: str) -> bool:
            said = made.answers.get(word, usual)
            if said:
                self.wfile.write(f"{said}\r\n".encode())
            return bool(said)

        def handle(self) -> None:
            if not self.say("CONNECT", "220 here"):
                return
            while line := self.rfile.readline().decode():
                word = line[:4].strip().upper()
                if word == "DATA":
                    if not self.say("DATA", "354 go on"):
                        return
                    if not made.answers.get("DATA"):
                        body = b""
                        while (part := self.rfile.readline()) != b".\r\n":
                            body += part
                        made.got.append(email.message_from_bytes(body, policy=default))
                        if not self.say("END", "250 kept"):
                            return
                elif word == "QUIT":
                    self.say("QUIT", "221 bye")
                    return
                elif not self.say(word, "250 fine"):
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk) as listening:
        listening.daemon_threads = True
        made.port = listening.server_address[1]
        threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield made
        listening.shutdown()


@pytest.fixture
def manager(town, admin):
    spill(admin)
    ledger.set_facts("m1", {"name": "Town Manager", "email": ADDRESS}, as_account=admin, type="person")
    return ledger.open_account("manager", as_account=admin, roles={"manager"}, person="m1")


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(worker, "WAIT_BEFORE_AGAIN", timedelta())


def by_server(town, server: Server) -> None:
    settings.TOWN = replace(
        town, mail=Mail("127.0.0.1", server.port, security="none", sender="desk@town.example", digest_at="06:30")
    )


def send() -> None:
    actions.ask_for_digests()
    Worker().until_idle()


def states() -> dict[str, str]:
    return dict(Mailing.objects.values_list("account__name", "state"))


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# ------------------------------------------------------------------------------------------------ what it says


def test_without_a_server_it_lies_in_the_folder_as_text_and_html(town, manager):
    send()
    path = town.folder / "mail" / "2024-03-11 manager.eml"
    message = email.message_from_bytes(path.read_bytes(), policy=default)
    assert message["To"] == ADDRESS
    assert message["Subject"].startswith("Example data: Spring Hope, Mon Mar 11")
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    for said in (text, html):
        assert LOOK in said
        assert "Oak Street at First" in said
        assert "Today, 11:10 am" in said
        assert "SORP III.A.2" in said
        assert "http://127.0.0.1:8000/thing/s1/" in said
        assert "252-555-0171" not in said  # the caller's number
    assert "<li>" in html
    assert "<" not in text
    assert states()["manager"] == "sent"


def test_it_goes_by_a_mail_server_with_text_and_html(town, manager, server):
    by_server(town, server)
    send()
    (message,) = server.got
    assert (message["From"], message["To"]) == ("desk@town.example", ADDRESS)
    assert message.get_content_type() == "multipart/alternative"
    assert LOOK in message.get_body(("plain",)).get_content()
    assert states() == {"manager": "sent"}  # the administrator's account belongs to nobody with an address


def test_it_is_whole_for_the_manager_and_short_for_a_person(town, manager, admin):
    ledger.set_facts("k1", {"name": "Clerk", "email": "clerk@town.example"}, as_account=admin, type="person")
    ledger.open_account("clerk", as_account=admin, roles={"clerk"}, person="k1")
    ledger.open_account("reader", as_account=admin, roles={"auditor"}, person="k1")
    send()
    assert states()["clerk"] == "nothing"  # nothing is the clerk's
    assert not (town.folder / "mail" / "2024-03-11 clerk.eml").exists()
    assert "reader" not in states()  # from outside
    Mailing.objects.filter(account__name="clerk").delete()
    ledger.record("assigned", "s1", as_account=admin, at="2024-03-11", data={"to": "k1"})
    send()
    assert LOOK in (town.folder / "mail" / "2024-03-11 clerk.eml").read_text()


@pytest.mark.parametrize(("minute", "is_asked"), [(29, False), (30, True), (31, True)])
def test_it_is_asked_for_from_its_minute_on_once_a_day(town, manager, minute, is_asked):
    hour = NOW.replace(hour=10, minute=minute)  # 6:30 in the town on daylight time, four hours from UTC
    with clock.at(hour):
        assert (actions.ask_for_digests() > 0) is is_asked
        assert actions.ask_for_digests() == 0
    with clock.at(hour + timedelta(days=1)):
        assert (actions.ask_for_digests() > 0) is is_asked


def test_a_person_may_turn_it_off_and_on_again(town, manager, signed_in):
    client = signed_in("manager")
    assert "Turn it off" in text_of(client.get("/account/digest/"))
    client.post("/account/digest/", {"do": "off"})
    assert "Turned off" in text_of(client.get("/account/digest/"))
    send()
    assert "manager" not in states()
    client.post("/account/digest/", {"do": "on"})
    send()
    assert states()["manager"] == "sent"
    assert "Sent: " in text_of(client.get("/account/digest/"))


# ------------------------------------------------------------------------------------------------ once, or said not to be known


def test_a_kill_while_it_is_sent_is_not_known_and_not_repeated(town, manager, server, signed_in, monkeypatch):
    by_server(town, server)

    def killed(message, *rest) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(tasks, "deliver", killed)
    monkeypatch.setattr(worker, "WAIT_BEFORE_AGAIN", timedelta())
    send()
    monkeypatch.setattr(tasks, "deliver", delivering.deliver)
    send()
    assert states() == {"manager": "unknown"}
    assert server.got == []
    client = signed_in("manager")
    assert "Not known if sent" in text_of(client.get("/account/digest/"))
    assert "It is not known if it was sent." in text_of(client.get("/jobs/"))
    assert client.post(f"/account/digest/{Mailing.objects.get().id}/again/").status_code == 302  # by hand it goes
    Worker().until_idle()
    assert states() == {"manager": "sent"}
    assert len(server.got) == 1
    assert client.post(f"/account/digest/{Mailing.objects.get().id}/again/").status_code == 422


def test_a_line_that_breaks_when_the_server_has_it_is_not_known(town, manager, server, at_once):
    by_server(town, server)
    server.answers["END"] = ""
    send()
    send()
    assert states() == {"manager": "unknown"}
    assert len(server.got) == 1  # it went after all; the desk could not know


@pytest.mark.parametrize(
    ("word", "answer", "said"),
    [
        ("RCPT", "550 no such mailbox", "550 no such mailbox"),
        ("DATA", "554 too late", "554 too late"),
        ("END", "552 too large", "552 too large"),
        ("MAIL", "451 not now", "451 not now"),
        ("CONNECT", "554 go away", "554 go away"),
    ],
)
def test_what_the_server_does_not_take_is_tried_three_times_and_then_said(
    town, manager, server, at_once, caplog, word, answer, said
):
    by_server(town, server)
    server.answers[word] = answer
    send()
    assert states() == {"manager": "failed"}
    found = Mailing.objects.get()
    assert found.said.startswith("It was not sent:")
    assert said in found.said
    assert len(Job.objects.select_related("task").get().task.worker_ids) == 3


def test_what_the_server_takes_at_the_second_try_went_once(town, manager, server, at_once, caplog):
    by_server(town, server)
    server.answers["RCPT"] = "451 try again"
    actions.ask_for_digests()
    one = Worker()
    one.step()
    while one.child:
        one.step()
    del server.answers["RCPT"]
    one.until_idle()
    assert states() == {"manager": "sent"}
    assert len(server.got) == 1


def test_a_server_that_is_not_there_is_said(town, manager, server, at_once, caplog):
    by_server(town, replace(server, port=9))  # discard: nobody listens there on a machine of today
    send()
    assert "cannot be reached" in Mailing.objects.get().said


def test_what_a_server_says_to_our_leaving_changes_nothing(town, manager, server):
    by_server(town, server)
    server.answers["QUIT"] = "500 stay"
    send()
    assert states() == {"manager": "sent"}


def test_mailings_are_ones_own(town, manager, signed_in):
    send()
    clerk = signed_in("clerk")
    mailing = Mailing.objects.get(account=manager).id
    assert "2024-03-11" not in text_of(clerk.get("/account/digest/"))
    assert clerk.post(f"/account/digest/{mailing}/again/").status_code == 404


# ------------------------------------------------------------------------------------------------ town.toml


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("mail = 3", "[mail] has the keys server, port, security, user, sender, digest_at, and no others"),
        ('[mail]\nsmpt = "x"', "[mail] has the keys server, port, security, user, sender, digest_at, and no others"),
        ('[mail]\nport = "25"', "[mail] port = '25' is of the wrong kind; port is a number, the others are texts"),
        ('[mail]\nsecurity = "ssl"', "[mail] security = 'ssl' is none of starttls, tls, none"),
        ('[mail]\ndigest_at = "24:00"', "[mail] digest_at = '24:00' is no time of day; write it as \"06:30\""),
        ('[mail]\nserver = "mail.town.example"', '[mail] names a server but no sender; write sender = "…", the address from which mail comes'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_settings_is_said(town, written, message):
    path = town.folder / "town.toml"
    path.write_text(path.read_text() + written)
    with pytest.raises(TownError) as error:
        read_town(town.folder)
    assert str(error.value) == f"{path}: {message}"


def test_the_port_is_the_one_by_custom(town):
    """RFC 8314: 465 for TLS from the start, 587 for STARTTLS; RFC 5321: 25."""
    path = town.folder / "town.toml"
    before = path.read_text()
    for security, port in (("tls", 465), ("starttls", 587), ("none", 25)):
        path.write_text(
            f'{before}[mail]\nserver = "mail.town.example"\nsender = "desk@town.example"\nsecurity = "{security}"\n'
        )
        assert read_town(town.folder).mail.port == port
    assert read_town(town.folder).mail.digest_at == "06:30"
