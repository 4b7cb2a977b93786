"""Servers for the tests: on SQLite in the same process, unless a test asks for more."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from croupier.ledger.journal import open_journal
from croupier.web.accounts.people import People
from croupier.web.app import attach, bare_app
from croupier.web.services import Services
from tests.postgres import postgres_server, postgres_url
from tests.web.kit import PASSWORD, Caller, open_patient_tables, settings
from tests.web.shared_processes import SharedProcesses

__all__ = ["postgres_server", "postgres_url"]

Start = Callable[..., "Server"]


class Server:
    """The application running, and its people."""

    def __init__(self, client: TestClient[Litestar], app: Litestar) -> None:
        self.client = client
        self.pit = app.state.services.pit
        self._signer = app.state.services.signer

    def sign(self) -> None:
        """Sign the rounds that have ended, so that no checkpoint comes by itself after seconds."""
        self._signer.sign()

    def guest(self) -> Caller:
        return Caller(self.client).come_in()

    def stranger(self) -> Caller:
        return Caller(self.client)

    def staff(self, role: str, name: str = "") -> Caller:
        name = name or f"{role}-1"
        self.pit.people.add(name, role, PASSWORD)
        return Caller(self.client).sign_in(name)


@pytest.fixture(scope="session")
def opened_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo tables, opened once for all tests."""
    path = tmp_path_factory.mktemp("web") / "journal.db"
    with open_journal(path) as store:
        People(store, settings(path))
        open_patient_tables(store)
    return path


@pytest.fixture(scope="session")
def free_apps() -> list[Litestar]:
    """To register the routes takes longer than most tests: what is done is used again."""
    return []


@pytest.fixture(scope="session")
def shared_processes() -> Iterator[SharedProcesses]:
    """The processes beside the servers take a second each to load the solvers."""
    shared = SharedProcesses()
    yield shared
    shared.end()


Starting = Callable[[Path], AbstractContextManager[Start]]


@pytest.fixture(scope="session")
def starting(
    opened_journal: Path, free_apps: list[Litestar], shared_processes: SharedProcesses
) -> Starting:
    """Servers whose journal is in this folder."""
    return lambda folder: _starting(folder, opened_journal, free_apps, shared_processes)


@contextmanager
def _starting(
    folder: Path,
    opened_journal: Path,
    free_apps: list[Litestar],
    shared_processes: SharedProcesses,
) -> Iterator[Start]:
    taken: list[Litestar] = []
    with ExitStack() as stack:
        stack.enter_context(shared_processes.lent())

        def begin(**told: Any) -> Server:
            path = folder / "journal.db"
            if "database" not in told and not path.exists():
                shutil.copy(opened_journal, path)
            services = Services(settings(told.pop("database", path), **told))
            app = attach(free_apps.pop() if free_apps else bare_app(), services)
            taken.append(app)
            return Server(stack.enter_context(TestClient(app)), app)

        yield begin
    free_apps.extend(taken)


@pytest.fixture
def start(tmp_path: Path, starting: Starting) -> Iterator[Start]:
    with starting(tmp_path) as begin:
        yield begin


@pytest.fixture
def server(start: Start) -> Server:
    """People play by hand: the software's dealer waits for them."""
    from croupier.runtime.dealer import Pace

    return start(pace=Pace(0, 0, 0, 0, 0, 900))
