"""Envy that is lost on a fold: how often another player's hand meets a bettor who folded.

Another player's two cards are two cards that the bettor does not see, like the dealer's. So lines
on all seven cards or on the board are counted by the sweep, which knows how often a hand is folded
against which strength of the dealer. Lines on two cards and the flop concern few hands, and those
are dealt out here: every flop with the two cards that make such a hand, every turn and river, and
every hand of the bettor's, folded or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Path, Showdowns, showdowns_of
from croupier.mathematics.counters.boards.geometry import (
    HANDS,
    card_pairs,
    flops_of,
    places_of,
    turns_of,
)
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS
from croupier.mathematics.counters.boards.rulebook import best_play, holdem_game
from croupier.mathematics.counters.boards.solver import river_game
from croupier.mathematics.counters.boards.strategies import Strategy, orders_of_board
from croupier.mathematics.game.paytable_lines import LineTests
from croupier.mathematics.hand_values import subsets
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.model import EnvyPayment
from croupier.mathematics.questions.sessions.line_facts import (
    Hands,
    bits_at,
    board_bits,
    exchanged,
    hands_at,
)
from croupier.mathematics.questions.sessions.sweep import Marks, cuts_of, sweep
from croupier.mathematics.side_wagers.analysis import envy_lines, envy_of
from croupier.mathematics.side_wagers.by_strength import strength_bits
from croupier.mathematics.side_wagers.columns import bits_of, columns_of_all, ranking_at
from croupier.mathematics.side_wagers.deals import exchanges_of_suits
from croupier.money import Fixed
from croupier.ranking.fast import strength_of
from croupier.rulebooks.rules import Rules

_MOST: Final = 400
"""The most flops with another player's cards that are dealt out, a tenth of a second each."""


def envy_unless_folded(
    rules: Rules, wager: str, stake_cents: int
) -> tuple[tuple[EnvyPayment, ...], int]:
    """Return the envy payments of `side_wagers.analysis.envy_of`, without the deals in which the
    bettor has folded."""
    game = holdem_game(rules)
    paid = envy_lines(rules, wager, stake_cents)
    folds = [path for path in game.paths if path.folded]
    if paid is None or not folds:
        return envy_of(rules, wager, stake_cents)
    last = game.questions[folds[0].said[-1][0]].seen
    hands, tests = hands_at(rules), paid.tests
    places = {hands[leaf.hand][0] if leaf.hand in hands else None for leaf in tests.leaves}
    if not places <= {"opening", "final", "board"} or last < 3 or len(folds) > 1:
        raise Unsolvable(f"envy of {wager} is lost with a fold: not worked out for these lines")
    strategy = best_play(rules)
    folded: Counter[int | None] = Counter()
    if places != {"opening"}:
        folded.update(_by_sweep(tests, hands, strategy))
    if "opening" in places:
        folded.update(_by_dealing(tests, hands, strategy))
    lines, deals = envy_of(rules, wager, stake_cents)
    total = _deals(game)
    numbers = [n for n, line in enumerate(tests.lines) if isinstance(line.pays, Fixed)]
    left = []
    for number, envy in zip(numbers, lines, strict=True):
        every, rest = divmod(envy.combinations * total, deals)
        assert rest == 0
        left.append(EnvyPayment(envy.hand, envy.cents, every - folded[number]))
    return tuple(left), total


def _deals(game: HoldemGame) -> int:
    """Return the number of deals of community cards in the orders that the game distinguishes, of
    the player's hand and of the other player's."""
    ways = comb(52, 3) * comb(49, 2) * comb(47, 2) * comb(45, 2)
    return ways * orders_of_board(game)


# -- lines on seven cards and on the board --------------------------------------------------------


