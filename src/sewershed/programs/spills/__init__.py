"""Spills: from the call to the filed report, the volume and the year."""

from sewershed.programs.spills.forms import FORMS
from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = ()
PROVIDERS: tuple[Provider, ...] = ()

__all__ = ["FORMS", "FUNCTIONS", "PROVIDERS"]
