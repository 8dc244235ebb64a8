"""From the record to paper: what each paper says, read from the record as of and as known, and issued with its number.

Nothing is decided here. A paper takes what the record and the books answer; what neither says is None, which every paper
prints as not known. Public papers leave private values out, whoever asks.
"""

from sewershed.ledger.papers.issuing import KINDS, Drawn, Kind, draft, issue, why_unasked

__all__ = ["KINDS", "Drawn", "Kind", "draft", "issue", "why_unasked"]
