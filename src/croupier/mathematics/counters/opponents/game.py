"""A rulebook's main game as hand against hand: payoffs by case, bets, qualifier.

Hands that every wager and every bet treats alike are one *case*: the same payment on every wager in
every outcome, and the same bets allowed. A case is composed of codes, one for each ranking in which
the hand is looked at; the first is the ranking in which it meets the dealer's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, lcm, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import NOTHING, FourSuits, VersusDeck
from croupier.mathematics.counters.shapes import VERSUS, check_main_game
from croupier.mathematics.game.course import led_by
from croupier.mathematics.game.payoffs import Case, Payoffs, main_wagers, wagers_with_bonuses
from croupier.mathematics.game.paytable_lines import HandTop
from croupier.mathematics.hand_values import Strengths, ValueTables, strength_of, strengths_of
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.shapes import refused
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusDealer, VersusPaytable

_MOST_CASES: Final = 50_000


class LookedAt(NamedTuple):
    """A ranking in which the player's hand is looked at: `codes[strength]`."""

    tables: ValueTables
    codes: I64


class CasePayoffs(NamedTuple):
    """Payoffs by case: the net of all required wagers and of one unit of the decided wager in each
    outcome, what a fold leaves, and which bets are allowed; scaled to integers."""

    required: I64  # [case, outcome]
    decided: I64  # [case, outcome]
    fold: I64  # [case]
    allowed: NDArray[np.bool_]  # [case, bet]


class _Part(NamedTuple):
    """One ranking's view of a hand: the endings of the wagers that look at it in this ranking, and
    the bets that it allows."""

    case: Case
    allowed: tuple[bool, ...]

    @property
    def key(self) -> Hashable:
        ends = tuple(self.case.paid.values()), tuple(self.case.folded.values())
        return self.case.name, *ends, self.allowed


def _joined(parts: Sequence[_Part]) -> _Part:
    """Return what several rankings say of a hand together."""
    cases = [part.case for part in parts]
    together = Case(
        "".join(case.name for case in cases),
        {name: row for case in cases for name, row in case.paid.items()},
        {name: paid for case in cases for name, paid in case.folded.items()},
    )
    return _Part(together, tuple(map(all, zip(*(part.allowed for part in parts), strict=True))))


@dataclass(frozen=True, eq=False)
class VersusGame:
    """A game of `own` cards against `theirs`, with `seen` of the dealer's cards seen. `bets` are
    multiples in the order they are offered; `categories` are the ranking's, lowest first."""

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
    gone: FourSuits = NOTHING  # cards that others hold, which the player has seen

    @property
    def cards_left(self) -> int:
        return self.deck.size - sum(mask.bit_count() for mask in self.gone)

    @property
    def opponents(self) -> int:
        """How many hands the dealer can have against a player."""
        return comb(self.cards_left - self.own - self.seen, self.theirs - self.seen)

    @property
    def deals(self) -> int:
        """The number of deals: the cards seen, the player's and the dealer's others."""
        left = self.cards_left - self.seen
        return comb(self.cards_left, self.seen) * comb(left, self.own) * self.opponents

    def case_of(self, hand: FourSuits) -> int:
        return sum(int(part.codes[strength_of(hand, part.tables)]) for part in self.looked_at)


def versus_game(rules: Rules) -> VersusGame:
    """Return the main game under the rules in force; refuse one that the solver does not model."""
    return rules.once(VersusGame, game_with)


def game_with(rules: Rules, sides: Iterable[str] = ()) -> VersusGame:
    """Return the same game with hands also separated by what these side wagers pay."""
    check_main_game(rules, VERSUS)
    return _Making(rules, tuple(sides)).game()


