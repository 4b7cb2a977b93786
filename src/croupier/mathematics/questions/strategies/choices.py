"""The decisions of a game as a written strategy answers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rulebooks.schema import Decision

__all__ = ["StrategyDecision", "merged_choices"]


@dataclass(frozen=True)
class StrategyDecision:
    """A decision as a strategy's text sees it."""

    name: str
    actions: tuple[str, ...]  # bets in the order offered, then what declining is called
    scene: CardsSeen


def merged_choices(decisions: Sequence[Decision]) -> tuple[StrategyDecision, ...]:
    """Two decisions after the same cards are one, under the first's name; of two words for the same
    bet the first counts."""
    merged: dict[tuple[int, int], tuple[str, dict[int, str], str]] = {}
    for decision in decisions:
        place = (decision.sees_player, decision.sees_community)
        name, words, _ = merged.get(place, (decision.name, {}, ""))
        for said, multiple in decision.bets.items():
            words.setdefault(multiple, said)
        merged[place] = name, words, decision.otherwise
    return tuple(
        StrategyDecision(name, (*words.values(), otherwise), CardsSeen(*place))
        for place, (name, words, otherwise) in merged.items()
    )
