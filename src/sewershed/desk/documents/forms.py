"""Forms of papers: who signs one, how it went, why it is withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from sewershed.desk.things.forms import AT, AT_HOW, AT_IS_, BY, ID, OFFICE, SEEN, EventForm
from sewershed.ledger import clock
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named
from sewershed.rules.vocabulary import EventType

WAY = "way"
# How a way that a paper goes is called where a record of the thing has no such word: the first of them that it has.
WAYS = {
    **dict.fromkeys(("ordinary", "certified", "registered"), ("mail", "letter")),
    "hand": ("in_person", "letter"),
    "posted": ("door_card", "letter"),
}
_ABOUT = "about"  # before the fields of the record that the sending is on the thing itself
_SHARED = (AT, AT_IS_, AT_HOW, BY, OFFICE, ID, SEEN)


class IssueForm(forms.Form):
    """Who signs a paper, in which office."""

    signed_by = forms.ChoiceField(label="Signed by", required=False)
    office = forms.ChoiceField(label="In the office of", required=False)
    has_looked = forms.BooleanField(
        label="I have looked at the paper", error_messages={"required": "Look at the paper first: what is issued stays as it is."}
    )  # fmt: skip

    def __init__(self, signers: Sequence[tuple[str, str]], offices: Sequence[tuple[str, str]], account: Account, *args: Any) -> None:  # fmt: skip
        super().__init__(*args)
        signed, office = self.fields["signed_by"], self.fields["office"]
        assert isinstance(signed, forms.ChoiceField)
        assert isinstance(office, forms.ChoiceField)
        signed.choices = [("", "Nobody: it goes out unsigned"), *signers]
        signed.initial = account.person if account.person in dict(signers) else ""
        office.choices = [("", "None in particular"), *offices]


class SentForm(EventForm):
    """How a paper went: way, mail number, to whom, sent, received, returned; and what the sending is of the thing itself."""

    def __init__(
        self, account: Account, document: Named, served: EventType, *args: Any, about: Named | None, event: EventType | None,
        initial: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(account, document, served, *args, initial=initial or {})
        self.about: EventForm | None = None
        self.fields[AT].label = "Given or sent"
        self.fields["sent_on"].initial = clock.today().isoformat()
        if about is not None and event is not None:
            self.about = EventForm(account, about, event, *args, prefix=_ABOUT, initial=initial or {})
            for name in (*_SHARED, WAY):
                self.about.fields.pop(name, None)
            self.about.known = {name: fact for name, fact in self.about.known.items() if name != WAY}
            self.way_words = event.data[WAY].type.words if WAY in event.data else ()

    @property
    def about_fields(self) -> list[Any]:
        """Returns the fields of the record of the thing itself."""
        return list(self.about.shown) if self.about else []

    def is_valid(self) -> bool:
        """Tells whether both records can be entered as they are asked."""
        return super().is_valid() & (self.about is None or self.about.is_valid())

    def about_data(self) -> dict[str, Any]:
        """Returns what the record of the thing itself says."""
        if self.about is None:
            return {}
        way = self.answers().get(WAY)
        said = self.about.answers()
        if way and self.way_words:
            word = next((one for one in (way, *WAYS.get(way, ())) if one in self.way_words), None)
            said |= {WAY: word} if word else {}
        return said
