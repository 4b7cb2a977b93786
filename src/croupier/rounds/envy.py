"""The Envy Bonus: who receives it, whose hands bring it, and which hands must be known for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from math import comb
from typing import Final, cast

from croupier.cards import Card
from croupier.money import Fixed
from croupier.rounds.held_hands import Hands, hands_of_seat, hands_of_table, plans_of
from croupier.rounds.paytable_lines import PaidLine, PaidTable
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat, Reason, Stakes
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Envy


def envy_lines(
    played: CompletedRound,
    stakes: list[Stakes],
    hands: tuple[Hands, ...],
    rules: Rules,
    out: frozenset[int] = frozenset(),
) -> list[tuple[int, LineRecord]]:
    """Return one line for each place whose progressive bet is paid for another person's hand at the
    table. The hands at the places `out` pay nobody."""
    game = _game(rules)
    if game is None:
        return []
    receivers = game.receivers(stakes)
    if not receivers:
        return []
    holders = [place for place in game.holders(stakes) if place not in out]
    met: dict[PaidTable, list[tuple[PlayedSeat, PaidLine]]] = {}
    lines = []
    for place, table in receivers.items():
        seat, stake = played.seats[place], stakes[place][game.terms.on]
        if table not in met:
            met[table] = [
                (played.seats[holder], line)
                for holder in holders
                if (line := table.line(hands[holder], game.terms.hand)) is not None
            ]
        paid = {holder.number: line for holder, line in met[table] if holder.player != seat.player}
        if paid:
            lines.append((place, _envy_line(paid, stake if game.terms.per_dollar else 100)))
    return lines


def hands_envy_needs(
    played: CompletedRound,
    stakes: list[Stakes],
    rules: Rules,
    seen: Collection[Card],
    out: Collection[int] = (),
) -> Iterator[int]:
    """Yield the places whose hand is not known, counts for the Envy Bonus (MD-31) and could still
    pay another person.

    `seen` are the cards that such a hand cannot hold any more. At the places `out` everything is
    lost, so they neither bring nor receive a bonus.
    """
    game = _game(rules)
    if game is None:
        return
    receivers = game.receivers(stakes)
    if not receivers:
        return
    for place in game.holders(stakes):
        if len(played.seats[place].cards) == rules.book.cards.player or place in out:
            continue
        holder = played.seats[place].player
        tables = {
            table
            for receiver, table in receivers.items()
            if receiver not in out and played.seats[receiver].player != holder
        }
        if any(game.may_pay(table, played, seen) for table in tables):
            yield place


class _EnvyGame:
    """The Envy Bonus of a rulebook in force."""

    def __init__(self, rules: Rules, terms: Envy, tables: dict[int | None, PaidTable]) -> None:
        self.terms, self._rules, self._tables = terms, rules, tables
        self._dies = rules.book.wagers[terms.on].after_fold == "loses"
        self._paying: dict[
            tuple[PaidTable, tuple[Card, ...]], tuple[frozenset[Card], ...] | None
        ] = {}

    def receivers(self, stakes: list[Stakes]) -> dict[int, PaidTable]:
        """Return the places with a live bet that an Envy table pays on, each with its table."""
        places = {}
        for place, bets in enumerate(stakes):
            if self._is_live(bets):
                table = self._tables.get(bets[self.terms.on]) or self._tables.get(None)
                if table is not None:
                    places[place] = table
        return places

    def holders(self, stakes: list[Stakes]) -> list[int]:
        """Return the places whose hand counts. The operator decides whether its holder must have
        bet (11.J(2)(e)(ii)), the rulebook whether a folded hand needs a live bet that keeps its
        cards on the table (B20)."""
        must_bet = bool(self._rules.options.get("envy_holder_must_bet"))
        return [
            place
            for place, bets in enumerate(stakes)
            if not (must_bet and self.terms.on not in bets)
            and (not bets.folded or self.terms.folded_holder == "counts" or self._is_live(bets))
        ]

    def _is_live(self, bets: Stakes) -> bool:
        return self.terms.on in bets and not (bets.folded and self._dies)

    def may_pay(self, table: PaidTable, played: CompletedRound, seen: Collection[Card]) -> bool:
        """Return whether the unseen cards can form a hand that the table pays on with this
        board."""
        key = table, played.community
        if key not in self._paying:
            if len(self._paying) >= _REMEMBERED:
                self._paying.clear()
            self._paying[key] = self._look(table, played)
        hands = self._paying[key]
        return hands is None or any(hand.isdisjoint(seen) for hand in hands)

    def _look(self, table: PaidTable, played: CompletedRound) -> tuple[frozenset[Card], ...] | None:
        """Return every hand that the table pays on with this board, or None if computing them is
        not worth it: asking for an unnecessary hand does no harm."""
        book, plans = self._rules.book, plans_of(self._rules)
        deck = sorted(set(cards_of(book.deck)) - set(played.community))
        if (
            len(played.community) < book.cards.community
            or book.deck.copies > 1
            or any(n is not None for plan in plans.values() for _, n in plan.own_places.places)
            or comb(len(deck), book.cards.player) > _MOST_HANDS
        ):
            return None
        shared = hands_of_table(plans, played)
        paying = []
        for cards in combinations(deck, book.cards.player):
            hands = hands_of_seat(plans, shared, PlayedSeat(0, "", cards, {}, ()))
            if table.line(hands, self.terms.hand) is not None:
                paying.append(frozenset(cards))
        return tuple(paying)


_REMEMBERED: Final = 100
_MOST_HANDS: Final = 20_000
"""Enough for three cards of 50: 19,600 hands."""


def _game(rules: Rules) -> _EnvyGame | None:
    """Return the prepared Envy Bonus of the rulebook, or None if it has none."""
    if rules.book.envy is None:
        return None
    game = rules.prepared.get(_EnvyGame)
    if game is None:
        game = rules.prepared[_EnvyGame] = _EnvyGame(rules, rules.book.envy, _tables(rules))
    return cast(_EnvyGame, game)


def _tables(rules: Rules) -> dict[int | None, PaidTable]:
    """Return the Envy table for each stake in cents (None: any stake), if the progressive has
    one."""
    envy = rules.book.envy
    assert envy is not None
    settles = rules.book.wagers[envy.on].settles
    table_id = rules.chosen[getattr(settles, "paytable", "")]
    return {
        None if stake == "any" else int(stake) * 100: PaidTable(
            rules.paytable(family, table_id), rules.book.patterns
        )
        for stake, family in envy.tables.items()
        if table_id in rules.book.paytables[family]
    }


def _envy_line(paid: dict[int, PaidLine], dollar_in_cents: int) -> LineRecord:
    """Return the receiver's line: the sum for all hands met, under the best hand's paytable
    line."""
    cents = {seat: line.pays.cents for seat, line in paid.items() if isinstance(line.pays, Fixed)}
    best = paid[max(paid, key=lambda seat: cents.get(seat, 0))]
    total = sum(cents.values()) * dollar_in_cents // 100
    met = {seat: line.hand for seat, line in sorted(paid.items())}
    reason = Reason("envy", line=best.hand, met=met)
    return LineRecord("envy", 0, "win", total, best.clause, reason, str(best.pays))
