"""Reports about the whole: what its calculations offer to a rulebook."""

from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = ()
PROVIDERS: tuple[Provider, ...] = ()
