"""The program under test: in this process for volume, as a child where the process matters."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from croupier.commands import settle
from croupier.commands.app import run
from croupier.rounds.settle_requests import RequestSettler

__all__ = ["EXAMPLES", "ROOT", "WHOLE", "Ended", "croupier", "lines_of", "settle_batch", "spawn"]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
WHOLE = (0, 3)
"""How `verify` ends where nothing differs: the last entries may not be signed yet."""


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it said."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> dict[str, Any]:
        answer = self.json
        assert list(answer) == ["error"]
        assert list(answer["error"]) == ["code", "message", "clause"]
        error: dict[str, Any] = answer["error"]
        return error


def croupier(*words: str | Path, stdin: bytes = b"") -> Ended:
    """Run a command line in this process."""
    return _heard(lambda: run([str(word) for word in words]), stdin)


def _heard(command: Callable[[], int], stdin: bytes) -> Ended:
    out, err = io.BytesIO(), io.StringIO()
    stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    keyboard = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with redirect_stdout(stdout), redirect_stderr(err), patch.object(sys, "stdin", keyboard):
        code = command()
        stdout.flush()
    return Ended(code, out.getvalue(), err.getvalue())


_SETTLER = RequestSettler()


def settle_batch(stdin: bytes) -> Ended:
    """`croupier settle --json` with a settler that is kept, for thousands of small batches."""
    with patch.object(settle, "_settler", lambda _: _SETTLER):
        return _heard(lambda: settle.settle(json=True), stdin)


def spawn(
    *words: str | bytes | Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> Ended:
    """Run a command line as its own process, as people do."""
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
    )
    return Ended(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def lines_of(requests: Sequence[object]) -> bytes:
    """Requests as JSON Lines; what is bytes already goes in as it is."""
    return b"".join(
        (request if isinstance(request, bytes) else json.dumps(request).encode()) + b"\n"
        for request in requests
    )
