"""A stranger takes a spill from the call to the filed report, each command a program of its own, in a real town, today."""

from __future__ import annotations

import json
from pathlib import Path

# What is recorded after the call, in the order in which it is done: event, fields.
DONE = (
    ("dispatched", ("person=A. Operator", "way=telephone")),
    ("crew_arrived", ("person=A. Operator", "is_running=yes")),
    ("spill_confirmed", ()),
    ("orc_visited", ("visitor=orc", "certificate=000000")),
    ("cause_found", ("causes=grease,debris", "description=Grease in the main")),
    ("destination_found", ("destination=ground",)),
    ("spill_contained", ("how=Sandbags",)),
    ("area_secured", ("how=Cones",)),
    ("photographs_taken", ("stage=on_site", "shows=The manhole")),
    ("spill_stopped", ("because=corrected", "how=Jetted free")),
    ("start_estimated", ("started_at=now", "started_is=estimated", "how=The caller saw it begin")),
    ("volume_estimated", ("method=eyeball", "result_gal=1200", "working=By the eye, for this test")),
    ("area_clean", ("is_disposed_properly=yes",)),
    ("site_disinfected", ("agent=Lime",)),
    ("photographs_taken", ("stage=after_clean_up",)),
    ("damage_assessed", ("public_damage=none",)),
    (
        "spill_assessed",
        ("ground_gal=1200", "surface_water_gal=0", "reached_water=no", "contained=yes", "removed_quickly=yes"),
    ),
    ("state_told", ("way=person", "spoken_to=Staff of the regional office", "incident_number=202600001")),
)


def test_from_the_call_to_the_filed_report(program, tmp_path: Path):
    def run(*words: str, status: int = 0) -> str:
        done = program(*words)
        assert done.returncode == status, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def record(*words: str) -> str:
        return run("record", "town", *words).strip()

    run("init", "us.nc.spring_hope", "town", "--set", "county=Nash")
    record("person", "new", "--set", "name=A. Operator")
    record("office_held", "--on", "A. Operator", "--at", "today", "--set", "office=orc")
    spill = record("spill", "new", "--set", "location=Branch Street")
    call = record(
        "call", "--on", spill, "--at", "now", "--set", "what=manhole_overflowing", "--set", "reporter=A caller"
    )
    now = run("due", "town", "--on", "Branch Street")
    assert "Look at every report of a spill within two hours" in now
    for event, fields in DONE:
        settings = [word for field in fields for word in ("--set", field.replace("=now", f"={_now(now)}"))]
        record(event, "--on", "Branch Street", "--at", "now", *settings, "--by", "A. Operator", "--office", "orc")
    record("caller_followed_up", "--on", "Branch", "--at", "now", "--set", f"call={call}", "--set", "way=telephone")

    left = [json.loads(line) for line in run("due", "town", "--on", "Branch", "--json").splitlines()]
    assert [line["rule"] for line in left] == ["us.nc.spring_hope.spill.written"]
    why = run("why", "town", *left[0]["short_key"].split())
    assert "SORP III.D" in why
    run("report", "town", "spill_report", "Branch", "-o", "draft.pdf")
    path = run("report", "town", "spill_report", "Branch", "--issue", "--by", "A. Operator", "--office", "orc").strip()
    for file in ("draft.pdf", path):
        assert (tmp_path / file).read_bytes().startswith(b"%PDF-")
    record("spill_form_sent", "--on", "Branch", "--at", "now", "--set", "way=email")
    assert run("due", "town", "--on", "Branch").endswith("Nothing is due. Looked at everything about Branch.\n")
    assert run("verify", "town").splitlines()[0].endswith(", each as it was written.")
    assert run("recompute", "town").endswith("It is what was stored.\n")


def _now(head: str) -> str:
    """Returns the day that the first line of a list says, as it is typed."""
    from datetime import datetime

    day = head.splitlines()[0].partition("  ")[2].rpartition(", ")[0]
    return datetime.strptime(day, "%a %b %d, %Y").date().isoformat()  # noqa: DTZ007  # a day, without a zone
