"""Play chips never become money: a journal that a demo has used is no house's, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.ledger.entries import Addition
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.verification.verify import verify
from croupier.runtime.house import House
from croupier.runtime.house_terms import CHIPS, ChipsKind, claim_chips
from croupier.tables.commands import OpenTable
from croupier.web.tables.demo import INVENTORY, OPERATOR, submission_for
from tests.commands.program import Ended, croupier
from tests.web.conftest import Start

UTH = "md-uth"
FLAGS = {"play": "--demo", "money": "--no-demo"}
DEPOSIT = ("cashier", "deposit", "ann", "100", "--as", "cashier:Cleo", "--journal")


def _serve(path: str | Path, *flags: str) -> Ended:
    """The command line up to the server itself."""
    with patch("croupier.web.server.serving.run_server"):
        return croupier("serve", "--port", "0", "--database", path, *flags)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as found:
        yield found


def _marks(store: Journal) -> list[str]:
    return [entry.kind for entry in store.read(CHIPS)]


def test_a_demo_that_was_served_is_never_served_for_money(start: Start) -> None:
    server = start()
    guest = server.guest()
    guest.do(UTH, type="take_seat", seat=1)
    guest.do(UTH, type="buy_in", amount="1000.00")
    path = server.pit.journal.name
    refused = _serve(path, "--no-demo")
    assert refused.code == 2
    for told in (path, "play chips", "--demo", "--database house.db"):
        assert told in refused.err.replace("\n", " "), refused.err
    assert _serve(path).code == 0
    assert verify(server.pit.journal).valid


def test_a_house_that_was_served_is_never_served_as_a_demo(start: Start) -> None:
    server = start(demo=False)
    path = server.pit.journal.name
    for flags in ((), ("--demo",)):
        refused = _serve(path, *flags)
        assert refused.code == 2
        assert "holds money" in refused.err
        assert "--no-demo" in refused.err
    assert _serve(path, "--no-demo").code == 0
    assert _marks(server.pit.journal) == ["money"]


def test_a_demo_of_an_earlier_version_is_known_by_its_tables(store: Journal) -> None:
    """It has no mark: software opened its tables."""
    House(store).do(UTH, OpenTable(UTH, UTH, submission_for(UTH), inventory=INVENTORY), OPERATOR)
    assert _serve(store.name, "--no-demo").code == 2
    assert _serve(store.name, "--demo").code == 0


def test_a_house_of_an_earlier_version_is_known_by_its_accounts(store: Journal) -> None:
    assert croupier(*DEPOSIT, store.name).code == 0
    assert _serve(store.name, "--demo").code == 2
    assert _serve(store.name, "--no-demo").code == 0


@pytest.mark.parametrize("kind", ["play", "money"])
def test_a_journal_that_nobody_has_served_takes_either(store: Journal, kind: ChipsKind) -> None:
    assert _serve(store.name, FLAGS[kind]).code == 0
    assert _marks(store) == [], "what was not served is not marked"
    claim_chips(store, kind)
    claim_chips(store, kind)
    assert _marks(store) == [kind]


def test_no_account_is_opened_beside_play_chips(store: Journal) -> None:
    claim_chips(store, "play")
    refused = croupier(*DEPOSIT, store.name)
    assert refused.code == 1
    assert "play chips" in refused.err
    assert store.streams("cashier:") == ()


def test_of_two_servers_that_start_at_once_the_second_hears_the_first(store: Journal) -> None:
    """A worker for money and one for a demo on one database: the mark of one is the other's."""
    add = store.add

    def late(*additions: Addition, **told: object) -> None:
        with patch.object(store, "add", add):
            claim_chips(store, "money")
        raise Conflict("another was first")

    with patch.object(store, "add", late), pytest.raises(Exception, match="holds money"):
        claim_chips(store, "play")
    assert _marks(store) == ["money"]
