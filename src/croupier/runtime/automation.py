"""Software in place of some people at a table: dealer, floorperson, players.

`Automation.next_command` returns the command that software would give now, or None if a person must
act. Software gives the same commands as people, and a session of the table carries them out. So one
engine serves live tables, practice and simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.deck_care.deciding import check_round
from croupier.errors import Refusal
from croupier.rounds.commands import Act, CloseBets, PlaceWagers, ValidateProgressive
from croupier.rounds.declaration import Actor
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import DEALER, FLOOR, dealer_command, software_may_deal
from croupier.runtime.journal_session import JournalSession
from croupier.runtime.players import TableStrategy, turn_view
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table

Step = tuple[Actor, TableCommand]

_CLOSE: Final = (DEALER, CloseBets())


class StrategyPlayer:
    """A software player: the same wagers every round, decisions by a strategy, and a buy-in if the
    chips may not be enough for the round."""

    def __init__(self, strategy: TableStrategy, wagers: Mapping[str, int], buy_in: int = 0) -> None:
        self.strategy = strategy
        self.wagers = dict(wagers)
        self.buy_in = buy_in
        self._most: tuple[Rules, int] | None = None

    def most_needed(self, rules: Rules) -> int:
        """Return the most that a round can cost: the wagers, and the largest bet of every
        decision."""
        if self._most is None or self._most[0] is not rules:
            self._most = rules, self._largest(rules)
        return self._most[1]

    def _largest(self, rules: Rules) -> int:
        largest: dict[str, int] = {}
        for decision in rules.book.decisions:
            largest_bet = max(decision.bets.values(), default=0)
            bet = self.wagers.get(decision.multiple_of, 0) * largest_bet
            largest[decision.wager] = max(largest.get(decision.wager, 0), bet)
        return sum(self.wagers.values()) + sum(largest.values())


class Automation:
    """The people at a table whose part software takes.

    `players` are strategies by name; all other players act by hand. With `every_seat` one command
    settles all seats; without it the dealer settles seat by seat.
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
        self._bets: dict[tuple[int, str], Step] = {}
        """Cached commands: the same wagers every round are the same command."""

    def next_command(
        self, table: Table, rules: Rules, *, bets_done: bool = False, at: int = 0
    ) -> Step | None:
        """Return what software does now, or None if a person must act. Software never acts at a
        strict live table. A software dealer closes the bets when everybody has bet; if people bet
        by hand, only with `bets_done`. While the decks need attention, it waits."""
        if not table.is_open or (table.strict and table.by_people_only):
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
        if not self._deals(table):
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
        if self._deals(table) and placed and (bets_done or not by_hand):
            return _CLOSE
        return None

    def _deals(self, table: Table) -> bool:
        return self.dealer and software_may_deal(table)

    def _bet(
        self, table: Table, rules: Rules, number: int, name: str, player: StrategyPlayer
    ) -> Step:
        short = player.most_needed(rules) - table.rack(name)
        if short > 0:
            return self._actors[name], BuyIn(name, max(short, player.buy_in))
        key = number, name
        if key not in self._bets:
            self._bets[key] = self._actors[name], PlaceWagers(number, name, player.wagers)
        return self._bets[key]

    def _deciding(self, table: Table, rules: Rules) -> Step | None:
        state = table.round
        seat = state.seat(state.turn)
        assert seat is not None
        player = self.players.get(seat.player)
        if player is None or not _has_looked(state, seat):
            return None
        action = player.strategy.action(turn_view(state, seat, rules))
        return self._actors[seat.player], Act(seat.number, seat.player, action)


def _has_looked(state: Round, seat: SeatInRound) -> bool:
    """Return whether the cards that the player may see are entered: at a live table a software
    player waits for them."""
    return len(seat.cards) >= state.looked and len(state.community) >= state.exposed


def play_round(session: TableSession | JournalSession, automation: Automation) -> list[TableEvent]:
    """Play one round, from opening the bets to collecting the cards, or until a person must act. No
    round may be in play."""
    events: list[TableEvent] = []
    table = session.table
    while True:
        at = 0 if table.care is None else session.now()
        step = automation.next_command(table, session.rules, at=at)
        if step is None:
            break
        actor, command = step
        events += session.do(command, actor)
        table = session.table
        if table.round.phase == "over":
            break
    return events
