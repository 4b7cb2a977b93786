"""The categories that an order of hands may name, and the properties of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LARGEST: Final = 5
"""The most cards that make a hand: a value has room for five ranks."""


class Category(NamedTuple):
    """A category of hands. `made`: the number of cards of the first deciding rank, of the second,
    and so on; all others are kickers. `runs`: the ranks follow each other, and only the highest
    decides. `suited`: all of one suit."""

    sizes: range
    made: tuple[int, ...] = ()
    runs: bool = False
    suited: bool = False
    within: tuple[str, ...] = ()
    """Categories that include every such hand."""

    def deciding(self, size: int) -> int:
        """Return the number of ranks that decide between two hands of this category."""
        return 1 if self.runs else len(self.made) + size - sum(self.made)


CATEGORIES: Final = {
    "high_card": Category(range(1, 6)),
    "pair": Category(range(2, 6), (2,), within=("high_card",)),
    "two_pair": Category(range(4, 6), (2, 2), within=("pair",)),
    "three_of_a_kind": Category(range(3, 6), (3,), within=("pair",)),
    "straight": Category(range(2, 6), runs=True, within=("high_card",)),
    "flush": Category(range(2, 6), suited=True, within=("high_card",)),
    "full_house": Category(range(5, 6), (3, 2), within=("two_pair", "three_of_a_kind")),
    "four_of_a_kind": Category(range(4, 6), (4,), within=("three_of_a_kind",)),
    "five_of_a_kind": Category(range(5, 6), (5,), within=("four_of_a_kind",)),
    "straight_flush": Category(range(2, 6), runs=True, suited=True, within=("straight", "flush")),
    "mini_royal": Category(range(3, 4), runs=True, suited=True, within=("straight_flush",)),
    "royal_flush": Category(range(2, 6), runs=True, suited=True, within=("straight_flush",)),
}
ROYALS: Final = ("mini_royal", "royal_flush")
"""Straight flushes with an ace on top."""


def order_problems(order: Sequence[str], size: int, *, ranks: str, copies: int) -> Iterator[str]:
    """Return what is wrong with an order of categories, best first, for hands of `size` cards."""
    for place, name in enumerate(order):
        above, category = order[:place], CATEGORIES[name]
        if name in above:
            yield f"{name!r} is there twice"
            continue
        if size not in category.sizes:
            yield f"{name!r} cannot be made of {size} cards"
        elif max(category.made, default=1) > 4 * copies:
            yield f"{name!r} cannot be held: the deck has four cards of a rank"
        elif category.runs and len(ranks) < size:
            yield f"{name!r} cannot be held: the deck has {len(ranks)} ranks"
        elif name in ROYALS and not ranks.endswith("A"):
            yield f"{name!r} cannot be held: the deck has no ace"
        if name in ROYALS and set(above) & set(ROYALS):
            yield f"{name!r} is the other name of the royal above it: write one of them"
        wider = next((earlier for earlier in above if earlier in _wider(name)), None)
        if wider is not None:
            yield f"{name!r} is never held: each one is a {wider}, which stands before it"


def ranks_problem(name: str, ranks: Sequence[int], size: int, *, copies: int) -> str:
    """Return why no hand of `size` cards is a category with these first ranks, most significant
    first; "" if one is."""
    category = CATEGORIES[name]
    count = category.deciding(size)
    if len(ranks) > count:
        return f"{count} decide between two hands that are {name}, so name at most {count}"
    made = len(category.made)
    kickers = list(ranks[made:])
    is_falling = kickers == sorted(kickers, reverse=True)
    if copies == 1:
        is_falling = is_falling and len(set(ranks)) == len(ranks)
    if not is_falling or (name == "two_pair" and list(ranks[:2]) != sorted(ranks[:2])[::-1]):
        return "the ranks that make the hand come first, then the others from the highest down"
    return ""


def _wider(name: str) -> set[str]:
    """Return the categories that include every hand of this one."""
    within = set(CATEGORIES[name].within)
    return within.union(*(_wider(category) for category in within))
