"""A side wager on one's own cards that is lost with a fold: exact under the best play of the main
game alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.mathematics.counters.opponents.payoffs import LineEnding
from croupier.mathematics.counters.opponents.solver import solve
from croupier.mathematics.model import Loses, WagerAnalysis
from croupier.mathematics.questions.sessions.opponents import game_beside
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.wager_tallies import WagerTally
from croupier.mathematics.stakes import stake_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusPaytable

__all__ = ["analyze_lost_with_fold"]

_FOLDED = LineEnding("folded", Loses())


def analyze_lost_with_fold(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,  # noqa: ARG001 - no wager of this kind looks at other hands
) -> WagerAnalysis:
    """As `side_analysis.analyze_side`, for a wager that a fold loses."""
    envy = rules.book.envy
    if envy is not None and envy.on == wager:
        raise refused(wager, "the Envy Bonus of a wager that a fold loses")
    solution = solve(game_beside(rules, {wager: None}))
    game = solution.game
    found: Counter[LineEnding] = Counter()
    for action, deals in enumerate(solution.deals.sum(axis=2).tolist()):
        folded = game.folds and action == len(game.bets)
        for case, count in zip(game.cases, deals, strict=True):
            found[_FOLDED if folded else dict(case.sides)[wager]] += count
    settles = rules.book.wagers[wager].settles
    assert isinstance(settles, VersusPaytable)
    lines = [line.hand for line in rules.paytable(settles.paytable).lines]
    order = [*dict.fromkeys((*lines, *settles.returns)), "loses", "folded"]
    endings = sorted(found, key=lambda ending: order.index(ending.hand))
    tally = WagerTally(tuple((*ending, found[ending]) for ending in endings), game.deals)
    stake = stake_for(rules, wager, stake_cents)
    tables = {settles.paytable: rules.chosen[settles.paytable]}
    return figures_of(rules, wager, stake, tally, tables, meters, others, ((), 1))
