"""A served town and a browser in front of it, once a run; each test gets a page of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from tests import browsers

PROGRAM = Path(sys.executable).parent / "sewershed"
AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.1" / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATIENCE_SECONDS = 60
DAY = "2024-03-08"
SPILL = "spill-to-report"
READER = ("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/", "chrome://resources/")  # the browser's own, for PDF


@dataclass(frozen=True)
class Desk:
    """A desk that is being served."""

    folder: Path
    address: str

    def link(self, account: str = "admin") -> str:
        """Returns a one-time link for an account."""
        words = ["serve", str(self.folder), "--address", self.address, "--link", account]
        return run(*words).strip()


def run(*words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [str(PROGRAM), *words], check=False, capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(address: str, server: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        assert server.poll() is None, f"the server ended: {server.communicate()}"
        try:
            urllib.request.urlopen(address + "/sign-in/", timeout=5)
        except urllib.error.HTTPError as error:
            pytest.fail(f"the first page answers {error.code}")
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"nothing answered at {address} for {PATIENCE_SECONDS} seconds")


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An example town, founded by the command and served by it, under the name that passkeys want."""
    folder = tmp_path_factory.mktemp("desk") / "town"
    run("init", "us.nc.spring_hope", str(folder), "--set", "county=Nash", "--example", "2024-03-08 15:42")
    port = free_port()
    address = f"http://localhost:{port}"
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    words = [str(PROGRAM), "serve", str(folder), "--port", str(port), "--address", address]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        wait_for(address, server)
        yield Desk(folder, address)
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE_SECONDS)
    assert server.returncode == 0


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, for the whole run."""
    with browsers.chromium() as running:
        yield running


@pytest.fixture(scope="session")
def signed_in(desk: Desk, browser: Browser) -> Any:
    """What a browser keeps once the administrator has signed in with a one-time link."""
    context = browser.new_context(base_url=desk.address)
    page = context.new_page()
    page.goto(desk.link())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(desk.address + "/")
    kept = context.storage_state()
    context.close()
    return kept


class Watched:
    """A page whose every complaint is kept: errors of the console, breaches of the content policy, requests elsewhere."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._asked)
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        if (
            message.type in ("error", "warning") and "Failed to load resource" not in message.text
        ):  # the answer says which
            self.complaints.append(f"{message.type}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address + "/", "data:", "blob:", *READER)):
            self.complaints.append(f"asked elsewhere: {request.url}")


Open = Callable[..., Watched]


@pytest.fixture
def visit(desk: Desk, browser: Browser, signed_in: Any) -> Iterator[Open]:
    """Opens a page at a width, signed in unless told otherwise; when the test ends nothing may have been complained of."""
    contexts: list[BrowserContext] = []
    opened: list[Watched] = []

    def visit(path: str, width: int = 1280, *, is_signed_in: bool = True, **settings: Any) -> Watched:
        state = {"storage_state": signed_in} if is_signed_in else {}
        context = browser.new_context(
            base_url=desk.address, viewport={"width": width, "height": 900}, **state, **settings
        )
        contexts.append(context)
        watched = Watched(context.new_page(), desk.address)
        opened.append(watched)
        watched.page.goto(path)
        return watched

    yield visit
    complaints = [one for watched in opened for one in watched.complaints]
    for context in contexts:
        context.close()
    assert complaints == []


def axe(page: Page) -> list[str]:
    """Returns what axe finds on a page, a line each."""
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES)
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]} ({node['failureSummary'].splitlines()[-1].strip()})"
        for one in found["violations"]
        for node in one["nodes"]
    ]


# ------------------------------------------------------------------------------------------------ what stands in the town that is served


@pytest.fixture(scope="session")
def peopled(desk: Desk) -> None:
    """A few people, an office, a contact, a version of the plan and a correction in the town that is served."""
    town, at = str(desk.folder), ("--at", "2024-03-08")
    run("record", town, "person", "new", "--id", "orc", "--set", "name=Operator", "--set", "is_staff=yes")
    run("record", town, "office_held", "--on", "orc", *at, "--set", "office=orc", "--id", "held-1")
    run("record", town, "contact", "new", "--id", "k1", "--set", "role=Bypass pump contractor")
    run("record", town, "plan_revised", "--on", "town", *at, "--set", "version=March 2024", "--id", "plan-1")
    run("record", town, "correct", "plan-1", "--set", "version=2024-03", "--why", "as it is printed")


def said(desk: Desk, *words: str) -> str:
    return run("record", str(desk.folder), *words).strip()


@pytest.fixture(scope="session")
def staffed(desk: Desk) -> None:
    """The operator in charge, entered by the command into the town that is served."""
    said(desk, "person", "new", "--id", "reporter", "--set", "name=R. Operator")
    said(desk, "office_held", "--on", "reporter", "--at", "2024-01-02", "--set", "office=orc")


@pytest.fixture(scope="session")
def spilled(desk: Desk, staffed: None) -> str:
    """A confirmed spill with two estimates, another report of the same hour, and nobody told yet."""
    on = ("--on", SPILL, "--at")
    said(desk, "spill", "new", "--id", SPILL, "--set", "location=Branch Street at Second", "--set", "source=sanitary_sewer", "--set", "weather=Clear, 61 F")  # fmt: skip
    call = ("--set", "what=manhole_overflowing", "--set", "channel=telephone", "--set", "reporter=A Resident")
    said(desk, "call", *on, f"{DAY} 14:10", *call, "--set", "reporter_phone=252-555-0171")
    said(desk, "crew_arrived", *on, f"{DAY} 14:40", "--set", "person=reporter")
    said(desk, "spill_confirmed", *on, f"{DAY} 14:45", "--by", "reporter", "--office", "orc")
    said(
        desk,
        "cause_found",
        *on,
        f"{DAY} 14:50",
        "--set",
        "causes=grease,roots",
        "--set",
        "description=Grease in the main",
    )
    said(desk, "start_estimated", *on, f"{DAY} 14:50", "--set", f"started_at={DAY} 13:55", "--set", "started_is=estimated", "--set", "how=When the caller noticed")  # fmt: skip
    said(desk, "spill_stopped", *on, f"{DAY} 15:30", "--set", "because=corrected", "--set", "how=Jetted free")
    said(desk, "destination_found", *on, f"{DAY} 14:52", "--set", "destination=ditch", "--set", "was_wet=no")
    said(desk, "volume_estimated", *on, f"{DAY} 15:35", "--set", "method=rate_duration", "--set", "what=total", "--set", "result_gal=2375", "--set", "working=25 gpm x 95 min = 2,375 gal.")  # fmt: skip
    said(desk, "volume_estimated", *on, f"{DAY} 15:36", "--set", "method=area_depth", "--set", "what=total", "--set", "result_gal=1402.5", "--set", "working=60 ft x 25 ft x 1.5 in = 187.5 ft3; x 7.48 = 1,402.5 gal.")  # fmt: skip
    said(desk, "state_told", *on, f"{DAY} 15:38", "--set", "way=voice_mail")
    said(desk, "spill", "new", "--id", "other-report", "--set", "location=Branch Street, by the school")
    said(desk, "call", "--on", "other-report", "--at", f"{DAY} 14:20", "--set", "what=sewage_on_ground")
    return SPILL


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs chromium, and lets it come last: its driver leaves a running loop in the process, which others mind."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
