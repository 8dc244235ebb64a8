"""The forms of the town's pages."""

from __future__ import annotations

from typing import Any

from django import forms

from sewershed.desk.shell.queries import RoleShown
from sewershed.desk.things.queries import choices_of, offices_to_choose
from sewershed.desk.town import plan, record
from sewershed.ledger import clock, log
from sewershed.ledger import queries as ledger
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.models import Account
from sewershed.ledger.people import ORDER
from sewershed.ledger.wording import title

MOST_TO_CHOOSE = 60  # persons in a list to choose from; more are named by typing


class DayInput(forms.DateInput):
    """A day, as browsers ask for one."""

    def __init__(self) -> None:
        super().__init__({"type": "date"}, "%Y-%m-%d")


class PersonField(forms.Field):
    """A person of the record: chosen where they are few, named where they are many."""

    def __init__(self, account: Account, **given: Any) -> None:
        chosen = choices_of("person", account, MOST_TO_CHOOSE)
        self.account, self.is_typed = account, chosen is None
        if chosen is None:
            given.setdefault("help_text", "The name, as it stands in the record")
            widget: forms.Widget = forms.TextInput()
        else:
            widget = forms.Select(choices=[("", "Choose"), *sorted(chosen, key=lambda one: one[1].lower())])
        super().__init__(widget=widget, **given)

    def clean(self, value: Any) -> str:
        """Returns the id of the person, or nothing.

        Refuses: a name that nobody of the record has, and one that several have.
        """
        said = str(super().clean(value) or "").strip()
        if not said:
            return ""
        try:
            found = ledger.thing(said, as_account=self.account)
        except LedgerError as error:
            raise forms.ValidationError(str(error)) from None
        if found.type != "person":
            raise forms.ValidationError(f"{found.label} is no person of the record.")
        return found.id


class OfficeForm(forms.Form):
    """Who holds an office of the law, from which day, as what."""

    def __init__(self, account: Account, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        offices = [("", "Choose"), *((name, text[:1].upper() + text[1:]) for name, text in offices_to_choose())]
        self.fields["office"] = forms.ChoiceField(label="Office", choices=offices)
        self.fields["person"] = PersonField(account, label="Who")
        self.fields["first"] = forms.DateField(label="First day", widget=DayInput(), initial=clock.today)
        self.fields["until"] = forms.DateField(label="Last day", widget=DayInput(), required=False, help_text="Left empty: until further notice")  # fmt: skip
        self.fields["as_"] = forms.ChoiceField(
            label="As", choices=[(one, title(one)) for one in ORDER], widget=forms.RadioSelect, initial=ORDER[0]
        )
        self.fields["paper"] = forms.CharField(label="The paper that says so", required=False, help_text="For instance: minutes of Oct 2, item 7")  # fmt: skip
        self.fields["row_id"] = forms.CharField(widget=forms.HiddenInput, initial=log.new_id, required=False)

    def clean(self) -> dict[str, Any]:
        """Refuses a last day before the first."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if said.get("until") and said.get("first") and said["until"] < said["first"]:
            self.add_error("until", "The last day lies before the first.")
        return said


class OfficeEndForm(forms.Form):
    """Until which day somebody held an office, and why that is known now."""

    until = forms.DateField(label="Last day in the office", widget=DayInput(), initial=clock.today)
    why = forms.CharField(label="Why", help_text="For whoever reads the record later: retired, another was appointed")


class AccountForm(forms.Form):
    """An account: its name where it is new, whose it is, what it may do."""

    def __init__(self, account: Account, roles: tuple[RoleShown, ...], *args: Any, is_new: bool, **given: Any) -> None:
        super().__init__(*args, **given)
        if is_new:
            self.fields["name"] = forms.CharField(
                label="Name to sign in with",
                max_length=60,
                help_text="Small letters, figures, dots and dashes. The record names it, so it is never given again",
                widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
            )
        self.fields["person"] = PersonField(account, label="Whose it is", required=False)
        choices = [(one.name, f"{title(one.name)}: {one.means}") for one in roles]
        self.fields["roles"] = forms.MultipleChoiceField(
            label="What it may do", choices=choices, widget=forms.CheckboxSelectMultiple
        )


class ApproveForm(forms.Form):
    """The approval of a plan that was read."""

    plan = forms.CharField(widget=forms.HiddenInput)
    number = forms.CharField(label="Number of the supplement", required=False, help_text="As the codifier has it")
    is_read = forms.BooleanField(
        label="I have read what would change",
        error_messages={"required": "Read what would change, then say that you did."},
    )


class UploadForm(forms.Form):
    """A backup to be looked at."""

    backup = forms.FileField(label="Backup", help_text="A file that ends with .tar.gz")


class HeadForm(forms.Form):
    """A head that a paper or a backup states."""

    head = forms.CharField(label="Head on a paper or a backup", required=False, help_text="Written 1234:0123456789abcdef0123; it finds rows that were cut off at the end")  # fmt: skip


class LogForm(forms.Form):
    """What the log is narrowed to."""

    def __init__(self, account: Account, data: Any) -> None:
        super().__init__(data)
        any_ = [("", "Any")]
        self.fields["thing"] = forms.CharField(label="About", required=False)
        self.fields["by"] = forms.ChoiceField(label="Who", choices=[*any_, *record.writers(account)], required=False)
        self.fields["what"] = forms.ChoiceField(label="What", choices=[*any_, *record.kinds(account)], required=False)
        self.fields["from"] = forms.DateField(label="Recorded from", widget=DayInput(), required=False)
        self.fields["to"] = forms.DateField(label="Recorded to", widget=DayInput(), required=False)


class InstructForm(forms.Form):
    """Who was instructed to consult the spill plan, on which day, by whom."""

    def __init__(self, account: Account, version: str, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        known = plan.instructed_choices(account)
        self.fields["at"] = forms.DateField(label="When", widget=DayInput(), initial=clock.today)
        self.fields["people"] = forms.MultipleChoiceField(
            label="Who was instructed", choices=known, widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Say who was instructed."},
        )  # fmt: skip
        self.fields["version"] = forms.CharField(label="Version of the plan", required=False, initial=version)
        self.fields["by"] = forms.ChoiceField(label="Instructed by", choices=[("", "Not said"), *known], required=False, initial=account.person)  # fmt: skip
        self.fields["row_id"] = forms.CharField(widget=forms.HiddenInput, initial=log.new_id, required=False)
