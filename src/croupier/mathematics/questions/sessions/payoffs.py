"""How the side wagers of a seat end, by what the sweep tells apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.game.payments import Paid
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.sessions.line_facts import Hands, hands_at
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.by_strength import strength_bits
from croupier.mathematics.side_wagers.shape import check_side
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten, HighestHand, VersusPaytable

WON, TIED, LOST = range(3)


def cuts_of(rows: I64) -> I64:
    """The places at which any of the rows changes, 0 first."""
    changes = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


@dataclass(frozen=True)
class LineWager:
    """Settled by what the seat's own cards and the board show."""

    name: str
    tests: LineTests
    hands: Hands

    @cached_property
    def strengths(self) -> I64:
        """[suit, strength]: the bits of the leaves on all seven cards."""
        final = {leaf.hand for leaf in self.tests.leaves if self.hands[leaf.hand][0] == "final"}
        return strength_bits(self.tests.leaves, final) if final else np.zeros((4, VALUES.size), int)

    @cached_property
    def _endings(self) -> dict[int, Paid]:
        return {}

    def ending(self, held: int) -> Paid:
        """How the wager ends when these leaves hold."""
        if held not in self._endings:
            self._endings[held] = self.tests.ending(held)
        return self._endings[held]


@dataclass(frozen=True)
class TwoHandWager:
    """Settled by what one of the two hands shows: the beaten one, or the higher of the two."""

    name: str
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

    def ending(self, own: int, dealer: int, result: int) -> Paid:
        """For strengths of the player's and the dealer's hands, or any of their intervals. Where
        nobody's hand counts, the wager loses."""
        if not self.beaten:
            shown = dealer if result == LOST else own
        elif result == TIED or (result == WON and self.player_only):
            return self.tests.endings[-1]
        else:
            shown = own if result == LOST else dealer
        return self.tests.ending(int(self.strengths[shown]))


def side_wager(rules: Rules, name: str) -> LineWager | TwoHandWager:
    """A placed side wager, or an error that says what it would take."""
    check_side(rules, name)
    settles = rules.book.wagers[name].settles
    match settles:
        case VersusPaytable():
            wager = LineWager(name, line_tests(rules, settles), hands_at(rules))
            _check_places(wager)
            return wager
        case EitherHandBeaten():
            only = settles.loser == "player_only"
            return TwoHandWager(name, line_tests(rules, settles), settles.hand, True, only)
        case HighestHand():
            return TwoHandWager(name, line_tests(rules, settles, "2"), settles.hand, False)
    raise refused(
        f"{name} beside the main game", f"wagers.{name}.settles looks at another wager of the seat"
    )


def _check_places(wager: LineWager) -> None:
    for leaf in wager.tests.leaves:
        place = wager.hands[leaf.hand][0] if leaf.hand in wager.hands else None
        if place == "box":
            raise refused(
                f"{wager.name} beside the main game",
                f"hands.{leaf.hand} has cards of the box, which nobody else sees (alone the "
                "wager is solved: croupier analyze)",
            )
        if place not in ("pocket", "opening", "board", "final", "dealer_pocket"):
            raise refused(
                f"{wager.name} beside the main game",
                f"hands.{leaf.hand} is none of own cards, own cards with the flop, the board, all "
                "seven cards and the dealer's two",
            )
