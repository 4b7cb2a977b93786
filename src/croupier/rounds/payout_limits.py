"""Payout limits (the most that one player can win in a round) and the bounds of a single wager.

The documents bind payout limits to the most one player can win at the smallest stakes, on the
luckiest possible deal (12.F(1), 10(e), 12.K(2)). Which deal is the luckiest depends on the wagers
together: a royal flush on the board would pay the most on Play the Board but ties the dealer. So
the search tries every deal from a small pool (the top of one suit, the four aces and an unrelated
card), which contains every combination of the highest lines of the paytables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from croupier.cards import Card, parse_cards
from croupier.money import Pays, parse_pays
from croupier.rounds.coupons import MATCH_PLAY
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, plans_of
from croupier.rounds.paytable_lines import PaidTable
from croupier.rounds.resolvers import Ruling, SettlingSeat, SettlingTable, net_of, resolver_of
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import (
    CompletedRound,
    LineRecord,
    PlayedSeat,
    Reason,
    Round,
    SeatInRound,
    Stakes,
)
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Follows, PayoutLimit, Paytable
from croupier.rulebooks.wager_families import tables_in_force

# Hearts, so that the red aces can be among the cards.
_BOARD_POOL = parse_cards("Ah Kh Qh Jh Th 9h As 2c")
_OWN_POOL = parse_cards("Ah Kh Qh Jh Th 9h As Ad Ac 3d")
_DEALER_POOL = parse_cards("Ah 9h As Ad Ac 3d 4s")
_FEW = 3
_WEAK_POOL = parse_cards("2c 3d 4s 5c 7d 8s 9c Td 6s 2d")
"""The pool for a dealer with a whole hand: such hands lose to anything."""
_MORE_OF_THE_SUIT = parse_cards("8h")


def most_winnable(rules: Rules, covers: tuple[str, ...]) -> int:
    """Return the most a player can win, in cents without stakes, at the minimum of each covered
    wager that the table offers."""
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
    """Return the wager whose stake counts: a bonus is paid in units of another wager."""
    bonus = rules.book.bonuses.get(name)
    return name if bonus is None else bonus.on


_Wins: TypeAlias = tuple[tuple[str, Ruling], ...]
_FOUND: dict[bytes, tuple[_Wins, ...]] = {}
_KEPT = 256


def _wins(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> tuple[_Wins, ...]:
    """Return each set of covered wagers that can win together, with their rulings. The result does
    not depend on amounts."""
    key = _what_matters(rules, covers, stakes)
    if key not in _FOUND:
        if len(_FOUND) >= _KEPT:
            _FOUND.clear()
        _FOUND[key] = tuple(_search(rules, covers, stakes))
    return _FOUND[key]


def _what_matters(rules: Rules, covers: tuple[str, ...], stakes: Stakes) -> bytes:
    """Return a cache key of everything the search depends on."""
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
    outcomes: dict[object, _Wins] = {}
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
        outcomes[tuple((name, ruling.pays, ruling.stake_stays) for name, ruling in wins)] = wins
    return outcomes.values()


def smallest_stakes(rules: Rules, covers: tuple[str, ...]) -> Stakes:
    """Return the minimum of each wager; a wager decided in play has its largest multiple."""
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
    """Yield deals for one seat from a few cards that make the highest hands. Nothing is bet yet,
    and the box is empty."""
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
    """Return the pool's cards that the deck has, filled up with the deck's highest others if they
    are too few."""
    there = [card for card in pool if card in deck]
    others = [card for card in sorted(deck, key=lambda card: -card.rank) if card not in there]
    return (*there, *others[: max(0, count - len(there))])


def _holdings(rules: Rules, board: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Yield the player's possible cards; also with each card last if some hand uses only the first
    cards."""
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


class LimitInForce(NamedTuple):
    clause: str
    covers: frozenset[str]
    cents: int
    shortens: Literal["largest", "last"]


def limits_in_force(rules: Rules) -> tuple[LimitInForce, ...]:
    """Return the payout limits: the operator's where the document leaves it to them, otherwise the
    document's."""
    return tuple(
        [
            LimitInForce(limit.clause, frozenset(limit.covers), cents, limit.shortens)
            for limit in rules.book.payout_limits
            if (cents := _cents_in_force(limit, rules)) is not None
        ]
    )


