"""The API's description (OpenAPI), with every command of a table as its declaration has it."""

from __future__ import annotations

from typing import Any, Final, get_args

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.declaration import Command
from croupier.tables.commands import COMMANDS, TableCommand

__all__ = ["DescriptionPlugin", "command_schemas"]

_COMMANDS_PATH: Final = "/api/v1/tables/{table}/commands"
_TEMPLATE: Final = "#/components/schemas/{name}"


class DescriptionPlugin(JsonRenderPlugin):
    """Litestar describes the routes; what a command may be is told by the commands."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, _with_commands(openapi_schema))


def _with_commands(description: dict[str, Any]) -> dict[str, Any]:
    schemas = description.setdefault("components", {}).setdefault("schemas", {})
    if "Command" not in schemas:
        schemas |= command_schemas()
        schemas["Command"] = {
            "oneOf": [{"$ref": _TEMPLATE.format(name=k.__name__)} for k in get_args(TableCommand)],
            "discriminator": {
                "propertyName": "type",
                "mapping": {
                    tag: _TEMPLATE.format(name=kind.__name__) for tag, kind in COMMANDS.items()
                },
            },
        }
        body = {"application/json": {"schema": {"$ref": _TEMPLATE.format(name="Command")}}}
        post = description["paths"][_COMMANDS_PATH]["post"]
        post["requestBody"] = {"required": True, "content": body}
    return description


def command_schemas() -> dict[str, Any]:
    """What each command takes from outside, by the name of its struct."""
    kinds = get_args(TableCommand)
    _, found = msgspec.json.schema_components(kinds, schema_hook=_told, ref_template=_TEMPLATE)
    for kind in kinds:
        _adapt(found[kind.__name__], kind)
    return found


def _told(kind: type) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$", "examples": ["As"]}
    if kind is Cents:
        return {
            "type": "string",
            "pattern": r"^-?[0-9]{1,13}(\.[0-9]{1,2})?$",
            "description": "Dollars with at most two decimals",
            "examples": ["7.50"],
        }
    raise NotImplementedError(kind)


def _adapt(schema: dict[str, Any], kind: type[Command]) -> None:
    """Without what the house fills in; the player may be left out by a player."""
    declared = kind.declared
    schema["title"] = declared.label
    schema["x-roles"] = list(declared.by)
    for name in declared.filled:
        schema["properties"].pop(name, None)
    left_out = {*declared.filled, "player"}
    schema["required"] = [name for name in schema.get("required", ()) if name not in left_out]
