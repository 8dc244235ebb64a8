"""Tags and filters for what is too small for a component: marks, pictures, the control of a form field."""

from __future__ import annotations

from datetime import date

from django import forms, template
from django.forms.boundfield import BoundField
from django.utils.safestring import SafeString

from sewershed.desk.shell import marks
from sewershed.desk.shell.models import KeptView
from sewershed.ledger.moments import day_words

register = template.Library()

_CLASSES = (
    (forms.Textarea, "usa-textarea"),
    (forms.Select, "usa-select"),
    (forms.ClearableFileInput, "file"),
    (forms.CheckboxInput, ""),
)


@register.simple_tag
def mark(word: str, text: str = "") -> SafeString:
    """Returns the mark of a state with its word, or with other words that say as much."""
    return marks.marked(word, text)


@register.simple_tag
def mark_alone(word: str) -> SafeString:
    """Returns the mark of a state under a heading that says it; its word is for a screen reader."""
    return marks.marked_alone(word)


@register.simple_tag
def icon(shape: str) -> SafeString:
    """Returns a picture of the sprite."""
    return marks.picture(shape)


@register.simple_tag(takes_context=True)
def views_kept(context: template.Context) -> list[KeptView]:
    """Returns the views of the list shown that the account keeps."""
    request = context.get("request")
    if request is None or not request.user.is_authenticated:
        return []
    return list(request.user.kept_views.filter(path=request.path))


@register.filter
def day(text: str) -> str:
    """Returns a day as people write it; nothing where there is none."""
    return day_words(date.fromisoformat(text)) if text else ""


@register.filter
def control(field: BoundField) -> SafeString:
    """Returns the control of a form field in our look; Django itself says which hint and errors describe it."""
    widget = field.field.widget
    classes = next((name for kind, name in _CLASSES if isinstance(widget, kind)), "usa-input")
    own = widget.attrs.get("class", "")
    attrs: dict[str, str | bool] = {"class": f"{classes} {own}".strip()} if classes or own else {}
    return field.as_widget(attrs=attrs)


@register.filter
def kind(field: BoundField) -> str:
    """Returns how a form field is laid out: choices, check or plain."""
    widget = field.field.widget
    if isinstance(widget, forms.RadioSelect | forms.CheckboxSelectMultiple):
        return "choices"
    if isinstance(widget, forms.CheckboxInput):
        return "check"
    return "parts" if isinstance(widget, forms.MultiWidget) else "plain"
