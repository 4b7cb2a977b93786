"""Who can, alone or together, change which balance: docs/ledger.md says it, and every cell is
attacked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any, Final

import pytest

from croupier.cards import parse_cards
from croupier.cashier import CASHIER_COMMANDS, Deposit, PayOut
from croupier.errors import CroupierError
from croupier.ledger.history.floor_records import deposited_alone
from croupier.ledger.history.past_rounds import finished_round
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import table_record
from croupier.ledger.verification.verify import verify
from croupier.randomness.shuffling import Seeded
from croupier.rounds import commands as r
from croupier.rounds.declaration import ROLES, Actor, Command, tag_of
from croupier.rounds.events import EnvyPaid
from croupier.runtime import cashier_session, journal_session
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.runtime.house_terms import set_house_limits
from croupier.tables import planning
from croupier.tables.command_input import command_from_data
from croupier.tables.commands import (
    COMMANDS,
    Assign,
    BuyIn,
    CashOut,
    CloseTable,
    Confirm,
    Correct,
    Credit,
    EmptyDrop,
    Fill,
    GiveUpSeat,
    OpenTable,
    ReopenRound,
    SignCount,
    TableCommand,
    TakeSeat,
    Tip,
)
from croupier.tables.evolving import MOVES
from croupier.tables.state import Table
from croupier.tables.two_people import Controls, HouseLimits, second_person
from tests.tables.command_examples import json_example
from tests.tables.dealing_school import DAN, FLO, next_command, open_table, play

PAGE: Final = Path(__file__).parents[2] / "docs" / "ledger.md"
START: Final = "<!-- matrix: written by `make matrix` -->"
STOP: Final = "<!-- end of the matrix -->"
FLOAT: Final = {10_000: 500}
CLEO, CORA = Actor("cashier", "Cleo"), Actor("cashier", "Cora")
PLAYERS: Final = ("rack", "layout", "cashier")
"""Accounts that hold players' money and chips."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as opened:
        yield opened


def real_table(store: Journal, source: Any, name: str = "T1") -> House:
    """A table that the house opened for real, with money in the journal and a round played."""
    house = House(store, draw=Seeded("real"))
    opening = OpenTable(name, "casino-holdem", source=source, float=FLOAT, strict=True)
    house.do(name, opening, FLO)
    house.do(name, SignCount(FLOAT), DAN)
    for seat in (1, 2):
        person = f"p{seat}"
        CashierSession(store, person).carry_out(Deposit(900_000), CLEO)
        house.do(name, TakeSeat(person, seat), Actor("player", person))
    if source == "virtual":
        for person in ("p1", "p2"):
            house.do(name, BuyIn(person, 800_000, account=True), Actor("player", person))
        for _ in play(house, name, 2, Random(1)):
            pass
    return house


# -- the matrix -----------------------------------------------------------------------------------


def moves(store: Journal) -> Iterator[tuple[str, str]]:
    """Every command that moved money, with the accounts it went from and to."""
    for stream in store.streams(""):
        for entry in store.read(stream):
            kind = entry.kind
            if kind == "confirm":
                proposed = table_record(entry).command
                assert isinstance(proposed, Confirm)
                (first,) = store.read(stream, proposed.number - 1, proposed.number)
                kind = first.kind
            for transfer in entry.transfers:
                yield kind, f"{account(transfer.source)} → {account(transfer.target)}"


def account(name: str) -> str:
    kind, _, rest = name.partition(":")
    return rest.partition(":")[2].partition(":")[0] if kind == "table" else kind


def everything_that_moves_money(store: Journal) -> dict[str, set[str]]:
    """Rounds of two documents, live and virtual, and what the house does beside them. The decks are
    seeded, so that every run sees the same awards, fixed sums from the inventory among them."""
    house = House(store, draw=Seeded("matrix a"))
    for document in ("md-uth", "ma-uth"):
        for source in ("live", "virtual"):
            name = f"{document}-{source}"
            open_table(house, name, document, 3, source=source)
            for _ in play(house, name, 25, Random(5)):
                pass
    name = "md-uth-live"
    house.do(name, Tip("p1", 500), Actor("player", "p1"))
    house.do(name, CashOut("p1", 500), DAN)
    number, seat = next(
        (number, seat)
        for number in range(1, 26)
        for seat in finished_round(store, name, number).seats
        if any(line.wager == "blind" for line in seat.lines)
    )
    for cents in (100, -100):
        correction = Correct(number, seat.number, seat.player, "blind", cents, "a dispute")
        house.do(name, correction, FLO)
    denied(house, name)
    changes_of_mind(house, name)
    house = real_table(store, "virtual")
    number, seat, line = next(
        (number, seat, line)
        for number in (1, 2)
        for seat in finished_round(store, "T1", number).seats
        for line in seat.lines
        if line.net < 0
    )
    player = seat.player
    house.do("T1", ReopenRound(number, "a dispute"), Actor("auditor", "Audrey"))
    house.do("T1", GiveUpSeat(player, seat.number), Actor("player", player))
    house.do("T1", CashOut(player, account=True), Actor("player", player))
    correction = Correct(number, seat.number, player, line.wager, 100, "a dispute")
    house.do("T1", correction, FLO)
    house.do("T1", TakeSeat(player, seat.number), Actor("player", player))
    house.do("T1", BuyIn(player, 800_000, account=True), Actor("player", player))
    house.do("T1", Tip("p1", 100), Actor("player", "p1"))
    house.do("T1", CashOut("p1", 500, account=True), Actor("player", "p1"))
    for command in (Fill(1000), Credit(1000), EmptyDrop()):
        house.do("T1", command, FLO)
        house.do("T1", Confirm(house.table("T1").pending[-1].number), DAN)
    CashierSession(store, "p1").carry_out(PayOut(100), CLEO)
    moved: dict[str, set[str]] = {}
    for kind, way in moves(store):
        moved.setdefault(kind, set()).add(way)
    return moved


