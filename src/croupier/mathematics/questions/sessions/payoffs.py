"""What the side wagers of a seat come to, in cents, for each thing the sweep tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.game.payments import Payment, net_cents
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.sessions.line_facts import HandPlace, place_of
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.by_strength import strength_bits
from croupier.mathematics.side_wagers.shape import check_side
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten, Hand, HighestHand, VersusPaytable

__all__ = ["LineWager", "TwoHandWager", "cuts_of", "hands_at", "side_wager"]

WON, TIED, LOST = range(3)


def hands_at(rules: Rules) -> dict[str, tuple[HandPlace, Hand]]:
    """The named hands that lie where the sweep looks."""
    found = {}
    for name, hand in rules.book.hands.items():
        place = place_of(hand, rules.book.cards)
        if place is not None:
            found[name] = (place, hand)
    return found


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
            self._known[held] = self.cents(self.tests.ending(held).pays)
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
        paid = [self.cents(self.tests.ending(leaves).pays) for leaves in held.tolist()]
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


def side_wager(
    rules: Rules, name: str, stake: int, meters: Mapping[str, int]
) -> LineWager | TwoHandWager:
    """A placed side wager, or an error that says what it would take."""
    check_side(rules, name)
    settles = rules.book.wagers[name].settles
    match settles:
        case VersusPaytable():
            tests = line_tests(rules, settles)
            _check_places(rules, name, tests)
            return LineWager(rules, name, stake, meters, tests)
        case EitherHandBeaten():
            only = settles.loser == "player_only"
            tests = line_tests(rules, settles)
            return TwoHandWager(rules, name, stake, meters, tests, settles.hand, True, only)
        case HighestHand():
            tests = line_tests(rules, settles, "2")
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
