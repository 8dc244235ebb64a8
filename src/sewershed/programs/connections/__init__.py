"""Connections and new sewers: what its calculations offer to a rulebook."""

from sewershed.programs.connections.manning import manning_full_fps
from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = (manning_full_fps,)
PROVIDERS: tuple[Provider, ...] = ()
