"""What every wager of a seat comes to, in cents, for each thing the sweep tells apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.model import Loses, Payment
from croupier.mathematics.payout_limits import WagerResult
from croupier.mathematics.questions.sessions.line_facts import HandPlace, place_of, strength_bits
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.paytable_lines import LineTests, check_suits
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import net_cents
from croupier.money import For, Push, To
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    EitherHandBeaten,
    Hand,
    HighestHand,
    Outcome,
    VersusDealer,
    VersusPaytable,
)

__all__ = ["LineWager", "MainWager", "TwoHandWager", "hands_at", "side_wager"]

WON, TIED, LOST = range(3)
_OfLine: TypeAlias = Callable[[Payment, int, bool], int]


def hands_at(rules: Rules) -> dict[str, tuple[HandPlace, Hand]]:
    """The named hands that lie where the sweep looks."""
    found = {}
    for name, hand in rules.book.hands.items():
        place = place_of(hand, rules.book.cards)
        if place is not None:
            found[name] = (place, hand)
    return found


class MainWager:
    """A wager against the dealer, and the bonuses on it: cents by strength."""

    def __init__(self, rules: Rules, name: str) -> None:
        settles = rules.book.wagers[name].settles
        if not isinstance(settles, VersusDealer):
            raise Unsolvable(f"{name!r} is not settled against the dealer")
        self.rules, self.settles, self.name = rules, settles, name
        self._amounts: dict[int, dict[str, tuple[I64, I64]]] = {}

    def results(self, stake: int, qualified: int, result: int, own: int) -> Iterator[WagerResult]:
        """Of the wager and of each bonus on it, for a hand of this strength."""
        for name, (nets, winnings) in self._by_wager(stake).items():
            place = (qualified, result, own)
            yield WagerResult(name, int(nets[place]), int(winnings[place]))

    def _by_wager(self, stake: int) -> dict[str, tuple[I64, I64]]:
        """[qualified, result, strength]: the nets, and what a payout limit measures of them."""
        if stake not in self._amounts:
            amounts = {self.name: self._of_wager(stake)}
            for name, bonus in self.rules.book.bonuses.items():
                if bonus.on == self.name:
                    nothing = Outcome(do="return")
                    paid = Outcome(do="pay", paytable=bonus.paytable, otherwise=nothing)
                    cents = self._cents(paid, stake, _line_net)
                    nets = np.broadcast_to(cents, (2, 3, VALUES.size))
                    amounts[name] = nets, nets
            self._amounts[stake] = amounts
        return self._amounts[stake]

    def _of_wager(self, stake: int) -> tuple[I64, I64]:
        unqualified = self.settles.unqualified or self.settles.qualified
        outcomes = [
            (showdown.higher, showdown.equal, showdown.lower)
            for showdown in (unqualified, self.settles.qualified)
        ]
        nets, winnings = (
            np.array([[self._cents(each, stake, line) for each in row] for row in outcomes])
            for line in (_line_net, _line_winnings)
        )
        return nets, np.maximum(winnings, 0)

    def cuts(self) -> I64:
        """Where its payment changes as strength grows."""
        amounts = [both for pair in self._by_wager(200).values() for both in pair]
        return cuts_of(np.concatenate([each.reshape(6, -1) for each in amounts]))

    def _cents(self, outcome: Outcome, stake: int, of_line: _OfLine) -> I64:
        """[strength]"""
        if outcome.do != "pay":
            return np.full(VALUES.size, -stake if outcome.do == "collect" else 0, np.int64)
        table = self.rules.paytable(outcome.paytable)
        tests = LineTests(table, self.rules.book.patterns, self.settles.hand)
        bits = strength_bits(tests.leaves, {self.settles.hand})
        if (bits != bits[0]).any():
            raise Unsolvable(f"{outcome.paytable}: the main game does not know suits")
        lost = Outcome(do="collect", clause=table.clause)
        rest = self._cents(outcome.otherwise or lost, stake, of_line)
        amounts = [of_line(line.pays, stake, outcome.stake_stays) for line in tests.lines]
        held, where = np.unique(bits[0], return_inverse=True)
        out = rest.copy()
        for number, leaves in enumerate(held.tolist()):
            line = tests.line(leaves)
            if line is not None:
                out[where == number] = amounts[line]
        return out


def _line_net(pays: Payment, stake: int, stays: bool) -> int:
    """Odds 'to' are paid beside the stake, which may be collected all the same."""
    if isinstance(pays, To):
        return pays.winnings(stake) - (0 if stays else stake)
    if isinstance(pays, For):
        return pays.winnings(stake)
    assert isinstance(pays, Push), pays
    return 0


def _line_winnings(pays: Payment, stake: int, stays: bool) -> int:
    """What a payout limit measures: a collected stake takes nothing off it."""
    net = _line_net(pays, stake, stays)
    return net if stays or isinstance(pays, Push) else net + stake


def cuts_of(rows: I64) -> I64:
    """The places at which any of the rows changes, 0 first."""
    changes = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


@dataclass(frozen=True)
class SideWager:
    """A wager beside the main game."""

    rules: Rules
    name: str
    stake: int
    meters: Mapping[str, int]

    @property
    def lost_with_fold(self) -> bool:
        return self.rules.book.wagers[self.name].after_fold == "loses"

    def cents(self, pays: Payment) -> int:
        taken = self.rules.book.wagers[self.name].taken_before_deal
        return net_cents(pays, self.stake, self.meters, taken_before_deal=taken)


@dataclass(frozen=True)
class LineWager(SideWager):
    """Settled by what the seat's own cards and the board show."""

    tests: LineTests

    @cached_property
    def strengths(self) -> I64:
        """[suit, strength]: the bits of the leaves on all seven cards."""
        hands = hands_at(self.rules)
        final = {leaf.hand for leaf in self.tests.leaves if hands[leaf.hand][0] == "final"}
        return strength_bits(self.tests.leaves, final) if final else np.zeros((4, VALUES.size), int)

    @cached_property
    def _known(self) -> dict[int, int]:
        return {}

    def net(self, held: int) -> int:
        if held not in self._known:
            self._known[held] = self.cents(payment_of(self.tests, held))
        return self._known[held]


