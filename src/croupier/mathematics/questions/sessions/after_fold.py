"""A side wager that is lost with a fold: exact under the best play of the main game alone.

Such a wager is worth what the hands that are played on make of it, so it hangs on the strategy. The
player is taken to play the main game as if the side wager were not there, ties as `analyze` breaks
them (a bet before a check, a call before a fold). The sweep then counts every deal by how its
betting ended and by all that the wager looks at; those that were folded are an ending of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple, cast

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.rulebook import best_play, game_of
from croupier.mathematics.counters.boards.strategies import Strategy
from croupier.mathematics.game.payments import FOLDED, Loses
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.sessions.deal_marks import Marked, marked
from croupier.mathematics.questions.sessions.dealer_pairs import boards_of, couples_of
from croupier.mathematics.questions.sessions.envy_after_fold import envy_unless_folded
from croupier.mathematics.questions.sessions.folded_early import (
    is_folded_early,
    tally_folded_early,
)
from croupier.mathematics.questions.sessions.highest_after_fold import tally_kept
from croupier.mathematics.questions.sessions.payoffs import (
    LineWager,
    TwoHandWager,
    hands_at,
    side_wager,
)
from croupier.mathematics.questions.sessions.sweep import sweep
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.deals import Counted, WagerTally, tally_lines
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import stake_for
from croupier.money import MeterShare
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand, VersusPaytable

__all__ = ["Split", "analyze_lost_with_fold", "split_by_fold"]


class Split(NamedTuple):
    """The deals of a wager by the leaves that hold (None: nobody's hand is looked at), those played
    on and those folded apart."""

    wager: LineWager | TwoHandWager
    played: Mapping[int | None, int]
    folded: Mapping[int | None, int]

    @property
    def total(self) -> int:
        return sum(self.played.values()) + sum(self.folded.values())

    def tally(self) -> WagerTally:
        held = {leaves: deals for leaves, deals in self.played.items() if leaves is not None}
        tally = tally_lines(self.wager.tests, Counted(held, self.total))
        *paid, (hand, pays, lost) = tally.endings
        last = (hand, pays, lost + self.played.get(None, 0))
        folded = (FOLDED, Loses(), sum(self.folded.values()))
        return WagerTally((*paid, last, folded), self.total)

    def folds_a_meter(self) -> bool:
        """Is a hand ever folded that would have been paid from a meter?"""
        return any(
            isinstance(self.wager.tests.ending(leaves).pays, MeterShare)
            for leaves, deals in self.folded.items()
            if leaves is not None and deals
        )


def analyze_lost_with_fold(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """As `sides.analysis.analyze_side`, for a wager that a fold loses."""
    check_side(rules, wager)
    _check_main(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    settles = rules.book.wagers[wager].settles
    if is_folded_early(rules, wager):
        assert isinstance(settles, VersusPaytable)
        tally = tally_folded_early(rules, settles)
        return figures_of(rules, wager, stake, tally, meters, others)
    envy = envy_unless_folded(rules, wager, stake)
    if isinstance(settles, HighestHand) and hands != 2:
        tally = tally_kept(rules, settles, hands)
    else:
        tally = split_by_fold(rules, wager).tally()
    return figures_of(rules, wager, stake, tally, meters, others, hands=hands, envy=envy)


def _check_main(rules: Rules, wager: str) -> None:
    """The wager hangs on what is folded, so the main game must be one that is solved."""
    hangs = f"wagers.{wager}.after_fold is 'loses', so it hangs on what is folded"
    try:
        game = game_of(rules)
    except Unsolvable as error:
        raise refused(wager, f"{hangs}, and {error}") from None
    if game.ranking is not None and not is_folded_early(rules, wager):
        what = "a table on cards, where all folds come before a community card is seen"
        raise refused(wager, f"{hangs}, in a game of another deck or order of hands", what)


def split_by_fold(rules: Rules, wager: str) -> Split:
    """Every deal of the wager, sorted by the sweep under the best play of the main game."""
    known = cast(dict[str, Split], rules.prepared.setdefault(Split, {}))
    if wager not in known:
        known[wager] = _split(rules, wager)
    return known[wager]


def _split(rules: Rules, wager: str) -> Split:
    game = game_of(rules)
    placed = side_wager(rules, wager, 100, rules.resets)
    lines = [placed] if isinstance(placed, LineWager) else []
    pairs = [placed] if isinstance(placed, TwoHandWager) else []
    marks = marked(rules, game, lines, pairs)
    strategy = best_play(rules)
    endings, deals = sweep(strategy, marks.marks)
    played: Counter[int | None] = Counter()
    folded: Counter[int | None] = Counter()
    for place in np.argwhere(deals).tolist():
        found = folded if endings[place[0]].folded else played
        count = int(deals[tuple(place)])
        for held, share in _held(placed, marks, *place[1:]).items():
            assert count * share % 96 == 0
            found[held] += count * share // 96
    if isinstance(placed, LineWager):
        for path, held, change in _dealt_apart(rules, strategy, placed):
            (folded if path.folded else played)[held] += change
    return Split(placed, played, folded)


def _held(
    wager: LineWager | TwoHandWager, marks: Marked, label: int, board: int, interval: int, cell: int
) -> Counter[int | None]:
    """The leaves that hold in a cell of the sweep, with their shares in 96: 24 exchanges of suits
    times the four suits that a flush can have."""
    own = int(marks.marks.edges[interval])
    if isinstance(wager, TwoHandWager):
        dealer, result = divmod(cell, 3)
        facing = int(marks.marks.thresholds[dealer - 1]) if dealer else 0
        shown = wager.shown(own, facing, result)
        return Counter({None if shown is None else int(wager.strengths[shown]): 96})
    shares: Counter[int | None] = Counter()
    (on_board,) = marks.boards[board]
    for ((code,), times), suit in product(marks.images[label], range(4)):
        shares[code | on_board | int(wager.strengths[suit, own])] += times
    return shares


def _dealt_apart(
    rules: Rules, strategy: Strategy, wager: LineWager
) -> Iterator[tuple[Path, int, int]]:
    """Deals to be moved from one set of leaves to another, for lines on the dealer's two cards; and
    the path by which the player comes to the end."""
    hands, tests = hands_at(rules), wager.tests
    places = {hands[leaf.hand][0] for leaf in tests.leaves}
    if "dealer_pocket" not in places:
        return
    if places != {"pocket", "dealer_pocket"}:
        raise Unsolvable("lines on the dealer's cards and others beside them are not computed")

    def changes(own: int, theirs: int) -> bool:
        return tests.ending(own | theirs).pays != tests.ending(own).pays

    nothing = np.zeros(1, np.int64)
    for couple in couples_of(tests.leaves, hands, changes):
        for at in boards_of(couple, strategy, [tests.leaves], hands, nothing, nothing):
            yield at.path, couple.alone, -at.deals * couple.weight
            yield at.path, couple.alone | couple.held, at.deals * couple.weight
