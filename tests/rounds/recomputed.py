"""The reason of every settled line, worked out once more from the cards by the oracle's ranking.

Nothing here asks the resolvers: hands are found by trying every five cards, compared, and looked up
among the paytable's lines by their category.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from croupier.cards import Card
from croupier.rounds.round_flow import answers_of
from croupier.rounds.settlement import Settlement
from croupier.rounds.state import CompletedRound, LineRecord, Round, SeatInRound
from croupier.rulebooks.bundled import GAMES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Line,
    Outcome,
    VersusDealer,
    VersusPaytable,
)
from tests.oracle import hands as oracle

CATEGORIES = {*oracle.CATEGORIES, "mini_royal"}


@dataclass
class SeatAtEnd:
    number: int
    player: str
    cards: tuple[Card, ...]
    folded: bool
    lines: Sequence[LineRecord]
    holds: dict[str, str]
    lost_as: str = ""
    """Where everything is lost because the player left."""
    denied: bool = False
    void_as: str = ""
    taken_back: Collection[str] = ()
    returned: Collection[str] = ()


@dataclass
class RoundAtEnd:
    rules: Rules
    community: tuple[Card, ...]
    dealer: tuple[Card, ...]
    box: tuple[Card, ...]
    seats: list[SeatAtEnd]
    dealer_holds: str = ""
    met: set[str] = field(default_factory=set)

    def check(self) -> set[str]:
        """Every line of every seat; the codes that were met."""
        if self.dealer_holds:
            assert self.rules.book.dealer is not None
            value = self._value(self.rules.book.dealer.hand, self.seats[0])
            assert self.dealer_holds == _written(value)
        for seat in self.seats:
            for name, written in seat.holds.items():
                self._check_held(name, written, seat)
            for line in seat.lines:
                code = self._code(line, seat)
                assert line.reason.code == code, (code, line, seat)
                self.met.add(code)
        return self.met

    def _check_held(self, name: str, written: str, seat: SeatAtEnd) -> None:
        if self.rules.book.hands[name].ranking == "five_card":
            assert written == _written(self._value(name, seat))
        else:
            assert written.split(maxsplit=1)[0] == self._category(name, seat)

    # -- hands ---------------------------------------------------------------------------------

    def _cards(self, name: str, seat: SeatAtEnd) -> list[oracle.Card]:
        lie = {
            "player": seat.cards,
            "community": self.community,
            "dealer": self.dealer,
            "box": self.box,
        }
        cards: list[oracle.Card] = []
        for place in self.rules.book.hands[name].cards:
            where, _, count = place.partition(":")
            found = lie[where][: int(count)] if count else lie[where]
            cards += [oracle.parse_card(str(card)) for card in found]
        return cards

    def _value(self, name: str, seat: SeatAtEnd) -> oracle.Value:
        return oracle.best_value(self._cards(name, seat))

    def _category(self, name: str, seat: SeatAtEnd) -> str:
        hand, cards = self.rules.book.hands[name], self._cards(name, seat)
        if hand.ranking == "two_card":
            return oracle.two_card_name(cards, hand.ace_low)
        if hand.ranking == "three_card":
            return oracle.three_card_name(cards, hand.ace_low)
        return oracle.best_name(cards) if hand.ranking == "five_card" else ""

    # -- reasons -------------------------------------------------------------------------------

    def _code(self, line: LineRecord, seat: SeatAtEnd) -> str:
        if line.wager in seat.taken_back:
            assert (line.result, line.net) == ("push", 0)
            return "taken_back"
        if line.wager in seat.returned:
            assert (line.result, line.net) == ("void", 0)
            return "not_accepted"
        if line.result == "void":
            return seat.void_as or "wager_void"
        if seat.lost_as:
            return seat.lost_as
        if line.wager == "envy":
            return self._envy(line, seat)
        bonus = self.rules.book.bonuses.get(line.wager)
        if bonus is not None:
            assert not seat.folded
            self._check_line(line, self._category(bonus.hand, seat))
            return "bonus"
        wager = self.rules.book.wagers[line.wager]
        if seat.denied and line.wager == "progressive":
            return "not_confirmed"
        if seat.folded and (wager.after_fold == "loses" or isinstance(wager.settles, VersusDealer)):
            return "folded"
        match wager.settles:
            case VersusDealer() as settles:
                return self._versus_dealer(line, settles, seat)
            case VersusPaytable() as settles:
                self._check_line(line, self._category(settles.hand, seat))
                return _by_result(line, "hand_paid", "hand_returned", "below_paytable")
            case EitherHandBeaten() as settles:
                return self._bad_beat(line, settles, seat)
            case HighestHand() as settles:
                return self._best_hand(line, settles)
            case AllWon() as settles:
                won = {x.wager for x in seat.lines if x.result == "win"}
                return "all_won" if won.issuperset(settles.wagers) else "not_all_won"
            case Follows() as settles:
                assert line.reason.follows == settles.wager
                (led,) = (x for x in seat.lines if x.wager == settles.wager)
                assert led.result == line.result
                return self._code(led, seat)

    def _versus_dealer(self, line: LineRecord, settles: VersusDealer, seat: SeatAtEnd) -> str:
        dealer = self.rules.book.dealer
        assert dealer is not None
        mine, theirs = self._value(settles.hand, seat), self._value(dealer.hand, seat)
        least = (
            oracle.CATEGORIES.index(dealer.at_least),
            tuple(oracle.RANKS.index(rank) + 2 for rank in dealer.of),
        )
        showdown = settles.qualified
        if theirs < least and settles.unqualified is not None:
            showdown = settles.unqualified
        where, code = (
            ("higher", "beat_dealer")
            if mine > theirs
            else ("lower", "lost_to_dealer")
            if mine < theirs
            else ("equal", "tied_dealer")
        )
        outcome, usual = getattr(showdown, where), getattr(settles.qualified, where)
        if outcome.do == "pay":
            self._check_line(line, oracle.CATEGORIES[mine[0]], outcome)
        if outcome.do not in (usual.do, (usual.otherwise or usual).do):
            return "dealer_did_not_qualify"
        waived = showdown is settles.unqualified and showdown.higher.do == "return"
        return "dealer_did_not_qualify" if waived and outcome.do == "return" else code

    def _bad_beat(self, line: LineRecord, settles: EitherHandBeaten, seat: SeatAtEnd) -> str:
        dealer = self.rules.book.dealer
        assert dealer is not None
        mine, theirs = self._value(settles.hand, seat), self._value(dealer.hand, seat)
        beaten, name = (mine, settles.hand) if mine < theirs else (theirs, dealer.hand)
        paid = [x.hand for x in self.rules.paytable(settles.paytable).lines]
        only_mine = settles.loser == "player_only" and mine > theirs
        if mine == theirs or only_mine or oracle.CATEGORIES[beaten[0]] not in paid:
            return "no_bad_beat"
        assert (line.reason.hand, line.reason.line) == (name, oracle.CATEGORIES[beaten[0]])
        return "bad_beat"

    def _best_hand(self, line: LineRecord, settles: HighestHand) -> str:
        values = [
            self._value(settles.hand, seat)
            for seat in self.seats
            if any(one.result != "void" for one in seat.lines)
        ]
        if self.rules.book.dealer is not None:
            values.append(self._value(self.rules.book.dealer.hand, self.seats[0]))
        count = len(self.seats) + (self.rules.book.dealer is not None)
        assert line.reason.table_id == str(count)
        self._check_line(line, oracle.CATEGORIES[max(values)[0]])
        return _by_result(line, "best_hand_paid", "best_hand_returned", "best_hand_unpaid")

    def _envy(self, line: LineRecord, seat: SeatAtEnd) -> str:
        envy = self.rules.book.envy
        assert envy is not None
        assert line.reason.met
        for number, hand in line.reason.met.items():
            (holder,) = (other for other in self.seats if other.number == number)
            assert holder.player != seat.player
            families = [self.rules.book.paytables[family] for family in envy.tables.values()]
            tables = [table for family in families for table in family.values()]
            covers = {c for x in tables for y in x.lines if y.hand == hand for c in _covers(y)}
            if covers <= CATEGORIES:
                assert self._category(envy.hand, holder) in covers
        return "envy"

    def _check_line(self, line: LineRecord, category: str, outcome: Outcome | None = None) -> None:
        """Does the line that paid fit the hand; and where none paid, is none of the category there?
        Lines that ask for more than the category are left to the tests of paytables."""
        reason = line.reason
        if outcome is not None:
            assert reason.table == outcome.paytable
        table = self.rules.paytable(reason.table, reason.table_id or None)
        if not reason.line:
            assert not any(category in _covers(x) for x in table.lines)
            return
        (paid,) = (x for x in table.lines if x.hand == reason.line)
        assert paid.clause == line.clause
        if set(_covers(paid)) <= CATEGORIES:
            assert category in _covers(paid)


def _covers(line: Line) -> tuple[str, ...]:
    return line.covers or (line.hand,)


def _by_result(line: LineRecord, win: str, push: str, lose: str) -> str:
    if line.result == "push" and line.reason.line:
        return win
    return {"win": win, "push": push, "lose": lose}[line.result]


def _written(value: oracle.Value) -> str:
    category, ranks = value
    return f"{oracle.CATEGORIES[category]} {''.join(oracle.RANKS[rank - 2] for rank in ranks)}"


def check_settlement(played: CompletedRound, settlement: Settlement, rules: Rules) -> set[str]:
    seats = [
        SeatAtEnd(x.number, x.player, x.cards, y.folded, y.lines, y.holds)
        for x, y in zip(played.seats, settlement.seats, strict=True)
    ]
    dealer = settlement.dealer
    return RoundAtEnd(
        *(rules, played.community, played.dealer, played.box, seats),
        "" if dealer is None else dealer.holds,
    ).check()


def is_known_to_the_oracle(rules: Rules) -> bool:
    """It compares five-card hands, and finds a line by the name of a hand alone."""
    book = rules.book
    compared = [book.announces] + ([book.dealer.hand] if book.dealer is not None else [])
    ranked = all(book.hands[name].ranking == "five_card" for name in compared)
    return ranked and not book.rankings and book.id not in GAMES


def check_round(state: Round, rules: Rules) -> set[str]:
    """A round of the engine in which every seat has been settled."""
    return RoundAtEnd(
        *(rules, state.community, state.dealer, state.box),
        [_at_end(state, seat, rules) for seat in state.seats],
        state.dealer_holds,
    ).check()


def _at_end(state: Round, seat: SeatInRound, rules: Rules) -> SeatAtEnd:
    said = answers_of(seat, rules)
    forfeits = rules.book.procedure.left_undecided == "loses" and len(said) > len(seat.actions)
    return SeatAtEnd(
        *(seat.number, seat.player, seat.cards),
        folded="fold" in said and not state.void,
        lines=seat.lines,
        holds=seat.holds,
        lost_as="abandoned"
        if seat.abandoned
        else "left_undecided"
        if forfeits and not state.void
        else "",
        denied=any(line.reason.code == "not_confirmed" for line in seat.lines),
        void_as="hand_void" if seat.void else "all_hands_void" if state.void else "",
        taken_back=seat.taken_back,
        returned=seat.returned,
    )
