"""A rulebook's main game in the solver's terms: payoffs by strength, decisions, qualifier.

Required wagers are one unit each. What they pay together (A) and what a unit of the decided wager
pays (B) is tabulated for each of the 7,462 strengths and the six ways a showdown can end.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.deck_strengths import deck_strengths
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.one_bet import payoffs
from croupier.mathematics.counters.boards.paths import Question
from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.game.payoffs import Case, Payoffs, main_wagers, wagers_with_bonuses
from croupier.mathematics.game.paytable_lines import HandTop
from croupier.mathematics.hand_values import deck_mask
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import refused, unsolvable
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.hands import CATEGORY_NAMES, pack
from croupier.ranking.lookup_tables import VALUES
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["USUAL", "HandTops", "UnitNets", "decided_wagers", "game_of", "tops_of"]


class HandTops:
    """A paytable line looks at the category and the first made rank only: some 130 different tops
    of the values that hands can have, in ascending order. `names` are the categories, `numbers`
    has the place of the top by strength."""

    def __init__(self, values: I64, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._tops, self.numbers = np.unique(np.asarray(values) >> 16, return_inverse=True)

    def __len__(self) -> int:
        return len(self._tops)

    def cases(self, rules: Rules) -> tuple[Case, ...]:
        """How every wager and bonus of the main game ends, by top."""
        payoffs = Payoffs(rules, main_wagers(rules.book))
        tops = [HandTop(self.names[top >> 4], RANKS[top & 15]) for top in self._tops.tolist()]
        return tuple([payoffs.of(top.held(payoffs.leaves), top.category) for top in tops])


USUAL: Final = HandTops(VALUES, CATEGORY_NAMES)


class UnitNets:
    """What one unit of each of some wagers pays, with the bonuses on it, scaled to integers.
    `folded` has what a fold leaves of all required wagers, and then of each decided one."""

    def __init__(self, rules: Rules, tops: HandTops, decided: Sequence[str]) -> None:
        self._tops = tops
        cases = tops.cases(rules)
        together = [rules.required, *((name,) for name in decided)]
        paid = [wagers_with_bonuses(rules.book, names) for names in together]
        self._rows = [[case.nets(names) for case in cases] for names in paid]
        folded = [cases[0].fold_net(names) for names in together]
        every = (pay for rows in self._rows for row in rows for pay in row)
        self.scale = lcm(*{pay.denominator for pay in every})
        self.folded = tuple([int(net * self.scale) for net in folded])

    def tables(self) -> list[I64]:
        """[outcome, strength]: of all required wagers together, then of each decided one; beyond
        the strengths that occur it is 0."""
        return [
            payoffs([self._by_strength(row) for row in zip(*rows, strict=True)])
            for rows in self._rows
        ]

    def _by_strength(self, row: Sequence[Fraction]) -> I64:
        amounts = np.zeros(STRENGTHS, np.int64)
        scaled = np.array([int(pay * self.scale) for pay in row], dtype=np.int64)
        amounts[: len(self._tops.numbers)] = scaled[self._tops.numbers]
        return amounts


def decided_wagers(book: Rulebook) -> tuple[str, ...]:
    """The wagers that are bet in play, in the order of the decisions."""
    return tuple(dict.fromkeys(decision.wager for decision in book.decisions))


def tops_of(game: HoldemGame) -> HandTops:
    """The tops of the hands that the game ranks."""
    if game.ranking is None or game.strengths is None:
        return USUAL
    return HandTops(game.strengths.values, game.ranking.names)


def game_of(rules: Rules) -> HoldemGame:
    """The main game under the rules in force; refused where the solver does not model it."""
    found = rules.prepared.get(HoldemGame)
    if not isinstance(found, HoldemGame):
        found = rules.prepared[HoldemGame] = _game(rules)
    return found


def _game(rules: Rules) -> HoldemGame:
    book = rules.book
    misfit = next(HOLDEM.misfits(rules, main_fields(rules)), None)
    if misfit is not None:
        raise unsolvable("the main game", misfit, HOLDEM)
    assert book.dealer is not None
    ranking = ranking_of(book, book.dealer.hand)
    is_usual = isinstance(ranking, ByCategories) and ranking.is_usual
    tops = USUAL if is_usual else HandTops(deck_strengths(ranking).values, ranking.names)
    wagers = decided_wagers(book)
    nets = UnitNets(rules, tops, wagers)
    try:
        required, *decided = nets.tables()
        return HoldemGame(
            questions=_questions(book, wagers),
            required=required,
            decided=tuple(decided),
            folded=nets.folded,
            qualifier=_qualifier(book, ranking, is_usual),
            scale=nets.scale,
            deck=deck_mask(ranking),
            ranking=None if is_usual else ranking,
            takes_first=rules.takes_first,
        )
    except OverflowError as error:
        raise refused("the main game", f"the bets and paytables lead too far ({error})") from None


def _qualifier(book: Rulebook, ranking: Ranking, is_usual: bool) -> int:
    assert book.dealer is not None
    if not is_usual:
        least = ranking.least(book.dealer.at_least, book.dealer.of)
        return int(np.searchsorted(deck_strengths(ranking).values, least))
    ranks = [RANKS.index(rank) for rank in book.dealer.of]
    least = pack(CATEGORY_NAMES.index(book.dealer.at_least), ranks)
    return int(np.searchsorted(VALUES, least))


def _questions(book: Rulebook, wagers: tuple[str, ...]) -> tuple[Question, ...]:
    return tuple(
        Question(
            seen=decision.sees_community,
            wager=wagers.index(decision.wager),
            bets=tuple(decision.bets.items()),
            decline=decision.otherwise,
            folds=decision.otherwise == "fold",
        )
        for decision in book.decisions
    )
