"""Rates, fees and assessments: what its calculations offer to a rulebook."""

from sewershed.programs.charges.front_foot import front_foot
from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = ()
PROVIDERS: tuple[Provider, ...] = (front_foot,)
