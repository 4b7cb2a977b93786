"""What the main game comes to in cents, deal by deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from croupier.mathematics.holdem.arrays import I64
from croupier.mathematics.holdem.games import OUTCOMES
from croupier.mathematics.holdem.rulebook import after_fold
from croupier.mathematics.holdem.strengths import STRENGTHS
from croupier.mathematics.sessions.payoffs import MainWager
from croupier.mathematics.several_bets.bets import Path
from croupier.mathematics.several_bets.rulebook import bets_table_of
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules

__all__ = ["bets_distribution"]


def bets_distribution(
    rules: Rules, main: Mapping[str, int], sides: Mapping[str, int]
) -> dict[int, int]:
    """In how many deals the wagers placed come to each net."""
    for name in sides:
        raise refused(
            f"{name} beside the main game",
            f"wagers.{name} is placed beside a game with several bets, of which the main wagers "
            "are counted together and each side wager alone (croupier analyze)",
        )
    nets = _Nets(rules, main)
    found: Counter[int] = Counter()
    for path, deals in bets_table_of(rules).endings:
        used = deals > 0
        amounts, which = np.unique(nets.of(path)[used], return_inverse=True)
        sums = np.zeros(len(amounts), dtype=np.int64)
        np.add.at(sums, which, deals[used])
        found.update(dict(zip(amounts.tolist(), sums.tolist(), strict=True)))
    return {net: found[net] for net in sorted(found)}


class _Nets:
    def __init__(self, rules: Rules, main: Mapping[str, int]) -> None:
        self.rules, self.main = rules, main
        self.decisions = rules.book.decisions
        self.wagers = tuple(dict.fromkeys(decision.wager for decision in self.decisions))

    def of(self, path: Path) -> I64:
        """[strength, outcome]: cents, every wager rounded as a dealer rounds it."""
        book = self.rules.book
        stakes = dict(self.main)
        for number, word in path.said:
            decision = self.decisions[number]
            if word in decision.bets:
                stakes[decision.wager] = decision.bets[word] * self.main[decision.multiple_of]
        if path.folded:
            lost = sum(after_fold(book, name) * stake for name, stake in stakes.items())
            return np.full((STRENGTHS, OUTCOMES), lost, np.int64)
        total = np.zeros((STRENGTHS, OUTCOMES), np.int64)
        for name, stake in stakes.items():
            found = MainWager(self.rules, name).nets(stake)  # [qualified, result, strength]
            total += found[::-1].transpose(2, 1, 0).reshape(STRENGTHS, OUTCOMES)
        return total