class _Making:
    """The construction of a game from its rulebook: what each ranking says of the player's hand."""

    def __init__(self, rules: Rules, sides: tuple[str, ...]) -> None:
        self.rules, self.book = rules, rules.book
        self.decision = rules.book.decisions[0]
        self._wagers = (*main_wagers(self.book), *sides)
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
                "the main game", "its lines distinguish too many hands, in several rankings"
            )
        joined = [_joined(parts) for parts in product(*(parts for _, parts in coded))]
        payoffs, scale = self._scaled(joined)
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
            cases=tuple([each.case for each in joined]),
            takes_first=self.rules.takes_first,
        )
        _check_size(game)
        return game

    def _rankings(self) -> list[Ranking]:
        """Return the rankings in which the hand is looked at, first the one in which it meets the
        dealer's."""
        names = [self._hand(name) for name in self._wagers]
        names += [least.hand for least in self.decision.only_with.values()]
        return list(dict.fromkeys([self.main, *(ranking_of(self.book, name) for name in names)]))

    def _hand(self, name: str) -> str:
        """Return the hand that decides a wager or a bonus."""
        if name in self.book.bonuses:
            return self.book.bonuses[name].hand
        settles = self.book.wagers[led_by(self.book, name)].settles
        assert isinstance(settles, VersusDealer | VersusPaytable)
        return settles.hand

    def _coded(self, ranking: Ranking, strengths: Strengths) -> tuple[I64, list[_Part]]:
        """Return a code for every strength, and the meaning of each code."""
        tops, top_of = np.unique(strengths.values >> 16, return_inverse=True)
        allowed = self._allowed(ranking, strengths)
        looking = [n for n in self._wagers if ranking_of(self.book, self._hand(n)) is ranking]
        payoffs = Payoffs(self.rules, looking)
        parts: dict[Hashable, _Part] = {}
        places: dict[Hashable, int] = {}
        codes = np.zeros(len(top_of), np.int64)
        known: dict[tuple[int, tuple[bool, ...]], int] = {}
        for strength, top in enumerate(top_of.tolist()):
            key = top, tuple(allowed[strength].tolist())
            if key not in known:
                hand = HandTop.of(ranking, int(tops[top]))
                name = hand.category if ranking is self.main else ""
                part = _Part(payoffs.of(hand.held(payoffs.leaves), name), key[1])
                known[key] = places.setdefault(part.key, len(places))
                parts.setdefault(part.key, part)
            codes[strength] = known[key]
        return codes, list(parts.values())

    def _allowed(self, ranking: Ranking, strengths: Strengths) -> NDArray[np.bool_]:
        """Return [strength, bet]: whether the bet is allowed, as far as this ranking decides it."""
        allowed = np.ones((len(strengths.values), len(self.decision.bets)), np.bool_)
        for place, said in enumerate(self.decision.bets):
            least = self.decision.only_with.get(said)
            if least is not None and ranking_of(self.book, least.hand) is ranking:
                allowed[: strengths.least(ranking.least(least.at_least, least.of)), place] = False
        return allowed

    def _scaled(self, parts: Sequence[_Part]) -> tuple[CasePayoffs, int]:
        decided = wagers_with_bonuses(self.book, (self.decision.wager,))
        required = wagers_with_bonuses(self.book, self.rules.required)
        rows = [
            [
                *part.case.nets(required),
                *part.case.nets(decided),
                part.case.fold_net(self.rules.required),
            ]
            for part in parts
        ]
        scale = lcm(*(pay.denominator for row in rows for pay in row))
        try:
            scaled = np.array([[int(pay * scale) for pay in row] for row in rows], np.int64)
        except OverflowError as error:
            raise refused(
                "the main game", f"the paytables lead to sums too large to count ({error})"
            ) from None
        allowed = np.array([part.allowed for part in parts], np.bool_)
        return CasePayoffs(scaled[:, :6], scaled[:, 6:12], scaled[:, 12], allowed), scale


def _looked_at(
    coded: Sequence[tuple[I64, list[_Part]]], strengths: Sequence[Strengths], cards: int
) -> Iterator[LookedAt]:
    """Return the rankings with codes whose sum is the index of the case."""
    for at, (codes, _) in enumerate(coded):
        below = prod(len(parts) for _, parts in coded[at + 1 :])
        yield LookedAt(strengths[at].tables[cards], codes * below)


def _check_size(game: VersusGame) -> None:
    """Refuse games whose sums could exceed 64 bits."""
    pays = game.payoffs
    most = int(np.abs(pays.required).max(initial=0)) + int(np.abs(pays.fold).max(initial=0))
    most += max(game.bets, default=0) * int(np.abs(pays.decided).max(initial=0))
    if most * game.opponents >= 2**62 or game.deals >= 2**62:
        raise refused("the main game", "the bets and paytables lead to sums too large to count")
