"""A port that is taken: a sentence says by whom."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.commands.program import croupier


class _Answers(BaseHTTPRequestHandler):
    text = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.text)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def listening(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a web server that answers everything with the same text."""
    answers = type("_These", (_Answers,), {"text": request.param})
    server = HTTPServer(("127.0.0.1", 0), answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("listening", "who"),
    [
        (
            b'{"status":"ok","version":"0.1","tables":6}',
            "a Croupier is running at http://localhost",
        ),
        (b"<html>welcome</html>", "another web server is running at http://localhost"),
    ],
    indirect=["listening"],
)
def test_who_has_the_port_is_named(listening: int, who: str, tmp_path: Path) -> None:
    ended = croupier("serve", "--port", str(listening), "--database", tmp_path / "journal.db")
    assert ended.code == 2
    assert f"port {listening} is taken: {who}" in ended.err
    assert f"--port {listening + 1}" in ended.err
    assert not (tmp_path / "journal.db").exists()


def test_a_program_that_does_not_speak_http(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        thread = threading.Thread(target=lambda: taken.accept()[0].close())
        thread.start()
        ended = croupier("serve", "--port", str(port), "--database", tmp_path / "journal.db")
        thread.join()
    assert ended.code == 2
    assert "a program that is not Croupier" in ended.err
