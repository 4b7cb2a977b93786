"""Hold'em on a board of three or four, on decks of three ranks: every deal played and settled by
the engine, every decision taken as well as can be."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import pytest

from croupier.cards import Card, mask_of
from croupier.mathematics.counters.shapes import SHORT_BOARDS
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.ranking.categories import CATEGORIES, order_problems
from croupier.rounds.round_flow import answers_given
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import HARBOUR, changed, dealt, decision, lines

STAKE = 6000
Said = tuple[str, ...]


class ByEngine:
    """The slow way: nothing of `mathematics` is used."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.deck = rules, cards_of(rules.book.deck)
        self.board = rules.book.cards.community
        self.ranking = ranking_of(rules.book, "final")
        self._nets: dict[tuple[int, int, Said], int] = {}
        self._worth = cache(self.ranking.value_of_mask)

    def value(self) -> Fraction:
        total = sum(self.best(own, frozenset(), ()) for own in combinations(self.deck, 2))
        return Fraction(total, comb(len(self.deck), 2) * self.ways(0) * STAKE)

    def ways(self, shown: int) -> int:
        left = len(self.deck) - 2 - shown
        return comb(left, self.board - shown) * comb(left - self.board + shown, 2)

    def asked(self, said: Said) -> Any:
        given = answers_given(self.rules.book.decisions, self.rules.required, said)
        return next((one.decision for one in given if one.action is None), None)

    def values(self, own: tuple[Card, ...], shown: frozenset[Card], said: Said) -> dict[str, int]:
        """The sums of all words that may be said now."""
        words = self.asked(said).answers
        return {word: self.best(own, shown, (*said, word)) for word in words}

    def best(self, own: tuple[Card, ...], shown: frozenset[Card], said: Said) -> int:
        """The sum of the best play over all that may come, in cents."""
        now = self.asked(said)
        seen = self.board if now is None else now.sees_community
        if seen == len(shown):
            if now is None:
                return self.at_end(own, shown, said)
            return max(self.values(own, shown, said).values())
        left = [card for card in self.deck if card not in own and card not in shown]
        more = combinations(left, seen - len(shown))
        found = sum(self.best(own, shown.union(cards), said) for cards in more)
        times = comb(self.board - len(shown), seen - len(shown))
        assert found % times == 0
        return found // times

    def at_end(self, own: tuple[Card, ...], board: frozenset[Card], said: Said) -> int:
        left = [card for card in self.deck if card not in own and card not in board]
        return sum(self.net(own, theirs, board, said) for theirs in combinations(left, 2))

    def net(
        self, own: tuple[Card, ...], theirs: tuple[Card, ...], board: frozenset[Card], said: Said
    ) -> int:
        """The same values settle alike."""
        shared = mask_of(tuple(board))
        key = self._worth(mask_of(own) | shared), self._worth(mask_of(theirs) | shared), said
        if key not in self._nets:
            wagers = dict.fromkeys(self.rules.required, STAKE)
            seat = PlayedSeat(1, "p", own, wagers, said)
            self._nets[key] = (
                settle(CompletedRound((seat,), tuple(board), theirs), self.rules).seats[0].net
            )
        return self._nets[key]


def game(seed: int) -> Rules:
    """A random game: board, steps, decisions, ranking, odds, qualifier."""
    chance = random.Random(seed)
    ranks = chance.choice(("QKA", "9TJ", "2KA"))
    board = chance.choice((3, 3, 4))
    steps = chance.choice({3: ((3,), (1, 2), (2, 1)), 4: ((3, 1), (4,), (2, 2))}[board])
    reveals = {f"step {number}": count for number, count in enumerate(steps)}
    seen = [0, *(sum(steps[: place + 1]) for place in range(len(steps)))]
    asked = sorted(chance.sample(seen, chance.randint(1, min(2, len(seen)))))
    changes = dealt(reveals) | {
        "deck": {"ranks": ranks, "clause": "x"},
        "positions.most": 1,
        "wagers.lighthouse": None,
        "paytables.lighthouse": None,
        "decisions": [
            decision(
                f"at {count}",
                count,
                {f"{k}x": k for k in chance.sample((1, 2, 3, 4), chance.randint(1, 2))},
                chance.choice(("check", "fold")) if count != asked[-1] else "fold",
            )
            for count in asked
        ],
        "wagers.anchor.after_fold": chance.choice(("stands", "loses")),
    }
    order = _order(ranks, chance)
    changes |= {"rankings.own": {"size": chance.choice((3, 5)), "order": order, "clause": "x"}}
    size = changes["rankings.own"]["size"]
    order = [
        name for name in order if not list(order_problems([name], size, ranks=ranks, copies=1))
    ]
    kept: list[str] = []
    for name in order:
        if not list(order_problems([*kept, name], size, ranks=ranks, copies=1)):
            kept.append(name)
    changes["rankings.own"]["order"] = kept
    changes |= {f"hands.{name}.ranking": "own" for name in ("final", "dealer")}
    changes["dealer"] = {"hand": "dealer", "clause": "x"}
    if kept and chance.random() < 0.7:
        changes["dealer"]["at_least"] = chance.choice(kept)
    paid = [(name, chance.choice(("1 to 1", "3 to 2", "9 to 1", "push"))) for name in kept[:3]]
    changes["paytables.anchor.A.lines"] = lines(*(paid or [("high_card", "2 to 1")]))
    return changed(HARBOUR, changes)


def _order(ranks: str, chance: random.Random) -> list[str]:
    names = [name for name in CATEGORIES if name != "high_card"]
    return chance.sample(sorted(names), len(names))


@pytest.mark.parametrize("seed", range(12))
def test_a_random_game_is_worth_what_the_engine_pays(seed: int) -> None:
    rules = game(seed)
    solver = solver_for(rules)
    assert solver.shape is SHORT_BOARDS
    engine = ByEngine(rules)
    figures = solver.figures()
    assert figures.expected_value == engine.value()
    nets = net_distribution(rules, dict.fromkeys(rules.required, STAKE))
    deals = sum(nets.values())
    mean = Fraction(sum(net * count for net, count in nets.items()), deals * STAKE)
    assert mean == figures.expected_value


@pytest.mark.parametrize("seed", range(12))
def test_advice_is_what_the_engine_pays(seed: int) -> None:
    rules = game(seed)
    engine, chance = ByEngine(rules), random.Random(seed)
    for _ in range(6):
        cards = chance.sample(engine.deck, 2 + engine.board)
        own: tuple[Card, ...] = tuple(cards[:2])
        said: Said = ()
        while (now := engine.asked(said)) is not None:
            shown = tuple(cards[2 : 2 + now.sees_community])
            sums = engine.values(own, frozenset(shown), said)
            unit = engine.ways(len(shown)) * STAKE
            found = advise(rules, Situation(own, shown, decision=now.name, said=said))
            assert found.values == {word: Fraction(total, unit) for word, total in sums.items()}
            assert sums[found.best] == max(sums.values())
            said = (*said, now.otherwise)
            if now.otherwise == "fold":
                break
