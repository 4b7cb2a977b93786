"""The reference of the HTTP API: every way in with its body, answers and examples, from OpenAPI."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.web.app import create_app
from croupier.web.pages.description import description_of
from croupier.web.server.settings import Settings

WIDTH = 100
DEEPEST = 4
"""Examples stop there: a table has seats that have wagers that have lines."""
NUMBERS = {"integer": 1, "number": 1.5, "boolean": True, "null": None}
TEXTS = {
    "table": "md-uth",
    "rulebook": "md-uth",
    "player": "Ann",
    "clause": "12.A",
    "wager": "ante",
    "action": "4x",
    "role": "player",
    "time": "2026-03-01T20:15:00Z",
    "at": "2026-03-01T20:15:00Z",
    "code": "not_now",
}
EXAMPLES: dict[str, Any] = {
    "Command": {"type": "act", "seat": 1, "action": "4x"},
    "LinkCommand": {"type": "end_link"},
    "CashierCommand": {"type": "deposit", "amount": "500.00", "receipt": "R-17"},
    "Problem": {
        "code": "out_of_turn",
        "message": "it is not seat 1's turn",
        "clause": "10.B",
        "status": 409,
    },
}


def description() -> dict[str, Any]:
    """The OpenAPI description of a server without tables, as plain data."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(f"sqlite:///{folder}/journal.db", demo_tables=False)
        encoded = msgspec.json.encode(description_of(create_app(settings)))
    data: dict[str, Any] = json.loads(encoded)
    return data


def api_page() -> str:
    return "\n".join(_Page(description()).lines())


