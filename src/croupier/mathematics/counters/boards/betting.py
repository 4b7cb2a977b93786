"""A strategy as arrays, how its betting ends, and how many deals arrive where in each way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from croupier.mathematics.counters.boards.arrivals import (
    Arrivals,
    FlopBetting,
    TurnBetting,
    arrive_at_flops,
    arrive_at_turns,
    count_undecided,
)
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import (
    flop_views,
    flops_of,
    hand_images,
    orbits_of,
)
from croupier.mathematics.counters.boards.kernel_records import hand_rows
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
)
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.ranking_pass import river_choices
from croupier.mathematics.counters.boards.stages import new_stage_scratch
from croupier.mathematics.counters.boards.turns import best_at_turn, flop_pairs, turns_of
from croupier.mathematics.kernels.arrays import I8, I32
from croupier.mathematics.kernels.threads import ranges, spread

__all__ = [
    "Betting",
    "Ending",
    "StrategyArrays",
    "betting_of",
    "count_arrivals",
    "decides_at_turn",
    "endings_of",
    "endings_up_to_flop",
    "joined",
    "undecided_at_flop",
]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the betting ended: a bet of `multiple` after `seen` cards; 0 is a free showdown."""

    seen: int
    multiple: int
    fold: bool = False


def _nothing() -> I8:
    return np.zeros((0, 0), dtype=np.int8)


@dataclass(frozen=True)
class StrategyArrays:
    """What to do in every information set.

    `actions[seen]` numbers the action by orbit (seen 0 to 2, `geometry.orbits_of`), by canonical
    pair (3, `geometry.flops_of`) or by situation (4, `turns.turns_of`): the place of a multiple
    among the decision's, or -1 to decline. The turn, if it is left out, and the river, unless
    `river` says otherwise, are the best response.
    """

    actions: dict[int, I8]
    river: River = field(default_factory=lambda: River(_nothing(), _nothing(), True))


def decides_at_turn(game: HoldemGame) -> bool:
    return any(level.seen == 4 for level in game.levels)


def endings_of(game: HoldemGame) -> tuple[tuple[Ending, ...], dict[int, int]]:
    """All endings, those of the river last; and where the endings of each earlier level begin."""
    endings: list[Ending] = []
    starts: dict[int, int] = {}
    for level in game.levels:
        if level.seen < 5:
            starts[level.seen] = len(endings)
            endings += [Ending(level.seen, k) for k in level.multiples]
            if level.decline == "fold":
                endings.append(Ending(level.seen, 0, fold=True))
    choices, may_fold = river_choices(game)
    endings += [Ending(5, k) for k in choices]
    if may_fold:
        endings.append(Ending(5, 0, fold=True))
    return tuple(endings), starts


@dataclass(frozen=True)
class Betting:
    """A strategy's endings, numbered among those that occur: every row of a sweep costs time."""

    endings: tuple[Ending, ...]
    kept: tuple[int, ...]  # those that occur before the river, and all of the river
    early: int  # how many of them come at the flop or before
    late: int  # and how many at the turn
    actions: tuple[I8, ...]  # [seen]: numbers, -1 where the betting goes on; empty: no decision

    @property
    def rows(self) -> int:
        """Endings before the river, and undecided."""
        return self.early + self.late + 1


def betting_of(game: HoldemGame, strategy: StrategyArrays, threads: int) -> Betting:
    endings, _ = endings_of(game)
    actions = [*endings_up_to_flop(game, strategy), _endings_at_turn(game, strategy, threads)]
    taken = [
        number
        for number, ending in enumerate(endings)
        if ending.seen < 5 and (actions[ending.seen] == number).any()
    ]
    late = sum(endings[number].seen == 4 for number in taken)
    river = (number for number, ending in enumerate(endings) if ending.seen == 5)
    places = np.full(128, -1, dtype=np.int8)
    places[taken] = np.arange(len(taken))
    numbered = tuple(np.where(each >= 0, places[each], -1).astype(np.int8) for each in actions)
    return Betting(endings, (*taken, *river), len(taken) - late, late, numbered)


def endings_up_to_flop(game: HoldemGame, strategy: StrategyArrays) -> tuple[I8, ...]:
    """By cards seen, none to three: actions as numbers of endings, -1 where the betting goes on;
    empty where nothing is decided."""
    none = np.zeros(0, dtype=np.int8)
    return tuple(_numbered(game, seen, strategy.actions.get(seen, none)) for seen in range(4))


def _endings_at_turn(game: HoldemGame, strategy: StrategyArrays, threads: int) -> I8:
    if not decides_at_turn(game):
        return np.zeros(0, dtype=np.int8)
    if 4 in strategy.actions:
        return _numbered(game, 4, strategy.actions[4])
    return _numbered(game, 4, best_at_turn(game, strategy.river.bold, threads))


