"""The forms that stand on a page, read as a browser reads them: where each is sent, and what it sends untouched."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Input:
    """A field of a form."""

    name: str
    kind: str
    value: str = ""
    choices: list[str] = field(default_factory=list)


@dataclass
class Form:
    """A form of a page."""

    action: str
    method: str
    inputs: list[Input] = field(default_factory=list)

    def untouched(self) -> dict[str, list[str]]:
        """Returns what it sends when nobody touches it."""
        sent: dict[str, list[str]] = {}
        for one in self.inputs:
            if one.kind not in ("file", "submit") and one.value is not None:
                sent.setdefault(one.name, []).append(one.value)
        return sent


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.choosing: Input | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = Form(said.get("action", ""), said.get("method", "get").lower())
            self.forms.append(self.form)
        if self.form is None:
            return
        name, kind = said.get("name", ""), said.get("type", "text") if tag in ("input", "button") else tag
        if tag == "option" and self.choosing is not None:
            self.choosing.choices.append(said.get("value", ""))
            if "selected" in said or len(self.choosing.choices) == 1:
                self.choosing.value = said.get("value", "")
        elif name and tag in ("input", "textarea", "select", "button"):
            is_choice = kind in ("radio", "checkbox")
            value = said.get("value", "on" if is_choice else "")
            made = Input(
                name, kind, value if not is_choice or "checked" in said else None, [value] if is_choice else []
            )  # type: ignore[arg-type]
            self.form.inputs.append(made)
            self.choosing = made if tag == "select" else None

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        if tag == "select":
            self.choosing = None


def forms_in(page: str) -> list[Form]:
    """Returns the forms of a page."""
    reader = _Reader()
    reader.feed(page)
    return reader.forms
