"""Totals over many rounds, in whole cents, that can be added up in any order.

Seats of one round share a board and a dealer, so their results depend on each other. The unit of
the sample is therefore the round: errors are computed from its result over all seats.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.rounds.events import EnvyPaid, ProgressivePaid, ProgressiveRefused, SeatSettled
from croupier.rounds.state import LineRecord
from croupier.rulebooks.rules import Rules
from croupier.tables.events import BuyIn, TableEvent

__all__ = ["MAIN", "RunTotals", "WagerTotals"]

MAIN = "main"
"""The required wagers together with the bets of later decisions, and the bonuses on them."""


class WagerTotals(msgspec.Struct):
    """Of one wager, in cents, without payout limits (`forgone` is what the limits cost)."""

    hands: int = 0
    net: int = 0
    squares: int = 0
    """The sum of the squares of single results."""
    round_squares: int = 0
    """The sum of the squares of rounds' results."""
    forgone: int = 0

    def add(self, other: WagerTotals) -> None:
        self.hands += other.hands
        self.net += other.net
        self.squares += other.squares
        self.round_squares += other.round_squares
        self.forgone += other.forgone


class RunTotals(msgspec.Struct):
    """`readings` is the sum over the rounds of what each meter showed when the cards were dealt."""

    rounds: int = 0
    wagers: dict[str, WagerTotals] = {}
    players: dict[str, int] = {}
    """The net of each player, as paid."""
    bought: dict[str, int] = {}
    awards: int = 0
    """Paid out of meters."""
    stakes_on_meters: int = 0
    readings: dict[str, int] = {}
    meters: dict[str, dict[str, int]] = {}
    """Where every micro-cent of each meter came from, added up over the tables."""
    commands: int = 0
    events: int = 0

    def add(self, other: RunTotals) -> None:
        for name, sums in other.wagers.items():
            self.wagers.setdefault(name, WagerTotals()).add(sums)
        for mine, theirs in (
            (self.players, other.players),
            (self.bought, other.bought),
            (self.readings, other.readings),
        ):
            for name, cents in theirs.items():
                mine[name] = mine.get(name, 0) + cents
        for meter, columns in other.meters.items():
            into = self.meters.setdefault(meter, {})
            for column, amount in columns.items():
                into[column] = into.get(column, 0) + amount
        self.rounds += other.rounds
        self.awards += other.awards
        self.stakes_on_meters += other.stakes_on_meters
        self.commands += other.commands
        self.events += other.events

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
