"""Chromium for the tests: Debian's own, without a window, talking to nobody but the server under test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FLAGS = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters lie the same on every machine
]


def find_chromium() -> str | None:
    """Returns where chromium is on this machine, or None where it is not."""
    return shutil.which("chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs chromium for as long as the context lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def picture_path(name: str, width: int) -> Path:
    """Returns where the picture of a page at a width is kept; git does not."""
    return Path(__file__).parents[1] / "build" / "shots" / f"{name}-{width}.png"
