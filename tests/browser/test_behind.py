"""What works behind the desk, in a real browser: jobs, the morning digest, tokens and the API's own page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_components import look

PATHS = {"jobs": "/jobs/", "digest": "/account/digest/", "tokens": "/account/tokens/", "documentation": "/api/-/docs/"}


def sent(page: Page, path: str, fields: dict[str, str]) -> None:
    """Sends a form of the desk's that its pages show only in a large town."""
    page.evaluate(
        """([path, fields]) => {
          const form = document.createElement("form");
          form.method = "post"; form.action = path;
          fields.csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
          for (const [name, value] of Object.entries(fields)) {
            const one = document.createElement("input");
            one.name = name; one.value = value; form.append(one);
          }
          document.body.append(form); form.submit();
        }""",
        [path, fields],
    )


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_is_in_order_at_every_width(visit: Open, name: str):
    assert look(visit(PATHS[name]).page, f"behind-{name}") == {}


def test_a_job_is_seen_to_its_end_and_listed(visit: Open):
    page = visit("/account/tokens/").page
    sent(page, "/jobs/day/", {"day": "2024-03-08", "time": "09:00", "known": "now"})
    expect(page.get_by_role("heading", name=re.compile("What was due on"), level=1)).to_be_visible()
    assert look(page, "behind-job") == {}
    expect(page.get_by_role("main")).to_contain_text(re.compile("Done"), timeout=60_000)
    assert look(page, "behind-job-done") == {}
    page.goto("/jobs/")
    expect(page.get_by_text(re.compile("What was due on")).first).to_be_visible()
    assert look(page, "behind-jobs-ended") == {}


def test_a_token_is_made_shown_once_and_revoked(visit: Open):
    page = visit("/account/tokens/").page
    page.get_by_label("What it is for").fill("the sampler")
    page.get_by_label("Administrator").check()
    page.get_by_role("button", name=re.compile("Make")).click()
    expect(page.get_by_text("shown this once")).to_be_visible()
    assert look(page, "behind-token-made") == {}
    page.goto("/account/tokens/")
    expect(page.get_by_role("rowheader", name="the sampler")).to_be_visible()
    assert look(page, "behind-tokens-listed") == {}
    page.get_by_role("button", name=re.compile("Revoke")).first.click()
    expect(page.get_by_role("status").first).to_contain_text("answers nothing any more")
