"""Settle a completed round: every wager of every seat, to the cent, with the clause it rests on.

Pure: the round, the rules and the meters' readings go in, a settlement comes out. Seats are settled
completely, one after the other, counterclockwise (the highest seat number first), so a meter is
read, lowered and reset at each winner's turn. The Envy Bonus follows when all hands are known
(MD-29).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, cast

import msgspec

from croupier.cards import Card
from croupier.errors import BadCards, suggest
from croupier.money import Fixed, MeterShare, Pays, To
from croupier.rounds.envy import envy_lines
from croupier.rounds.held_hands import (
    HandPlan,
    Hands,
    hands_of_seat,
    hands_of_table,
    least_value,
    plans_of,
)
from croupier.rounds.legality import check_round, stakes_of
from croupier.rounds.payout_limits import LimitInForce, limits_in_force, shorten
from croupier.rounds.paytable_lines import PaidTable
from croupier.rounds.resolvers import (
    Resolve,
    Ruling,
    SettlingSeat,
    SettlingTable,
    net_of,
    resolver_of,
)
from croupier.rounds.state import CompletedRound, LineRecord, Reason, Stakes
from croupier.rulebooks.rules import Rules, progressive_wager


class SeatOutcome(msgspec.Struct, frozen=True):
    seat: int
    player: str
    hand: str
    value: int
    best: tuple[Card, ...]
    folded: bool
    lines: tuple[LineRecord, ...]
    holds: dict[str, str]
    """The value of each hand looked at, by the rulebook's name for it."""
    words: str
    """The hand as the dealer announces it."""

    @property
    def net(self) -> int:
        return sum(line.net for line in self.lines)


class DealerOutcome(msgspec.Struct, frozen=True):
    hand: str
    value: int
    best: tuple[Card, ...]
    qualifies: bool
    holds: str
    words: str


class Settlement(msgspec.Struct, frozen=True):
    """The settlement of a round: seats in the order given, meters as they stand after the last
    payment."""

    dealer: DealerOutcome | None
    seats: tuple[SeatOutcome, ...]
    meters: dict[str, int]


class _Game:
    """A rulebook in force, analyzed once so that rounds settle quickly."""

    def __init__(self, rules: Rules) -> None:
        book = rules.book
        self.rules = rules
        self.plans = plans_of(rules)
        self.resolvers = [
            (name, resolver_of(name, rules), wager.taken_before_deal)
            for name, wager in book.wagers.items()
        ]
        self.bonuses = [_ReadyBonus(name, rules) for name in book.bonuses]
        self._for_wagers: dict[tuple[str, ...], _ForWagers] = {}
        self.dealer = book.dealer
        self.qualifying = 0
        if book.dealer is not None:
            dealer = book.dealer
            self.qualifying = least_value(self.plans[dealer.hand], dealer.at_least, dealer.of)
        self.needs_box = {
            name
            for name, wager in book.wagers.items()
            if (hand := getattr(wager.settles, "hand", None)) is not None
            and any(place.startswith("box") for place in book.hands[hand].cards)
        }
        self.limits: tuple[LimitInForce, ...] = limits_in_force(rules)
        self.least_limit = min([limit.cents for limit in self.limits], default=0)
        self.progressive = progressive_wager(book)

    def for_wagers(self, wagers: Mapping[str, int]) -> _ForWagers:
        """Return what is needed to settle this set of wagers."""
        names = tuple(wagers)
        ready = self._for_wagers.get(names)
        if ready is None:
            ready = _ForWagers(
                [resolver for resolver in self.resolvers if resolver[0] in wagers],
                tuple([(plan.name, plan.written) for plan in self._looked_at(names)]),
                [bonus for bonus in self.bonuses if bonus.on in wagers],
            )
            if len(self._for_wagers) < _MOST_SETS:
                self._for_wagers[names] = ready
        return ready

    def _looked_at(self, wagers: tuple[str, ...]) -> Iterator[HandPlan]:
        """Yield the announced hand and the hands that side wagers look at. Bare cards have no value
        to write, so they are left out."""
        book = self.rules.book
        hands = [getattr(book.wagers[name].settles, "hand", "") for name in wagers]
        hands += [bonus.hand for bonus in book.bonuses.values() if bonus.on in wagers]
        for hand in dict.fromkeys((book.announces, *hands)):
            if hand and self.plans[hand].ranking.by != "nothing":
                yield self.plans[hand]


class _ForWagers(NamedTuple):
    """For one set of wagers: their resolvers in the rulebook's order, the hands looked at with the
    written form of each value, and the bonuses."""

    resolvers: list[tuple[str, Resolve, bool]]
    hands: tuple[tuple[str, dict[int, str]], ...]
    bonuses: list[_ReadyBonus]


