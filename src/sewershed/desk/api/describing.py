"""The description of the API: ninja's OpenAPI, with the words of the vocabulary that the town runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from sewershed.desk.api.service import api
from sewershed.desk.things.queries import NOT_ENTERED
from sewershed.ledger import law, papers

PREFIX = "/api"
_NO_EXAMPLE: Any = object()


@dataclass(frozen=True, slots=True)
class Parameter:
    """What an address takes."""

    name: str
    where: str
    means: str
    takes: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API does."""

    id: str
    method: str
    path: str
    title: str
    means: str
    parameters: tuple[Parameter, ...]
    body: str
    body_fields: tuple[Parameter, ...]
    answers: tuple[tuple[str, str], ...]
    example: str

    @property
    def pieces(self) -> tuple[str, ...]:
        """Returns the path in pieces between which a line may end."""
        return tuple(re.findall(r"/[^/]*", self.path))


def openapi() -> dict[str, Any]:
    """Returns the description as OpenAPI 3.1: types, events and kinds of paper are those there are."""
    described = json.loads(json.dumps(api.get_openapi_schema(path_prefix=PREFIX)))
    vocabulary = law.in_force().vocabulary
    events = [one.name for one in vocabulary.events.values() if not one.retired and one.name not in NOT_ENTERED]
    words = {
        "type": [one.name for one in vocabulary.things.values() if not one.retired],
        "event": events,
        "kind": list(papers.KINDS),
    }
    for path, operations in described["paths"].items():
        for operation in operations.values():
            for one in operation.get("parameters", ()):
                if one["in"] == "path" and one["name"] in words and f"{{{one['name']}}}" in path:
                    one["schema"]["enum"] = sorted(words[one["name"]])
    return dict(described)


def shown() -> tuple[Operation, ...]:
    """Returns everything that the API does, for the page."""
    described = openapi()
    schemas = described["components"]["schemas"]
    found = []
    for path, operations in described["paths"].items():
        for method, one in operations.items():
            found.append(_operation(path, method, one, schemas))
    return tuple(found)


def _operation(path: str, method: str, one: Mapping[str, Any], schemas: Mapping[str, Any]) -> Operation:
    parameters = tuple(
        Parameter(each["name"], each["in"], _marked_up(each.get("description") or each["schema"].get("description", "")), _takes(each["schema"]), each.get("required", False))
        for each in one.get("parameters", ())
    )  # fmt: skip
    body = ""
    fields: tuple[Parameter, ...] = ()
    for kind, said in one.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(said["schema"], schemas)
        example = schema.get("example", _NO_EXAMPLE)
        body = json.dumps(example, indent=2, ensure_ascii=False) if example is not _NO_EXAMPLE else kind
        required = set(schema.get("required", ()))
        fields = tuple(
            Parameter(name, "body", _marked_up(each.get("description", "")), _takes(each), name in required)
            for name, each in schema.get("properties", {}).items()
        )
    answers, example = [], ""
    for status, answer in sorted(one["responses"].items(), key=lambda item: str(item[0])):
        answers.append((str(status), answer.get("description", "")))
        content = list(answer.get("content", {}).values())
        resolved = _resolved(content[0].get("schema", {}) if content else {}, schemas)
        if str(status).startswith("2") and "example" in resolved:
            example = json.dumps(resolved["example"], indent=2, ensure_ascii=False)
    means = _marked_up(one.get("description", ""))
    return Operation(
        one["operationId"],
        method.upper(),
        path,
        one["summary"],
        means,
        parameters,
        body,
        fields,
        tuple(answers),
        example,
    )


def _marked_up(text: str) -> SafeString:
    """Returns a description for the page, with what stands between backticks as code.

    Example:
        >>> _marked_up("`thing` is an id < 9")
        '<code>thing</code> is an id &lt; 9'
    """
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))  # noqa: S308  (it is escaped)


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref", "")
    return schemas[reference.rpartition("/")[2]] if reference else schema


def _takes(schema: Mapping[str, Any]) -> str:
    """Returns what a value must be, in words."""
    for each in schema.get("anyOf", ()):
        if each.get("type") != "null":
            return _takes(each)
    if "enum" in schema:
        words = [str(one) for one in schema["enum"]]
        return "one of " + ", ".join(words) if len(words) <= 6 else f"one of {len(words)} words"
    return {"array": "list", "object": "object", "integer": "whole number", "boolean": "true or false"}.get(
        schema.get("type", ""), "text"
    )
