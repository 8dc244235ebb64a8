"""Every worked case of the engine comes out as it says, each of its files is read, and a wrong one is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import connections, pretreatment
from sewershed.rules.cases import Case, CaseError, read_cases, run_case
from sewershed.rules.library import Program

CASES = Path(__file__).parents[1] / "cases" / "engine"
PROGRAMS = [
    Program(Path(program.__path__[0]) / "vocabulary.toml", program.FUNCTIONS, program.PROVIDERS)
    for program in (connections, pretreatment)
]
ALL = read_cases(CASES)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_case(case: Case) -> None:
    assert run_case(case, PROGRAMS) == []
