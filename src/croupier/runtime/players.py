"""Strategies that play at a table. They see only what a player may see at the turn.

The exact strategies of `mathematics` are prepared here for millions of decisions: before the river
one look into a table of every hand, at the river (best play) one count of the dealer's 990 hands. A
round of six such players takes some tens of microseconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np

from croupier.cards import Card
from croupier.errors import UnknownName, suggest
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import Flops, card_pairs, flops_of, orbits_of
from croupier.mathematics.counters.boards.kernel_records import Showdowns, showdowns_of
from croupier.mathematics.counters.boards.numbering import numbering, suit_classes
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.kernels.arrays import I8, I64, U16
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.mathematics.questions.advice.situation import Player, Situation
from croupier.mathematics.questions.loaded_players import load_player
from croupier.mathematics.questions.registry import (
    choices_for,
    optimal_player,
    player_following,
    solver_for,
)
from croupier.mathematics.questions.strategies.compiling import compile_plan
from croupier.mathematics.questions.strategies.optimal import HoldemPlayer
from croupier.mathematics.questions.strategies.shipped import open_strategy, shipped_names
from croupier.mathematics.questions.strategies.situations import suit_boards, turn_situation
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.randomness.shuffling import Seeded, Source, from_system
from croupier.ranking.fast import strengths_on_board
from croupier.rounds.actions import refused_bets
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = [
    "AlwaysFirst",
    "AtRandom",
    "HoldemStrategy",
    "TableStrategy",
    "TurnView",
    "is_saved",
    "optimal_table_strategy",
    "river_place",
    "strategy_by_name",
    "strategy_of_player",
    "strategy_of_text",
    "turn_view",
]

BUILT_IN: Final = ("optimal", "random", "first")
"""The strategies that need no file."""


class TurnView(NamedTuple):
    """What a player sees at the turn: the own cards that may be looked at, the community cards that
    are turned up, the decision, the answers given so far and the dealer's cards turned up."""

    cards: tuple[Card, ...]
    community: tuple[Card, ...]
    decision: Decision
    said: tuple[str, ...] = ()
    dealer: tuple[Card, ...] = ()
    refused: Collection[str] = ()
    """Bets that the hand does not allow."""


class TableStrategy(Protocol):
    def action(self, seen: TurnView) -> str:
        """The name of the action: a bet of the decision, or the name for declining."""


def turn_view(state: Round, seat: SeatInRound, rules: Rules) -> TurnView:
    """What the player at this seat sees at the question that is put now."""
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
    """Always the first bet that is offered to any hand; without one, what is said first."""

    def action(self, seen: TurnView) -> str:
        decision = seen.decision
        free = [name for name in decision.bets if name not in decision.only_with]
        return free[0] if free else decision.answers[-1]


class AtRandom:
    """Each action equally likely."""

    def __init__(self, draw: Source = from_system) -> None:
        self._draw = draw

    def action(self, seen: TurnView) -> str:
        words = [said for said in seen.decision.answers if said not in seen.refused]
        limit = 256 - 256 % len(words)
        while (byte := self._draw(1)[0]) >= limit:
            pass
        return words[byte % len(words)]


# -- exact ones -----------------------------------------------------------------------------------


