"""The API does what its own description says, whatever is asked of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as patience
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor, Command, to_json
from croupier.tables.command_input import command_from_json
from croupier.tables.commands import COMMANDS
from croupier.web.accounts.people import People
from croupier.web.pages.description import command_schemas
from tests.web.conftest import Server
from tests.web.kit import API, PASSWORD, settings
from tests.web.real import Client, workers

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 6
OF_COMMANDS = 30
STAFF = ("dealer", "operator")


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[Client]]]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    told = settings(folder / "journal.db")
    with open_journal(told.database) as journal:
        for role in STAFF:
            People(journal, told).add(f"{role}-1", role, PASSWORD)
    with workers(told, 1, folder) as (worker,):
        clients = [Client(worker.port).come_in()]
        clients += [Client(worker.port).sign_in(f"{role}-1") for role in STAFF]
        url = f"http://127.0.0.1:{worker.port}{API}/openapi.json"
        yield schemathesis.openapi.from_url(url), clients


@pytest.mark.parametrize("share", [Fraction(1, 2), pytest.param(4, marks=pytest.mark.full)])
def test_whatever_is_asked_the_answer_is_as_described(
    schema: tuple[Any, list[Client]], share: Fraction | int
) -> None:
    described, clients = schema
    called = set()
    for found in described.get_all_operations():
        operation = found.ok()
        for client in clients if operation.path.endswith("/commands") else clients[:1]:
            _ask(operation, client, share)
        called.add(operation.label)
    assert "POST /api/v1/tables/{table}/commands" in called
    assert len(called) >= 12


def _ask(operation: Any, client: Client, share: Fraction | int) -> None:
    is_command = operation.path.endswith("/commands")

    @given(case=operation.as_strategy())
    @patience(
        max_examples=int((OF_COMMANDS if is_command else EXAMPLES) * share),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if operation.path.endswith("/session"):
            case.headers = {**(case.headers or {}), "X-CSRF-Token": "wrong"}
        else:
            signed = {"Cookie": client.cookie, "X-CSRF-Token": client.csrf}
            case.headers = {**(case.headers or {}), **signed}
        if is_command:
            named = re.findall(r"{(\w+)}", case.operation.path)
            case.path_parameters = dict.fromkeys(named, "md-uth")
        case.call_and_validate(checks=CHECKS)

    ask()


def test_the_description_is_complete(server: Server) -> None:
    described = server.stranger().get("/openapi.json")
    assert described["info"]["title"] == "Croupier"
    assert all(path.startswith("/api/v1/") for path in described["paths"])
    for path, operations in described["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            for status in ("400", "403", "404", "429", "503"):
                told = operation["responses"][status]["content"]
                assert list(told) == ["application/problem+json"]
    commands = described["paths"]["/api/v1/tables/{table}/commands"]["post"]
    assert any(p["name"] == "Idempotency-Key" for p in commands["parameters"])
    assert {p["name"] for p in commands["parameters"]} >= {"round", "decision"}
    body = commands["requestBody"]["content"]["application/json"]["schema"]
    one_of = described["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    assert len(one_of["oneOf"]) == len(COMMANDS)
    assert server.stranger().get("/description") == described


def test_every_command_is_described_by_its_declaration(server: Server) -> None:
    described = server.stranger().get("/openapi.json")
    schemas = described["components"]["schemas"]
    mapping = schemas["Command"]["discriminator"]["mapping"]
    assert mapping.keys() == COMMANDS.keys()
    for tag, kind in COMMANDS.items():
        schema, declared = schemas[mapping[tag].rpartition("/")[2]], kind.declared
        assert schema["title"] == declared.label
        assert schema["description"], tag
        assert schema["x-roles"] == list(declared.by)
        fields = set(kind.__struct_fields__) - declared.filled
        assert schema["properties"].keys() == fields | {"type"}
        assert schema["properties"]["type"]["enum"] == [tag]
        assert set(schema["required"]) <= schema["properties"].keys()
        assert "player" not in declared.by or "player" not in schema["required"]
        assert schema["additionalProperties"] is False
    assert schemas["PlaceWagers"]["properties"]["wagers"]["additionalProperties"]["pattern"]
    assert "deck" not in json.dumps(schemas["OpenBetting"]["properties"])


def test_no_reference_of_the_description_dangles(server: Server) -> None:
    described = server.stranger().get("/openapi.json")
    refs = set(re.findall(r'"(#/[^"]+)"', json.dumps(described)))
    assert len(refs) > len(COMMANDS)
    for ref in refs:
        found = described
        for part in ref.removeprefix("#/").split("/"):
            assert part in found, ref
            found = found[part]


@pytest.mark.parametrize("tag", COMMANDS)
def test_every_command_can_be_given_as_it_is_described(tag: str) -> None:
    """Whatever the description allows is the form of a command, and is written as it was read."""
    roles = COMMANDS[tag].declared.by
    actor = Actor("player" if "player" in roles else roles[0], "dee")

    @given(case=_bodies(command_schemas()[COMMANDS[tag].__name__]))
    @patience(
        max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    def give(case: Any) -> None:
        command = command_from_json(json.dumps(_whole(case.body)).encode(), actor)
        assert type(command) is COMMANDS[tag]
        assert command_from_json(to_json(_as_sent(command)), actor) == command

    give()


def _bodies(schema: dict[str, Any]) -> Any:
    """Bodies of this form and of no other."""
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    told = {"responses": {"200": {"description": "Done"}}, "requestBody": body}
    raw = {"openapi": "3.1.0", "info": {"title": "One", "version": "1"}}
    described = schemathesis.openapi.from_dict({**raw, "paths": {"/x": {"post": told}}})
    return described["/x"]["POST"].as_strategy(generation_mode=GenerationMode.POSITIVE)


def _whole(body: Any) -> Any:
    """For JSON Schema 1.0 is an integer; here it is not."""
    if isinstance(body, dict):
        return {name: _whole(told) for name, told in body.items()}
    if isinstance(body, list):
        return [_whole(told) for told in body]
    return int(body) if isinstance(body, float) and body.is_integer() else body


def _as_sent(command: Command) -> dict[str, Any]:
    written = json.loads(to_json(command.outside()))
    return {name: told for name, told in written.items() if name not in command.declared.filled}
