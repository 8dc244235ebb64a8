"""Spills: from the call to the filed report, the volume and the year."""

from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = ()
PROVIDERS: tuple[Provider, ...] = ()
