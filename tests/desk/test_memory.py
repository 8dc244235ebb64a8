"""Memory of the server after many page views: it settles, and does not grow on."""

from __future__ import annotations

import http.cookiejar
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE_SECONDS, PROGRAM, Desk, free_port, run, wait_for
from tests.trials import IS_SOAK

VIEWS = 10_000 if IS_SOAK else 300
SETTLED = VIEWS // 3  # until then caches fill
MOST_GROWTH_KB = 12_000  # what fragments; a leak of 2 kB a view would be 13,000 in the soak
PAGES = (
    "/",
    "/spills/",
    "/things/station/",
    "/documents/",
    "/decisions/",
    "/rulebook/",
    "/log/",
    "/town/",
    "/calendar/",
)


def web_process(server: subprocess.Popen[str]) -> int:
    """Returns the process that answers: of those below `serve` the one that holds most."""
    below, found = {server.pid}, []
    for _ in range(3):
        for one in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = one.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in below and int(one.parent.name) not in below:
                below.add(int(one.parent.name))
                found.append(int(one.parent.name))
    return max(found, key=resident_kb)


def resident_kb(pid: int) -> int:
    """Returns what a process holds; nothing, of one that has just ended and of which only the name is left."""
    try:
        said = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(said[1]) if said else 0


def signed_in(desk: Desk) -> urllib.request.OpenerDirector:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    link = desk.link()
    page = opener.open(link, timeout=60).read().decode()
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[:1]
    data = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "password": "", "again": ""}).encode()
    opener.open(urllib.request.Request(link, data, {"Referer": link}), timeout=60).read()
    return opener


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_settles(tmp_path: Path):
    folder, port = tmp_path / "town", free_port()
    run("demo", str(folder))
    address = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    server = subprocess.Popen(
        [str(PROGRAM), "serve", str(folder), "--port", str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        wait_for(address, server)
        opener, pid, seen = signed_in(Desk(folder, address)), web_process(server), []
        for view in range(VIEWS):
            answer = opener.open(address + PAGES[view % len(PAGES)], timeout=120)
            assert answer.status == 200
            assert len(answer.read()) > 2_000
            seen.append(resident_kb(pid))
            assert seen[-1] > 0
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE_SECONDS)
    growth_kb = max(seen[-len(PAGES) :]) - max(seen[SETTLED : SETTLED + len(PAGES)])
    print(f"{VIEWS} views: {seen[0]} kB, {seen[SETTLED]} kB after {SETTLED}, {seen[-1]} kB at the end")  # noqa: T201
    assert growth_kb <= MOST_GROWTH_KB
