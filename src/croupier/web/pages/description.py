"""The API's description (OpenAPI), with every command as its declaration has it."""

from __future__ import annotations

from typing import Any, Final, get_args, get_origin

import msgspec
from litestar import Litestar, Request
from litestar.openapi.plugins import JsonRenderPlugin

from croupier.cards import Card
from croupier.cashier import CASHIER_COMMANDS
from croupier.money import Cents, format_cents
from croupier.progressives import LINK_COMMANDS
from croupier.rounds.declaration import Command
from croupier.tables.command_input import fields_of
from croupier.tables.commands import COMMANDS, TableCommand

_COMMAND_PATHS: Final = ("/api/v1/tables/{table}/commands", "/api/v1/tables/{table}/foresee")
_LINK_COMMAND_PATHS: Final = ("/api/v1/links/{link}/commands",)
_CASHIER_COMMAND_PATHS: Final = ("/api/v1/cashier/accounts/{person}/commands",)
_SHOE_PATH: Final = "/api/v1/tables/{table}/shoe"
_TEMPLATE: Final = "#/components/schemas/{name}"
_AMOUNT: Final = r"^-?[0-9]{1,9}(\.[0-9]{1,2})?$"


class DescriptionPlugin(JsonRenderPlugin):
    """Serves the description at the path of the application's `OpenAPIConfig`."""

    def render(self, request: Request[Any, Any, Any], _: dict[str, Any]) -> bytes:
        return description_text(request.app)


def description_text(app: Litestar) -> bytes:
    """As JSON, written once."""
    found: bytes | None = app.state.get("description_text")
    if found is None:
        found = app.state.description_text = msgspec.json.encode(description_of(app))
    return found


def description_of(app: Litestar) -> dict[str, Any]:
    """Litestar describes the routes; what a command may be is told by the commands. Made once."""
    found: dict[str, Any] | None = app.state.get("description")
    if found is None:
        found = app.state.description = _with_commands(app.openapi_schema.to_schema())
    return found


def _with_commands(description: dict[str, Any]) -> dict[str, Any]:
    for name, kinds, paths in (
        ("Command", COMMANDS, _COMMAND_PATHS),
        ("LinkCommand", LINK_COMMANDS, _LINK_COMMAND_PATHS),
        ("CashierCommand", CASHIER_COMMANDS, _CASHIER_COMMAND_PATHS),
    ):
        schemas = description["components"]["schemas"]
        added = command_schemas(tuple(kinds.values()))
        assert not added.keys() & schemas.keys(), "one name, one form"
        refs = {tag: _TEMPLATE.format(name=kind.__name__) for tag, kind in kinds.items()}
        schemas |= added
        schemas[name] = {
            "oneOf": [{"$ref": ref} for ref in refs.values()],
            "discriminator": {"propertyName": "type", "mapping": refs},
        }
        body = {"application/json": {"schema": {"$ref": _TEMPLATE.format(name=name)}}}
        for path in paths:
            description["paths"][path]["post"]["requestBody"] = {"required": True, "content": body}
    read = {
        "text/plain": {"schema": {"type": "string", "examples": ["Ah\nKd"]}},
        "application/json": {"schema": {"type": "array", "items": _schema_of(Card)}},
    }
    description["paths"][_SHOE_PATH]["post"]["requestBody"] = {"required": True, "content": read}
    return description


def command_schemas(kinds: tuple[type[Command], ...] = get_args(TableCommand)) -> dict[str, Any]:
    """What each command takes from outside, by the name of its struct."""
    _, found = msgspec.json.schema_components(kinds, schema_hook=_schema_of, ref_template=_TEMPLATE)
    for kind in kinds:
        _adapt(found[kind.__name__], kind)
    return found


def _schema_of(kind: type) -> dict[str, Any]:
    """Of the types that msgspec does not know."""
    if kind is Card:
        return {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$", "examples": ["As"]}
    if kind is Cents:
        return {
            "type": "string",
            "pattern": _AMOUNT,
            "description": "Dollars with at most two decimals",
            "examples": ["7.50"],
        }
    raise NotImplementedError(kind)


def _adapt(schema: dict[str, Any], kind: type[Command]) -> None:
    """Without what the house fills in; the player may be left out by whoever means himself."""
    declared = kind.declared
    schema["title"] = declared.label
    schema["description"] = " ".join(schema.get("description", "").split())
    schema["x-roles"] = list(declared.by)
    for name in declared.filled:
        schema["properties"].pop(name, None)
    for name, hint in fields_of(kind).items():
        told = schema["properties"][name]
        if hint is Cents and "default" in told:
            told["default"] = format_cents(told["default"])
        if get_args(hint)[:1] == (Cents,) and get_origin(hint) is dict:
            told["propertyNames"] = {"pattern": _AMOUNT}
    left_out = {*declared.filled, "player"} if "player" in declared.by else declared.filled
    schema["required"] = [name for name in schema.get("required", ()) if name not in left_out]
