"""The truth table: true, false, and unknown, which carries what is missing (docs/explanation/rulebook.md 6, "Three values").

=========  =====  =====  =====      =========  =====  =====  =====      ======  =====
``a && b`` true   false  ?          ``a || b`` true   false  ?          ``!a``
=========  =====  =====  =====      =========  =====  =====  =====      ======  =====
true       true   false  ?          true       true   true   true       true    false
false      false  false  false      false      true   false  ?          false   true
?          ?      false  ?          ?          true   ?      ?          ?       ?
=========  =====  =====  =====      =========  =====  =====  =====      ======  =====

Only what can change the answer is asked for: where one side decides, what the other misses is not mentioned; where none
does, everything that is missing on any side is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sewershed.rules.unknown import Unknown

Truth = bool | Unknown


def conjunction(values: Iterable[Truth]) -> Truth:
    """Returns whether all are true; values are taken one by one, up to the first false.

    Edge: of no values at all, true.

    Example:
        >>> missing = Unknown(())
        >>> conjunction([missing, False]), conjunction([True, missing]) is missing, conjunction([])
        (False, True, True)
    """
    missing: Unknown | None = None
    for value in values:
        if value is True:
            continue
        if value is False:
            return False
        missing = value if missing is None else missing | value
    return True if missing is None else missing


def disjunction(values: Iterable[Truth]) -> Truth:
    """Returns whether any is true; values are taken one by one, up to the first true.

    Edge: of no values at all, false.

    Example:
        >>> missing = Unknown(())
        >>> disjunction([missing, True]), disjunction([False, missing]) is missing, disjunction([])
        (True, True, False)
    """
    missing: Unknown | None = None
    for value in values:
        if value is False:
            continue
        if value is True:
            return True
        missing = value if missing is None else missing | value
    return False if missing is None else missing


def negation(value: Truth) -> Truth:
    """Returns the opposite; of an unknown, the same unknown."""
    return value if isinstance(value, Unknown) else not value


def undecided(test: Unknown, yes: Any, no: Any) -> Any:
    """Returns the value of ``? ? yes : no``: the common value of both branches if they are known and equal, else unknown."""
    missing = test
    for branch in (yes, no):
        if isinstance(branch, Unknown):
            missing |= branch
    return yes if missing is test and yes == no else missing


def all_missing(values: Iterable[Any]) -> Unknown | None:
    """Returns an unknown with everything that is missing among the values, or None where nothing is."""
    missing: Unknown | None = None
    for value in values:
        if isinstance(value, Unknown):
            missing = value if missing is None else missing | value
    return missing
