"""The API does what its own description says, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as patience
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.conftest import Server
from tests.web.kit import API, settings
from tests.web.real import Client, workers

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 12


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Client]]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    with workers(settings(folder / "journal.db"), 1, folder) as (worker,):
        client = Client(worker.port).come_in()
        url = f"http://127.0.0.1:{worker.port}{API}/openapi.json"
        yield schemathesis.openapi.from_url(url), client


def test_whatever_is_asked_the_answer_is_as_described(schema: tuple[Any, Client]) -> None:
    described, client = schema
    called = set()
    for found in described.get_all_operations():
        operation = found.ok()
        _ask(operation, client)
        called.add(operation.label)
    assert "POST /api/v1/tables/{table}/commands" in called
    assert len(called) >= 12


def _ask(operation: Any, client: Client) -> None:
    @given(case=operation.as_strategy())
    @patience(
        max_examples=EXAMPLES,
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
        if operation.path.endswith("/commands"):
            case.path_parameters = {"table": "md-uth"}
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
    one_of = commands["requestBody"]["content"]["application/json"]["schema"]
    assert len(one_of.get("oneOf") or one_of.get("anyOf")) == 27
