"""From the record to paper: what each paper says, read from the record as of and as known, and issued with its number.

Nothing is decided here. A paper takes what the record and the books answer; what neither says is None, which every paper
prints as not known. Public papers leave private values out, whoever asks.
"""

from sewershed.ledger.papers.how_it_runs import (
    Decided,
    decided_in,
    how_it_runs_on,
    how_it_runs_pdf,
    how_it_runs_said,
    parts,
)
from sewershed.ledger.papers.issuing import KINDS, Drawn, Kind, draft, issue, why_unasked
from sewershed.ledger.papers.keeping import content
from sewershed.ledger.papers.questions import Asked, Question, asked_by_cause, open_questions

__all__ = [
    "KINDS", "Asked", "Decided", "Drawn", "Kind", "Question", "asked_by_cause", "content", "decided_in", "draft", "how_it_runs_on", "how_it_runs_pdf", "how_it_runs_said",
    "issue", "open_questions", "parts", "why_unasked",
]  # fmt: skip
