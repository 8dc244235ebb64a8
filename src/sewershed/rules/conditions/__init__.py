"""The condition language of rulebooks: CEL syntax, a typed checker, exact evaluation in three values (docs/explanation/rulebook.md 6).

A condition goes one way, a module a step:

==================  =====================================================================================
`tokens`            the words of the text
`grammar`           the syntax tree (`nodes`), one method a line of the grammar
`check`             what it means (`terms`): names from `names`, functions from `calls`, what goes together from `agreement`
`evaluate`          what it does: `truth` (the three values), `compare`, `exact` (numbers), `history`, `wants` (who is asked)
`explain`           the steps that led to a value, in the words of `say`
`condition`         all of it together: `compile_condition` and `Condition`
`beside`, `apart`   what its text alone tells: words beside a fact; two that never hold together
==================  =====================================================================================

What a condition sees of the world is a `Scope`.
"""

from sewershed.rules.conditions.condition import Condition, compile_condition
from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.scope import Scope

__all__ = ["Condition", "ConditionError", "Scope", "compile_condition"]
