"""A PostgreSQL server for the tests: made in a temporary folder, on a loopback port, gone when the tests are.

It listens on 127.0.0.1 only, trusts every connection, and does not wait for the disk: it is for tests alone. The server
runs as our own child and is told to stop when we die, so that a killed test run leaves none behind.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

SERVER_USER = "postgres"  # PostgreSQL refuses to run as root; Debian's package makes this account
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "log_min_messages": "fatal",
}
START_SECONDS = 60


def find_programs() -> Path | None:
    """Returns the folder of the newest PostgreSQL server on this machine, or None where there is none."""
    found = [folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if (folder / "initdb").exists()]
    if found:
        return max(found, key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


@contextmanager
def serve() -> Iterator[str]:
    """Runs a new server for as long as the context lasts and yields the address of its maintenance database."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError("no PostgreSQL server on this machine: run scripts/system-packages")
    folder = Path(tempfile.mkdtemp(prefix="sewershed-postgres-"))
    try:
        if os.geteuid() == 0:
            account = pwd.getpwnam(SERVER_USER)
            os.chown(folder, account.pw_uid, account.pw_gid)
        data, log = folder / "data", folder / "log"
        flags = f"-U {SERVER_USER} -A trust --no-sync -E UTF8".split()
        command = [*_as_server_user(), programs / "initdb", "-D", data, *flags]
        made = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False)
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stderr}")
        with _run_server(programs, data, log) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(server: str, name: str) -> Iterator[str]:
    """Makes an empty database on the server for as long as the context lasts and yields its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'create database "{name}"')
    try:
        yield server.rsplit("/", 1)[0] + f"/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'drop database "{name}" with (force)')


@contextmanager
def _run_server(programs: Path, data: Path, log: Path) -> Iterator[str]:
    """Starts the server, on another port where somebody was faster, and stops that very process at the end."""
    for attempt in range(3):
        port = _free_port()
        flags = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with log.open("wb") as output:
            server = subprocess.Popen(
                [*_as_server_user(), programs / "postgres", "-D", data, "-p", str(port), *flags],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(),
                start_new_session=True,  # an interrupt typed at the terminal reaches us first, and we stop it
            )
        try:
            address = f"postgresql://{SERVER_USER}@127.0.0.1:{port}/postgres"
            if _answers(server, address):
                yield address
                return
            if attempt == 2:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGINT)  # the "fast" way: open connections are ended
                server.wait(timeout=30)


def _answers(server: subprocess.Popen[bytes], address: str) -> bool:
    """Waits until the server takes connections; False where it ended instead."""
    give_up = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < give_up:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return server.poll() is None
    return False


def _as_server_user() -> list[str]:
    """Returns the words before a command that make it end with us and, where we are root, run as the server's user."""
    words = ["setpriv", "--pdeathsig", "INT"]
    if os.geteuid() == 0:
        words += [f"--reuid={SERVER_USER}", f"--regid={SERVER_USER}", "--init-groups"]
    return words


def _environment() -> dict[str, str]:
    """Returns an environment in which the machine's own settings for PostgreSQL and language play no part."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
