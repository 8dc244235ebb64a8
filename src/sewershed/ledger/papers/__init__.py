"""From the record to paper: what each paper says, read from the record as of and as known, and issued with its number.

Nothing is decided here. A paper takes what the record and the books answer; what neither says is None, which every paper
prints as not known. Public papers leave private values out, whoever asks.
"""

from sewershed.ledger.papers.issuing import KINDS, Drawn, Kind, draft, issue, why_unasked
from sewershed.ledger.papers.keeping import content
from sewershed.ledger.papers.questions import Asked, Question, asked_by_cause, open_questions

__all__ = [
    "KINDS", "Asked", "Drawn", "Kind", "Question", "asked_by_cause", "content", "draft", "issue", "open_questions",
    "why_unasked",
]  # fmt: skip
