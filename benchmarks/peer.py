"""The same two threshold rules in openfisca-core: run by its own Python (`make bench` makes it), it prints what it took.

    python benchmarks/peer.py COUNT

Prints, as JSON, seconds of the processor and how many broke each rule: all at once, as openfisca is meant to be used, and each by itself, as a
town asks about one result or one test.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from openfisca_core.entities import Entity
from openfisca_core.periods import DateUnit
from openfisca_core.simulation_builder import SimulationBuilder
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from openfisca_core.variables import Variable

DAY = "2026-11-30"
ALONE = 500
Subject = Entity("subject", "subjects", "A result, or a test", "")


def given(label: str, name: str, kind: type) -> type[Variable]:
    """Returns a variable that is given for each subject."""
    said = {"value_type": kind, "entity": Subject, "definition_period": DateUnit.DAY, "label": label}
    return type(name, (Variable,), said)


class is_over_limit(Variable):  # noqa: N801 - openfisca takes the name of the class for that of the variable
    """A result breaks the limit; exactly at it, it does not."""

    value_type = bool
    entity = Subject
    definition_period = DateUnit.DAY
    label = "Over the limit"

    def formula(subjects, period):  # noqa: N805 - as openfisca hands them in
        return subjects("zinc_mg_per_l", period) > 0.2


class is_overdue(Variable):  # noqa: N801
    """The report of a test is overdue after 30 days; on the thirtieth it is not yet."""

    value_type = bool
    entity = Subject
    definition_period = DateUnit.DAY
    label = "Overdue"

    def formula(subjects, period):  # noqa: N805
        return subjects("tested_days_ago", period) > 30


def timed(system: TaxBenefitSystem, name: str, rule: str, values: np.ndarray) -> tuple[float, int]:
    """Returns how long it takes to ask a rule of all of these, given in memory, and how many break it."""
    begun = time.process_time()
    simulation = SimulationBuilder().build_default_simulation(system, count=len(values))
    simulation.set_input(name, DAY, values)
    broken = int(simulation.calculate(rule, DAY).sum())
    return time.process_time() - begun, broken


def main(count: int) -> dict[str, object]:
    """Returns what is printed."""
    system = TaxBenefitSystem([Subject])
    for variable in (
        given("Zinc", "zinc_mg_per_l", float), given("Days since the test", "tested_days_ago", int),
        is_over_limit, is_overdue,
    ):  # fmt: skip
        system.add_variable(variable)
    numbers = np.arange(count)
    said: dict[str, object] = {"version": version("openfisca-core")}
    for what, name, rule, values in (
        ("limit", "zinc_mg_per_l", "is_over_limit", numbers * 7919 % 400 / 1000),
        ("duty", "tested_days_ago", "is_overdue", numbers % 60),
    ):
        timed(system, name, rule, values[:10])
        at_once, broken = timed(system, name, rule, values)
        alone = sum(timed(system, name, rule, values[n : n + 1])[0] for n in range(ALONE))
        said[what] = {"at_once_s": at_once / count, "alone_s": alone / ALONE, "broken": broken}
    return said


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(int(sys.argv[1]))))
