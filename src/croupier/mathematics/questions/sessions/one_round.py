"""All wagers of a seat in one round together: the exact distribution of what they come to.

Side wagers share their cards with the main game and with each other, so their results do not simply
add up. Here every deal is sorted by everything that any of the wagers looks at, under the optimal
play of the main game alone, and the nets are added deal by deal. Payments of a progressive are
those of a single player at the meters given; envy is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.rulebook import USUAL, best_play, decided_wagers, game_of
from croupier.mathematics.counters.boards.strategies import Strategy
from croupier.mathematics.game.payoffs import Case, results_of
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits, WagerResult
from croupier.mathematics.questions.sessions.deal_marks import Marked, marked
from croupier.mathematics.questions.sessions.dealer_pairs import boards_of, couples_of
from croupier.mathematics.questions.sessions.line_facts import HandPlace, Images
from croupier.mathematics.questions.sessions.payoffs import (
    LineWager,
    TwoHandWager,
    cuts_of,
    hands_at,
    side_wager,
)
from croupier.mathematics.questions.sessions.sweep import Marks, sweep
from croupier.mathematics.stakes import meters_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand

__all__ = ["holdem_distribution"]

Progress = Callable[[int, int], None]


def holdem_distribution(
    rules: Rules,
    main: Mapping[str, int],
    sides: Mapping[str, int],
    meters: Mapping[str, int] | None,
    limits: Sequence[PayoutLimit],
    progress: Progress,
) -> dict[int, int]:
    """In how many deals the wagers placed (in cents) come to each net (in cents)."""
    return _Round(rules, main, sides, meters_for(rules, meters), limits).distribution(progress)


class _Round:
    """One hold'em round with its wagers: marks for the sweep, nets for what it finds."""

    def __init__(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int],
        limits: Sequence[PayoutLimit],
    ) -> None:
        self.rules, self.main = rules, main
        self.decided, self.meters = decided_wagers(rules.book), meters
        self.base = next(iter(main.values()))
        placed = [side_wager(rules, name, cents, meters) for name, cents in sides.items()]
        self.lines = [wager for wager in placed if isinstance(wager, LineWager)]
        self.pairs = [wager for wager in placed if isinstance(wager, TwoHandWager)]
        self.game = game_of(rules)
        if self.game.ranking is not None:
            raise Unsolvable(
                f"wagers together are not worked out for {rules.book.id}: it has another deck or "
                "another order of hands than the usual one"
            )
        self.cases = USUAL.cases(rules)
        self._known: dict[tuple[int, int | None, tuple[int, ...]], list[WagerResult]] = {}
        self.limited = SeatLimits(rules.book, limits)

    def distribution(self, progress: Progress) -> dict[int, int]:
        marks, images, boards = self._marked()
        strategy = best_play(self.rules)
        endings, deals = sweep(strategy, marks, progress)
        found: Counter[int] = Counter()
        for place in np.argwhere(deals).tolist():
            ending, label, board, interval, cell = place
            count = int(deals[tuple(place)])
            dealer, result = divmod(cell, 3)
            own = int(marks.edges[interval])
            facing = int(marks.thresholds[dealer - 1]) if dealer else 0
            against = self._results_against(endings[ending], own, facing, result)
            for lines, share in self._line_results(
                endings[ending], images[label], boards[board], own
            ).items():
                assert count * share % 96 == 0
                found[self.limited.net((*against, *lines))] += count * share // 96
        for net, change in self._dealt_apart(strategy, marks):
            found[net] += change
        return {net: found[net] for net in sorted(found) if found[net]}

    def _dealt_apart(self, strategy: Strategy, marks: Marks) -> Iterator[tuple[int, int]]:
        """Deals to be moved from one net to another, for lines that look at the dealer's cards."""
        hands = hands_at(self.rules)
        leaves = [wager.tests.leaves for wager in self.lines]
        looking = [n for n, own in enumerate(leaves) if _places(own, hands) & {"dealer_pocket"}]
        if not looking:
            return
        if len(looking) > 1 or _places(leaves[looking[0]], hands) != {"pocket", "dealer_pocket"}:
            raise Unsolvable("lines on the dealer's cards and others beside them are not computed")
        if any(leaf.suits for own in leaves for leaf in own):
            raise Unsolvable("lines on suits beside lines on the dealer's cards are not computed")
        wager = self.lines[looking[0]]

        def changes(own: int, theirs: int) -> bool:
            return wager.net(own | theirs) != wager.net(own)

        for couple in couples_of(wager.tests.leaves, hands, changes):
            for at in boards_of(couple, strategy, leaves, hands, marks.edges, marks.thresholds):
                against = self._results_against(at.path, at.own, at.facing, at.result)
                codes = [
                    code | int(line.strengths[0, at.own])
                    for line, code in zip(self.lines, at.codes, strict=True)
                ]
                yield self._net(against, codes), -at.deals * couple.weight
                codes[looking[0]] = at.codes[looking[0]] | couple.held
                yield self._net(against, codes), at.deals * couple.weight

    def _net(self, against: Sequence[WagerResult], codes: Sequence[int]) -> int:
        """With the wagers on own cards, of which these leaves hold."""
        lines = zip(self.lines, codes, strict=True)
        nets = [WagerResult.of_net(line.name, line.net(code)) for line, code in lines]
        return self.limited.net((*against, *nets))

    def _results_against(
        self, ending: Path, own: int, facing: int, result: int
    ) -> tuple[WagerResult, ...]:
        """The main game and the wagers on two hands."""
        results = [*self._main_results(ending, own, facing, result)]
        for wager in self.pairs:
            lost = ending.folded and wager.lost_with_fold
            net = -wager.stake if lost else wager.net(own, facing, result)
            results.append(WagerResult.of_net(wager.name, net))
        return tuple(results)

    def _marked(self) -> Marked:
        edges = cuts_of(_numbers_alike(self.cases)[USUAL.numbers][None])
        return marked(self.rules, self.game, self.lines, self.pairs, [edges])

    def _main_results(self, ending: Path, own: int, facing: int, result: int) -> list[WagerResult]:
        outcome = None if ending.folded else 2 * result + int(facing < self.game.qualifier)
        number = int(USUAL.numbers[own])
        key = number, outcome, ending.bets
        if key not in self._known:
            bets = zip(self.decided, ending.bets, strict=True)
            decided = {name: units * self.base for name, units in bets if units}
            case, stakes = self.cases[number], {**self.main, **decided}
            self._known[key] = list(results_of(self.rules.book, case, outcome, stakes, self.meters))
        return self._known[key]

    def _line_results(
        self, ending: Path, images: Images, board: tuple[int, ...], own: int
    ) -> Counter[tuple[WagerResult, ...]]:
        """The wagers on own cards with their share in 96: 24 exchanges times 4 suits."""
        shares: Counter[tuple[WagerResult, ...]] = Counter()
        for (codes, times), suit in product(images, range(4)):
            results = []
            for wager, code, shown in zip(self.lines, codes, board, strict=True):
                lost = ending.folded and wager.lost_with_fold
                held = code | shown | int(wager.strengths[suit, own])
                net = -wager.stake if lost else wager.net(held)
                results.append(WagerResult.of_net(wager.name, net))
            shares[tuple(results)] += times
        return shares


def _numbers_alike(cases: Sequence[Case]) -> I64:
    """A number for every case, the same where all wagers are paid alike."""
    numbers: dict[object, int] = {}
    paid = [
        tuple((each.pays, each.stake_stays) for row in case.paid.values() for each in row)
        for case in cases
    ]
    return np.array([numbers.setdefault(each, len(numbers)) for each in paid], np.int64)


def _places(leaves: Sequence[Leaf], hands: Mapping[str, tuple[HandPlace, Hand]]) -> set[str]:
    return {hands[leaf.hand][0] for leaf in leaves}
