"""Industrial pretreatment: what its calculations offer to a rulebook."""

from sewershed.programs.pretreatment.noncompliance import snc, snc_of_user
from sewershed.rules.doors import Function, Provider

FUNCTIONS: tuple[Function, ...] = ()
PROVIDERS: tuple[Provider, ...] = (snc, snc_of_user)