BETS: Final = {"ante": 1000, "blind": 1000, "progressive": 100}


def denied(house: House, name: str) -> None:
    """A royal flush on a bet that came too late."""
    house.open_betting(name, DAN)
    house.do(name, r.PlaceWagers(1, "p1", BETS), DAN)
    for command in (r.CloseBets(), r.CountChips(1), r.Deal(), r.Act(1, "p1", "4x")):
        house.do(name, command, DAN)
    for board in ("Qs Js Ts", "2c 3d"):
        house.do(name, r.RevealCards(parse_cards(board)), DAN)
    house.do(name, r.ShowDealer(parse_cards("4h 5c")), DAN)
    house.do(name, r.EnterCards("player", parse_cards("As Ks"), 1), DAN)
    house.do(name, r.Settle(every=True), DAN)
    house.do(name, r.RefuseProgressive(1, "it came too late", "late_bet"), FLO)
    house.do(name, r.Collect(), DAN)


def changes_of_mind(house: House, name: str) -> None:
    """Wagers and answers taken back, bets repeated, a round void, a table closed in a round."""
    for ends in (r.VoidRound("a fire"), CloseTable("a fire")):
        house.open_betting(name, DAN)
        for seat in (2, 3):
            house.do(name, r.PlaceWagers(seat, f"p{seat}", BETS), DAN)
        house.do(name, r.TakeBack(2, "p2"), DAN)
        house.do(name, r.RepeatWagers(), DAN)
        if isinstance(ends, r.VoidRound):
            house.do(name, r.CloseBets(), DAN)
            chips = len(house.table(name).round.seats) - 1
            house.do(name, r.DecideChipCount(chips, (3,), "no chip lay there"), FLO)
            house.do(name, r.Deal(), DAN)
            asked = house.table(name).round.turn
            house.do(name, r.Act(asked, house.table(name).seats[asked], "4x"), DAN)
            house.do(name, r.TakeBackAnswer(asked), DAN)
            house.do(name, r.AnswerAll("4x"), DAN)
        house.do(name, ends, FLO)


def second_of(kind: type[Command]) -> str:
    """Who confirms, and from which sum on."""
    if kind.__struct_config__.tag in CASHIER_COMMANDS:
        return "another cashier, above the limit of the house"
    if kind is r.Settle:
        return "floorperson, at a live table above the limit of the house"
    if kind is CashOut:
        return "dealer or floorperson, at a live table if the floor gives it"
    table = Table("T1", "md-uth", source="live", strict=True)
    waits = []
    for amount in ("0.01", "100000.00"):
        example = json_example(kind, whole=False)
        if "amount" in example:
            example["amount"] = amount
        actor = Actor(kind.declared.by[0], "x")
        waits.append(second_person(table, command_from_data(example, actor), actor, Controls()))
    small, large = waits
    if large is None:
        return "–"
    people = " or ".join(role for role in large.by if role != "operator")
    return people if small is not None else f"{people}, above the limit of the house"


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    with open_journal(tmp_path_factory.mktemp("matrix") / "journal.db") as journal:
        yield everything_that_moves_money(journal)
        assert verify(journal).valid


