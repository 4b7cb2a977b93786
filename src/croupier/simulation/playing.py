"""Play rounds through the engine, command by command, and check the money at the end.

A run is cut into stretches of 2,000 rounds, each with its own table and seed, so the same seed
gives the same cents if the stretches are played in sequence, in several processes or into a
journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

import msgspec

from croupier.errors import CroupierError
from croupier.ledger.journal import Journal
from croupier.progressives import MICRO, Link
from croupier.randomness.shuffling import Seeded
from croupier.rounds.commands import Deal
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rounds.events import EnvyPaid, ProgressivePaid, ProgressiveRefused, SeatSettled
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import LineRecord
from croupier.rulebooks.rules import Rules, rules_for
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.journal_session import JournalSession
from croupier.runtime.players import AtRandom, TableStrategy, strategy_by_name
from croupier.runtime.session import TableSession
from croupier.simulation.run_setting import Setting
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of

MAIN = "main"
"""The required wagers together with the bets of later decisions, and the bonuses on them."""


class WagerTotals(msgspec.Struct):
    """The totals of one wager, in cents, before payout limits; `forgone` is what the limits cost
    the players."""

    hands: int = 0
    net: int = 0
    squares: int = 0
    """The sum of the squared results of single wagers."""
    round_squares: int = 0
    """The sum of the squared results of whole rounds."""
    forgone: int = 0

    def add(self, more: WagerTotals) -> None:
        self.hands += more.hands
        self.net += more.net
        self.squares += more.squares
        self.round_squares += more.round_squares
        self.forgone += more.forgone


class RunTotals(msgspec.Struct):
    """The totals of a run. `readings` sums each meter's readings at the deal over all rounds."""

    rounds: int = 0
    wagers: dict[str, WagerTotals] = {}
    players: dict[str, int] = {}
    """Each player's net as paid."""
    bought: dict[str, int] = {}
    awards: int = 0
    """Cents paid out of meters."""
    stakes_on_meters: int = 0
    readings: dict[str, int] = {}
    meters: dict[str, dict[str, int]] = {}
    """The source of every micro-cent on each meter, totaled over the tables."""
    commands: int = 0
    events: int = 0

    def add(self, more: RunTotals) -> None:
        for name, sums in more.wagers.items():
            self.wagers.setdefault(name, WagerTotals()).add(sums)
        for mine, theirs in (
            (self.players, more.players),
            (self.bought, more.bought),
            (self.readings, more.readings),
        ):
            for name, cents in theirs.items():
                mine[name] = mine.get(name, 0) + cents
        for meter, columns in more.meters.items():
            into = self.meters.setdefault(meter, {})
            for column, amount in columns.items():
                into[column] = into.get(column, 0) + amount
        self.rounds += more.rounds
        self.awards += more.awards
        self.stakes_on_meters += more.stakes_on_meters
        self.commands += more.commands
        self.events += more.events

    def count(self, events: Iterable[TableEvent], rules: Rules, progressive: str | None) -> None:
        """Add the events of one complete round."""
        by_wager: dict[str, dict[int, int]] = {}
        for event in events:
            match event:
                case SeatSettled():
                    for line in event.lines:
                        self._line(event.seat, line, line.wager, by_wager)
                case ProgressivePaid() | ProgressiveRefused():
                    self._line(event.seat, event.line, event.line.wager, by_wager)
                    if event.line.from_meter:
                        self.awards += event.line.net + event.line.stake
                case EnvyPaid():
                    for seat, line in event.lines.items():
                        self._line(seat, line, progressive or line.wager, by_wager)
                case BuyIn():
                    self.bought[event.player] = self.bought.get(event.player, 0) + event.amount
        self._main(by_wager, rules)
        for name, seats in by_wager.items():
            sums = self.wagers.setdefault(name, WagerTotals())
            total = sum(seats.values())
            sums.hands += len(seats)
            sums.net += total
            sums.squares += sum([net * net for net in seats.values()])
            sums.round_squares += total * total
        self.rounds += 1

    def _line(
        self, seat: int, line: LineRecord, name: str, by_wager: dict[str, dict[int, int]]
    ) -> None:
        seats = by_wager.setdefault(name, {})
        seats[seat] = seats.get(seat, 0) + line.net + line.forgone
        if line.forgone:
            self.wagers.setdefault(name, WagerTotals()).forgone += line.forgone

    def _main(self, by_wager: dict[str, dict[int, int]], rules: Rules) -> None:
        total: dict[int, int] = {}
        for name, seats in by_wager.items():
            bonus = rules.book.bonuses.get(name)
            wager = rules.book.wagers.get(name if bonus is None else bonus.on)
            if wager is not None and wager.role != "optional":
                for seat, net in seats.items():
                    total[seat] = total.get(seat, 0) + net
        by_wager[MAIN] = total


STRETCH: Final = 2000
INVENTORY: Final = 10**12
BUY_IN: Final = 100_000
OPERATOR: Final = Actor("operator", SOFTWARE)


class BooksDiffer(CroupierError):
    """Money that cannot be accounted for: a bug in this program."""

    code = "books_differ"


class Stretch(NamedTuple):
    number: int
    rounds: int


def stretches(rounds: int) -> list[Stretch]:
    return [
        Stretch(number, min(STRETCH, rounds - start))
        for number, start in enumerate(range(0, rounds, STRETCH), 1)
    ]


