"""A side wager of hold'em that is lost with a fold: exact under the best play of the main game.

Such a wager is worth what the hands that are played on make of it, so it depends on the strategy.
The player is taken to play the main game as if the side wager were not there, ties as `analyze`
breaks them (a bet before a check, a call before a fold).

Where all folds come before a community card is seen, who folds is a matter of the two own cards.
Those hands are then two more conditions beside the lines of the wager, on ranks of one suit and on
ranks of two, and the deals are counted as for a wager that stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Final, cast

import msgspec

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.game.payments import FOLDED, Loses
from croupier.mathematics.game.paytable_lines import Leaf, line_tests
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.rounds.side_wagers import Split
from croupier.mathematics.questions.sessions.envy_after_fold import envy_unless_folded
from croupier.mathematics.questions.sessions.highest_after_fold import tally_kept
from croupier.mathematics.questions.sessions.one_round import rounds_with_sides
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.deals import Counted, WagerTally, count_deals, tally_lines
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import stake_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand, HighestHand, VersusPaytable

_OWN: Final = "own cards"


def analyze_lost_with_fold(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """As `side_wagers.analysis.analyze_side`, for a wager that a fold loses."""
    check_side(rules, wager)
    _check_main(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    settles = rules.book.wagers[wager].settles
    if _is_folded_early(rules, wager):
        assert isinstance(settles, VersusPaytable)
        tally = _tally_folded_early(rules, settles)
        return figures_of(rules, wager, stake, tally, meters, others)
    envy = envy_unless_folded(rules, wager, stake)
    if isinstance(settles, HighestHand) and hands != 2:
        tally = tally_kept(rules, settles, hands)
    else:
        tally = split_by_fold(rules, wager).tally()
    return figures_of(rules, wager, stake, tally, meters, others, hands=hands, envy=envy)


def _check_main(rules: Rules, wager: str) -> None:
    """The wager depends on what is folded, so the main game must be one that is solved."""
    hangs = f"wagers.{wager}.after_fold is 'loses', so it hangs on what is folded"
    try:
        game = holdem_game(rules)
    except Unsolvable as error:
        raise refused(wager, f"{hangs}, and {error}") from None
    if game.ranking is not None and not _is_folded_early(rules, wager):
        solved = "a table on cards, where all folds come before a community card is seen"
        raise refused(wager, f"{hangs}, in a game of another deck or order of hands", solved)


def split_by_fold(rules: Rules, wager: str) -> Split:
    """Every deal of the wager, sorted by the sweep under the best play of the main game."""
    known = cast(dict[str, Split], rules.prepared.setdefault(Split, {}))
    if wager not in known:
        known[wager] = Split.of(rounds_with_sides(rules, (wager,)), wager)
    return known[wager]


# -- all folds before a community card is seen ----------------------------------------------------


def _is_folded_early(rules: Rules, wager: str) -> bool:
    """A table on cards without envy, where all folds come before a community card is seen."""
    book = rules.book
    late = any(each.otherwise == "fold" and each.sees_community for each in book.decisions)
    envied = book.envy is not None and book.envy.on == wager
    return not late and not envied and isinstance(book.wagers[wager].settles, VersusPaytable)


def _tally_folded_early(rules: Rules, settles: VersusPaytable) -> WagerTally:
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
    solution = holdem_solution(rules)
    stage, game = solution.stages[0], solution.game
    (answers,) = stage.level.leaving
    folds = [path.folded for path in answers]
    actions, orbits = stage.actions(stage.level.arriving[0]), orbits_of(game.deck, 0)
    ranks = [RANKS.index(rank) for rank in rules.book.deck.ranks]
    folded: dict[bool, list[str]] = {False: [], True: []}
    for low, high in combinations_with_replacement(sorted(ranks), 2):
        for suited in (False, True) if low != high else (False,):
            first, second = (low, high) if suited else (low, 13 + high)
            number = orbits.number[second * (second - 1) // 2 + first]
            if folds[int(actions[number])]:
                folded[suited].append(RANKS[high] + RANKS[low])
    return [
        Leaf(_OWN, ranks=tuple(names), suited=suited) for suited, names in folded.items() if names
    ]