def matrix(moved: dict[str, set[str]]) -> str:
    kinds = COMMANDS | CASHIER_COMMANDS
    rows = [
        f"| `{tag}` | {', '.join(kind.declared.by)} | {second_of(kind)} | "
        f"{', '.join(sorted(moved[tag]))} |"
        for tag, kind in kinds.items()
        if tag in moved
    ]
    head = ["| command | given by | confirmed by | moves |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def test_the_matrix_in_the_docs_is_that_of_the_declarations(moved: dict[str, set[str]]) -> None:
    text = PAGE.read_text()
    before, _, rest = text.partition(START)
    written, _, after = rest.partition(STOP)
    made = matrix(moved)
    if os.environ.get("CROUPIER_WRITE_MATRIX"):
        PAGE.write_text(f"{before}{START}\n\n{made}\n\n{STOP}{after}")
    else:
        assert written.strip() == made, "make matrix writes it again"


def test_every_command_that_moves_money_is_in_the_matrix(moved: dict[str, set[str]]) -> None:
    """A new one must be played in `everything_that_moves_money`."""
    amounts = {
        tag
        for tag, kind in (COMMANDS | CASHIER_COMMANDS).items()
        if {"amount", "inventory"} & set(kind.__struct_fields__)
    }
    beside = {"place_coupon"}  # paper, no money (MA-29)
    assert amounts - beside <= set(moved), amounts - set(moved)


def test_every_event_that_moves_money_has_happened(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as journal:
        everything_that_moves_money(journal)
        happened = {
            type(event)
            for stream in journal.streams("table:")
            for entry in journal.read(stream)
            for event in table_record(entry).events
        }
    assert set(MOVES) - {EnvyPaid} <= happened, set(MOVES) - happened


# -- every cell attacked --------------------------------------------------------------------------


def players_money(store: Journal) -> int:
    return sum(cents for name, cents in store.balances("").items() if account(name) in PLAYERS)


def taken_away(store: Journal, friend: str) -> int:
    """Cash in the hands of a friend: what people brought is below 0."""
    return store.balances("patron:").get(f"patron:{friend}", 0)


ALONE: Final = HouseLimits()
BIG: Final = 99_999_999
ROYAL: Final = "any_winning"


class Insider:
    """One person, who gives any command in their own name and lets refusals go."""

    def __init__(self, store: Journal, house: House, role: Any) -> None:
        self.store, self.house = store, house
        self.actor = Actor(role, {"player": "p1", "dealer": "Dan"}.get(role, "Ivy"))
        self.before = players_money(store) + taken_away(store, "p1")
        self.most = 0
        self.taken: set[str] = set()

    def tries(self, command: TableCommand, name: str = "T1") -> None:
        try:
            self.house.do(name, command, self.actor)
        except CroupierError:
            return
        self.taken.add(tag_of(command))
        gained = players_money(self.store) + taken_away(self.store, "p1") - self.before
        self.most = max(self.most, gained)

    def everything(self) -> None:
        """Every command with every field at its boldest, for a friend at the table."""
        for kind in COMMANDS.values():
            for told in self._bold(kind):
                with suppress(CroupierError):
                    command = command_from_data(told, self.actor)
                    self.tries(command)

    def _bold(self, kind: type[Command]) -> Iterator[dict[str, Any]]:
        table = self.house.table("T1")
        bold = {
            "player": "p1", "seat": 1, "round": max(1, table.round.number), "wager": "ante",
            "reason": "a friend", "name": self.actor.name, "table": "T1",
            "number": table.pending[0].number if table.pending else 1,
        }  # fmt: skip
        for whole in (False, True):
            example = json_example(kind, whole=whole)
            example |= {field: value for field, value in bold.items() if field in example}
            for amount in ("499.99", "5000.00", "99999999.99"):
                yield example | ({"amount": amount} if "amount" in example else {})

    def corrects(self) -> None:
        """Many small corrections and a large one, of every wager and round that there was."""
        for number, seat in product(range(1, 4), (1, 2)):
            for wager, cents in product(("ante", "call"), (100, 20_000, ALONE.correction, BIG)):
                self.tries(Correct(number, seat, f"p{seat}", wager, cents, "a friend"))
                self.confirms()

    def buys_in(self) -> None:
        """For friends, and for people whom nobody has seen."""
        for player in ("p1", "P1", *(f"x{n}" for n in range(12))):
            self.tries(TakeSeat(player, 3))
            for cents in (BIG, 999_999, 1_000_000, 1):
                self.tries(BuyIn(player, cents))
                self.confirms()
            self.tries(GiveUpSeat(player, 3, "gone"))

    def confirms(self) -> None:
        for pending in self.house.table("T1").pending:
            self.tries(Confirm(pending.number))

    def opens_again(self, source: Any, **more: Any) -> None:
        """Under other terms, where the same chips may mean something else."""
        for seat in (1, 2):
            self.tries(GiveUpSeat(f"p{seat}", seat, "gone"))
        self.tries(CloseTable())
        opening = OpenTable("T1", "casino-holdem", source=source, **more)
        self.tries(opening)
        self.tries(SignCount(dict(FLOAT)))
        for account in (False, True):
            self.tries(CashOut("p1", account=account))


def attack(store: Journal, source: Any, role: Any) -> Insider:
    """Everything one person can think of, as long as they like. At a live table a dealer has dealt
    rounds as the house asks; at a virtual one an auditor has reopened the last round."""
    house = real_table(store, source)
    if source == "live":
        house.do("T1", Assign("dealer", "Dan"), FLO)
        for person in ("p1", "p2"):
            house.do("T1", BuyIn(person, 200_000), DAN)
        draw = Random(1)
        for _ in range(2):
            house.open_betting("T1", DAN)
            while (table := house.table("T1")).round.phase != "over":
                house.do("T1", *next_command(table, draw))
    else:
        house.do("T1", ReopenRound(2, "a dispute"), Actor("auditor", "Audrey"))
    insider = Insider(store, house, role)
    for _ in range(2):
        insider.corrects()
        insider.buys_in()
        insider.everything()
    other = "virtual" if source == "live" else "live"
    for again in (source, other, source):
        insider.opens_again(again)
        insider.opens_again(again, strict=True, float=FLOAT)
        insider.corrects()
        insider.buys_in()
    return insider


def allowed(role: str, source: str) -> int:
    """What the limits of the house let one person move in a day."""
    floor = ALONE.correction if role in ("floorperson", "operator") else 0
    return floor + (ALONE.buy_ins if (role, source) == ("dealer", "live") else 0)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("source", ["live", "virtual"])
def test_nobody_alone_raises_players_money_beyond_the_limits(
    store: Journal, role: Any, source: str
) -> None:
    insider = attack(store, source, role)
    assert insider.most <= allowed(role, source), f"{role} made {insider.most} cents"
    if allowed(role, source):
        assert insider.most >= allowed(role, source) // 2, "the attack does not reach the limit"
    assert verify(store).valid


@pytest.mark.parametrize(
    ("role", "source"), [("floorperson", "live"), ("floorperson", "virtual"), ("dealer", "live")]
)
def test_without_limits_the_attack_makes_money(
    store: Journal, role: Any, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the test above can fail."""
    loose = HouseLimits(*[10**12] * len(HouseLimits.__struct_fields__))
    monkeypatch.setattr(journal_session, "house_limits", lambda _: loose)
    monkeypatch.setattr(planning, "check_correction_amount", lambda *_: None)
    monkeypatch.setattr(planning, "check_controls", lambda *_: None)
    assert attack(store, source, role).most > allowed(role, source)


def test_no_cashier_alone_raises_players_money_beyond_the_limit(store: Journal) -> None:
    """Not by many small sums between two large ones either."""
    real_table(store, "virtual")
    before = players_money(store)
    amounts = (1, 5_000_00, 9_999_99, 99_999_999_99, *[1] * 1200, 9_980_00)
    for number, amount in enumerate(amounts):
        for confirms in (0, 1, 2, 3, 4, 5) if number < 5 else (0,):
            with suppress(CroupierError):
                command = Deposit(amount, confirms=confirms)
                CashierSession(store, "p3").carry_out(command, CORA)
    assert ALONE.deposit // 2 <= players_money(store) - before <= ALONE.deposit
    assert verify(store).valid


def test_no_cashier_alone_raises_players_money_by_many_accounts(store: Journal) -> None:
    """Nor by asking for all of them at the same moment."""
    before, friends = players_money(store), [f"friend {number}" for number in range(16)]
    started = Barrier(len(friends))

    def takes(friend: str) -> None:
        started.wait()
        CashierSession(store, friend).carry_out(Deposit(ALONE.deposit), CORA)

    with ThreadPoolExecutor(len(friends)) as threads:
        list(threads.map(takes, friends))
    assert players_money(store) - before == ALONE.deposits
    proposed = [
        number for friend in friends for number, _ in CashierSession(store, friend).pending()
    ]
    assert len(proposed) == len(friends) - ALONE.deposits // ALONE.deposit
    assert verify(store).valid


def _takes(path: Path, friend: str) -> None:
    """As another worker of a server does: with its own connection to the journal."""
    with open_journal(path) as journal:
        CashierSession(journal, friend).carry_out(Deposit(ALONE.deposit), CORA)


def test_no_cashier_raises_players_money_by_asking_several_processes(
    store: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process takes a deposit after this one has counted, and before it writes."""
    path, counted = tmp_path / "journal.db", deposited_alone
    set_house_limits(store, "house", deposits=ALONE.deposit)

    def late(journal: Journal, since: str) -> int:
        cents = counted(journal, since)
        if not cents:
            with monkeypatch.context() as meanwhile:
                meanwhile.setattr(cashier_session, "deposited_alone", counted)
                _takes(path, "friend 2")
        return cents

    monkeypatch.setattr(cashier_session, "deposited_alone", late)
    assert CashierSession(store, "friend 1").carry_out(Deposit(ALONE.deposit), CORA).waits
    assert players_money(store) == ALONE.deposit
    assert verify(store).valid
