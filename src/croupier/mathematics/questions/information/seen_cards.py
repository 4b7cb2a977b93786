"""Cards seen too early: which cards may be named, and the value of a round with them.

Some sets of cards are few, as the dealer's hands are up to suits: those are all solved, so the
value is exact. Others are too many, and some are drawn at random. Most of the variance of these
draws comes from the ranks that happen to be missing, so the effect of one missing card of each
rank, which has a mean of zero, is subtracted from every draw: a control variate. The mean stays the
same, and its error becomes a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import structs

from croupier.cards import RANKS
from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.mathematics.game.course import seen_at
from croupier.mathematics.model import MainFigures
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Reveal, Rulebook

DEALER: Final = "dealer"
DRAWS_SEED: Final = 15
"""The default seed for sampled hands."""


class KnowingFigures(msgspec.Struct, frozen=True):
    """The figures of a player who has seen cards. `figures` is complete if the game with those
    cards seen is a game of the same kind; else there are `expected_value`, the bets at the first
    decisions, and by the cards seen their value and how often the first bet is then made. Sampled
    values have a `standard_error`, and `by_card` is then by one card."""

    expected_value: Fraction
    decisions: dict[str, dict[str, Fraction]]
    figures: MainFigures | None = None
    by_card: dict[str, tuple[Fraction, dict[str, Fraction]]] = {}
    standard_error: float | None = None
    samples: int | None = None


def not_worked_out(rules: Rules, option: str, why: str) -> Unsolvable:
    return Unsolvable(f"{option}: not worked out for {rules.book.id}: {why}")


def asked_to_know(knows: Mapping[str, int]) -> str:
    """Return the option as on the command line."""
    return f"--knows {', '.join(f'{name}={count}' for name, count in knows.items())}"


def check_known(book: Rulebook, knows: Mapping[str, int]) -> None:
    """Refuse names and numbers that the game does not have."""
    most = {reveal.name: reveal.community for reveal in book.reveals if reveal.community}
    if book.cards.dealer:
        most[DEALER] = book.cards.dealer - max(d.sees_dealer for d in book.decisions)
    for name, count in knows.items():
        if name not in most:
            raise suggest("card to know", name, most)
        if not 1 <= count <= most[name]:
            raise BadRequest(f"--knows {name}={count}: it must be 1 to {most[name]}")


def rules_seeing(rules: Rules, knows: Mapping[str, int]) -> Rules:
    """Return the same game with these cards seen from the start."""
    book = rules.book
    dealers = knows.get(DEALER, 0)
    early = [knows.get(reveal.name, 0) for reveal in book.reveals]
    decisions = tuple(
        structs.replace(
            decision,
            sees_community=decision.sees_community + _not_yet(book, early, shown),
            sees_dealer=decision.sees_dealer + dealers,
        )
        for decision, (_, shown) in zip(book.decisions, seen_at(book), strict=True)
    )
    first = Reveal(name="seen", community=sum(early), dealer=dealers, clause="")
    later = [
        structs.replace(reveal, community=reveal.community - count)
        for reveal, count in zip(book.reveals, early, strict=True)
    ]
    reveals = (first, *(r for r in later if r.community or r.player or r.dealer))
    changed = structs.replace(book, decisions=decisions, reveals=reveals)
    return replace(rules, book=changed, prepared={})


def _not_yet(book: Rulebook, early: list[int], shown: int) -> int:
    """Return how many of the cards seen early a decision after `shown` cards would not see."""
    hidden = turned = 0
    for reveal, count in zip(book.reveals, early, strict=True):
        if turned >= shown:
            hidden += count
        turned += reveal.community
    return hidden


Cards: TypeAlias = tuple[int, ...]
Bets: TypeAlias = Mapping[Any, Fraction]
"""How often each bet is made."""


class SeenCase(NamedTuple):
    """Cards seen, by name; how many such sets there are; the value of those rounds, and the
    bets."""

    name: str
    weight: int
    value: Fraction
    bets: Bets


@dataclass(frozen=True)
class SeenValue:
    """The value of a round, with its standard error if it is sampled; by the cards seen if it is
    exact, else by one card of those."""

    value: Fraction
    bets: Bets
    by_cards: tuple[SeenCase, ...]
    standard_error: float | None = None
    samples: int | None = None


def exact_value(cases: Sequence[SeenCase]) -> SeenValue:
    deals = sum(case.weight for case in cases)
    value = sum((case.weight * case.value for case in cases), Fraction(0)) / deals
    return SeenValue(value, _mean_bets(cases), tuple(cases))


def sampled_value(
    deck: Sequence[int],
    count: int,
    samples: int,
    seed: int,
    solve: Callable[[Sequence[Cards]], Sequence[tuple[Fraction, Bets]]],
) -> SeenValue:
    """Return the value with `count` cards of the deck gone; `solve` returns value and bets for sets
    of them."""
    ranks = sorted({card % 13 for card in deck})
    draws = drawn_hands(deck, count, samples, seed)
    solved = solve([*((rank,) for rank in ranks), *draws])
    single = [
        SeenCase(RANKS[rank], 4, *case)
        for rank, case in zip(ranks, solved[: len(ranks)], strict=True)
    ]
    drawn = [SeenCase("", 1, *case) for case in solved[len(ranks) :]]
    one_gone = {rank: case.value for rank, case in zip(ranks, single, strict=True)}
    mean, error = sampled_mean(draws, [case.value for case in drawn], one_gone)
    return SeenValue(mean, _mean_bets(drawn), tuple(single), error, samples)


def drawn_hands(deck: Sequence[int], count: int, samples: int, seed: int) -> list[Cards]:
    """Return sets of `count` cards, drawn `samples` times; a seed always draws the same ones."""
    import numpy as np  # figures that are read from the cache go without

    random = np.random.default_rng(seed)
    return [
        tuple(sorted(int(card) for card in random.choice(deck, count, replace=False)))
        for _ in range(samples)
    ]


def sampled_mean(
    draws: Sequence[Cards], values: Sequence[Fraction], one_gone: Mapping[int, Fraction]
) -> tuple[Fraction, float]:
    """Return the mean value over all hands, estimated from the draws, and its standard error.

    `one_gone` has the value with one card of each rank gone. Its effects are exact and add up to
    zero over the ranks, so subtracting them leaves the mean unchanged, and the variance of the rest
    is that of independent draws: the estimate of the variance is unbiased too.
    """
    middle = sum(one_gone.values(), Fraction(0)) / len(one_gone)
    left = [
        value - sum((one_gone[card % 13] - middle for card in cards), Fraction(0))
        for cards, value in zip(draws, values, strict=True)
    ]
    mean = sum(left, Fraction(0)) / len(left)
    variance = sum((float(value - mean) ** 2 for value in left), 0.0) / (len(left) - 1)
    return mean, sqrt(variance / len(left))


def _mean_bets(cases: Sequence[SeenCase]) -> Bets:
    """Return the bets as shares of all rounds."""
    deals = sum(case.weight for case in cases)
    return {
        bet: sum((case.weight * case.bets[bet] for case in cases), Fraction(0)) / deals
        for bet in cases[0].bets
    }
