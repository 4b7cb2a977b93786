"""What people tell a link: terms changed, a link closed; from Python, the command line and with
everything on record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.maintenance.reindex import reindex
from croupier.ledger.records.table_entries import link_attempts_stream, link_record, link_stream
from croupier.ledger.verification.verify import verify
from croupier.progressives import ChangeMeter, EndLink
from croupier.reports.links import history, link_form
from croupier.rounds.commands import CloseBets, CountChips, OpenBetting, PlaceWagers, VoidRound
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.runtime.links import LinkSession, link_names
from croupier.tables.commands import BuyIn, CloseTable, OpenTable, TakeSeat
from tests.commands.program import WHOLE, croupier

OLGA = Actor("operator", "Olga")
FLO = Actor("floorperson", "Flo")
DAN = Actor("dealer", "Dan")
ANN = Actor("player", "Ann")
TERMS = json.dumps(
    {
        "offered": ["progressive"],
        "progressive": {"stakes": ["5"], "meters": {"main": {"rate": "0.05"}}},
    }
)


def played(journal: Journal, name: str, link: str, *, rounds: int = 2) -> None:
    """A table that feeds its link for some rounds, the last of them void."""
    house = House(journal)
    house.do(name, OpenTable(name, "md-uth", TERMS, inventory=10**6, link=link), OLGA)
    house.do(name, TakeSeat("Ann", 1), ANN)
    house.do(name, BuyIn("Ann", 10**5), ANN)
    for _ in range(rounds):
        house.do(name, OpenBetting(), DAN)
        bets = {"ante": 1000, "blind": 1000, "progressive": 500}
        house.do(name, PlaceWagers(1, "Ann", bets), ANN)
        house.do(name, CloseBets(), DAN)
        house.do(name, CountChips(1), DAN)
        house.do(name, VoidRound("practice"), FLO)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as store:
        yield store
        assert verify(store).differences == ()


def refused(
    journal: Journal, link: str, command: ChangeMeter | EndLink, by: Actor
) -> CroupierError:
    session = LinkSession(journal, link)
    before = session.held.version
    with pytest.raises(CroupierError) as refusal:
        session.carry_out(command, by)
    assert session.held.version == before, "nothing changed"
    return refusal.value


def test_a_meters_terms_change_under_a_name_and_its_reading_stays(journal: Journal) -> None:
    played(journal, "T1", "pot")
    session = LinkSession(journal, "pot")
    before = session.link.meters["main"].reading
    done = session.carry_out(ChangeMeter("main", "more fun", "0.0625", 5_000_000), OLGA, "key-1")
    meter = session.link.meters["main"]
    assert (meter.reading, meter.terms.rate_millionths) == (before, 62_500)
    assert meter.terms.reset_cents == 5_000_000
    (entry,) = journal.read(link_stream("pot"), done.version - 1)
    record = link_record(entry)
    assert (record.by, record.request) == (OLGA, "key-1")
    again = session.carry_out(ChangeMeter("main", "more fun", "0.0625", 5_000_000), OLGA, "key-1")
    assert (again.repeated, again.version) == (True, done.version)
    with pytest.raises(CroupierError, match="another command"):
        session.carry_out(ChangeMeter("main", "less fun", "0.01"), OLGA, "key-1")


@pytest.mark.parametrize("by", [DAN, ANN], ids=str)
def test_only_the_floor_tells_a_link_and_the_attempt_is_on_record(
    journal: Journal, by: Actor
) -> None:
    played(journal, "T1", "pot", rounds=0)
    refusal = refused(journal, "pot", ChangeMeter("main", "why not", "0.5"), by)
    assert refusal.code == "wrong_role"
    assert journal.head(link_attempts_stream("pot")).version == 1


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ChangeMeter("mane", "x", "0.1"), "unknown_name"),
        (ChangeMeter("main", " ", "0.1"), "reason_missing"),
        (ChangeMeter("main", "x"), "no_change"),
        (ChangeMeter("main", "x", "0.05"), "no_change"),
        (ChangeMeter("main", "x", "1.1"), "bad_amount"),
        (ChangeMeter("main", "x", "", 100), "below_minimum"),
        (EndLink("x", {"main": "nowhere"}), "bad_request"),
        (EndLink("x", {"main": "other:main"}, {"main": "kept"}), "bad_request"),
        (EndLink("x", {}, {"main": "kept"}), "tables_remain"),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_what_a_link_does_not_do(
    journal: Journal, command: ChangeMeter | EndLink, code: str
) -> None:
    played(journal, "T1", "pot", rounds=0)
    assert refused(journal, "pot", command, OLGA).code == code


def test_a_closed_link_moves_its_money_to_another_in_one_transaction(journal: Journal) -> None:
    played(journal, "T1", "pot")
    played(journal, "T2", "heir", rounds=1)
    House(journal).do("T1", CloseTable(reason="moved"), FLO)
    goes = LinkSession(journal, "pot").link.meters["main"].reading
    before = LinkSession(journal, "heir").link.meters["main"].reading
    assert refused(journal, "pot", EndLink("x"), OLGA).code == "unexplained"
    assert refused(journal, "pot", EndLink("x", {"main": "pot:main"}), OLGA).code == "unexplained"
    assert refused(journal, "pot", EndLink("x", {"main": "no:main"}), OLGA).code == "unknown_name"
    assert refused(journal, "pot", EndLink("x", {"main": "heir:no"}), OLGA).code == "unknown_name"
    done = LinkSession(journal, "pot").carry_out(EndLink("one pot", {"main": "heir:main"}), OLGA)
    assert done.moved_to == ("heir",)
    assert LinkSession(journal, "pot").link.closed
    assert LinkSession(journal, "heir").link.meters["main"].reading == before + goes
    assert refused(journal, "pot", ChangeMeter("main", "x", "0.1"), OLGA).code == "closed"
    balances = journal.balances()
    assert balances.get("moving:pot:main", 0) == 0
    assert balances.get("meter:pot:main", 0) == 0
    reindex(journal)


def test_the_history_explains_every_part_of_a_cent(journal: Journal) -> None:
    played(journal, "T1", "pot")
    session = LinkSession(journal, "pot")
    session.carry_out(ChangeMeter("main", "odd", "0.000001"), OLGA)
    house = House(journal)
    house.do("T1", OpenBetting(), DAN)
    bets = {"ante": 1000, "blind": 1000, "progressive": 500}
    house.do("T1", PlaceWagers(1, "Ann", bets), ANN)
    house.do("T1", CloseBets(), DAN)
    house.do("T1", CountChips(1), DAN)
    held = session.held
    rows = list(history(journal, held.link, held.version))
    assert [row.version for row in rows] == list(range(held.version, 0, -1))
    assert rows[0].changes == {"main": "0.000005"}
    assert rows[-1].after["main"] == "10000.00"
    assert rows[-1].changes == {"main": "10000.00"}
    paged = list(history(journal, held.link, held.version, before=3, limit=2))
    assert paged == rows[-2:]
    form = link_form(journal, held.link, held.version, {"T1": house.table("T1")})
    (member,) = form.members
    assert member.counted
    assert [(one.seat, one.light, one.accepted, one.chips) for one in member.lights] == [
        (1, True, "5.00", "5.00")
    ]
    assert form.meters["main"].explained["seeded"] == "10000.00"


def test_links_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as store:
        played(store, "T1", "pot")
        assert link_names(store) == ("pot",)
    said = ("--journal", path, "--json")
    assert [row["link"] for row in croupier("link", "list", *said).json["links"]] == ["pot"]
    change = ("link", "do", "pot", "change_terms", "meter=main", "rate=0.06", "reason=promotion")
    assert croupier(*change, *said).code == 2, "who acts?"
    assert croupier(*change, "--as", "dealer:Dan", *said).code == 1
    assert croupier(*change, "--as", "operator:Olga", *said).code == 0
    shown = croupier("link", "show", "pot", *said).json
    assert shown["meters"]["main"]["rate"] == "0.06"
    told = croupier("link", "explain", "pot", *said).json
    assert told["history"][0]["by"] == "operator Olga"
    assert croupier("table", "close", "T1", "--as", "operator:Olga", "--journal", path).code == 0
    close = ("link", "close", "pot", "--reason", "the end", "--as", "operator:Olga")
    assert croupier(*close, *said).code == 1, "where does the money go?"
    stated = ("--state", "main=added to the next promotion")
    assert croupier(*close, *stated, *said).code == 0
    for command in ("list", "show", "explain", "do"):
        words = ("link", command, *(("pot",) if command in ("show", "explain") else ()))
        assert croupier(*words, "--journal", path).code == 0
    assert croupier("verify", "--journal", path).code in WHOLE