@dataclass(frozen=True)
class TwoHandWager(SideWager):
    """Settled by what one of the two hands shows: the beaten one, or the higher of the two."""

    tests: LineTests
    hand: str
    beaten: bool
    player_only: bool = False

    @cached_property
    def strengths(self) -> I64:
        """[strength]: the bits of the leaves."""
        bits = strength_bits(self.tests.leaves, {self.hand})
        if (bits != bits[0]).any():
            raise Unsolvable(f"{self.name}: the suit of a hand of two people is not told apart")
        own: I64 = bits[0]
        return own

    @cached_property
    def by_strength(self) -> I64:
        """The cents that a hand of each strength is paid."""
        held, where = np.unique(self.strengths, return_inverse=True)
        paid = [self.cents(payment_of(self.tests, leaves)) for leaves in held.tolist()]
        return np.array(paid, np.int64)[where]

    def cuts(self) -> I64:
        return cuts_of(self.strengths[None])

    def shown(self, own: int, dealer: int, result: int) -> int | None:
        """The strength that is looked at; None where nobody's is, and the wager loses."""
        if not self.beaten:
            return dealer if result == LOST else own
        if result == TIED or (result == WON and self.player_only):
            return None
        return own if result == LOST else dealer

    def net(self, own: int, dealer: int, result: int) -> int:
        """For strengths of the player's and the dealer's hands, or any of their intervals."""
        shown = self.shown(own, dealer, result)
        return -self.stake if shown is None else int(self.by_strength[shown])


def payment_of(tests: LineTests, held: int) -> Payment:
    line = tests.line(held)
    if line is not None:
        return tests.lines[line].pays
    return Push() if tests.returned(held) is not None else Loses()


def side_wager(
    rules: Rules, name: str, stake: int, meters: Mapping[str, int]
) -> LineWager | TwoHandWager:
    """A placed side wager, or an error that says what it would take."""
    check_side(rules, name)
    settles = rules.book.wagers[name].settles
    patterns = rules.book.patterns
    match settles:
        case VersusPaytable():
            tests = LineTests(
                rules.paytable(settles.paytable),
                patterns,
                settles.hand,
                tested_first=settles.tested_first,
                returns=settles.returns,
            )
            check_suits(tests, rules.book)
            _check_places(rules, name, tests)
            return LineWager(rules, name, stake, meters, tests)
        case EitherHandBeaten():
            tests = LineTests(rules.paytable(settles.paytable), patterns, settles.hand)
            only = settles.loser == "player_only"
            return TwoHandWager(rules, name, stake, meters, tests, settles.hand, True, only)
        case HighestHand():
            table = rules.paytable(settles.paytable, "2")
            tests = LineTests(table, patterns, settles.hand, returns=settles.returns)
            return TwoHandWager(rules, name, stake, meters, tests, settles.hand, False)
    raise refused(
        f"{name} beside the main game", f"wagers.{name}.settles looks at another wager of the seat"
    )


def _check_places(rules: Rules, name: str, tests: LineTests) -> None:
    hands = hands_at(rules)
    for leaf in tests.leaves:
        place = hands[leaf.hand][0] if leaf.hand in hands else None
        if place == "box":
            raise refused(
                f"{name} beside the main game",
                f"hands.{leaf.hand} has cards of the box, which nobody else sees (alone the "
                "wager is solved: croupier analyze)",
            )
        if place not in ("pocket", "opening", "board", "final", "dealer_pocket"):
            raise refused(
                f"{name} beside the main game",
                f"hands.{leaf.hand} is none of own cards, own cards with the flop, the board, all "
                "seven cards and the dealer's two",
            )
