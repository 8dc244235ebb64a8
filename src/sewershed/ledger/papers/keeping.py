"""Papers as kept: what each says, and to whom it may be shown."""

from __future__ import annotations

from sewershed.ledger import queries, rights
from sewershed.ledger.errors import NotAllowed, NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.papers.issuing import KINDS

DOCUMENT = "document"


def content(document: str, *, as_account: Account) -> bytes:
    """Returns the pages of a paper that was issued, as they were issued.

    Refuses: a paper about a thing that the account may not see; to somebody from outside one that may hold private values,
    since what is printed cannot be left out any more.

    Raises:
        NotFound: where there is no such paper, or its file is not what its hash says.
        NotAllowed: for the account.
    """
    named = queries.thing(document, as_account=as_account)
    facts = {one.name: one.text for one in queries.facts(named.id, as_account=as_account)}
    if named.type != DOCUMENT or not facts.get("sha256"):
        raise NotFound(f"{document} is no paper that was issued")
    if about := facts.get("about"):
        queries.thing(about, as_account=as_account)
    kind = KINDS.get(facts.get("kind", ""))
    if not rights.is_inside(as_account) and not (kind and kind.is_public):
        raise NotAllowed(
            f"{as_account.name} reads from outside and may not see a paper that may hold private values; ask the town for it"
        )
    return queries.file(facts["sha256"], as_account=as_account)
