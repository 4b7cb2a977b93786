"""Strategies that play at a table. They see only what a player may see at their turn.

The exact strategies are players of `mathematics`, asked at every turn.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from croupier.cards import Card
from croupier.errors import UnknownName, suggest
from croupier.mathematics.questions.players.tables import load_player
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.situation import Player, Situation
from croupier.mathematics.questions.strategies.text import (
    WrittenStrategy,
    open_strategy,
    shipped_names,
)
from croupier.randomness.shuffling import Seeded, Source, from_system
from croupier.rounds.actions import refused_bets
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

BUILT_IN: Final = ("optimal", "random", "first")
"""Strategies that need no file."""


class TurnView(NamedTuple):
    """What a player sees at their turn: their own cards that they may look at, the community cards
    turned up, the decision, the answers given so far and the dealer's cards turned up."""

    cards: tuple[Card, ...]
    community: tuple[Card, ...]
    decision: Decision
    said: tuple[str, ...] = ()
    dealer: tuple[Card, ...] = ()
    refused: Collection[str] = ()
    """Bets that the hand does not allow."""


class TableStrategy(Protocol):
    def action(self, seen: TurnView) -> str:
        """Return the name of the action: a bet of the decision, or the name for declining."""


def turn_view(state: Round, seat: SeatInRound, rules: Rules) -> TurnView:
    """Return what the player at this seat sees at the current decision."""
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask), "nobody is asked"
    decision = step.decision
    return TurnView(
        seat.cards[: state.looked],
        state.community[: state.exposed],
        decision,
        seat.actions,
        state.dealer[: decision.sees_dealer],
        refused_bets(state, rules, seat.number) if decision.only_with else (),
    )


# -- simple ones ----------------------------------------------------------------------------------


class AlwaysFirst:
    """Always take the first bet that every hand may make; without one, the last answer."""

    def action(self, seen: TurnView) -> str:
        decision = seen.decision
        free = [name for name in decision.bets if name not in decision.only_with]
        return free[0] if free else decision.answers[-1]


class AtRandom:
    """Take each action with equal probability."""

    def __init__(self, draw: Source = from_system) -> None:
        self._draw = draw

    def action(self, seen: TurnView) -> str:
        words = [said for said in seen.decision.answers if said not in seen.refused]
        limit = 256 - 256 % len(words)
        while (byte := self._draw(1)[0]) >= limit:
            pass
        return words[byte % len(words)]


# -- exact ones -----------------------------------------------------------------------------------


class _Advised:
    """A player of `mathematics`, asked at every turn."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def action(self, seen: TurnView) -> str:
        name = seen.decision.name
        situation = Situation(seen.cards, seen.community, (), name, seen.said, seen.dealer)
        return self._player.answer(situation)


def optimal_table_strategy(rules: Rules) -> TableStrategy:
    """Return the best play by the player's own cards; it is solved now unless it is in the
    cache."""
    return strategy_of_player(solver_for(rules).player())


def strategy_of_player(player: Player) -> TableStrategy:
    """Return a table strategy from a player of `mathematics`."""
    return _Advised(player)


def strategy_of_text(rules: Rules, plan: WrittenStrategy) -> TableStrategy:
    """Return a table strategy from a person's written strategy, compiled for every hand."""
    return strategy_of_player(solver_for(rules).following(plan))


def is_saved(name: str) -> bool:
    """Return whether the name is a file that Croupier saved, not a strategy text."""
    path = Path(name)
    return name not in shipped_names() and path.suffix != ".txt" and path.is_file()


def strategy_by_name(rules: Rules, name: str, draw: Source | None = None) -> TableStrategy:
    """Return a strategy: `optimal`, `random`, `first`, a bundled text, or the path of a text or a
    saved strategy."""
    if name == "optimal":
        return optimal_table_strategy(rules)
    if name == "random":
        return AtRandom(draw or Seeded("players"))
    if name == "first":
        return AlwaysFirst()
    if is_saved(name):
        return strategy_of_player(load_player(Path(name)))
    try:
        plan = open_strategy(name, solver_for(rules).choices())
    except UnknownName:
        raise suggest("strategy", name, (*BUILT_IN, *shipped_names())) from None
    return strategy_of_text(rules, plan)
