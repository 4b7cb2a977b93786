"""The laws of a uniform order, against all orders of a few cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from math import factorial

import pytest

from croupier.randomness import decks


def cycles(order: Sequence[int]) -> int:
    seen: set[int] = set()
    rounds = 0
    for start in range(len(order)):
        rounds += start not in seen
        while start not in seen:
            seen.add(start)
            start = order[start]  # noqa: PLW2901
    return rounds


MEASURES: dict[str, Callable[[Sequence[int]], int]] = {
    "fixed_points": lambda order: sum(card == place for place, card in enumerate(order)),
    "cycles": cycles,
    "descents": lambda order: sum(b < a for a, b in pairwise(order)),
    "inversions": lambda order: sum(
        b < a for place, a in enumerate(order) for b in order[place + 1 :]
    ),
}


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_a_law_counts_all_orders(name: str, n: int) -> None:
    counted = Counter(MEASURES[name](order) for order in permutations(range(n)))
    law = getattr(decks, name)(n)
    assert {k: ways for k, ways in enumerate(law) if ways} == counted


@pytest.mark.parametrize("name", MEASURES)
def test_a_law_of_the_whole_deck_sums_to_all_orders(name: str) -> None:
    assert sum(getattr(decks, name)(52)) == factorial(52)
