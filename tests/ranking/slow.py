"""Any ranking, slow and obvious: every choice of cards against a definition of each kind of hand.

Written apart from `croupier.ranking.by_categories`, and shares nothing with it but the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from croupier.cards import RANKS, Card


def slow_value(
    cards: Sequence[Card],
    order: Sequence[str],
    size: int,
    *,
    ace_low: bool = True,
    ranks: str = RANKS,
) -> tuple[str, tuple[int, ...]]:
    """The best category by name, and the ranks that decide."""
    best_first = [*order, *(["high_card"] if "high_card" not in order else [])]
    found: list[tuple[int, tuple[int, ...]]] = []
    for chosen in combinations(cards, size):
        meets = dict(_meets(chosen, ace_low=ace_low, ranks=ranks))
        name = next(name for name in best_first if name in meets)
        found.append((-best_first.index(name), meets[name]))
    place, deciding = max(found)
    return best_first[-place], deciding


def _meets(
    cards: Sequence[Card], *, ace_low: bool, ranks: str
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Everything that just these cards are, each with the ranks that decide."""
    held = sorted((card.rank for card in cards), reverse=True)
    counts = Counter(held)
    yield "high_card", tuple(held)
    for name, times in (
        ("pair", 2),
        ("three_of_a_kind", 3),
        ("four_of_a_kind", 4),
        ("five_of_a_kind", 5),
    ):
        alike = [rank for rank, count in counts.items() if count >= times]
        if alike:
            yield name, (max(alike), *_without(held, {max(alike): times}))
    pairs = sorted((rank for rank, count in counts.items() if count >= 2), reverse=True)
    if len(pairs) >= 2:
        yield "two_pair", (*pairs[:2], *_without(held, {pairs[0]: 2, pairs[1]: 2}))
    for three in sorted(counts, reverse=True):
        for two in sorted(counts, reverse=True):
            if three != two and counts[three] == 3 and counts[two] == 2:
                yield "full_house", (three, two)
    flush = len({card.suit for card in cards}) == 1
    if flush:
        yield "flush", tuple(held)
    top = _top(held, ace_low=ace_low, ranks=ranks)
    if top is not None:
        yield "straight", (top,)
        if flush:
            yield "straight_flush", (top,)
            if RANKS[top] == "A":
                yield "royal_flush", (top,)
                yield "mini_royal", (top,)


def _without(held: list[int], taken: dict[int, int]) -> list[int]:
    rest = list(held)
    for rank, count in taken.items():
        for _ in range(count):
            rest.remove(rank)
    return rest


def _top(held: list[int], *, ace_low: bool, ranks: str) -> int | None:
    """The top of a straight: the ranks are neighbors in the deck."""
    wanted = {RANKS[rank] for rank in held}
    for start in range(len(ranks) - len(held), -1, -1):
        run = ranks[start : start + len(held)]
        if wanted == set(run) and len(run) == len(held):
            return RANKS.index(run[-1])
    low = "A" + ranks[: len(held) - 1]
    if ace_low and ranks[-1] == "A" and wanted == set(low) and len(low) == len(held):
        return RANKS.index(low[-1])
    return None
