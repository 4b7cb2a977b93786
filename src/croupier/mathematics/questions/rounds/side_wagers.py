"""A side wager that a fold loses, or that wins with others: exact under the best play of the main
game alone, where the rounds are told apart by what the wager is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from croupier.mathematics.game.course import is_lost_with_fold, led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Paid, Payment
from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.rounds.played import PlayedRounds
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.deals import WagerTally
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import stake_for
from croupier.money import MeterShare, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, EitherHandBeaten, HighestHand, VersusPaytable


def analyze_beside(
    rounds_of: Callable[[Sequence[str]], PlayedRounds],
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,  # noqa: ARG001 - no wager of this kind looks at other hands
) -> WagerAnalysis:
    """As `side_wagers.analysis.analyze_side`; `rounds_of` plays them."""
    check_side(rules, wager)
    if rules.book.envy is not None and rules.book.envy.on == wager:
        raise refused(wager, "the Envy Bonus of a wager that a fold loses")
    tally = Split.of(rounds_of((wager,)), wager).tally()
    stake = stake_for(rules, wager, stake_cents)
    return figures_of(rules, wager, stake, tally, meters, others)


class Split(NamedTuple):
    """The deals by the line that pays a side wager, those played on and those folded apart. A hand
    that is folded has the line that it would have been paid on, if that is known."""

    played: Mapping[tuple[str, Payment], int]
    folded: Mapping[tuple[str, Payment], int]
    order: tuple[str, ...]
    """Of the endings: lines, pushes, the loss."""
    is_lost_with_fold: bool

    @classmethod
    def of(cls, rounds: PlayedRounds, wager: str) -> Split:
        rules = rounds.rules
        led = led_by(rules.book, wager)
        endings = _endings(rules, led)
        # A wager that follows another may have odds of its own.
        listed = [(each.hand, each.pays) for each in endings if led == wager]
        played, folded = (Counter(dict.fromkeys(listed, 0)) for _ in range(2))
        for betting in rounds.bettings:
            deals_of = folded if betting.folded else played
            for place, outcome, deals in betting.cells:
                paid = rounds.cases[place].paid[wager][outcome]
                deals_of[paid.hand, paid.pays] += deals
        lost = is_lost_with_fold(rules.book, rules.book.wagers[wager])
        return cls(played, folded, tuple([each.hand for each in endings]), lost)

    @property
    def total(self) -> int:
        return sum(self.played.values()) + sum(self.folded.values())

    def tally(self) -> WagerTally:
        ordered = sorted(self.played.items(), key=lambda item: self.order.index(item[0][0]))
        endings = [(*end, deals) for end, deals in ordered]
        if self.is_lost_with_fold:
            endings.append((FOLDED, Loses(), sum(self.folded.values())))
        return WagerTally(tuple(endings), self.total)

    def folds_a_meter(self) -> bool:
        """Is a hand ever folded that would have been paid from a meter?"""
        ends = self.folded.items()
        return any(isinstance(pays, MeterShare) and deals for (_, pays), deals in ends)


def _endings(rules: Rules, wager: str) -> tuple[Paid, ...]:
    match rules.book.wagers[wager].settles:
        case AllWon() as settles:
            (line,) = rules.paytable(settles.paytable).lines[:1]
            return Paid(line.hand, parse_pays(line.pays)), Paid("loses", Loses())
        case HighestHand() as settles:
            return line_tests(rules, settles, "2").endings
        case EitherHandBeaten() | VersusPaytable() as settles:
            return line_tests(rules, settles).endings
    raise AssertionError(wager)
