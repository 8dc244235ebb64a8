"""`sewershed serve`: the desk of a town, in the browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import click

from sewershed.cli.failing import Failure
from sewershed.cli.terminal import Verb
from sewershed.cli.towns import town_argument

WEB_SETTINGS = "sewershed.project.web"
THREADS = 4  # of the one process that answers: rate limits are counted in it, and SQLite has one writer
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
WORKER = (sys.executable, "-m", "sewershed.project.worker")
_PATIENCE_SECONDS = 20
_LOOK_SECONDS = 0.2  # how often it looks whether its children live
_PAUSE_SECONDS = 5.0  # at least, between two starts of the worker


@click.command(
    cls=Verb,
    examples="""
    sewershed serve ./spring-hope
    sewershed serve ./spring-hope --port 8080
    sewershed serve ./spring-hope --address https://desk.example.gov
    sewershed serve ./spring-hope --link clerk
    """,
)
@town_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; other machines reach 0.0.0.0.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port to listen on.")
@click.option(
    "--address", default="", metavar="URL", help="Under which address people reach it, where a proxy stands before it."
)
@click.option("--link", default="", metavar="ACCOUNT", help="Print a one-time sign-in link for an account, and end.")
@click.option(
    "--forget-second-factor", "is_forgetting", is_flag=True, help="With --link: the account's telephone or key is lost."
)
def serve(town: Path, host: str, port: int, address: str, link: str, is_forgetting: bool) -> None:
    """Serves the desk of TOWN until it is stopped with Ctrl-C, with a worker beside it for long work.

    Where nobody can sign in yet, a one-time link is printed with which the administrator does. Passwords go over the wire
    as they are typed unless a proxy speaks https before it: then say so with --address.
    """
    shown = (address or f"http://{_shown_host(host)}:{port}").rstrip("/")
    if urlsplit(shown).scheme not in {"http", "https"} or not urlsplit(shown).hostname:
        raise click.BadParameter(f"{address!r} is no address such as https://desk.example.gov", param_hint="--address")
    os.environ["DJANGO_SETTINGS_MODULE"] = WEB_SETTINGS
    os.environ["SEWERSHED_TOWN"] = str(town.resolve())
    os.environ["SEWERSHED_ADDRESS"] = shown
    from sewershed.project.opening import make_tables, open_town

    opened = open_town(town)
    make_tables()  # those of sessions and second factors, which the command itself does without
    from sewershed.desk.shell import signing_in
    from sewershed.ledger import rights

    if link:
        if is_forgetting:
            signing_in.forget_second_factors(rights.account_named(link))
        click.echo(shown + signing_in.one_time_path(link, as_account=rights.owner()))
        return
    click.echo(f"{opened.name}: {click.style(shown + '/', bold=True)}")
    if not signing_in.can_anybody_sign_in():
        administrator = rights.owner()
        path = signing_in.one_time_path(administrator.name, as_account=administrator)
        click.echo(f"First sign-in, as {administrator.name}; the link works once, within three days:\n  {shown}{path}")
    if host not in LOOPBACK and urlsplit(shown).scheme == "http":
        click.echo(
            "Other machines reach this without https: whoever listens on the network reads what is typed.", err=True
        )
    _run(host, port)


def _shown_host(host: str) -> str:
    return "127.0.0.1" if host == "0.0.0.0" else f"[{host}]" if ":" in host else host  # noqa: S104  # it is shown, not bound


def _run(host: str, port: int) -> None:
    """Runs the web server and the worker as children, until the server ends or this process is told to stop.

    A worker that dies is started again; what it had begun is taken up.
    """
    os.environ["SEWERSHED_SERVED"] = "1"
    is_stopping = False
    server = subprocess.Popen(_server(host, port))  # noqa: S603  # our own words, and a host that is only bound
    worker = subprocess.Popen(WORKER)  # noqa: S603  # our own words

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal is_stopping
        is_stopping = True
        _tell(server)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    started_at = time.monotonic()
    while server.poll() is None:
        if worker.poll() is not None and not is_stopping and time.monotonic() - started_at > _PAUSE_SECONDS:
            click.echo(f"the worker ended by itself ({worker.returncode}): it is started again", err=True)
            worker, started_at = subprocess.Popen(WORKER), time.monotonic()  # noqa: S603  # as above
        with suppress(subprocess.TimeoutExpired):
            server.wait(_LOOK_SECONDS)
    _tell(worker)
    with suppress(subprocess.TimeoutExpired):
        worker.wait(_PATIENCE_SECONDS)
    worker.kill()
    if server.returncode not in {0, -signal.SIGTERM, -signal.SIGINT}:
        raise Failure(
            f"the web server ended by itself ({server.returncode}): is something else listening on {host}:{port}?"
        )


def _tell(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        child.send_signal(signal.SIGTERM)


def _server(host: str, port: int) -> list[str]:
    return [
        sys.executable, "-m", "sewershed.project.server", "--interface", "wsgi", "--host", host, "--port", str(port), "--workers", "1",
        "--blocking-threads", str(THREADS), "--no-ws", "--workers-kill-timeout", str(_PATIENCE_SECONDS), "--log-level", "error",
        "sewershed.project.wsgi:application",
    ]  # fmt: skip
