"""The most one player can win in a round at the smallest stakes, on the luckiest possible deal.

The documents bind payout limits to it (12.F(1), 10(e), 12.K(2)). Which deal is the luckiest depends
on the wagers together: a royal flush on the board would pay the most on Play the Board but ties the
dealer. So deals are tried: all that can be made of the top of one suit, the four aces and a
stranger, which hold every combination of the highest lines of the paytables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from croupier.cards import Card, parse_cards
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.hands import HandPlan, hands_of_seat, hands_of_table
from croupier.rounds.legality import Stakes
from croupier.rounds.resolvers import Seat, Table, net_of, resolver_of
from croupier.rulebooks.rules import Rules

__all__ = ["most_winnable", "smallest_stakes"]

_BOARD_POOL = parse_cards("As Ks Qs Js Ts 9s Ah 2c")
_OWN_POOL = parse_cards("As Ks Qs Js Ts 9s Ah Ad Ac 3d")
_DEALER_POOL = parse_cards("9s Ah Ad Ac 3d 4h")


def most_winnable(rules: Rules, covers: tuple[str, ...]) -> int:
    """In cents, winnings only, at the minimum of each covered wager that the table offers."""
    stakes = smallest_stakes(rules, covers)
    key = (
        rules.book.id,
        tuple(rules.readings.items()),
        tuple(rules.chosen.items()),
        covers,
        tuple(stakes.items()),
    )
    if key not in _FOUND:
        _FOUND[key] = _search(rules, covers, stakes)
    return _FOUND[key]


_FOUND: dict[object, int] = {}


def _search(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> int:
    plans = {name: HandPlan(name, hand) for name, hand in rules.book.hands.items()}
    resolvers = [(name, resolver_of(name, rules)) for name in rules.book.wagers if name in stakes]
    best = 0
    for played in _deals(rules):
        table_hands = hands_of_table(plans, played)
        hands = hands_of_seat(plans, table_hands, played.seats[0])
        table = Table(table_hands, (hands,), qualifies=True)
        seat = Seat(hands, stakes, {})
        total = 0
        for name, resolve in resolvers:
            ruling = seat.rulings[name] = resolve(seat, table)
            if ruling.result == "win" and name in covers:
                total += net_of(ruling, stakes[name], {}, {}, taken_before_deal=False)
        best = max(best, total)
    return best


def smallest_stakes(rules: Rules, covers: tuple[str, ...]) -> Stakes:
    """The minimum of each wager, with the largest multiple of what is decided in play."""
    book = rules.book
    minimum = rules.options.get("minimum_wager")
    floor = minimum if isinstance(minimum, int) else 100
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


def _deals(rules: Rules) -> Iterator[CompletedRound]:
    cards = rules.book.cards
    dealers = list(combinations(_DEALER_POOL, cards.dealer))
    for board in combinations(_BOARD_POOL, cards.community):
        for own in _holdings(rules, board):
            for dealer in dealers:
                if not set(dealer) & {*board, *own}:
                    seat = PlayedSeat(1, "", own, {}, ())
                    yield CompletedRound((seat,), board, dealer)


def _holdings(rules: Rules, board: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """A player's cards; in each order of who comes last, where a hand takes only the first."""
    ordered = any(
        place.startswith("player:") for hand in rules.book.hands.values() for place in hand.cards
    )
    left = [card for card in _OWN_POOL if card not in board]
    for own in combinations(left, rules.book.cards.player):
        for turn in range(len(own) if ordered else 1):
            yield own[turn:] + own[:turn]
