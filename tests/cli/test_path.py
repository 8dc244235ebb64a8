"""A stranger takes a spill from the call to the filed report: the page that says how runs as it stands, in a real town, today."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/howto/take-a-spill-from-call-to-report.md"
PHOTOGRAPH = ROOT / "src/sewershed/examples/spring_hope/photograph.png"


def test_the_page_runs_from_the_call_to_the_filed_report(tmp_path: Path):
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert len(blocks) == 5
    for name in re.findall(r"files=@(\S+)", "".join(blocks)):  # as the crew's telephone has them
        shutil.copy(PHOTOGRAPH, tmp_path / name)
    script = (
        "set -eu\n" + "echo '##'\n".join(blocks) + 'sewershed due ./spring-hope --on "Branch Street" --all --json\n'
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    keeps = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"),
    }  # thirty programs, one compiling
    done = subprocess.run(
        ["bash", "-c", script], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=600,
        env={**os.environ, **keeps, "PATH": path, "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    first, _, volume, _, last = done.stdout.split("##\n")
    assert "Look at every report of a spill within two hours" in first
    assert "1,122 gal, by area depth" in volume  # 600 ft2 x 0.25 ft x 7.48 gal/ft3
    assert "\nTo record it\n" in volume
    for paper in ("draft.pdf", "report.pdf"):
        assert (tmp_path / paper).read_bytes().startswith(b"%PDF-")
    assert "Nothing is due. Looked at everything about Branch Street.\n" in last
    assert ", each as it was written.\n" in last
    states = {line["state"] for line in map(json.loads, last.splitlines()[last.splitlines().index(_head(last)) + 1 :])}
    assert states == {"met", "closed"}


def _head(text: str) -> str:
    """Returns the line that ends what `verify` prints."""
    return next(line for line in text.splitlines() if line.startswith("Head "))
