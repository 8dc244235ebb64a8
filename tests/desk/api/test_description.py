"""The API is as its own description says: asked by schemathesis with what it allows and with what it does not."""

from __future__ import annotations

import traceback

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from sewershed.desk.api import actions
from tests.desk.recorded import spill
from tests.trials import trials

EXAMPLES = 30  # of each address and kind in the soak
KNOWN = {
    "thing": ["s1", "town", "orc"],
    "row": ["c1"],
    "type": ["spill", "person"],
    "event": ["call", "crew_arrived"],
    "kind": ["spill_report"],
}
ALWAYS = [
    not_a_server_error, checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance,
    checks.response_headers_conformance,
]  # fmt: skip


@pytest.fixture
def described(town, admin):
    spill(admin)
    token = actions.make_token(admin, "schemathesis", {"administrator"})
    headers = {"Authorization": f"Bearer {token}", "Host": "localhost"}
    return schemathesis.openapi.from_wsgi("/api/-/openapi.json", get_wsgi_application(), headers=headers), headers


def ask(operation, mode: GenerationMode, headers: dict[str, str]) -> None:
    """Asks one address, as often as this run's length says."""
    wanted = [*ALWAYS, checks.negative_data_rejection] if mode is GenerationMode.NEGATIVE else ALWAYS

    @settings(max_examples=trials(EXAMPLES))
    @given(st.data())
    def asked(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if mode is GenerationMode.POSITIVE:
            for name in (case.path_parameters or {}).keys() & KNOWN.keys():
                case.path_parameters[name] = data.draw(st.sampled_from([case.path_parameters[name], *KNOWN[name]]))
        case.call_and_validate(headers=headers, checks=wanted)

    asked()


@pytest.mark.soak
@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_each_address_answers_as_it_is_described(described, mode):
    schema, headers = described
    faults: dict[str, str] = {}
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:
        try:
            ask(operation, mode, headers)
        except (BaseExceptionGroup, AssertionError, Unsatisfiable) as error:
            faults[operation.label] = "".join(traceback.format_exception_only(error))[:2000]
    assert not faults, "\n\n".join(f"{name}: {said}" for name, said in faults.items())
