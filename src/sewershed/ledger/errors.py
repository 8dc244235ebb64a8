"""What the ledger says when it will not do something: what, where, why it matters and what to do."""

from __future__ import annotations

from collections.abc import Iterable


class LedgerError(Exception):
    """Something that the ledger refuses or cannot do; its text is meant for the person at the desk."""


class Refused(LedgerError):
    """Data that cannot be entered, with every reason."""

    def __init__(self, reasons: Iterable[str] | str) -> None:
        self.reasons = (reasons,) if isinstance(reasons, str) else tuple(reasons)
        super().__init__("\n".join(self.reasons))


class NotAllowed(LedgerError):
    """An account tried what its roles do not let it do."""


class NotFound(LedgerError):
    """A thing, row or document that the record does not hold."""


class TownError(LedgerError):
    """A town folder that cannot be used, with what to do about it."""


class Unreadable(LedgerError):
    """Rows of the log that cannot be read under a vocabulary, each with its position and what is wrong."""

    def __init__(self, rows: Iterable[str]) -> None:
        self.rows = tuple(rows)
        super().__init__("\n".join(self.rows))