def _by_sweep(tests: LineTests, hands: Hands, strategy: Strategy) -> Counter[int | None]:
    """Return the folded deals by the other player's line, as if no line on the flop ever held."""
    final = {leaf.hand for leaf in tests.leaves if hands[leaf.hand][0] == "final"}
    bits = strength_bits(tests.leaves, final) if final else np.zeros((4, 7462), np.int64)
    if (bits != bits[0]).any():
        raise Unsolvable("envy that names a suit of seven cards is not worked out where folds lose")
    by_rank, by_mask = board_bits(tests.leaves, hands)
    shown, kinds = np.unique(np.concatenate([by_rank, by_mask]), return_inverse=True)
    marks = Marks(
        np.zeros(len(flops_of(strategy.game.deck).hand), np.int16),
        kinds[:RANK_BOARDS].astype(np.int8),
        kinds[RANK_BOARDS:].astype(np.int8),
        np.zeros(1, np.int64),
        np.union1d([strategy.game.qualifier], cuts_of(bits[:1])[1:]).astype(np.int64),
    )
    endings, deals = sweep(strategy, marks)
    folded = deals[[place for place, ending in enumerate(endings) if ending.folded]].sum(
        axis=(0, 1)
    )
    by_line: Counter[int | None] = Counter()
    for board_kind, _, cell in np.argwhere(folded).tolist():
        strength = int(marks.thresholds[cell // 3 - 1]) if cell >= 3 else 0
        held = int(shown[board_kind] | bits[0, strength])
        by_line[tests.line(held)] += int(folded[board_kind, 0, cell])
    return by_line


# -- lines on two cards and the flop --------------------------------------------------------------


class _Met(NamedTuple):
    """A flop and another player's two cards (with the number of their images under exchanges of
    suits), and for every turn and river, numbered like hands, the leaves that hold for the other
    player."""

    flop: tuple[int, ...]
    held: tuple[int, ...]
    weight: int
    leaves: I64


def _by_dealing(tests: LineTests, hands: Hands, strategy: Strategy) -> Counter[int | None]:
    """Return the folded deals that a line on the flop moves from one line to another."""
    met = list(_meetings(tests, hands))
    if len(met) > _MOST:
        raise Unsolvable("envy on hands as frequent as these is not worked out where folds lose")
    game = strategy.game
    arrived, waits, path = _on_the_way(strategy)
    own, _ = river_game(game, path)
    choices = np.array([] if path.folded else own.multiples, np.int64)
    prices, deck = showdowns_of(own), game.deck
    counts = np.zeros((len(met), HANDS), np.int64)

    def work(_: int, flop: tuple[int, ...]) -> None:
        places = [place for place, meeting in enumerate(met) if meeting.flop == flop]
        held = np.array([met[place].held for place in places])
        folds = np.zeros((len(places), HANDS), np.int64)
        at_flop, at_turn = _by_hand(arrived, deck, flop), _by_turn(waits, deck, flop)
        _count_folds(np.array(flop), held, at_flop, at_turn, prices, choices, folds)
        counts[places] = folds

    spread({meeting.flop for meeting in met}, work, cores())
    on_flop = sum(1 << n for n, x in enumerate(tests.leaves) if hands[x.hand][0] == "opening")
    by_line: Counter[int | None] = Counter()
    for meeting, folds in zip(met, counts, strict=True):
        for bits in np.unique(meeting.leaves).tolist():
            deals = meeting.weight * int(folds[meeting.leaves == bits].sum())
            by_line[tests.line(bits & ~on_flop)] -= deals
            by_line[tests.line(bits)] += deals
    return by_line


def _meetings(tests: LineTests, hands: Hands) -> Iterator[_Met]:
    looked_at = [leaf for leaf in tests.leaves if hands[leaf.hand][0] == "opening"]
    opening = hands[looked_at[0].hand][1]
    rows = columns_of_all(ranking_at(opening), 5)
    masks = subsets(5)[bits_of(looked_at, {leaf.hand: rows for leaf in looked_at}) != 0]
    orders = exchanges_of_suits(frozenset(leaf.suits for leaf in tests.leaves if leaf.suits))
    least = np.min([exchanged(masks, order) for order in orders], axis=0)
    for mask, weight in zip(*np.unique(least, return_counts=True), strict=True):
        cards = [card for card in range(52) if int(mask) >> card & 1]
        for flop in combinations(cards, 3):
            held = tuple(card for card in cards if card not in flop)
            yield _Met(flop, held, int(weight), _leaves(tests, hands, flop, held))


def _leaves(tests: LineTests, hands: Hands, flop: tuple[int, ...], held: tuple[int, ...]) -> I64:
    """Return the leaves that hold for every turn and river; 0 for impossible ones."""
    ends = card_pairs().astype(np.uint64)
    runouts = (np.uint64(1) << ends[:, 0]) | (np.uint64(1) << ends[:, 1])
    shared, own = (np.uint64(sum(1 << card for card in cards)) for cards in (flop, held))
    possible = runouts & (shared | own) == 0
    boards = runouts[possible] | shared
    leaves = np.zeros(HANDS, np.int64)
    leaves[possible] = bits_at(
        tests.leaves,
        hands,
        {"opening": np.full(boards.size, shared | own), "board": boards, "final": boards | own},
    )
    return leaves


def _on_the_way(strategy: Strategy) -> tuple[I64, I64, Path]:
    """Return the folding path, or the one that arrives at the river's fold, as the last of three
    values. The first: for every canonical pair, the number of orders of its flop in which the hand
    is on the way there. The second: 1 for every situation of the turn in which it stays on the way
    (empty if nothing is decided there)."""
    game = strategy.game
    (path,) = [path for path in game.paths if path.folded]
    if game.questions[path.said[-1][0]].seen == 5:
        level = game.level(5)
        assert level is not None
        path = next(each for each in level.arriving if path in game.answers(5, each))
    paths, orders = strategy.after_flop
    origin = strategy.origins.get(path, path)
    if origin not in paths:
        return np.zeros(len(orders), np.int64), np.zeros(0, np.int64), path
    waits = np.zeros(0, np.int64)
    if game.level(4):
        waits = np.ones(len(turns_of(game.deck).hand), np.int64)
        if strategy.is_asked(4, origin):
            place = game.answers(4, origin).index(path)
            waits = (strategy.answers[4][origin] == place).astype(np.int64)
    return orders[:, paths.index(origin)].astype(np.int64), waits, path


def _by_turn(waits: I64, deck: int, flop: tuple[int, ...]) -> I64:
    """Return [turn, hand] of one flop, from an array by situation."""
    if not len(waits):
        return np.zeros((0, HANDS), np.int64)
    counts = np.zeros((52, HANDS), np.int64)
    for turn in range(52):
        if turn not in flop:
            counts[turn] = _by_hand(waits, deck, (*flop, turn))
    return counts


def _by_hand(known: I64, deck: int, board: tuple[int, ...]) -> I64:
    """Return for every hand beside one board the entry of its information set."""
    ends = card_pairs().astype(np.int64)
    beside = np.flatnonzero(~np.isin(ends, board).any(axis=1))
    own = (1 << ends[beside]).sum(axis=1)
    shown = np.full(beside.size, sum(1 << card for card in board))
    out = np.zeros(HANDS, np.int64)
    out[beside] = known[places_of(deck, own, shown, len(board))]
    return out


@kernel
def _count_folds(
    flop: I64,
    held: I64,
    arrived: I64,
    at_turn: I64,
    game: Showdowns,
    multiples: I64,
    out: I64,
) -> None:
    """Write out[n, turn and river] = how many hands fold there without a card of held[n].
    `arrived`: on the way there after the flop; `at_turn`: also at the turn. Without `multiples`
    nothing is asked at the river, and declining before it was the fold."""
    required, decided, qualifier = game.required, game.decided, game.qualifier
    ranked = np.zeros((4, HANDS), np.int64)
    shown = 1 << flop[0] | 1 << flop[1] | 1 << flop[2]
    others = np.zeros(len(held), np.int64)
    for n in range(len(held)):
        others[n] = 1 << held[n, 0] | 1 << held[n, 1]
    for turn in range(52):
        for river in range(turn):
            runout = 1 << turn | 1 << river
            if shown & runout:
                continue
            board = shown | runout
            if len(multiples):
                _rank(board, qualifier, ranked)
            place = turn * (turn - 1) // 2 + river
            for high in range(52):
                for low in range(high):
                    hand = high * (high - 1) // 2 + low
                    own = 1 << high | 1 << low
                    times = arrived[hand]
                    if len(at_turn):
                        # Either card may have come first.
                        times *= at_turn[turn, hand] + at_turn[river, hand]
                    if not times or own & board:
                        continue
                    if len(multiples):
                        best = _best(ranked[:, hand], required, decided, qualifier, multiples)
                        if best >= 0:  # a fold is worth 0
                            continue
                    for n in range(len(held)):
                        if not others[n] & (own | runout):
                            out[n, place] += times


@part
def _rank(board: int, qualifier: int, ranked: I64) -> None:
    """Write for every hand ranked[:, hand]: its strength, and how many hands without its cards it
    beats, it ties and do not qualify. The number of hands passed in ascending order, and of those
    with a given card, are enough for that."""
    strengths, wins, ties, weak = ranked[0], ranked[1], ranked[2], ranked[3]
    cards, keys = np.zeros(47, np.int64), np.zeros(1081, np.int64)
    count = 0
    for card in range(52):
        if not board >> card & 1:
            cards[count] = card
            count += 1
    place = 0
    for j in range(47):
        four = np.uint64(board) | np.uint64(1) << np.uint64(cards[j])
        for i in range(j):
            worth = strength_of(four | np.uint64(1) << np.uint64(cards[i]))
            # One sort of plain numbers: the strength above, the two cards below.
            keys[place] = whole(worth) << 12 | cards[j] << 6 | cards[i]
            place += 1
    keys.sort()
    passed, below = np.zeros(53, np.int64), np.zeros(53, np.int64)
    start = 0
    while start < 1081:
        strength, stop = keys[start] >> 12, start
        while stop < 1081 and keys[stop] >> 12 == strength:
            high, low = keys[stop] >> 6 & 63, keys[stop] & 63
            hand = high * (high - 1) // 2 + low
            strengths[hand] = strength
            wins[hand] = passed[52] - passed[high] - passed[low]
            stop += 1
        for place in range(start, stop):
            passed[52] += 1
            passed[keys[place] >> 6 & 63] += 1
            passed[keys[place] & 63] += 1
        for place in range(start, stop):
            high, low = keys[place] >> 6 & 63, keys[place] & 63
            hand = high * (high - 1) // 2 + low
            # The hand itself was counted once and subtracted twice.
            ties[hand] = passed[52] - passed[high] - passed[low] + 1 - wins[hand]
        if strength < qualifier:
            below[:] = passed
        start = stop
    for key in keys:
        high, low = key >> 6 & 63, key & 63
        itself = 1 if key >> 12 < qualifier else 0
        weak[high * (high - 1) // 2 + low] = below[52] - below[high] - below[low] + itself


@part
def _best(ranked: I64, required: I64, decided: I64, qualifier: int, multiples: I64) -> int:
    """Return the best bet at the river, summed over the dealer's 990 hands."""
    strength, wins, ties, weak = ranked[0], ranked[1], ranked[2], ranked[3]
    strong = strength >= qualifier
    counts = np.zeros(6, np.int64)
    counts[0] = wins - weak if strong else 0
    counts[1] = weak if strong else wins
    counts[2] = ties if strong else 0
    counts[3] = 0 if strong else ties
    counts[4] = 990 - wins - ties if strong else 990 - weak
    counts[5] = 0 if strong else weak - wins - ties
    a = b = whole(0)
    for row in range(6):
        a += counts[row] * required[row, strength]
        b += counts[row] * decided[row, strength]
    best = a + multiples[0] * b
    for multiple in multiples:
        best = max(best, a + multiple * b)
    return whole(best)
