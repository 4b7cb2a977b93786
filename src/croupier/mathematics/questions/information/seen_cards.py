"""A round in which the player sees cards too early: its rules, and the form of its figures.

What is seen too early is a reveal of its own, before all others; every decision then sees those
cards besides what it would have seen. Community cards of one reveal come in no order, so those seen
are its first ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

import msgspec
from msgspec import structs

from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.mathematics.game.course import seen_at
from croupier.mathematics.model import MainFigures
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Reveal, Rulebook

DEALER: Final = "dealer"
DRAWS_SEED: Final = 15
"""The usual seed of the draws, where the hands that a player has seen are sampled."""


class KnowingFigures(msgspec.Struct, frozen=True):
    """`figures` has everything where the game with those cards seen is a game of the same kind;
    else `expected_value`, what is bet at the first decisions, and by the cards seen their value and
    how often the first bet is made then. What is sampled has a `standard_error`, and `by_card` is
    then of one card."""

    expected_value: Fraction
    decisions: dict[str, dict[str, Fraction]]
    figures: MainFigures | None = None
    by_card: dict[str, tuple[Fraction, dict[str, Fraction]]] = {}
    standard_error: float | None = None
    samples: int | None = None


def not_worked_out(rules: Rules, asked: str, why: str) -> Unsolvable:
    return Unsolvable(f"{asked}: not worked out for {rules.book.id}: {why}")


def asked_to_know(knows: Mapping[str, int]) -> str:
    """As on the command line."""
    return f"--knows {', '.join(f'{name}={count}' for name, count in knows.items())}"


def check_known(book: Rulebook, knows: Mapping[str, int]) -> None:
    """Names and numbers that the game has."""
    most = {reveal.name: reveal.community for reveal in book.reveals if reveal.community}
    if book.cards.dealer:
        most[DEALER] = book.cards.dealer - max(d.sees_dealer for d in book.decisions)
    for name, count in knows.items():
        if name not in most:
            raise suggest("card to know", name, most)
        if not 1 <= count <= most[name]:
            raise BadRequest(f"--knows {name}={count}: it must be 1 to {most[name]}")


def rules_seeing(rules: Rules, knows: Mapping[str, int]) -> Rules:
    """The same game with these cards seen from the start."""
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
    """Of the cards seen early, those that a decision after `shown` cards would not see."""
    hidden = turned = 0
    for reveal, count in zip(book.reveals, early, strict=True):
        if turned >= shown:
            hidden += count
        turned += reveal.community
    return hidden
