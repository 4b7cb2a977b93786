"""Advice in the words of a rulebook, whichever solver gives it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.cards import Card

__all__ = ["Advice", "Situation"]


class Situation(NamedTuple):
    """What a player sees when a decision is put. `decision` is its name; left out, it is the first
    that is taken on so many cards. `known` are other players' cards that lie face up; `raised` is
    the multiple bet at the decision before, where that is known (0: none)."""

    own: Sequence[Card]
    community: Sequence[Card] = ()
    known: Sequence[Card] = ()
    decision: str = ""
    raised: int | None = None


class Advice(NamedTuple):
    """The value of every action that the rules allow now: the expected net of the round in units
    of one required wager, with the best play afterwards."""

    decision: str
    values: dict[str, Fraction]
    best: str