class _Session(Protocol):
    @property
    def table(self) -> Table: ...

    @property
    def link(self) -> Link | None: ...

    def do(self, command: TableCommand, actor: Actor) -> tuple[TableEvent, ...]: ...


def prepare(setting: Setting, seed: str = "") -> TableStrategy:
    """Return the players' strategy, prepared once for all stretches. Only `random` uses the
    seed."""
    if setting.strategy == "random":
        return AtRandom(Seeded(seed))
    return _prepared(setting.rulebook, setting.rulebook_text, setting.submission, setting.strategy)


@lru_cache(maxsize=2)
def _prepared(rulebook: str, text: str, submission: str, strategy: str) -> TableStrategy:
    return strategy_by_name(rules_for(rulebook, text, submission), strategy)


def play_stretch(
    setting: Setting,
    stretch: Stretch,
    journal: Journal | None = None,
    *,
    played: Callable[[int], None] | None = None,
) -> RunTotals:
    """Play a stretch and return its totals. `played` is called with the number of rounds done so
    far."""
    running = _opened(setting, stretch, journal)
    rules = rules_of(running.table)
    seed = f"{setting.seed}/{stretch.number}"
    chosen = prepare(setting, f"{seed}/players")
    names = [f"player {seat}" for seat in range(1, setting.seats + 1)]
    for seat, name in enumerate(names, 1):
        running.do(TakeSeat(name, seat), Actor("player", name))
    automation = Automation(
        players={name: StrategyPlayer(chosen, setting.wagers, BUY_IN) for name in names}
    )
    progressive = flow_of(rules).progressive
    stake = setting.wagers.get(progressive or "", 0) * setting.seats
    tally = RunTotals()
    for number in range(1, stretch.rounds + 1):
        events: list[TableEvent] = []
        for done in _round(running, automation, tally):
            events += done
        tally.count(events, rules, progressive)
        tally.events += len(events)
        tally.stakes_on_meters += stake
        if played is not None:
            played(number)
    _players(tally, running.table)
    _check_books(tally, running.table)
    if running.link is not None:
        _check_meters(tally, running.link)
    return tally


def _opened(setting: Setting, stretch: Stretch, journal: Journal | None) -> _Session:
    command = OpenTable(
        table=f"simulation-{setting.seed}-{stretch.number}",
        rulebook=setting.rulebook,
        submission=setting.submission,
        rulebook_text=setting.rulebook_text,
        inventory=INVENTORY,
    )
    draw = Seeded(f"{setting.seed}/{stretch.number}")
    if journal is None:
        return TableSession.opened(command, OPERATOR, draw=draw)
    session = JournalSession(journal, command.table, draw=draw)
    session.do(command, OPERATOR)
    return session


def _round(
    running: _Session, automation: Automation, tally: RunTotals
) -> Iterator[tuple[TableEvent, ...]]:
    """Give every command of one round, from opening the bets to collecting the cards, and yield the
    events of each."""
    rules = rules_of(running.table)
    while True:
        step = automation.next_command(running.table, rules)
        assert step is not None, f"no next command in phase {running.table.round.phase}"
        actor, command = step
        yield running.do(command, actor)
        tally.commands += 1
        if isinstance(command, Deal) and running.link is not None:
            for meter, cents in running.link.shown().items():
                tally.readings[meter] = tally.readings.get(meter, 0) + cents
        if running.table.round.phase == "over":
            return


# -- the books ------------------------------------------------------------------------------------


def _players(tally: RunTotals, table: Table) -> None:
    for name in table.seats.values():
        tally.players[name] = table.rack(name) - tally.bought.get(name, 0)


def _check_books(tally: RunTotals, table: Table) -> None:
    """Compare the settlements with the money in the racks, the drop and the inventory."""
    bought, money = sum(tally.bought.values()), table.money
    paid = sum(s.net - s.forgone for name, s in tally.wagers.items() if name != "main")
    racks = sum(cents for account, cents in money.items() if account.startswith("rack:"))
    books = {
        "the racks": (racks, bought + paid),
        "the drop": (money.get("drop", 0), bought),
        "the inventory": (money["inventory"], INVENTORY - bought - paid + tally.awards),
        "the layout": (sum(c for a, c in money.items() if a.startswith("layout:")), 0),
        "the table": (sum(money.values()), INVENTORY + bought + tally.awards),
    }
    for place, (there, due) in books.items():
        if there != due:
            raise BooksDiffer(f"{place}: {there} cents are there, but {due} are due")


def _check_meters(tally: RunTotals, link: Link) -> None:
    """Check that seeds, contributions, awards and resets explain every fraction of a cent."""
    awarded = 0
    for name, meter in link.meters.items():
        account = meter.explain()
        due = tally.stakes_on_meters * meter.terms.rate_millionths
        if account.explained != account.reading or account.contributed != due:
            raise BooksDiffer(f"meter {name}: {account} is not explained by {due} contributed")
        awarded += account.awarded
        tally.meters[name] = {
            "seeded": account.seeded,
            "contributed": account.contributed,
            "awarded": account.awarded,
            "reset": account.reset,
            "reading": account.reading,
        }
    if awarded != tally.awards * MICRO:
        raise BooksDiffer(f"the meters paid {awarded} micro-cents, the table {tally.awards} cents")
