"""The rules of a round in which the player sees cards before the first decision.

What is seen too early is a reveal of its own, before all others; every decision then sees those
cards besides what it would have seen. Community cards of one reveal come in no order, so those seen
are its first ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from msgspec import structs

from croupier.errors import BadRequest, suggest
from croupier.mathematics.game.course import seen_at
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Reveal, Rulebook

__all__ = ["DEALER", "DRAWS_SEED", "check_known", "is_next", "rules_seeing"]

DEALER: Final = "dealer"
DRAWS_SEED: Final = 15
"""The usual seed of the draws, where the hands that a player has seen are sampled."""


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


def is_next(book: Rulebook, name: str) -> bool:
    """Is this the first reveal of community cards after the first decision?"""
    shown = seen_at(book)[0][1]
    for reveal in book.reveals:
        if shown <= 0 and reveal.community:
            return reveal.name == name
        shown -= reveal.community
    return False


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
    found = turned = 0
    for reveal, count in zip(book.reveals, early, strict=True):
        if turned >= shown:
            found += count
        turned += reveal.community
    return found
