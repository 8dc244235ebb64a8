"""The tutorial, done as it is written: a town of one's own, not an example, and its first spill, by the words in bold."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_SECONDS, PROGRAM, Desk, free_port, run, wait_for

PAGE = (Path(__file__).parents[2] / "docs/tutorial/a-town-and-its-first-spill.md").read_text("utf-8")
ZONE = ZoneInfo("America/New_York")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Desk]:
    """A town made and served by the lines that the tutorial shows, on another port."""
    (made, served) = re.findall(r"^\.venv/bin/sewershed (.*)$", PAGE, flags=re.MULTILINE)
    folder = tmp_path / "my-town"
    run(*made.replace("../my-town", str(folder)).split())
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    words = [str(PROGRAM), *served.replace("../my-town", str(folder)).split(), "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        wait_for(address, server)
        yield Desk(folder, address)
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE_SECONDS)


class Reader:
    """Somebody who does what the tutorial says, and finds on the page only what it names in bold."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def bold(self, words: str) -> str:
        assert f"**{words}**" in " ".join(PAGE.split()), f"the tutorial does not name {words!r}"
        return words

    def press(self, words: str) -> None:
        exact = re.compile(rf"^{re.escape(self.bold(words))}\b", re.IGNORECASE)
        page = self.page
        page.get_by_role("button", name=exact).or_(page.get_by_role("link", name=exact)).first.click()

    def fill(self, words: str, text: str) -> None:
        self.page.get_by_label(re.compile(f"^{re.escape(self.bold(words))}")).first.fill(text)

    def choose(self, question: str, answer: str) -> None:
        group = self.page.get_by_role("group", name=re.compile(f"^{re.escape(self.bold(question))}"))
        group.get_by_label(answer, exact=True).check()

    def pick(self, words: str, answer: str) -> None:
        self.page.get_by_role("combobox", name=re.compile(f"^{re.escape(self.bold(words))}")).select_option(
            label=answer
        )

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()


def hold_office(reader: Reader, office: str) -> None:
    reader.press("Record who holds an office")
    reader.pick("Office", office)
    reader.pick("Who", "A. Operator")
    reader.page.get_by_label(reader.bold("First day")).fill(datetime.now(ZONE).date().isoformat())
    reader.press("Record who holds it")


def to_the_town(reader: Reader, words: str) -> None:
    reader.page.locator(".bar__who summary").click()
    reader.press("The town")
    reader.press(words)


def set_up(reader: Reader, link: str) -> None:
    page = reader.page
    page.goto(link)
    page.get_by_label("Password", exact=True).fill("sluice gate ratchet nine")
    page.get_by_label("The same again").fill("sluice gate ratchet nine")
    reader.press("Sign in")
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    reader.sees("Cannot tell")

    to_the_town(reader, "People and offices")
    reader.press("Add a person")
    reader.fill("Name", "A. Operator")
    reader.choose("Staff", "Yes")
    reader.press("Add person")
    to_the_town(reader, "People and offices")
    hold_office(reader, "Operator in responsible charge")
    hold_office(reader, "Dispatched staff")


def take_the_call(reader: Reader) -> None:
    page = reader.page
    reader.press("Take a spill call")
    reader.fill("Where is it?", "Branch Street at Second")
    reader.choose("What do they see?", "Manhole overflowing")
    reader.fill("Caller's name", "A neighbor")
    reader.press("Save and call the crew")
    reader.sees(re.compile(r"C\d\d-001"))
    reader.choose("Who is sent?", "A. Operator")
    reader.choose("How were they told?", "Telephone")
    reader.press("Record who was sent")
    reader.press("They said it back")
    reader.press("On site")
    reader.press("I am on site")
    reader.press("Say what it is")
    page.get_by_label(reader.bold("A spill"), exact=True).check()
    reader.fill("What was found", "Grease in the main")
    reader.press("Record what was found")
    reader.sees(re.compile(r"has its number: \d\d-001"))


def estimate(reader: Reader) -> None:
    page = reader.page
    page.goto(re.sub(r"/on-site/.*$", "/", page.url))
    until = datetime.now(ZONE).replace(second=0, microsecond=0) - timedelta(minutes=1)
    since = until - timedelta(minutes=30)
    page.get_by_role("navigation", name=reader.bold("Record what happened")).get_by_role(
        "link", name="How much"
    ).click()
    reader.press("Rate and time")
    reader.fill("Rate", "50")
    for word, moment in (("From", since), ("To", until)):
        page.get_by_label(f"{word}: day").first.fill(moment.date().isoformat())
        page.get_by_label(f"{word}: time").first.fill(f"{moment:%H:%M}")
    reader.fill("How the start is known", "When the caller noticed")
    reader.fill("How the stop is known", "Jetted free")
    reader.press("Work it out")
    expect(page.get_by_role("heading", name="1,500 gal")).to_be_visible()  # 50 gallons a minute for half an hour
    reader.press("Record this estimate")
    reader.press("Choose one")
    page.get_by_role("radio", name=re.compile("1,500 gal")).check()
    reader.fill("Why this one", "Timed at the manhole")
    reader.choose("Reached surface water", "No")
    reader.press("Record the assessment")


def report(reader: Reader) -> None:
    page = reader.page
    spill = page.url
    reader.sees(reader.bold("What to tell them"))
    page.get_by_role("link", name="Record the call").or_(
        page.get_by_role("link", name="Record state told")
    ).first.click()
    page.get_by_role("radio", name=reader.bold("Person"), exact=True).check()
    reader.fill("Spoken to", "Duty officer")
    reader.press("Record the call")
    reader.press("Reports and notices")
    reader.press("The spill report")
    page.get_by_label(reader.bold("I have looked at the paper")).check()
    reader.press("Issue the spill report")
    reader.press("Mark as sent")
    reader.pick("Way", "Email")
    reader.fill("To", "The regional office")
    page.get_by_role("button", name=reader.bold("Mark as sent")).click()
    page.goto(spill)
    page.get_by_text("over", exact=False).first.click()
    row = page.get_by_role("row", name=re.compile("Send the (spill|written) report within five"))
    expect(row.first).to_contain_text(reader.bold("Met"))

    to_the_town(reader, "Backups")
    reader.press("Make a backup now")
    reader.sees("The backup is made")


def test_the_tutorial_is_done_as_it_is_written(own: Desk, browser: Browser):
    context = browser.new_context(base_url=own.address, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    reader = Reader(page)
    set_up(reader, own.link())
    take_the_call(reader)
    estimate(reader)
    report(reader)
    context.close()
