"""The tutorial on bringing in a town's lists, done as it is written: five lists go in, their counts add up, and undoing restores all."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from sewershed.ledger import clock
from tests.desk.imports.test_imports import LISTS, follows, form_of, sent, text_of

PAGE = " ".join((Path(__file__).parents[3] / "docs/tutorial/bring-in-your-lists.md").read_text("utf-8").split())


class Clerk:
    """Somebody who does what the tutorial says, and uses only the words that it has in bold."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.batches: list[str] = []
        self.arrival = ""

    def bold(self, words: str) -> str:
        assert f"**{words}**" in PAGE, f"the tutorial does not name {words!r}"
        return words

    def choice(self, field, label: str) -> str:
        """Returns the value of the choice that goes by a label, or begins so."""
        self.bold(label)
        choices = [
            one for value, name in field.field.choices for one in (name if isinstance(name, list) else [(value, name)])
        ]
        found = {value for value, name in choices if name == label or name.removesuffix(" (needed)") == label}
        found = found or {value for value, name in choices if name.startswith(label)}
        assert len(found) == 1, (label, choices)
        return str(found.pop())

    def sends(self, name: str, content: bytes | None = None) -> None:
        self.arrival = sent(self.client, (LISTS / name).read_bytes() if content is None else content, name)

    def takes_more(self) -> None:
        answer = self.client.post(reverse("import_again", args=[self.batches[-1]]))
        self.arrival = answer["Location"].split("/")[2]

    def says(self, step: str, **labels: str) -> str:
        """Answers some questions of a step, the rest as it stands, and returns which step comes next."""
        page = self.client.get(reverse(f"import_{step}", args=[self.arrival]) + "?again=1")
        form = page.context["form"]
        said = form_of(page) | {
            name: self.choice(form[name], label) for name, label in labels.items() if not name.startswith("same_")
        }
        said |= {name: text for name, text in labels.items() if name.startswith("same_")}
        answer = self.client.post(reverse(f"import_{step}", args=[self.arrival]), said)
        assert answer.status_code == 302, text_of(answer)
        return urlsplit(answer["Location"]).path.split("/")[3]

    def columns(self, columns: dict[str, str], **more: str) -> str:
        page = self.client.get(reverse("import_columns", args=[self.arrival]))
        named = {field.label.removesuffix(" is"): field.name for field in page.context["form"].rows}
        return self.says("columns", **{named[column]: label for column, label in columns.items()}, **more)

    def answers(self, *labels: str) -> None:
        page = self.client.get(reverse("import_questions", args=[self.arrival]))
        fields = list(page.context["form"])
        assert len(fields) == len(labels), [(field.label, field.field.choices) for field in fields]
        assert (
            self.says("questions", **{field.name: label for field, label in zip(fields, labels, strict=True)}) == "plan"
        )

    def brings_in(self, **counts: int) -> None:
        page = self.client.get(reverse("import_plan", args=[self.arrival]))
        found = {name: count for name, count in page.context["counts"].items() if count}
        assert found == counts, (found, text_of(page)[:3000])
        does = page.context["does"]
        if does:
            assert f"**Bring in {does} lines**" in PAGE, f"the tutorial does not say that {does} lines are brought in"
            answer = self.client.post(reverse("import_plan", args=[self.arrival]), {"plan": page.context["approved"]})
            self.batches.append(answer["Location"].split("/")[2])


@pytest.fixture
def clerk(town, admin, signed_in) -> Clerk:
    return Clerk(signed_in("clerk"))


def pump_hours(clerk: Clerk) -> None:
    clerk.sends("pump_hours.csv")
    clerk.says("what", kind="Stations")
    assert clerk.columns({}, key="Station", same_in_service_since="2000-01-01") == "plan"
    clerk.brings_in(begin=3, same=31)
    clerk.takes_more()
    clerk.says("what", kind="Pump hours read")
    clerk.columns({})
    clerk.answers("20..", "of 24 hours")
    clerk.brings_in(event=33, same=1)


def cleaning_log(clerk: Clerk) -> None:
    clerk.sends("cleaning_log.xlsx")
    clerk.says("what", kind="Pipes")
    assert clerk.columns({"Footage (ft)": "Left out"}, key="From MH", key_too="To MH") == "plan"
    clerk.brings_in(begin=13, same=3)
    clerk.takes_more()
    clerk.says("what", kind="Line cleaned")
    clerk.columns({"From MH": "Which pipe", "To MH": "Which pipe", "Street": "Left out"})
    clerk.answers("the same as on the line above", "jetting", "other")
    clerk.brings_in(event=13, same=1, refused=2)


def food_establishments(clerk: Clerk) -> None:
    clerk.sends("food_establishments.csv")
    clerk.says("what", kind="Premises")
    assert clerk.columns({"Location": "Address"}, key="Location") == "plan"
    clerk.brings_in(begin=23, same=1, refused=1)
    clerk.takes_more()
    clerk.says("what", kind="Interceptors")
    clerk.columns({"Location": "Premises"})
    clerk.answers("a comma parts thousands")
    clerk.brings_in(begin=22, same=1, refused=2)
    mended = (LISTS / "food_establishments.csv").read_bytes().replace(b"13/3/2024", b"3/13/2024")
    clerk.sends("food_establishments.csv", mended)
    clerk.says("what", kind="Interceptor serviced")
    clerk.columns({})
    clerk.answers("a comma parts thousands")
    clerk.brings_in(event=16, same=1, refused=8)


def backflow_assemblies(clerk: Clerk) -> None:
    clerk.sends("backflow_assemblies.xlsx")
    clerk.says("what", sheet="Testers", kind="Testers")
    assert clerk.columns({"Certified": "Left out"}) == "plan"
    clerk.brings_in(begin=3)
    clerk.takes_more()
    clerk.says("what", sheet="Devices", kind="Gauges")
    assert clerk.columns({"Gauge S/N": "Serial"}, key="Gauge S/N") == "plan"
    clerk.brings_in(begin=2, same=15, refused=3)
    clerk.takes_more()
    clerk.says("what", sheet="Devices", kind="Assemblies")
    clerk.columns({"Service Address": "Premises"})
    clerk.answers("DCVA", "DCVA", "RP")
    clerk.brings_in(begin=18, same=1, refused=1)


def telemetry(clerk: Clerk) -> None:
    clerk.sends("telemetry.csv")
    clerk.says("what", kind="Rain measured")
    clerk.columns({})
    clerk.answers("month first", "standard time")
    clerk.brings_in(event=24, same=1, refused=3)


def test_five_lists_go_in_by_the_tutorial(clerk: Clerk, town):
    with clock.at(datetime(2024, 12, 15, 16, 0, tzinfo=UTC)):
        before = follows()
        for bring in (pump_hours, cleaning_log, food_establishments, backflow_assemblies, telemetry):
            bring(clerk)
        assert len(clerk.batches) == 11
        assert follows() != before
        for batch in reversed(clerk.batches):  # the last first, since it rests on those before
            answer = clerk.client.post(reverse("import_undo", args=[batch]), {"why": "to see that it can be undone"})
            assert answer.status_code == 302, text_of(answer)
        assert follows() == before


def test_the_tutorial_names_the_files_that_there_are():
    there = {path.name for path in LISTS.iterdir() if path.suffix != ".md"}
    assert len(there) == 5
    assert {name for name in there if f"`{name}`" in PAGE} == there