class _ReadyBonus:
    """A bonus that is paid in addition to a wager, with its paytable prepared."""

    def __init__(self, name: str, rules: Rules) -> None:
        bonus = rules.book.bonuses[name]
        self.name, self.on, self._hand = name, bonus.on, bonus.hand
        self._table = PaidTable(rules.paytable(bonus.paytable), rules.book.patterns)
        self._reason = Reason("bonus", bonus.hand, bonus.paytable)

    def line(self, seat: SettlingSeat) -> LineRecord | None:
        """Return the line of the bonus, paid in units of the wager's stake. None if the hand was
        folded, the wager was taken back or the table has no line for the hand."""
        if seat.stakes.folded or self.on in seat.stakes.taken_back:
            return None
        paid = self._table.line(seat.hands, self._hand)
        if paid is None:
            return None
        pays = paid.pays
        cents = pays.cents if isinstance(pays, Fixed) else 0
        if isinstance(pays, To):
            cents = pays.winnings(seat.stakes[self.on])
        reason = msgspec.structs.replace(self._reason, line=paid.hand)
        return LineRecord(self.name, 0, "win", cents, paid.clause, reason, str(pays))


def _game(rules: Rules) -> _Game:
    game = rules.prepared.get(_Game)
    if game is None:
        game = rules.prepared[_Game] = _Game(rules)
    return cast(_Game, game)


class Settling:
    """A round played to its end, ready to be settled one seat after the other.

    The caller decides the order of seats: a meter is read, lowered and reset at each seat's turn.
    `stakes` are those of a round that was played command by command and already checked; without
    them the round is checked here. `dealt` is the number of players' hands dealt, if some of them
    are void.
    """

    def __init__(
        self,
        played: CompletedRound,
        rules: Rules,
        stakes: list[Stakes] | None = None,
        dealt: int = 0,
    ) -> None:
        game = self._game = _game(rules)
        self._played = played
        if stakes is None:
            check_round(played, rules)
            stakes = [stakes_of(seat, played, rules) for seat in played.seats]
        self._stakes = stakes
        needs_box = game.needs_box
        if needs_box and not played.box and any(not needs_box.isdisjoint(mine) for mine in stakes):
            raise BadCards(
                f"bonus_cards are missing: a wager on them is down, and {rules.book.cards.box} "
                "cards lie in the box",
                clause=rules.book.cards.box_clause or rules.book.cards.clause,
            )
        hands = hands_of_table(game.plans, played)
        self._hands = tuple([hands_of_seat(game.plans, hands, seat) for seat in played.seats])
        dealt = dealt or len(played.seats)
        value = 0 if game.dealer is None else hands[game.dealer.hand].value
        qualifies = game.dealer is None or value >= game.qualifying
        self._table = SettlingTable(hands, self._hands, qualifies, value, dealt, {})
        self._settles = [game.for_wagers(mine) for mine in stakes]
        self._rulings: dict[int, dict[str, Ruling]] = {}

    @property
    def dealer(self) -> DealerOutcome | None:
        return _dealer_outcome(self._game, self._table.hands)

    def lines(self, place: int, meters: dict[str, int]) -> list[LineRecord]:
        """Return the lines of the seat at this index. `meters` is changed to the readings after the
        payments."""
        seat = SettlingSeat(self._hands[place], self._stakes[place], {})
        self._rulings[place] = seat.rulings
        return _settle_seat(self._game, self._settles[place], seat, self._table, meters)

    def pays(self, place: int, wager: str) -> Pays | None:
        """Return the payment of a wager of a seat whose `lines` have been computed."""
        return self._rulings[place][wager].pays

    def written_lines(self, place: int) -> tuple[LineRecord, ...] | None:
        """Return the same lines from the cache. None if that is not possible: the progressive wins,
        or a payout limit may apply."""
        seat = SettlingSeat(self._hands[place], self._stakes[place], {})
        return _written_lines(self._game, self._settles[place], seat, self._table)

    def holds(self, place: int) -> dict[str, str]:
        """Return the value of each hand that settles the seat's wagers."""
        hands = self._hands[place]
        return {name: written[hands[name].value] for name, written in self._settles[place].hands}

    def envy(self, out: frozenset[int] = frozenset()) -> list[tuple[int, LineRecord]]:
        """Return a line for each place that is paid for an Envy hand, once every hand is known
        (MD-29). The hands at the places `out` pay nobody."""
        return envy_lines(self._played, self._stakes, self._hands, self._game.rules, out)

    def outcome(self, place: int, lines: list[LineRecord]) -> SeatOutcome:
        seat = self._played.seats[place]
        hands = self._hands[place]
        announced = self._game.rules.book.announces
        held = hands[announced]
        return SeatOutcome(
            seat=seat.number,
            player=seat.player,
            hand=held.name,
            value=held.value,
            best=hands.best(announced),
            folded=self._stakes[place].folded,
            lines=tuple(lines),
            holds=self.holds(place),
            words=hands.words(announced),
        )

    def hand(self, place: int) -> str:
        """Return the hand that the dealer announces for the seat."""
        return self._hands[place][self._game.rules.book.announces].name


