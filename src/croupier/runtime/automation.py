"""Who does what at a table: software for some of the people, and for each of them the next step.

`Automation.next_command` looks at a table and gives the one thing that the automated part of its
people would do now, or nothing when somebody acts by hand. The commands are those that people give,
and are carried out like theirs, by a session of the table. So one engine serves the live table,
practice and mass runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.care.deciding import check_round
from croupier.errors import Refusal
from croupier.rounds.commands import Act, CloseBets, PlaceWagers, ValidateProgressive
from croupier.rounds.declaration import Actor
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import DEALER, FLOOR, dealer_command
from croupier.runtime.players import Strategy, seen_by
from croupier.runtime.session import JournalSession, TableSession
from croupier.tables.commands import BuyIn, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table

__all__ = ["Automation", "StrategyPlayer", "play_round", "smallest_wagers"]

Step = tuple[Actor, TableCommand]

_CLOSE: Final = (DEALER, CloseBets())


class StrategyPlayer:
    """A player by software: the same wagers every round, decisions by a strategy, and a new buy-in
    whenever the chips would not last for the round."""

    def __init__(self, strategy: Strategy, wagers: Mapping[str, int], buy_in: int = 0) -> None:
        self.strategy = strategy
        self.wagers = dict(wagers)
        self.buy_in = buy_in
        self._most: tuple[Rules, int] | None = None

    def most_needed(self, rules: Rules) -> int:
        """What a round can take: the wagers, and the largest bet on every decision's wager."""
        if self._most is None or self._most[0] is not rules:
            self._most = rules, self._largest(rules)
        return self._most[1]

    def _largest(self, rules: Rules) -> int:
        largest: dict[str, int] = {}
        for decision in rules.book.decisions:
            bet = self.wagers.get(decision.multiple_of, 0) * max(decision.bets.values())
            largest[decision.wager] = max(largest.get(decision.wager, 0), bet)
        return sum(self.wagers.values()) + sum(largest.values())


def smallest_wagers(
    rules: Rules, required: int = 1000, names: tuple[str, ...] = ()
) -> dict[str, int]:
    """Every wager on offer at the least the table takes: fixed stakes and limits where there are
    any, else `required` cents on each required wager and five dollars on the others."""
    offered = [
        name
        for name, wager in rules.book.wagers.items()
        if name in rules.required or (name in rules.offered and (not names or name in names))
    ]
    dealing = rules.options.get("dealing")
    wagers = {}
    for name in offered:
        served = rules.book.wagers[name].dealt_by
        if dealing is not None and served and dealing not in served:
            continue
        low = rules.limits.get(name, (None, None))[0]
        usual = required if name in rules.required else 500
        wagers[name] = min(rules.stakes[name]) if name in rules.stakes else low or usual
    return wagers


class Automation:
    """The automated part of a table's people.

    `players` by name; everybody else at the table acts by hand. `every_seat` settles all seats with
    one command; without it the dealer settles seat by seat.
    """

    def __init__(
        self,
        *,
        dealer: bool = True,
        floor: bool = True,
        players: Mapping[str, StrategyPlayer] | None = None,
        every_seat: bool = True,
    ) -> None:
        self.dealer = dealer
        self.floor = floor
        self.players = dict(players or {})
        self._every_seat = every_seat
        self._actors = {name: Actor("player", name) for name in self.players}

    def next_command(
        self, table: Table, rules: Rules, *, bets_done: bool = False, at: int = 0
    ) -> Step | None:
        """What software would do now. `bets_done`: those who bet by hand have said that they are
        done, so that a dealer by software closes the bets; with nobody betting by hand he does it
        when everybody has bet. Where people have to do something with the cards first, it waits."""
        if not table.is_open:
            return None
        step = self._step(table, rules, bets_done)
        if step is None or table.care is None:
            return step
        try:
            check_round(table, step[1], rules, at)
        except Refusal:
            return None
        return step

    def _step(self, table: Table, rules: Rules, bets_done: bool) -> Step | None:
        state = table.round
        if state.phase == "betting":
            return self._betting(table, rules, bets_done)
        if state.phase == "deciding":
            return self._deciding(table, rules)
        if state.claim is not None:
            return (FLOOR, ValidateProgressive(state.claim.seat)) if self.floor else None
        if not self.dealer:
            return None
        command = dealer_command(table, rules, every_seat=self._every_seat)
        return None if command is None else (DEALER, command)

    def _betting(self, table: Table, rules: Rules, bets_done: bool) -> Step | None:
        placed = {seat.number for seat in table.round.seats}
        by_hand = False
        for number, name in table.seats.items():
            player = self.players.get(name)
            if player is None:
                by_hand = True
            elif number not in placed:
                return self._bet(table, rules, number, name, player)
        if self.dealer and placed and (bets_done or not by_hand):
            return _CLOSE
        return None

    def _bet(
        self, table: Table, rules: Rules, number: int, name: str, player: StrategyPlayer
    ) -> Step:
        short = player.most_needed(rules) - table.rack(name)
        if short > 0:
            return self._actors[name], BuyIn(name, max(short, player.buy_in))
        return self._actors[name], PlaceWagers(number, name, player.wagers)

    def _deciding(self, table: Table, rules: Rules) -> Step | None:
        state = table.round
        seat = state.seat(state.turn)
        assert seat is not None
        player = self.players.get(seat.player)
        if player is None or not _has_looked(state, seat):
            return None
        action = player.strategy.action(seen_by(state, seat, rules))
        return self._actors[seat.player], Act(seat.number, seat.player, action)


def _has_looked(state: Round, seat: SeatInRound) -> bool:
    """At a live table a player by software waits until his cards are entered."""
    return len(seat.cards) >= state.looked and len(state.community) >= state.exposed


def play_round(session: TableSession | JournalSession, automation: Automation) -> list[TableEvent]:
    """One round, from the opening of the bets to the collected cards, or until somebody has to act
    by hand. The table must not be in the middle of one."""
    events: list[TableEvent] = []
    table = session.table
    while (step := automation.next_command(table, session.rules, at=session.now())) is not None:
        actor, command = step
        events += session.do(command, actor)
        table = session.table
        if table.round.phase == "over":
            break
    return events