class _Page:
    def __init__(self, api: dict[str, Any]) -> None:
        self._api = api
        self._schemas: dict[str, Any] = api["components"]["schemas"]
        self._commands: dict[str, str] = {
            tag: _name(ref)
            for form in ("Command", "LinkCommand", "CashierCommand")
            for tag, ref in self._schemas[form]["discriminator"]["mapping"].items()
        }

    def lines(self) -> Iterator[str]:
        yield "# API reference\n"
        yield self._api["info"]["description"] + "\n"
        yield (
            "[The quickstart](api-quickstart.md) plays a round with `curl`. A running server has "
            "this reference at `/api`, and for programs at `/api/v1/openapi.json`. The examples "
            "show the shape of bodies and answers, with every field and made-up values.\n"
        )
        by_tag: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
        for path, methods in self._api["paths"].items():
            for method, route in methods.items():
                if "summary" in route:
                    tag = (route.get("tags") or ["other"])[0]
                    by_tag.setdefault(tag, []).append((path, method, route))
        for tag, routes in by_tag.items():
            yield f"## {tag.capitalize()}\n"
            for path, method, route in sorted(routes, key=lambda each: each[:2]):
                yield from self._route(path, method, route)
        yield "## Problems\n"
        yield (
            "Every refusal has this body and the media type `application/problem+json`. A refused "
            "request changes nothing.\n"
        )
        yield _block(EXAMPLES["Problem"])
        yield "| status | when |\n| --- | --- |"
        any_route = next(iter(by_tag.values()))[0][2]
        for status, answer in any_route["responses"].items():
            if status >= "400":
                yield f"| {status} | {answer['description']} |"
        yield "\n## The commands\n"
        yield (
            "The body of `POST /api/v1/tables/{table}/commands` is a command of a table; those of "
            "progressive links and of cashiers go to their own addresses.\n"
        )
        for tag, name in self._commands.items():
            yield from self._command(tag, self._schemas[name])
        yield "## The forms\n"
        yield "The fields of every body and answer above, and of what they contain.\n"
        commands = {*self._commands.values(), "Command", "LinkCommand", "CashierCommand"}
        for name in sorted(self._schemas):
            if name not in commands:
                yield f"### {name}\n"
                yield from self._fields(self._schemas[name])

    def _route(self, path: str, method: str, route: dict[str, Any]) -> Iterator[str]:
        yield f"### `{method.upper()} {path}`\n"
        title = _plain(route["summary"])
        title += "" if title.endswith("?") else "."
        yield f"**{title}** {_plain(route.get('description', ''))}\n"
        if parameters := route.get("parameters"):
            yield "| parameter | in | | |\n| --- | --- | --- | --- |"
            for each in parameters:
                needed = "required" if each.get("required") else "optional"
                words = _plain(each.get("description", "")).replace("|", "\\|")
                yield f"| `{each['name']}` | {each['in']} | {needed} | {words} |"
            yield ""
        for media, body in route.get("requestBody", {}).get("content", {}).items():
            yield from self._content("Body", media, body.get("schema", {}))
        for status, answer in route["responses"].items():
            if status < "400":
                for media, body in answer.get("content", {}).items() or (("", {}),):
                    yield from self._content(f"Answer {status}", media, body.get("schema", {}))

    def _content(self, title: str, media: str, schema: dict[str, Any]) -> Iterator[str]:
        form = self._form(schema)
        shown = "" if media == "application/json" else f" `{media}`"
        yield f"{title}{shown}{': ' + form if form else ''}\n"
        if media == "application/json" and schema and schema.get("type") != "string":
            yield _block(self._example(schema, "", 0))

    def _command(self, tag: str, schema: dict[str, Any]) -> Iterator[str]:
        yield f"### `{tag}`\n"
        roles = ", ".join(schema["x-roles"])
        yield f"**{schema['title']}**, by {roles}. {_plain(schema['description'])}\n"
        yield _block(self._example(schema, "", 0, required=True) | {"type": tag})
        yield from self._fields(schema)

    def _fields(self, schema: dict[str, Any]) -> Iterator[str]:
        properties = {k: v for k, v in schema.get("properties", {}).items() if k != "type"}
        if not properties:
            yield f"{self._form(schema) or 'No fields.'}\n"
            return
        yield "| field | form | | |\n| --- | --- | --- | --- |"
        for name, field in properties.items():
            needed = "required" if name in schema.get("required", ()) else "optional"
            words = _plain(str(field.get("title") or field.get("description") or ""))
            words = words.replace("|", "\\|")
            yield f"| `{name}` | {self._form(field)} | {needed} | {words} |"
        yield ""

    def _form(self, schema: dict[str, Any]) -> str:
        """A form in words, with links to the forms that have a name."""
        if ref := schema.get("$ref"):
            name = _name(ref)
            if name in ("Command", "LinkCommand", "CashierCommand"):
                return "[a command](#the-commands)"
            return f"[{name}](#{name.lower()})"
        choices = schema.get("oneOf") or schema.get("anyOf")
        if choices:
            return " or ".join(filter(None, (self._form(each) for each in choices)))
        if enum := schema.get("enum"):
            return ", ".join(f"`{each}`" for each in enum)
        kind = schema.get("type", "")
        if kind == "array":
            items = self._form(schema.get("items") or {})
            return f"list of {items}" if items else "list"
        if kind == "object" and schema.get("additionalProperties"):
            values = schema["additionalProperties"]
            return f"object of {self._form(values)}" if isinstance(values, dict) else "object"
        return ", ".join(kind) if isinstance(kind, list) else str(kind)

    def _example(
        self, schema: dict[str, Any], name: str, depth: int, *, required: bool = False
    ) -> Any:
        if ref := schema.get("$ref"):
            if (form := _name(ref)) in EXAMPLES:
                return EXAMPLES[form]
            return self._example(self._schemas[form], name, depth)
        for key in ("examples", "enum"):
            if values := schema.get(key):
                return values[0]
        if choices := schema.get("oneOf") or schema.get("anyOf"):
            return self._example(choices[0], name, depth)
        kind = schema.get("type")
        if kind == "array":
            parts = schema.get("prefixItems")
            if parts:
                return [self._example(part, name, depth + 1) for part in parts]
            items = schema.get("items")
            return [self._example(items, name, depth + 1)] if items and depth < DEEPEST else []
        if kind == "object" or "properties" in schema:
            return self._object(schema, depth, required=required)
        if kind == "string":
            return TEXTS.get(name, schema.get("default") or "…")
        if kind in NUMBERS:
            return schema.get("default", schema.get("minimum", NUMBERS[kind]))
        return {}

    def _object(self, schema: dict[str, Any], depth: int, *, required: bool) -> dict[str, Any]:
        if depth >= DEEPEST:
            return {}
        wanted = schema.get("required", ()) if required else schema.get("properties", {})
        example = {
            field: self._example(form, field, depth + 1)
            for field, form in schema.get("properties", {}).items()
            if field in wanted
        }
        values = schema.get("additionalProperties")
        if isinstance(values, dict) and values and not example:
            example = {"name": self._example(values, "name", depth + 1)}
        return example


def _name(ref: str) -> str:
    return ref.rpartition("/")[2]


def _block(data: Any) -> str:
    return f"```json\n{_json(data, 0)}\n```\n"


def _json(data: Any, indent: int, used: int = 0) -> str:
    """JSON in which what fits on a line stands on one."""
    text = json.dumps(data, ensure_ascii=False)
    if indent + used + len(text) <= WIDTH or not isinstance(data, (dict, list)):
        return text
    pad = " " * (indent + 1)
    if isinstance(data, dict):
        parts = [f'"{key}": {_json(data[key], indent + 1, len(key) + 4)}' for key in data]
    else:
        parts = [_json(each, indent + 1) for each in data]
    opening, closing = "{}" if isinstance(data, dict) else "[]"
    return f"{opening}\n{pad}" + f",\n{pad}".join(parts) + f"\n{pad[1:]}{closing}"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")