def dealer_shows(played: CompletedRound, rules: Rules) -> tuple[str, bool, str]:
    """Return the dealer's hand as announced before any seat is settled, whether it qualifies, and
    its value."""
    game = _game(rules)
    assert game.dealer is not None
    hands = hands_of_table(game.plans, played)
    own = game.dealer.hand
    return hands[own].name, _qualifies(game, hands), hands.written(own)


def settle(
    played: CompletedRound, rules: Rules, meters: Mapping[str, int] | None = None
) -> Settlement:
    """Return the settlement of a round under the rules in force. Meters left out stand at their
    reset amounts."""
    shown = _meters(rules, meters or {})
    settling = Settling(played, rules)
    lines: list[list[LineRecord]] = [[] for _ in played.seats]
    for place in sorted(range(len(lines)), key=lambda place: -played.seats[place].number):
        lines[place] = settling.lines(place, shown)
    for place, line in settling.envy():
        lines[place].append(line)
    return Settlement(
        dealer=settling.dealer,
        seats=tuple([settling.outcome(place, mine) for place, mine in enumerate(lines)]),
        meters=shown,
    )


def _meters(rules: Rules, readings: Mapping[str, int]) -> dict[str, int]:
    for name in readings:
        if name not in rules.resets:
            raise suggest("meter", name, rules.resets)
    return {name: readings.get(name, reset) for name, reset in rules.resets.items()}


def _settle_seat(
    game: _Game,
    settles: _ForWagers,
    seat: SettlingSeat,
    table: SettlingTable,
    meters: dict[str, int],
) -> list[LineRecord]:
    lines = []
    for name, resolve, taken in settles.resolvers:
        stake = seat.stakes[name]
        ruling = seat.rulings[name] = resolve(seat, table)
        line = ruling.written.get(stake)
        if line is None:
            # A progressive's line is never cached: its award waits for a floorperson.
            if name == game.progressive or isinstance(ruling.pays, MeterShare):
                net = net_of(ruling, stake, meters, game.rules.resets, taken_before_deal=taken)
                line = _line(name, stake, ruling, net)
            else:
                line = written_line(name, stake, ruling, taken=taken)
        lines.append(line)
    lines += _bonus_lines(settles, seat)
    for limit in game.limits:
        lines = shorten(lines, limit)
    return lines


def _written_lines(
    game: _Game, settles: _ForWagers, seat: SettlingSeat, table: SettlingTable
) -> tuple[LineRecord, ...] | None:
    records: list[LineRecord] = []
    stakes, rulings = seat.stakes, seat.rulings
    for name, resolve, taken in settles.resolvers:
        stake = stakes[name]
        ruling = rulings[name] = resolve(seat, table)
        record = ruling.written.get(stake)
        if record is None:
            if name == game.progressive and ruling.result == "win":
                return None
            record = written_line(name, stake, ruling, taken=taken)
        records.append(record)
    if settles.bonuses:
        records += _bonus_lines(settles, seat)
    if game.limits and _won(records) > game.least_limit:
        return None  # the caller applies the limits
    return tuple(records)


def _bonus_lines(settles: _ForWagers, seat: SettlingSeat) -> list[LineRecord]:
    lines = [bonus.line(seat) for bonus in settles.bonuses]
    return [line for line in lines if line is not None]


def _won(lines: list[LineRecord]) -> int:
    return sum([line.stake + line.net for line in lines if line.result == "win"])


def written_line(name: str, stake: int, ruling: Ruling, *, taken: bool) -> LineRecord:
    """Return the line of a wager that no meter pays, and cache it while there is room."""
    net = net_of(ruling, stake, {}, {}, taken_before_deal=taken)
    record = _line(name, stake, ruling, net)
    if len(ruling.written) < MOST_STAKES:
        ruling.written[stake] = record
    return record


_MOST_SETS: Final = 1000
MOST_STAKES: Final = 200
"""The number of stakes cached per ruling: people bet the same amounts again and again."""


def _line(name: str, stake: int, ruling: Ruling, net: int) -> LineRecord:
    pays = ruling.pays
    return LineRecord(
        name,
        stake,
        ruling.result,
        net,
        ruling.clause,
        ruling.reason,
        "" if pays is None else str(pays),
        not ruling.stake_stays,
        from_meter=pays.meter if isinstance(pays, MeterShare) else "",
    )


def _qualifies(game: _Game, hands: Hands) -> bool:
    return game.dealer is None or hands[game.dealer.hand].value >= game.qualifying


def _dealer_outcome(game: _Game, hands: Hands) -> DealerOutcome | None:
    if game.dealer is None:
        return None
    held = hands[game.dealer.hand]
    best = hands.best(game.dealer.hand)
    written = hands.written(game.dealer.hand)
    words = hands.words(game.dealer.hand)
    return DealerOutcome(held.name, held.value, best, _qualifies(game, hands), written, words)
