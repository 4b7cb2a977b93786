"""The best play of hold'em as an object: asked about cards, saved to a file, loaded again.

The file has what is done with every hand up to the flop, and the game's payoffs, from which the
choices at the turn and the river follow in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy.typing as npt

from croupier.cards import Card, format_cards
from croupier.errors import BadCards
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.counters.boards.geometry import flops_of, orbits_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.strategies import optimal_strategy
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.advice.boards import advise, pair_of_cards
from croupier.mathematics.questions.advice.situation import Player, Situation
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.files import write_player
from croupier.rulebooks.rules import Rules

__all__ = ["HoldemPlayer", "optimal_holdem"]


@dataclass(frozen=True)
class HoldemPlayer(Player):
    """Optimal play against the dealer. `words[seen]`: the actions, declining last."""

    rulebook: str
    game: HoldemGame
    words: dict[int, tuple[str, ...]]
    actions: dict[int, I8]

    def answer(self, seen: Situation) -> str:
        return self.action(seen.own, seen.community)

    def action(self, cards: Sequence[Card], community: Sequence[Card] = ()) -> str:
        seen = len(community)
        _check(cards, community, 2)
        if seen not in self.words:
            known = ", ".join(str(seen) for seen in self.words)
            raise BadCards(f"nothing is decided after {seen} community cards, but after {known}")
        if seen >= 4:
            advice = advise(self.game, cards, community)
            place = list(advice.actions).index(advice.best)
            return self.words[seen][place]
        place = int(self.actions[seen][self._place(cards, community)])
        return self.words[seen][place]

    def _place(self, cards: Sequence[Card], community: Sequence[Card]) -> int:
        if len(community) == 3:
            return pair_of_cards(flops_of(self.game.deck), cards, community)
        orbits = orbits_of(self.game.deck, len(community))
        shown = 0
        if community:
            shown = community[0] if len(community) == 1 else _number(community)
        return int(orbits.number[_number(cards) * orbits.width + shown])

    def save(self, path: Path) -> None:
        about = {
            "kind": "holdem",
            "rulebook": self.rulebook,
            "decisions": [[d.seen, list(d.multiples), d.decline] for d in self.game.levels],
            "numbers": [self.game.qualifier, self.game.fold, self.game.scale, self.game.deck],
            "words": {str(seen): list(words) for seen, words in self.words.items()},
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            f"actions_{seen}": action for seen, action in self.actions.items()
        }
        write_player(path, about, arrays | {"A": self.game.required, "B": self.game.decided})

    @classmethod
    def restored(
        cls, about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
    ) -> HoldemPlayer:
        """What `save` wrote."""
        words = {int(place): tuple(said) for place, said in about["words"].items()}
        qualifier, fold, scale, deck = about["numbers"]
        game = HoldemGame(
            decisions=tuple(
                BetDecision(seen, tuple(multiples), cast(Literal["check", "fold"], decline))
                for seen, multiples, decline in about["decisions"]
            ),
            required=payoffs(list(arrays["A"])),
            decided=payoffs(list(arrays["B"])),
            qualifier=qualifier,
            fold=fold,
            scale=scale,
            deck=deck,
        )
        actions = {seen: arrays[f"actions_{seen}"] for seen in words if seen < 4}
        return cls(about["rulebook"], game, words, actions)


def _check(cards: Sequence[Card], community: Sequence[Card], own: int) -> None:
    every = [*cards, *community]
    if len(cards) != own:
        raise BadCards(f"{own} own cards are needed, not {len(cards)}")
    if len(set(every)) != len(every):
        raise BadCards(f"a deck holds every card once: {format_cards(every)}")


def _number(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def optimal_holdem(rules: Rules, choices: Sequence[StrategyDecision]) -> HoldemPlayer:
    """The best play on one's own cards against the dealer."""
    solution = solution_of(rules)
    words = {choice.scene.community: choice.actions for choice in choices}
    return HoldemPlayer(
        rules.book.id, solution.game, words, optimal_strategy(solution, rules.takes_first).actions
    )
