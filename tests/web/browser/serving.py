"""Real servers for a real browser: uvicorn on loopback, quick clocks, a rigged deck if wanted."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import msgspec
from litestar import Litestar

from croupier.cards import DECK, Card, parse_cards
from croupier.ledger.journal import open_journal
from croupier.runtime.dealer import Pace
from croupier.web.accounts.people import People
from croupier.web.app import create_app
from croupier.web.server.settings import VARIABLE, Settings, from_environment
from tests.web.kit import PASSWORD, open_patient_tables
from tests.web.real import Port

ROOT = Path(__file__).parents[3]

QUICK = Pace(
    after_round=0.3,
    step=0.05,
    settle=0.05,
    collect=0.3,
    validate=600,
    idle=900,
)
"""People take their time, software does not."""


def settings(folder: Path) -> Settings:
    return Settings(
        str(folder / "journal.db"),
        pace=QUICK,
        throttles=None,
        software_floor=False,
        password_memory_kib=64,
    )


def add_floorperson(folder: Path, name: str = "flo") -> None:
    told = settings(folder)
    with open_journal(told.database) as store:
        open_patient_tables(store)
        People(store, told).add(name, "floorperson", PASSWORD)


def royal_first() -> Litestar:
    """The application with a deck on which the first player of 235 Stud has a royal flush."""
    from croupier.runtime import session

    top = parse_cards("As Ks Qs Js Ts")
    deck: tuple[Card, ...] = (*top, *(card for card in DECK if card not in top))

    def rigged(*_: object) -> tuple[Card, ...]:
        return deck

    setattr(session, "shuffle", rigged)  # noqa: B010
    return create_app()


def people_deal() -> Litestar:
    """The application of `croupier serve --dealer people`."""
    return create_app(msgspec.structs.replace(from_environment(), software_dealer=False))


def with_second_factor() -> Litestar:
    """The application of `croupier serve --second-factor`."""
    return create_app(msgspec.structs.replace(from_environment(), second_factor=True))


def soon_idle() -> Litestar:
    """Whoever does nothing for three seconds is signed out; three wrong passwords lock a name."""
    told = from_environment()
    return create_app(msgspec.structs.replace(told, idle_minutes=0.05, failures_allowed=3))


class Serving:
    """One server; `stop` and `start` again on the same port, with the same journal."""

    def __init__(self, folder: Path, factory: str = "croupier.web.app:create_app") -> None:
        self.folder, self.factory = folder, factory
        self._port = Port()
        self.url = f"http://127.0.0.1:{self._port.number}"
        self.process: subprocess.Popen[bytes] | None = None
        self.log = folder / "server.log"

    def start(self) -> Serving:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "uvicorn", self.factory, "--factory"),
                    *("--fd", str(self._port.fd), "--ws", "websockets-sansio"),
                    *("--log-level", "warning", "--timeout-graceful-shutdown", "1"),
                ],
                pass_fds=(self._port.fd,),
                env={
                    **os.environ,
                    VARIABLE: msgspec.json.encode(settings(self.folder)).decode(),
                    "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
                },
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.log.read_text()}")
            try:
                with urllib.request.urlopen(f"{self.url}/api/v1/health", timeout=60):
                    return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.log.read_text()}")

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        self.stop()
        self._port.close()
