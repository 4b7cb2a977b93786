"""A side wager that is lost with a fold, where all folds come before a community card is seen.

Who folds is then a matter of the two own cards: those hands are two more conditions beside the
lines of the wager, on ranks of one suit and on ranks of two, and the deals are counted as ever.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Final

import msgspec

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.rulebook import solution_of
from croupier.mathematics.game.payments import FOLDED, Loses
from croupier.mathematics.game.paytable_lines import Leaf, line_tests
from croupier.mathematics.side_wagers.deals import Counted, WagerTally, count_deals, tally_lines
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand, VersusPaytable

__all__ = ["is_folded_early", "tally_folded_early"]

_OWN: Final = "own cards"


def is_folded_early(rules: Rules, wager: str) -> bool:
    """A table on cards without envy, where all folds come before a community card is seen."""
    book = rules.book
    late = any(one.otherwise == "fold" and one.sees_community for one in book.decisions)
    envied = book.envy is not None and book.envy.on == wager
    return not late and not envied and isinstance(book.wagers[wager].settles, VersusPaytable)


def tally_folded_early(rules: Rules, settles: VersusPaytable) -> WagerTally:
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
    solution = solution_of(rules)
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
