"""A real certificate, made here, and the server as an operator starts it: `croupier serve`."""

from __future__ import annotations

import asyncio
import datetime
import http.client
import ipaddress
import json
import os
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from croupier.web.server import serving
from tests.attacks.raw import RawConnection
from tests.commands.program import croupier
from tests.ports import free_port
from tests.web.kit import API, PASSWORD, PATIENCE, settings

FILES = 300
"""That the server may have open, as the shell that starts it would have it."""


class Certificate(NamedTuple):
    cert: Path
    key: Path


def _made(folder: Path) -> Certificate:
    """For localhost and 127.0.0.1, signed by itself, for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    found = Certificate(folder / "cert.pem", folder / "key.pem")
    found.cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    found.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return found


class Secured(NamedTuple):
    port: int
    trusting: ssl.SSLContext

    def call(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        link = http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE, context=self.trusting
        )
        try:
            link.request(method, API + path, body, headers or {})
            got = link.getresponse()
            return got.status, got.headers, got.read()
        finally:
            link.close()


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """Outside the demo, at all addresses of the machine: refused without a certificate."""
    folder = tmp_path_factory.mktemp("tls")
    made, journal = _made(folder), folder / "journal.db"
    added = croupier("people", "add", "ann", "--database", journal, stdin=f"{PASSWORD}\n".encode())
    assert added.code == 0, added.err
    port = free_port()
    words = [
        *("serve", "--no-demo", "--host", "0.0.0.0", "--port", str(port), "--name", "localhost"),
        *("--database", str(journal), "--tls-cert", str(made.cert), "--tls-key", str(made.key)),
    ]
    log = folder / "log"
    few = f'ulimit -S -n {FILES} && exec "$@"'
    command = ["sh", "-c", few, "sh", sys.executable, "-m", "croupier", *words]
    with log.open("wb") as told:
        process = subprocess.Popen(command, stdout=told, stderr=told, env=os.environ)
    trusting = ssl.create_default_context(cafile=str(made.cert))
    server = Secured(port, trusting)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < end, log.read_text("utf-8")
            with suppress(OSError):
                if server.call("GET", "/health")[0] == 200:
                    break
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(30)


def test_a_password_goes_over_tls_and_the_cookie_stays_there(secured: Secured) -> None:
    status, headers, text = secured.call("GET", "/me")
    assert status == 200
    assert "max-age=" in headers["strict-transport-security"]
    cookie = headers["set-cookie"]
    assert "Secure" in cookie
    assert "HttpOnly" in cookie
    sent = {
        "Cookie": cookie.partition(";")[0],
        "X-CSRF-Token": json.loads(text)["csrf"],
        "Content-Type": "application/json",
        "Origin": f"https://localhost:{secured.port}",
    }
    body = json.dumps({"name": "ann", "password": PASSWORD})
    status, headers, text = secured.call("POST", "/session", body, sent)
    assert status == 201, text
    assert "Secure" in headers["set-cookie"]
    signed = {"Cookie": headers["set-cookie"].partition(";")[0]}
    assert json.loads(secured.call("GET", "/me", headers=signed)[2])["name"] == "ann"
    foreign = sent | {"Origin": f"http://localhost:{secured.port}"}
    assert secured.call("POST", "/session", body, foreign)[0] == 403, "our own page is https"


def test_a_client_that_does_not_know_the_certificate_goes_no_further(secured: Secured) -> None:
    stranger = Secured(secured.port, ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.call("GET", "/me")


def test_nothing_is_answered_in_the_clear(secured: Secured) -> None:
    request = f"GET {API}/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with RawConnection(secured.port) as link:
        link.send(request.encode())
        assert b"HTTP" not in link.answer()
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    assert Secured(secured.port, old).call("GET", "/health")[0] == 200
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError):
        Secured(secured.port, old).call("GET", "/health")


def test_live_views_come_over_tls(secured: Secured) -> None:
    """Outside the demo no table is open yet: the answer is the server's, and it came by TLS."""
    url = f"wss://localhost:{secured.port}{API}/tables/none/live"
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(url, ssl=secured.trusting, open_timeout=PATIENCE) as live,
    ):
        live.recv(timeout=PATIENCE)


def test_silent_connections_leave_room_for_others(secured: Secured) -> None:
    """Before TLS is spoken nobody is counted: a thousand connections of one address that sent
    nothing shut everybody out for a minute, and the journal could not be signed meanwhile."""
    with ExitStack() as silent:
        for _ in range(FILES + 50):
            silent.enter_context(RawConnection(secured.port, "127.0.0.2"))
        assert secured.call("GET", "/health")[0] == 200


def test_who_does_not_speak_tls_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serving, "HANDSHAKE_SECONDS", 0.3)
    made = _made(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.cert, made.key)

    async def served() -> bool:
        loop = asyncio.get_running_loop()
        async with await loop.create_server(asyncio.Protocol, "127.0.0.1", 0, ssl=context) as door:
            port = int(door.sockets[0].getsockname()[1])
            with RawConnection(port) as link:
                return await asyncio.to_thread(link.is_ended, PATIENCE / 4)

    with asyncio.Runner(loop_factory=serving.new_loop) as runner:
        assert runner.run(served())
    assert serving.server_options(settings(tmp_path / "journal.db"))["loop"].endswith(":new_loop")


@pytest.mark.parametrize("damage", ["no key", "another key", "no certificate"])
def test_a_certificate_that_does_not_fit_is_told_before_anything_is_served(
    tmp_path: Path, damage: str
) -> None:
    (tmp_path / "other").mkdir()
    made, other = _made(tmp_path), _made(tmp_path / "other")
    cert = tmp_path / "none.pem" if damage == "no certificate" else made.cert
    key = other.key if damage == "another key" else made.key
    keys: list[str | Path] = [] if damage == "no key" else ["--tls-key", key]
    words = ("serve", "--tls-cert", cert, *keys)
    ended = croupier(*words, "--database", tmp_path / "journal.db", "--port", "0")
    assert ended.code == 2
    assert "certificate" in ended.err or "--tls-key" in ended.err
