"""A side wager that a fold loses, or that wins with others: exact under the best play of the main
game alone, where the rounds are told apart by what the wager is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from croupier.mathematics.game.course import is_lost_with_fold, led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Payment
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.rounds.played import PlayedRounds
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.deals import WagerTally
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import stake_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, VersusPaytable

__all__ = ["analyze_beside"]


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
    settles = rules.book.wagers[led_by(rules.book, wager)].settles
    assert isinstance(settles, VersusPaytable | AllWon)
    tally = _tally(rounds_of((wager,)), wager, settles)
    stake = stake_for(rules, wager, stake_cents)
    return figures_of(rules, wager, stake, tally, meters, others)


def _tally(rounds: PlayedRounds, wager: str, settles: VersusPaytable | AllWon) -> WagerTally:
    rules = rounds.rules
    found: Counter[tuple[str, Payment]] = Counter()
    if is_lost_with_fold(rules.book, rules.book.wagers[wager]):
        found[FOLDED, Loses()] = 0
    for betting in rounds.bettings:
        for place, outcome, deals in betting.cells:
            case = rounds.cases[place]
            paid = case.folded[wager] if betting.folded else case.paid[wager][outcome]
            found[paid.hand, paid.pays] += deals
    # The lines in their order, then pushes, the loss and the fold.
    lines = [line.hand for line in rules.paytable(settles.paytable).lines]
    order = [*lines, *getattr(settles, "returns", ()), "loses", FOLDED]
    listed = sorted(found.items(), key=lambda item: order.index(item[0][0]))
    return WagerTally(tuple([(*key, count) for key, count in listed]), rounds.total)
