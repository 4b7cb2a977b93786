"""The most one player can win in a round at the smallest stakes, on the luckiest possible deal.

The documents bind payout limits to it (12.F(1), 10(e), 12.K(2)). Which deal is the luckiest depends
on the wagers together: a royal flush on the board would pay the most on Play the Board but ties the
dealer. So deals are tried: all that can be made of the top of one suit, the four aces and a
stranger, which hold every combination of the highest lines of the paytables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

from croupier.cards import Card, parse_cards
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, plans_of
from croupier.rounds.paytable_lines import PaidTable
from croupier.rounds.resolvers import Ruling, SettlingSeat, SettlingTable, net_of, resolver_of
from croupier.rounds.stakes import Stakes
from croupier.rounds.state import Reason
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules

__all__ = ["lucky_deals", "most_winnable", "smallest_stakes"]

# Hearts, so that the red aces can be among the cards.
_BOARD_POOL = parse_cards("Ah Kh Qh Jh Th 9h As 2c")
_OWN_POOL = parse_cards("Ah Kh Qh Jh Th 9h As Ad Ac 3d")
_DEALER_POOL = parse_cards("Ah 9h As Ad Ac 3d 4s")
_FEW = 3
_WEAK_POOL = parse_cards("2c 3d 4s 5c 7d 8s 9c Td 6s 2d")
"""For a dealer with a whole hand of his own: hands that lose to anything."""
_MORE_OF_THE_SUIT = parse_cards("8h")


def most_winnable(rules: Rules, covers: tuple[str, ...]) -> int:
    """In cents, winnings only, at the minimum of each covered wager that the table offers."""
    stakes = smallest_stakes(rules, covers)
    best = 0
    for wins in _wins(rules, covers, stakes):
        total = sum(
            net_of(ruling, stakes[_bet_on(name, rules)], {}, {}, taken_before_deal=False)
            for name, ruling in wins
        )
        best = max(best, total)
    return best


def _bet_on(name: str, rules: Rules) -> str:
    """The wager whose stake counts: a bonus is paid in units of another's."""
    bonus = rules.book.bonuses.get(name)
    return name if bonus is None else bonus.on


_Wins: TypeAlias = tuple[tuple[str, Ruling], ...]
_FOUND: dict[bytes, tuple[_Wins, ...]] = {}
_KEPT = 256


def _wins(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> tuple[_Wins, ...]:
    """Each set of covered wagers that can win together, and how. Amounts do not matter."""
    key = _what_matters(rules, covers, stakes)
    if key not in _FOUND:
        if len(_FOUND) >= _KEPT:
            _FOUND.clear()
        _FOUND[key] = tuple(_search(rules, covers, stakes))
    return _FOUND[key]


def _what_matters(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> bytes:
    """Everything the search looks at, so that other choices find the same answer again."""
    book = rules.book
    families = [f for f in rules.chosen if f in stakes or f not in book.wagers]
    return msgspec.json.encode(
        (
            *(book.cards, book.dealer, book.hands, book.patterns, book.decisions, covers),
            *(book.deck, book.rankings, book.bonuses),
            *(book.deck, book.rankings),
            [(name, book.wagers[name].settles) for name in stakes],
            [(family, rules.paytable(family).lines) for family in families],
        )
    )


def _search(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> Iterable[_Wins]:
    plans = plans_of(rules)
    resolvers = [(name, resolver_of(name, rules)) for name in rules.book.wagers if name in stakes]
    bonuses = {
        name: (bonus.hand, PaidTable(rules.paytable(bonus.paytable), rules.book.patterns))
        for name, bonus in rules.book.bonuses.items()
        if name in covers and bonus.on in stakes
    }
    found: dict[object, _Wins] = {}
    dealer = rules.book.dealer
    for played in lucky_deals(rules):
        table_hands = hands_of_table(plans, played)
        hands = hands_of_seat(plans, table_hands, played.seats[0])
        value = 0 if dealer is None else table_hands[dealer.hand].value
        table = SettlingTable(table_hands, (hands,), True, value, dealt=1, common={})
        seat = SettlingSeat(hands, stakes, {})
        for name, resolve in resolvers:
            seat.rulings[name] = resolve(seat, table)
        wins = tuple(
            (name, ruling)
            for name, ruling in seat.rulings.items()
            if ruling.result == "win" and name in covers
        )
        wins += tuple(
            (name, Ruling("win", line.clause, Reason("bonus", hand), line.pays))
            for name, (hand, paid) in bonuses.items()
            if (line := paid.line(hands, hand)) is not None
        )
        found[tuple((name, ruling.pays, ruling.stake_stays) for name, ruling in wins)] = wins
    return found.values()


def smallest_stakes(rules: Rules, covers: tuple[str, ...]) -> Stakes:
    """The minimum of each wager, with the largest multiple of what is decided in play."""
    book = rules.book
    floor = rules.minimum_wager or 100
    stakes = Stakes()
    for name, wager in book.wagers.items():
        if wager.role == "optional" and (name not in covers or name not in rules.offered):
            continue
        low = rules.limits.get(name, (None, None))[0]
        fixed = rules.stakes.get(name)
        stakes[name] = low if low is not None else min(fixed) if fixed else floor
    for decision in book.decisions:
        if decision.wager in stakes:
            multiple = max(
                m for d in book.decisions if d.wager == decision.wager for m in d.bets.values()
            )
            stakes[decision.wager] = stakes[decision.multiple_of] * multiple
    return stakes


def lucky_deals(rules: Rules) -> Iterator[CompletedRound]:
    """One seat's cards, a board and the dealer's hand from few cards that make the highest hands;
    nothing is bet yet, and the box is empty."""
    cards, deck = rules.book.cards, cards_of(rules.book.deck)
    pool = _DEALER_POOL if cards.dealer <= _FEW else _WEAK_POOL
    dealers = list(combinations(_of_deck(pool, deck, cards.dealer), cards.dealer))
    for board in combinations(_of_deck(_BOARD_POOL, deck, cards.community), cards.community):
        for own in _holdings(rules, board):
            for dealer in dealers:
                if not set(dealer) & {*board, *own}:
                    seat = PlayedSeat(1, "", own, {}, ())
                    yield CompletedRound((seat,), board, dealer)


def _of_deck(pool: Sequence[Card], deck: Sequence[Card], count: int) -> tuple[Card, ...]:
    """The cards of the pool that the deck has; where they are too few, others from its top down."""
    there = [card for card in pool if card in deck]
    others = [card for card in sorted(deck, key=lambda card: -card.rank) if card not in there]
    return (*there, *others[: max(0, count - len(there))])


def _holdings(rules: Rules, board: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """A player's cards; in each order of who comes last, where a hand takes only the first."""
    ordered = any(
        place.startswith("player:") for hand in rules.book.hands.values() for place in hand.cards
    )
    needed = rules.book.cards.player + len(board)
    pool = _OWN_POOL if rules.book.cards.player <= 5 else (*_OWN_POOL, *_MORE_OF_THE_SUIT)
    deck = cards_of(rules.book.deck)
    left = [card for card in _of_deck(pool, deck, needed) if card not in board]
    for own in combinations(left, rules.book.cards.player):
        for turn in range(len(own) if ordered else 1):
            yield own[turn:] + own[:turn]