class HoldemStrategy(ABC):
    """Play against a dealer, by lookup. `_early[seen]` has the number of the action by hand and
    community cards, declining last; `river` finds it from all seven cards."""

    def __init__(
        self, deck: int, words: Mapping[int, tuple[str, ...]], actions: Mapping[int, I8]
    ) -> None:
        self._words = words
        self._early = {
            seen: _by_flop(deck, action) if seen == 3 else _by_hand(deck, seen, action)
            for seen, action in actions.items()
            if seen in words and seen < 4
        }

    def action(self, seen: TurnView) -> str:
        cards, community, decision = seen.cards, seen.community, seen.decision
        count = len(community)
        words = self._words[count]
        if count == 4:
            word = self.turn(cards, community)
        elif count == 5:
            word = words[self.river(cards, community)]
        else:
            word = words[self._early[count][_place(cards, community)]]
        # Of two decisions on the same cards, the first may not offer the best bet.
        return word if word in decision.bets else decision.otherwise

    @abstractmethod
    def turn(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> str: ...

    @abstractmethod
    def river(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> int: ...


def _place(cards: tuple[Card, ...], community: tuple[Card, ...]) -> int:
    a, b = cards
    hand = a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
    if not community:
        return hand
    if len(community) == 3:
        low, middle, high = sorted(community)
        flop = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
        return flop * 1326 + hand
    if len(community) == 1:
        return hand * 52 + community[0]
    low, high = sorted(community)
    return hand * 1326 + high * (high - 1) // 2 + low


def _by_hand(deck: int, seen: int, action: I8) -> bytes:
    """For every hand (and one or two community cards) the number of the action."""
    orbits = orbits_of(deck, seen)
    assert orbits.width == (1, 52, 1326)[seen]
    return action.astype(np.uint8)[orbits.number].tobytes()


def _by_flop(deck: int, action: I8) -> bytes:
    table = np.zeros(22_100 * 1326, np.int8)
    _spread_flops(flops_of(deck), card_pairs().astype(np.int64), action, _suit_orders(), table)
    return table.tobytes()


@lru_cache(maxsize=1)
def _suit_orders() -> I8:
    return np.array(list(permutations(range(4))), np.int8)


@kernel
def _spread_flops(flops: Flops, ends: I8, action: I8, orders: I8, table: I8) -> None:
    """Copy the actions of canonical flop and hand pairs to all pairs that differ only in suits."""
    five = np.zeros(5, np.int64)
    for flop in range(len(flops.cards)):
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = flops.hand[pair]
            for order in orders:
                for i in range(5):
                    card = flops.cards[flop, i] if i < 3 else ends[hand, i - 3]
                    five[i] = 13 * order[card // 13] + card % 13
                a, b, c = five[0], five[1], five[2]
                high, low = max(a, b, c), min(a, b, c)
                middle = a + b + c - high - low
                number = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
                top, other = max(five[3], five[4]), min(five[3], five[4])
                table[number * 1326 + top * (top - 1) // 2 + other] = action[pair]


class _BestHoldem(HoldemStrategy):
    """The best play; at the river it counts the dealer's possible hands."""

    def __init__(self, player: HoldemPlayer) -> None:
        super().__init__(player.game.deck, player.words, _declining_last(player))
        self._game = player.game
        self._showdowns = showdowns_of(player.game)
        self._decision = next((level for level in player.game.levels if level.seen == 5), None)
        self._board = 0
        self._strengths = np.zeros(1081, np.uint16)
        self._sums = np.zeros(3, np.int64)
        self._player = player

    def turn(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> str:
        """Dealt out each time: there are too many situations to lay out."""
        return self._player.action(cards, community)

    def river(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> int:
        assert self._decision is not None
        game, (a, b) = self._game, cards
        board = sum([1 << card for card in community])
        if board != self._board:
            # All players of a round look at the same board.
            strengths_on_board(np.uint64(board), self._strengths)
            self._board = board
        high, low = int(max(a, b)), int(min(a, b))
        _meet_dealer(high, low, board, self._showdowns, self._strengths, self._sums)
        required, decided, ways = self._sums.tolist()
        values = [required + k * decided for k in self._decision.multiples]
        folds = self._decision.decline == "fold"
        values.append(game.fold * ways if folds else required)
        return values.index(max(values))


@kernel
def _meet_dealer(
    high: int, low: int, board: int, game: Showdowns, strengths: U16, sums: I64
) -> None:
    """sums = A, B and their number over the dealer's hands, given the strengths on the board."""
    deck, qualifier, required, decided = game.deck, game.qualifier, game.required, game.decided
    places = np.zeros(52, np.int64)
    free = np.zeros(47, np.bool_)
    count = 0
    for card in range(52):
        if not board >> card & 1:
            places[card] = count
            free[count] = card not in (high, low) and deck >> card % 13 & 1
            count += 1
    top, other = places[high], places[low]
    mine = whole(strengths[top * (top - 1) // 2 + other])
    counts = np.zeros(6, np.int64)
    for j in range(1, count):
        if not free[j]:
            continue
        start = j * (j - 1) // 2
        for i in range(j):
            if free[i]:
                theirs = whole(strengths[start + i])
                row = 0 if mine > theirs else 2 if mine == theirs else 4
                counts[row + (1 if theirs < qualifier else 0)] += 1
    sums[:] = 0
    for row in range(6):
        sums[0] += counts[row] * required[row, mine]
        sums[1] += counts[row] * decided[row, mine]
        sums[2] += counts[row]


def _declining_last(player: HoldemPlayer) -> dict[int, I8]:
    return {
        seen: _last(action, len(player.words[seen]) - 1)
        for seen, action in player.actions.items()
        if seen in player.words
    }


def _last(action: I8, number: int) -> I8:
    return np.where(action < 0, number, action).astype(np.int8)


class _WrittenHoldem(HoldemStrategy):
    """A compiled strategy text: the river by ranks if no flush is possible, else by suit."""

    def __init__(
        self, game: HoldemGame, words: Mapping[int, tuple[str, ...]], plan: WrittenStrategy
    ) -> None:
        strategy = compile_plan(game, plan)
        early = {
            seen: _last(action, len(words[seen]) - 1) for seen, action in strategy.actions.items()
        }
        super().__init__(game.deck, words, early)
        self._deck, self._at_turn = game.deck, early.get(4)
        self._river: River = strategy.river

    def turn(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> str:
        assert self._at_turn is not None
        return self._words[4][int(self._at_turn[turn_situation(self._deck, cards, community)])]

    def river(self, cards: tuple[Card, ...], community: tuple[Card, ...]) -> int:
        by_suit, board, hand = river_place(cards, community)
        return int((self._river.suited if by_suit else self._river.plain)[board, hand])


def river_place(cards: tuple[Card, ...], community: tuple[Card, ...]) -> tuple[bool, int, int]:
    """The place in `holdem.outcomes.River`: by suit or not, number of the board, of the hand."""
    a, b = cards
    for suit in range(4):
        mask = sum([1 << card % 13 for card in community if card // 13 == suit])
        if mask.bit_count() >= 3:
            others = sorted([card % 13 for card in community if card // 13 != suit])
            hand = a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a
            return True, _suited_boards()[mask, *others], int(suit_classes()[suit, hand])
    ranks = tuple(sorted([card % 13 for card in community]))
    high, low = max(a % 13, b % 13), min(a % 13, b % 13)
    return False, _plain_boards()[ranks], high * (high + 1) // 2 + low


@lru_cache(maxsize=1)
def _plain_boards() -> dict[tuple[int, ...], int]:
    return {tuple(ranks): place for place, ranks in enumerate(numbering().board_ranks.tolist())}


@lru_cache(maxsize=1)
def _suited_boards() -> dict[tuple[int, ...], int]:
    """By the mask of the suit's ranks and the other ranks in ascending order."""
    boards = suit_boards()
    listed = zip(boards.mask.tolist(), boards.p.tolist(), boards.q.tolist(), strict=True)
    return {
        (mask, *sorted((p, q)[: 5 - mask.bit_count()])): place
        for place, (mask, p, q) in enumerate(listed)
    }


class _Advised:
    """A player of `mathematics`, asked at every turn."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def action(self, seen: TurnView) -> str:
        name = seen.decision.name
        situation = Situation(seen.cards, seen.community, (), name, seen.said, seen.dealer)
        return self._player.answer(situation)


def optimal_table_strategy(rules: Rules) -> TableStrategy:
    """The best play on the own cards; solved now unless it is in the cache."""
    return strategy_of_player(optimal_player(rules))


def strategy_of_player(player: Player) -> TableStrategy:
    """A strategy of `mathematics`, prepared for many decisions."""
    return _BestHoldem(player) if isinstance(player, HoldemPlayer) else _Advised(player)


def strategy_of_text(rules: Rules, plan: WrittenStrategy) -> TableStrategy:
    """A strategy that a person wrote, compiled for every hand."""
    if solver_for(rules).shape is not HOLDEM:
        return strategy_of_player(player_following(rules, plan))
    game = game_of(rules)
    words = {choice.scene.community: choice.actions for choice in choices_for(rules)}
    return _WrittenHoldem(game, words, plan)


def is_saved(name: str) -> bool:
    """The name is a file that Croupier saved, not a strategy text."""
    path = Path(name)
    return name not in shipped_names() and path.suffix != ".txt" and path.is_file()


def strategy_by_name(rules: Rules, name: str, draw: Source | None = None) -> TableStrategy:
    """`optimal`, `random`, `first`, a bundled text, or the path of a text or a saved strategy."""
    if name == "optimal":
        return optimal_table_strategy(rules)
    if name == "random":
        return AtRandom(draw or Seeded("players"))
    if name == "first":
        return AlwaysFirst()
    if is_saved(name):
        return strategy_of_player(load_player(Path(name)))
    try:
        plan = open_strategy(name, choices_for(rules))
    except UnknownName:
        raise suggest("strategy", name, (*BUILT_IN, *shipped_names())) from None
    return strategy_of_text(rules, plan)
