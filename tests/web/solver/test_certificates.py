"""Anybody checks a certificate: whole ones are dealt again, altered ones refused without work, and
strangers cannot keep the server busy with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.machine_key import MachineKey, machine_key
from croupier.school.certificates import Certificate, issue, text
from croupier.school.drills.drawing import draw_drill
from croupier.school.exams import EXAM, Exams
from croupier.school.progress_store import ProgressStore
from croupier.web.app import create_app
from croupier.web.server.settings import Settings, Throttles

PATIENCE = 120
SKILL, BOOK = "hands.qualifies", "md-uth"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Of an exam in which everything was right, signed by this machine."""
    folder = tmp_path_factory.mktemp("exam")
    with open_journal(f"sqlite:///{folder / 'journal.db'}") as journal:
        store = ProgressStore(journal)
        exams = Exams(store, machine_key)
        now = exams.begin("Ann", BOOK, (SKILL,))
        kept = store.get("Ann", EXAM, now.id)
        assert kept is not None
        while now.question is not None:
            right = draw_drill(SKILL, BOOK, f"{kept.seed}/{now.number}").right
            now = exams.answer("Ann", now.id, now.number, right)
        return exams.certificate("Ann", now.id)


def client_of(folder: Path, **told: Any) -> TestClient[Litestar]:
    settings = Settings(f"sqlite:///{folder / 'journal.db'}", demo_tables=False, **told)
    return TestClient(create_app(settings))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    with client_of(tmp_path_factory.mktemp("certificates")) as client:
        yield look(client)


def look(client: TestClient[Litestar]) -> TestClient[Litestar]:
    """As a stranger: no account, no guest."""
    client.headers["X-CSRF-Token"] = client.get("/api/v1/me").json()["csrf"]
    return client


def sent(client: TestClient[Litestar], said: str) -> Any:
    return client.post("/api/v1/certificates/check", json={"text": said})


def checked(client: TestClient[Litestar], one: Certificate) -> Any:
    last = monotonic() + PATIENCE
    while (found := sent(client, text(one))).status_code == 202:
        assert monotonic() < last
        sleep(0.1)
    assert found.status_code == 200, found.text
    return found.json()


def test_a_true_one_is_dealt_again_for_a_stranger(
    client: TestClient[Litestar], certificate: Certificate
) -> None:
    found = checked(client, certificate)
    assert (found["verdict"], found["is_ours"], found["reasons"]) == ("valid", True, [])
    assert found["score"] == found["said"] == certificate.score
    assert found["person"] == "Ann"
    assert found["signed_by"] == machine_key().public


def test_what_was_altered_is_refused_with_the_reason_and_nothing_is_dealt(
    client: TestClient[Litestar], certificate: Certificate
) -> None:
    for one, why in (
        (replace(certificate, person="Bob"), "altered"),
        (replace(certificate, score={**certificate.score, "right": "39"}), "altered"),
        (replace(certificate, signature=""), "signed"),
        (replace(certificate, key="0" * 64), "signature"),
    ):
        found = sent(client, text(one))
        assert found.status_code == 200, "at once"
        told = found.json()
        assert (told["verdict"], told["score"]) == ("forged", {})
        assert any(why in reason for reason in told["reasons"]), told["reasons"]


def test_a_false_score_with_a_key_of_ones_own_is_found_by_dealing(
    client: TestClient[Litestar], certificate: Certificate
) -> None:
    own = MachineKey(b"a forger's key".ljust(32))
    wrong = {**certificate.score, "right": "12", "passed": "no"}
    found = checked(client, issue(replace(certificate, score=wrong), own))
    assert found["verdict"] == "forged"
    assert any("right is 12; the answers come to 40" in one for one in found["reasons"])
    found = checked(client, issue(certificate, own))
    assert (found["verdict"], found["is_ours"]) == ("valid", False), "true, and not ours"


@pytest.mark.parametrize("said", ["{}", "no json", "[1]", "\ud800", '{"croupier_certificate": 9}'])
def test_what_is_no_certificate_is_refused_in_words(
    client: TestClient[Litestar], said: str
) -> None:
    body = b'{"text": "\\ud800"}' if said == "\ud800" else None
    path = "/api/v1/certificates/check"
    found = client.post(path, content=body) if body else sent(client, said)
    assert found.status_code == 400, found.text
    assert found.json()["message"]


def test_another_kind_and_other_rules_are_told(
    client: TestClient[Litestar], certificate: Certificate
) -> None:
    own = MachineKey(b"a forger's key".ljust(32))
    found = sent(client, text(issue(replace(certificate, kind="luck"), own)))
    while found.status_code == 202:
        sleep(0.1)
        found = sent(client, text(issue(replace(certificate, kind="luck"), own)))
    assert found.status_code == 422, found.text
    assert "dealer exam" in found.json()["message"]
    other = {**certificate.terms, "rules": "sha256:0"}
    assert checked(client, issue(replace(certificate, terms=other), own))["verdict"] == "unchecked"


def test_a_stranger_cannot_keep_the_server_busy(tmp_path: Path, certificate: Certificate) -> None:
    own = MachineKey(b"a forger's key".ljust(32))
    with client_of(tmp_path, throttles=Throttles(certificates=(2, 0.001))) as client:
        look(client)
        many = [issue(replace(certificate, person=f"P{n}"), own) for n in range(4)]
        found = [sent(client, text(one)).status_code for one in many]
        assert set(found[:2]) <= {200, 202}
        assert found[2:] == [429, 429]
        assert sent(client, text(many[0])).status_code in (200, 202), "asking again costs nothing"
        assert sent(client, text(replace(certificate, person="Bob"))).json()["verdict"] == "forged"
    big = {"text": "x" * 150_001}
    with client_of(tmp_path) as client:
        assert look(client).post("/api/v1/certificates/check", json=big).status_code in (400, 422)