def _cents_in_force(limit: PayoutLimit, rules: Rules) -> int | None:
    option = rules.options.get("payout_limit")
    stated = option if isinstance(option, int) else None
    if limit.set_by == "document":
        return bound_of(limit, rules)
    if not limit.unless_stated:
        return stated
    # 12.K of 235 Stud (C14): the bound itself if nothing is stated, and never beyond it.
    bound = bound_of(limit, rules)
    if stated is None:
        return bound
    return min(stated, bound) if limit.set_by == "at_most" else max(stated, bound)


def bound_of(limit: PayoutLimit, rules: Rules) -> int:
    """Return the sum the document names or, if greater, the most winnable at the minimum wager.

    It never exceeds a later limit of the document that covers the same wagers and more (MA-13).
    """
    bound = limit.amount * 100
    if limit.or_best_win and rules.minimum_wager is not None:
        bound = max(bound, most_winnable(rules, limit.covers))
    for later in rules.book.payout_limits[rules.book.payout_limits.index(limit) + 1 :]:
        if later.set_by == "document" and set(limit.covers) <= set(later.covers):
            bound = min(bound, bound_of(later, rules))
    return bound


def shorten(lines: list[LineRecord], limit: LimitInForce) -> list[LineRecord]:
    """Cut the winnings down to the limit: the largest first (MD-36) or the last settled first
    (A29)."""
    won = [
        place
        for place, line in enumerate(lines)
        if line.result == "win" and line.winnings > 0 and line.wager in limit.covers
    ]
    excess = sum(lines[place].winnings for place in won) - limit.cents
    if excess <= 0:
        return lines
    order = (
        sorted(won, key=lambda place: -lines[place].winnings)
        if limit.shortens == "largest"
        else won[::-1]
    )
    shortened = list(lines)
    for place in order:
        line = shortened[place]
        cut = min(excess, line.winnings)
        if cut == 0:
            break
        excess -= cut
        shortened[place] = msgspec.structs.replace(
            line, net=line.net - cut, limited_by=limit.clause, forgone=line.forgone + cut
        )
    return shortened


def net_bounds(
    played: Round, seat: SeatInRound, wager: str, rules: Rules, meters: Mapping[str, int]
) -> tuple[int, int]:
    """Return the lowest and highest net of a wager, in cents. `meters` has the readings; a meter
    left out stands at its reset amount."""
    stakes = seat.wagers | seat.decided
    bonus = rules.book.bonuses.get(wager)
    if wager == MATCH_PLAY:
        return 0, seat.coupon
    if wager == "envy":
        return 0, _most_envy(played, seat, rules)
    stake = stakes.get(wager if bonus is None else bonus.on, 0)
    pays = _pays(wager, rules) if bonus is None else _lines([rules.paytable(bonus.paytable)])
    early = wager in flow_of(rules).taken_before_deal
    highest = max((_net(line, stake, rules, meters, early=early) for line in pays), default=0)
    for limit in limits_in_force(rules):
        if wager in limit.covers:
            highest = min(highest, limit.cents)
    return (-stake if bonus is None else 0), max(0, highest)


def _net(pays: Pays, stake: int, rules: Rules, meters: Mapping[str, int], *, early: bool) -> int:
    win = Ruling("win", "", Reason("hand_paid"), pays)
    shown = {**rules.resets, **meters}
    return net_of(win, stake, shown, rules.resets, taken_before_deal=early)


def _pays(wager: str, rules: Rules) -> Iterator[Pays]:
    """Yield every payment the wager can get; a wager that follows another at its odds has that
    wager's payments."""
    settles = rules.book.wagers[wager].settles
    if isinstance(settles, Follows):
        if settles.pays:
            yield parse_pays(settles.pays)
        else:
            yield from _pays(settles.wager, rules)
        return
    yield from _lines(table for _, _, table in tables_in_force(rules, settles))


def _lines(tables: Iterable[Paytable]) -> Iterator[Pays]:
    for table in tables:
        yield from (parse_pays(line.pays) for line in table.lines)


def _most_envy(played: Round, seat: SeatInRound, rules: Rules) -> int:
    """Return the Envy Bonus if everyone else at the table held the best hand of the Envy table."""
    envy = rules.book.envy
    if envy is None or envy.on not in seat.wagers:
        return 0
    letter = rules.chosen[getattr(rules.book.wagers[envy.on].settles, "paytable", "")]
    families = [rules.book.paytables[family] for family in envy.tables.values()]
    tables = [family[letter] for family in families if letter in family]
    best = max((_net(pays, 0, rules, {}, early=False) for pays in _lines(tables)), default=0)
    others = sum(neighbor.player != seat.player for neighbor in played.seats)
    return best * others * (seat.wagers[envy.on] if envy.per_dollar else 100) // 100
