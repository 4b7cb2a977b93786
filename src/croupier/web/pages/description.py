"""The API's description (OpenAPI), including the schema of every declared command."""

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
    """Return the description as JSON, encoded once."""
    text: bytes | None = app.state.get("description_text")
    if text is None:
        text = app.state.description_text = msgspec.json.encode(description_of(app))
    return text


def description_of(app: Litestar) -> dict[str, Any]:
    """Return Litestar's description of the routes with the declared commands added. Built once."""
    description: dict[str, Any] | None = app.state.get("description")
    if description is None:
        description = app.state.description = _with_commands(app.openapi_schema.to_schema())
    return description


def _with_commands(description: dict[str, Any]) -> dict[str, Any]:
    for name, commands, paths in (
        ("Command", COMMANDS, _COMMAND_PATHS),
        ("LinkCommand", LINK_COMMANDS, _LINK_COMMAND_PATHS),
        ("CashierCommand", CASHIER_COMMANDS, _CASHIER_COMMAND_PATHS),
    ):
        schemas = description["components"]["schemas"]
        added = command_schemas(tuple(commands.values()))
        assert not added.keys() & schemas.keys(), "one name, one form"
        refs = {tag: _TEMPLATE.format(name=command.__name__) for tag, command in commands.items()}
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


def command_schemas(commands: tuple[type[Command], ...] = get_args(TableCommand)) -> dict[str, Any]:
    """Return the schema of each command's input, by the name of its struct."""
    _, schemas = msgspec.json.schema_components(
        commands, schema_hook=_schema_of, ref_template=_TEMPLATE
    )
    for command in commands:
        _adapt(schemas[command.__name__], command)
    return schemas


def _schema_of(command: type) -> dict[str, Any]:
    """Return the schema of a type that msgspec does not know."""
    if command is Card:
        return {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$", "examples": ["As"]}
    if command is Cents:
        return {
            "type": "string",
            "pattern": _AMOUNT,
            "description": "Dollars with at most two decimals",
            "examples": ["7.50"],
        }
    raise NotImplementedError(command)


def _adapt(schema: dict[str, Any], schema_type: type[Command]) -> None:
    """Remove the fields that the house fills in, and make `player` optional if it defaults to the
    caller."""
    declared = schema_type.declared
    schema["title"] = declared.label
    schema["description"] = " ".join(schema.get("description", "").split())
    schema["x-roles"] = list(declared.by)
    for name in declared.filled:
        schema["properties"].pop(name, None)
    for name, hint in fields_of(schema_type).items():
        keywords = schema["properties"][name]
        if hint is Cents and "default" in keywords:
            keywords["default"] = format_cents(keywords["default"])
        if get_args(hint)[:1] == (Cents,) and get_origin(hint) is dict:
            keywords["propertyNames"] = {"pattern": _AMOUNT}
    left_out = {*declared.filled, "player"} if "player" in declared.by else declared.filled
    schema["required"] = [name for name in schema.get("required", ()) if name not in left_out]
