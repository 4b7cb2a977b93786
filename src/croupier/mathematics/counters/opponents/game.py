"""A rulebook's main game in the solver's terms: payoffs by case, bets, qualifier.

All hands of the player's that nobody tells apart are one *case*: the same payment on every wager in
every outcome, and the same bets allowed. A case is put together from codes, one for each ranking in
which the hand is looked at; the first is the ranking in which it meets the dealer's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, lcm, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import I64, FourSuits, VersusDeck
from croupier.mathematics.counters.opponents.payoffs import (
    HandTop,
    LineEnding,
    Paid,
    Row,
    after_fold,
    bonus_row,
    ending_by_table,
    led_by,
    wager_row,
)
from croupier.mathematics.counters.opponents.shape import VERSUS
from croupier.mathematics.counters.opponents.strengths import Strengths, strength_of, strengths_of
from croupier.mathematics.hand_values import ValueTables
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import refused, unsolvable
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook, VersusPaytable

__all__ = [
    "Case",
    "CasePayoffs",
    "LookedAt",
    "VersusGame",
    "game_of",
    "game_with",
    "is_decided",
]


_MOST_CASES: Final = 50_000


class LookedAt(NamedTuple):
    """A ranking in which the player's hand is looked at: `codes[strength]`."""

    tables: ValueTables
    codes: I64


class CasePayoffs(NamedTuple):
    """By case: what all required wagers and one unit of the decided wager net in each outcome, what
    a fold leaves, and which bets may be said. Scaled to integers."""

    required: I64  # [case, outcome]
    decided: I64  # [case, outcome]
    fold: I64  # [case]
    allowed: NDArray[np.bool_]  # [case, bet]


class Case(NamedTuple):
    """Hands that nobody tells apart. `name` is the category in the ranking in which they meet the
    dealer's. `paid` has every wager and bonus of the main game, `folded` what a fold makes of the
    required ones, `sides` how each side wager ends that is looked at too."""

    name: str
    paid: tuple[tuple[str, Row], ...]
    folded: tuple[tuple[str, Paid], ...]
    allowed: tuple[bool, ...]
    sides: tuple[tuple[str, LineEnding], ...]


def _joined(parts: Sequence[Case]) -> Case:
    """What several rankings say of a hand together."""
    return Case(
        "".join(part.name for part in parts),
        tuple(row for part in parts for row in part.paid),
        tuple(fold for part in parts for fold in part.folded),
        tuple(map(all, zip(*(part.allowed for part in parts), strict=True))),
        tuple(paid for part in parts for paid in part.sides),
    )


@dataclass(frozen=True, eq=False)
class VersusGame:
    """`own` and `theirs` cards, `seen` of the dealer's seen. `bets` are multiples in the order they
    are offered. `categories` are those of the ranking, lowest first."""

    deck: VersusDeck
    own: int
    theirs: int
    seen: int
    strengths: Strengths
    by_suit: bool
    qualifier: int
    bets: tuple[int, ...]
    folds: bool
    looked_at: tuple[LookedAt, ...]
    payoffs: CasePayoffs
    scale: int
    categories: tuple[str, ...]
    cases: tuple[Case, ...]
    takes_first: bool = True  # of equally good actions the first; else the last

    @property
    def opponents(self) -> int:
        """The dealer's hands that a player has to reckon with."""
        return comb(self.deck.size - self.own - self.seen, self.theirs - self.seen)

    @property
    def deals(self) -> int:
        """All deals of the cards seen, the player's and the dealer's others."""
        left = self.deck.size - self.seen
        return comb(self.deck.size, self.seen) * comb(left, self.own) * self.opponents

    def case_of(self, hand: FourSuits) -> int:
        return sum(int(part.codes[strength_of(hand, part.tables)]) for part in self.looked_at)


def game_of(rules: Rules) -> VersusGame:
    """The main game under the rules in force; refused where the solver does not model it."""
    found = rules.prepared.get(VersusGame)
    if not isinstance(found, VersusGame):
        found = rules.prepared[VersusGame] = game_with(rules, ())
    return found


def game_with(rules: Rules, sides: Iterable[str]) -> VersusGame:
    """The same, telling hands apart by what these side wagers are paid as well."""
    misfit = next(VERSUS.misfits(rules, main_fields(rules)), None)
    if misfit is not None:
        raise unsolvable("the main game", misfit, VERSUS)
    return _Making(rules, tuple(sides)).game()


