"""A side wager that is lost with a fold, where all folds come before a community card is seen.

Who folds is then a matter of the two own cards: those hands are two more conditions beside the
lines of the wager, on ranks of one suit and on ranks of two, and the deals are counted as ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Final

import msgspec

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.several_bets.rulebook import bets_solution_of
from croupier.mathematics.game.payments import FOLDED, Loses
from croupier.mathematics.game.paytable_lines import Leaf, line_tests
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.deals import Counted, count_deals
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.side_wagers.wager_tallies import WagerTally, tally_lines
from croupier.mathematics.stakes import stake_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand, VersusPaytable

__all__ = ["analyze_lost_with_fold"]

_OWN: Final = "own cards"


def analyze_lost_with_fold(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,  # noqa: ARG001 - of a wager on the highest hand, which is refused
) -> WagerAnalysis:
    check_side(rules, wager)
    settles = _countable(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    tally = _tally(rules, settles)
    return figures_of(rules, wager, stake, tally, meters, others)


def _countable(rules: Rules, wager: str) -> VersusPaytable:
    book = rules.book
    late = next((d for d in book.decisions if d.otherwise == "fold" and d.sees_community), None)
    settles = book.wagers[wager].settles
    why = ""
    if late is not None:
        why = f"at {late.name!r} a fold hangs on community cards"
    elif not isinstance(settles, VersusPaytable):
        why = f"wagers.{wager} is not settled by a paytable"
    elif book.envy is not None and book.envy.on == wager:
        why = "envy of hands that are folded is not counted"
    if why:
        what = "a table on cards, where all folds come before a community card is seen"
        raise refused(wager, f"wagers.{wager}.after_fold is 'loses', and {why}", what)
    assert isinstance(settles, VersusPaytable)
    return settles


def _tally(rules: Rules, settles: VersusPaytable) -> WagerTally:
    own = Hand(cards=("player",), ranking="cards", clause="")
    book = msgspec.structs.replace(rules.book, hands=rules.book.hands | {_OWN: own})
    tests = line_tests(rules, settles)
    known = len(tests.leaves)
    counted = count_deals((*tests.leaves, *_folded_hands(rules)), settles.hand, book)
    played: Counter[int] = Counter()
    for held, deals in counted.by_leaves.items():
        if not held >> known:
            played[held] += deals
    kept = sum(played.values())
    endings = tally_lines(tests, Counted(played, kept)).endings
    folded = (FOLDED, Loses(), counted.total - kept)
    return WagerTally((*endings, folded), counted.total)


def _folded_hands(rules: Rules) -> list[Leaf]:
    """The own cards that the best play folds, as conditions: of two suits, and of one."""
    solution = bets_solution_of(rules)
    stage, game = solution.stages[0], solution.game
    (answers,) = stage.level.leaving
    folds = [path.folded for path in answers]
    actions, orbits = stage.actions(stage.level.arriving[0]), orbits_of(game.deck, 0)
    ranks = [RANKS.index(rank) for rank in rules.book.deck.ranks]
    found: dict[bool, list[str]] = {False: [], True: []}
    for low, high in combinations_with_replacement(sorted(ranks), 2):
        for suited in (False, True) if low != high else (False,):
            one, other = (low, high) if suited else (low, 13 + high)
            number = other * (other - 1) // 2 + one
            if folds[int(actions[orbits.number[number]])]:
                found[suited].append(RANKS[high] + RANKS[low])
    return [
        Leaf(_OWN, ranks=tuple(names), suited=suited) for suited, names in found.items() if names
    ]
