"""`sewershed serve` as a program of its own: what it prints, that it answers, how it ends, what it refuses."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).parent / "sewershed"
PATIENCE_SECONDS = 60


@pytest.fixture
def folder(first_folder: Path, tmp_path: Path) -> Path:
    """A town of this test's own."""
    import shutil

    return Path(shutil.copytree(first_folder, tmp_path / "town"))


def begin(folder: Path, port: int, *words: str) -> subprocess.Popen[str]:
    command = [str(PROGRAM), "serve", str(folder), "--port", str(port), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy())


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answer(address: str) -> int:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return int(urllib.request.urlopen(address, timeout=10).status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            assert time.monotonic() < until, f"nothing answers at {address}"
            time.sleep(0.1)


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_where_it_is_and_a_first_link_answers_and_ends_when_told(folder, told):
    port = free_port()
    server = begin(folder, port)
    try:
        assert answer(f"http://127.0.0.1:{port}/sign-in/") == 200
    finally:
        server.send_signal(told)
        said, complained = server.communicate(timeout=PATIENCE_SECONDS)
    assert (server.returncode, complained) == (0, "")
    first, second, third = said.splitlines()
    assert first == f"Spring Hope: http://127.0.0.1:{port}/"
    assert second == "First sign-in, as admin; the link works once, within three days:"
    assert third.startswith(f"  http://127.0.0.1:{port}/sign-in/first/admin/")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)


def test_a_port_that_is_taken_is_said(folder):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        port = one.getsockname()[1]
        server = begin(folder, port)
        _, complained = server.communicate(timeout=PATIENCE_SECONDS)
    assert server.returncode == 3
    assert f"is something else listening on 127.0.0.1:{port}?" in complained


def test_a_link_is_printed_for_an_account_while_nothing_else_is_done(program, folder):
    done = program("serve", str(folder), "--address", "https://desk.example.gov/", "--link", "admin")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("https://desk.example.gov/sign-in/first/admin/")
    assert len(done.stdout.splitlines()) == 1
    done = program("serve", str(folder), "--link", "nobody")
    assert done.returncode == 3
    assert done.stderr == "there is no account 'nobody'; there are admin\n"


@pytest.mark.parametrize("address", ["desk.example.gov", "ftp://desk.example.gov", "https://"])
def test_what_is_no_address_is_refused(program, folder, address):
    done = program("serve", str(folder), "--address", address)
    assert done.returncode == 2
    assert f"'{address}' is no address such as https://desk.example.gov" in done.stderr


def test_behind_https_cookies_go_over_https_alone(folder):
    code = (
        "from sewershed.project import web as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0,"
        " s.ALLOWED_HOSTS[0], s.CSRF_TRUSTED_ORIGINS, s.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN)"
    )
    said = {}
    for address in ("https://desk.example.gov", "http://localhost:8000"):
        environment = {**os.environ, "SEWERSHED_TOWN": str(folder), "SEWERSHED_ADDRESS": address}
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
        said[address] = done.stdout.strip()
    assert said == {
        "https://desk.example.gov": "True True True desk.example.gov ['https://desk.example.gov'] False",
        "http://localhost:8000": "False False False localhost ['http://localhost:8000'] True",
    }


def test_the_other_commands_start_without_anything_of_the_web(program, folder):
    code = (
        "import sys; from sewershed.cli import main\n"
        f"main(['due', {str(folder)!r}], standalone_mode=False)\n"
        "web = ('allauth', 'csp', 'django_cotton', 'django_htmx', 'django_tables2', 'granian', 'whitenoise', 'cryptography')\n"
        "print('web:', sorted({name.partition('.')[0] for name in sys.modules} & set(web)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.splitlines()[-1] == "web: []"