class _Making:
    """A rulebook taken apart: what each ranking in which the player's hand is looked at says."""

    def __init__(self, rules: Rules, sides: tuple[str, ...]) -> None:
        self.rules, self.book, self.sides = rules, rules.book, sides
        self.decision = rules.book.decisions[0]
        assert self.book.dealer is not None
        self.dealer = self.book.dealer
        self.main = ranking_of(self.book, self.dealer.hand)

    def game(self) -> VersusGame:
        cards = self.book.cards
        rankings = self._rankings()
        strengths = [
            strengths_of(ranking, {cards.player, cards.dealer} if at == 0 else {cards.player})
            for at, ranking in enumerate(rankings)
        ]
        coded = [self._coded(*pair) for pair in zip(rankings, strengths, strict=True)]
        if prod(len(parts) for _, parts in coded) > _MOST_CASES:
            raise refused(
                "the main game", "the lines tell too many hands apart, in several rankings"
            )
        cases = tuple(_joined(case) for case in product(*(parts for _, parts in coded)))
        payoffs, scale = self._scaled(cases)
        game = VersusGame(
            deck=VersusDeck(self.book.deck.ranks),
            own=cards.player,
            theirs=cards.dealer,
            seen=self.decision.sees_dealer,
            strengths=strengths[0],
            by_suit=self.main.by == "longest_suit",
            qualifier=strengths[0].least(self.main.least(self.dealer.at_least, self.dealer.of)),
            bets=tuple(self.decision.bets.values()),
            folds=self.decision.otherwise == "fold",
            looked_at=tuple(_looked_at(coded, strengths, cards.player)),
            payoffs=payoffs,
            scale=scale,
            categories=self.main.names,
            cases=cases,
            takes_first=self.rules.takes_first,
        )
        _check_size(game)
        return game

    def _rankings(self) -> list[Ranking]:
        """Those in which the hand is looked at, first the one in which it meets the dealer's."""
        names = [led_by(self.book, name).hand for name in self._wagers()]
        names += [bonus.hand for bonus in self.book.bonuses.values() if self._pays_into(bonus.on)]
        names += [least.hand for least in self.decision.only_with.values()]
        return list(dict.fromkeys([self.main, *(ranking_of(self.book, name) for name in names)]))

    def _pays_into(self, wager: str) -> bool:
        return wager in self.rules.required or wager == self.decision.wager

    def _wagers(self) -> Iterator[str]:
        yield from (n for n in self.book.wagers if self._pays_into(n) or n in self.sides)

    def _coded(self, ranking: Ranking, strengths: Strengths) -> tuple[I64, list[Case]]:
        """A code for every strength, and what each code stands for."""
        tops, top_of = np.unique(strengths.values >> 16, return_inverse=True)
        allowed = self._allowed(ranking, strengths)
        found: dict[Case, int] = {}
        codes = np.zeros(len(top_of), np.int64)
        known: dict[tuple[int, tuple[bool, ...]], int] = {}
        for strength, top in enumerate(top_of.tolist()):
            key = top, tuple(allowed[strength].tolist())
            if key not in known:
                part = self._part(ranking, HandTop.of(ranking, int(tops[top])), key[1])
                known[key] = found.setdefault(part, len(found))
            codes[strength] = known[key]
        return codes, list(found)

    def _allowed(self, ranking: Ranking, strengths: Strengths) -> NDArray[np.bool_]:
        """[strength, bet]: may the bet be said, as far as this ranking has a say?"""
        found = np.ones((len(strengths.values), len(self.decision.bets)), np.bool_)
        for place, said in enumerate(self.decision.bets):
            least = self.decision.only_with.get(said)
            if least is not None and ranking_of(self.book, least.hand) is ranking:
                found[: strengths.least(ranking.least(least.at_least, least.of)), place] = False
        return found

    def _part(self, ranking: Ranking, hand: HandTop, allowed: tuple[bool, ...]) -> Case:
        """What one ranking says of a hand."""
        paid, folded, sides = [], [], []
        for name in self._wagers():
            settles = led_by(self.book, name)
            if ranking_of(self.book, settles.hand) is not ranking:
                continue
            if name in self.sides:
                assert isinstance(settles, VersusPaytable)
                sides.append((name, ending_by_table(self.rules, settles, hand)))
            else:
                paid.append((name, wager_row(self.rules, name, hand)))
                if name != self.decision.wager:
                    folded.append((name, after_fold(self.rules, name, hand)))
        for name, bonus in self.book.bonuses.items():
            if self._pays_into(bonus.on) and ranking_of(self.book, bonus.hand) is ranking:
                paid.append((name, bonus_row(self.rules, bonus, hand)))
        own_name = hand.category if ranking is self.main else ""
        return Case(own_name, tuple(paid), tuple(folded), allowed, tuple(sides))

    def _scaled(self, cases: Sequence[Case]) -> tuple[CasePayoffs, int]:
        rows = [list(self._unit_nets(case)) for case in cases]
        scale = lcm(*(pay.denominator for row in rows for pay in row))
        try:
            scaled = np.array([[int(pay * scale) for pay in row] for row in rows], np.int64)
        except OverflowError as error:
            raise refused("the main game", f"the paytables lead too far ({error})") from None
        allowed = np.array([case.allowed for case in cases], np.bool_)
        return CasePayoffs(scaled[:, :6], scaled[:, 6:12], scaled[:, 12], allowed), scale

    def _unit_nets(self, case: Case) -> Iterator[Fraction]:
        """The required wagers in each outcome, the decided one in each, and after a fold."""
        for decided in (False, True):
            rows = [r for name, r in case.paid if is_decided(self.book, name) is decided]
            for outcome in range(6):
                yield sum((row[outcome].unit_net for row in rows), Fraction(0))
        yield sum((paid.unit_net for _, paid in case.folded), Fraction(0))


def is_decided(book: Rulebook, name: str) -> bool:
    """Does a wager or a bonus hang on what is bet in play?"""
    on = book.bonuses[name].on if name in book.bonuses else name
    return on == book.decisions[0].wager


def _looked_at(
    coded: Sequence[tuple[I64, list[Case]]], strengths: Sequence[Strengths], cards: int
) -> Iterator[LookedAt]:
    """Codes are made so that their sum over the rankings is the place of the case."""
    for at, (codes, _) in enumerate(coded):
        below = prod(len(parts) for _, parts in coded[at + 1 :])
        yield LookedAt(strengths[at].tables[cards], codes * below)


def _check_size(game: VersusGame) -> None:
    """Every sum must fit in 64 bits."""
    pays = game.payoffs
    most = int(np.abs(pays.required).max(initial=0)) + int(np.abs(pays.fold).max(initial=0))
    most += max(game.bets, default=0) * int(np.abs(pays.decided).max(initial=0))
    if most * game.opponents >= 2**62 or game.deals >= 2**62:
        raise refused("the main game", "the bets and paytables lead too far to be counted")
