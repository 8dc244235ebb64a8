"""Real files of other towns, which are not ours to pass on: where they are absent each test that needs them is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

FIELD = Path(__file__).parents[3] / "shared" / "field"


@pytest.fixture
def field() -> Path:
    """The folder of real files."""
    if not FIELD.is_dir():
        pytest.skip("left out: needs the real files of ../shared/field")
    return FIELD