def _numbered(game: HoldemGame, seen: int, action: I8) -> I8:
    _, starts = endings_of(game)
    level = next((level for level in game.levels if level.seen == seen), None)
    if level is None:
        return np.zeros(0, dtype=np.int8)
    declined = starts[seen] + len(level.multiples) if level.decline == "fold" else -1
    return np.where(action >= 0, starts[seen] + action, declined).astype(np.int8)


def _orbit_numbers(game: HoldemGame, actions: tuple[I8, ...]) -> tuple[I32, ...]:
    none = np.zeros(0, dtype=np.int32)
    return tuple(
        orbits_of(game.deck, seen).number if len(actions[seen]) else none for seen in range(3)
    )


def undecided_at_flop(game: HoldemGame, actions: tuple[I8, ...], *, after: bool) -> I8:
    """For every canonical pair: the orders of the flop's cards in which nothing has been bet when
    the flop is decided on, or `after` that. `actions` as of `endings_up_to_flop`."""
    flops = flops_of(game.deck)
    out = np.zeros(len(flops.hand), np.int8)
    at_flop = actions[3] if after else np.zeros(0, np.int8)
    count_undecided(
        flops, _orbit_numbers(game, actions), actions[:3], at_flop, np.zeros(128, np.int64), out
    )
    return out


def count_arrivals(
    game: HoldemGame,
    betting: Betting,
    threads: int,
    labels: I8 | None = None,
    kinds: int = 1,
    inside: npt.NDArray[np.bool_] | None = None,
) -> Arrivals:
    """Deals that come to each flop, turn and hand, by how their betting has ended and by label:
    all of them, or those of the canonical pairs `inside`."""
    marks = labels if labels is not None else np.zeros(0, dtype=np.int8)
    ranks, views = _at_flops(game, betting, threads, marks, kinds, inside)
    if not decides_at_turn(game):
        return Arrivals(ranks, views)
    ended = betting.early * kinds
    early = (np.ascontiguousarray(ranks[:, :ended]), np.ascontiguousarray(views[:, :ended]))
    return Arrivals(*early, *_at_turns(game, betting, threads, marks, kinds, inside))


def _at_flops(
    game: HoldemGame,
    betting: Betting,
    threads: int,
    labels: I8,
    kinds: int,
    inside: npt.NDArray[np.bool_] | None,
) -> tuple[I32, I32]:
    flops, actions = flops_of(game.deck), betting.actions
    if inside is not None:
        # An orbit of no deals is passed over.
        flops = flops._replace(orbit=np.where(inside, flops.orbit, 0).astype(np.uint8))
    rows = (betting.early + 1) * kinds
    plain = np.zeros((threads, RANK_FLOPS, rows, PAIRS), dtype=np.int32)
    suited = np.zeros((threads, VIEWS, rows, CLASSES), dtype=np.int32)
    told = FlopBetting(_orbit_numbers(game, actions), actions[:3], actions[3], labels, kinds)
    fixed = (flops, flop_views(game.deck), hand_rows(), told)

    def work(thread: int, span: tuple[int, int]) -> None:
        weights = np.zeros(betting.early + 1, np.int64)
        arrive_at_flops(*span, *fixed, weights, plain[thread], suited[thread])

    spread(ranges(len(flops.cards), 100), work, threads)
    return joined(plain), joined(suited)


def _at_turns(
    game: HoldemGame,
    betting: Betting,
    threads: int,
    labels: I8,
    kinds: int,
    inside: npt.NDArray[np.bool_] | None,
) -> tuple[I32, I32]:
    turns = turns_of(game.deck)
    undecided = undecided_at_flop(game, betting.actions, after=True)
    if inside is not None:
        undecided[~inside] = 0
    # The rows of the turn begin where those of the flop end.
    at_turn = np.where(betting.actions[4] >= 0, betting.actions[4] - betting.early, -1)
    rows = (betting.late + 1) * kinds
    plain = np.zeros((threads, RANK_TURNS, rows, PAIRS), dtype=np.int32)
    suited = np.zeros((threads, TURN_VIEWS, rows, CLASSES), dtype=np.int32)
    rows_of, pair_of = hand_rows(), flop_pairs(game.deck)
    told = TurnBetting(hand_images(), pair_of, undecided, at_turn.astype(np.int8), labels, kinds)

    def work(thread: int, span: tuple[int, int]) -> None:
        scratch = (new_stage_scratch(), np.zeros(kinds, np.int64))
        arrive_at_turns(*span, turns, rows_of, told, *scratch, plain[thread], suited[thread])

    spread(ranges(len(turns.cards), 400), work, threads)
    return joined(plain), joined(suited)


def joined(parts: I32) -> I32:
    """The threads' counts together, in the first one's place."""
    total: I32 = parts[0]
    for part in parts[1:]:
        total += part
    return total
