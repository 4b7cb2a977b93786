"""Side wagers that depend on the main game: lost with a fold, or won with other wagers.

The value of such a wager comes from the hands that are played on, so it depends on the strategy.
The player is assumed to play the main game as if the side wager were not there, with ties broken as
in `analyze` (a bet before a check, a call before a fold).

If all folds come before a community card is seen, the two own cards decide who folds. Those hands
are then two more conditions beside the lines of the wager, on ranks of one suit and on ranks of
two, and the deals are counted as for a wager that stands.

For the highest of all hands only the bettor's own fold matters: every hand that is dealt counts,
folded or not. The sweep's arrivals give the number of deals in which each class of hands is folded
on each kind of board, and `highest.GivenHands` the number of deals in which the others are then
dealt hands below each strength. All other deals are not folded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS, numbering
from croupier.mathematics.counters.boards.rulebook import best_play, holdem_game, holdem_solution
from croupier.mathematics.counters.boards.strategies import Strategy, orders_of_board
from croupier.mathematics.game.course import is_lost_with_fold, led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Paid, Payment
from croupier.mathematics.game.paytable_lines import Leaf, line_tests
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.rounds import PlayedRounds
from croupier.mathematics.questions.sessions.envy_after_fold import envy_unless_folded
from croupier.mathematics.questions.sessions.one_round import rounds_with_sides
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    river_values,
    visit_river,
)
from croupier.mathematics.questions.strategies.situations import suit_boards
from croupier.mathematics.shapes import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.by_strength import count_runs
from croupier.mathematics.side_wagers.deals import Counted, WagerTally, count_deals, tally_lines
from croupier.mathematics.side_wagers.highest import (
    MOST_OTHERS,
    GivenHands,
    HandKinds,
    kinds_of,
    paid_runs,
    tally_highest,
)
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import stake_for
from croupier.money import MeterShare, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, EitherHandBeaten, Hand, HighestHand, VersusPaytable


def analyze_beside(
    rounds_of: Callable[[Sequence[str]], PlayedRounds],
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,  # noqa: ARG001 - no wager of this kind looks at other hands
) -> WagerAnalysis:
    """Return the figures as `side_wagers.analysis.analyze_side` does, from the rounds that
    `rounds_of` plays."""
    check_side(rules, wager)
    if rules.book.envy is not None and rules.book.envy.on == wager:
        raise refused(wager, "the Envy Bonus of a wager that a fold loses")
    tally = Split.of(rounds_of((wager,)), wager).tally()
    stake = stake_for(rules, wager, stake_cents)
    return figures_of(rules, wager, stake, tally, meters, others)


class Split(NamedTuple):
    """The deals by the line that pays a side wager, those played on and those folded separately. A
    folded hand has the line that would have paid it, if that is known."""

    played: Mapping[tuple[str, Payment], int]
    folded: Mapping[tuple[str, Payment], int]
    order: tuple[str, ...]
    """The order of the endings: lines, pushes, the loss."""
    is_lost_with_fold: bool

    @classmethod
    def of(cls, rounds: PlayedRounds, wager: str) -> Split:
        rules = rounds.rules
        led = led_by(rules.book, wager)
        endings = _endings(rules, led)
        # A wager that follows another may have odds of its own.
        listed = [(each.hand, each.pays) for each in endings if led == wager]
        played, folded = (Counter(dict.fromkeys(listed, 0)) for _ in range(2))
        for betting in rounds.bettings:
            deals_of = folded if betting.folded else played
            for place, outcome, deals in betting.cells:
                paid = rounds.cases[place].paid[wager][outcome]
                deals_of[paid.hand, paid.pays] += deals
        lost = is_lost_with_fold(rules.book, rules.book.wagers[wager])
        return cls(played, folded, tuple([each.hand for each in endings]), lost)

    @property
    def total(self) -> int:
        return sum(self.played.values()) + sum(self.folded.values())

    def tally(self) -> WagerTally:
        ordered = sorted(self.played.items(), key=lambda item: self.order.index(item[0][0]))
        endings = [(*end, deals) for end, deals in ordered]
        if self.is_lost_with_fold:
            endings.append((FOLDED, Loses(), sum(self.folded.values())))
        return WagerTally(tuple(endings), self.total)

    def folds_a_meter(self) -> bool:
        """Return whether some folded hand would have been paid from a meter."""
        ends = self.folded.items()
        return any(isinstance(pays, MeterShare) and deals for (_, pays), deals in ends)


def _endings(rules: Rules, wager: str) -> tuple[Paid, ...]:
    match rules.book.wagers[wager].settles:
        case AllWon() as settles:
            (line,) = rules.paytable(settles.paytable).lines[:1]
            return Paid(line.hand, parse_pays(line.pays)), Paid("loses", Loses())
        case HighestHand() as settles:
            return line_tests(rules, settles, "2").endings
        case EitherHandBeaten() | VersusPaytable() as settles:
            return line_tests(rules, settles).endings
    raise AssertionError(wager)


_OWN: Final = "own cards"


def analyze_lost_with_fold(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """Return the figures as `side_wagers.analysis.analyze_side` does, for a wager that a fold
    loses."""
    check_side(rules, wager)
    _check_main(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    settles = rules.book.wagers[wager].settles
    if _is_folded_early(rules, wager):
        assert isinstance(settles, VersusPaytable)
        tally = _tally_folded_early(rules, settles)
        return figures_of(rules, wager, stake, tally, meters, others)
    envy = envy_unless_folded(rules, wager, stake)
    if isinstance(settles, HighestHand) and hands != 2:
        tally = tally_kept(rules, settles, hands)
    else:
        tally = split_by_fold(rules, wager).tally()
    return figures_of(rules, wager, stake, tally, meters, others, hands=hands, envy=envy)


def _check_main(rules: Rules, wager: str) -> None:
    """Refuse the wager unless the main game is solved, because it depends on what is folded."""
    hangs = f"wagers.{wager}.after_fold is 'loses', so it depends on what is folded"
    try:
        game = holdem_game(rules)
    except Unsolvable as error:
        raise refused(wager, f"{hangs}, and {error}") from None
    if game.ranking is not None and not _is_folded_early(rules, wager):
        solved = "a table on cards, where all folds come before a community card is seen"
        raise refused(wager, f"{hangs}, in a game of another deck or order of hands", solved)


class _Splits(dict[str, Split]):
    """Splits by wager, memoized with the rules."""


def split_by_fold(rules: Rules, wager: str) -> Split:
    """Return every deal of the wager, sorted by the sweep under the best play of the main game."""
    splits = rules.once(_Splits, lambda _: _Splits())
    if wager not in splits:
        splits[wager] = Split.of(rounds_with_sides(rules, (wager,)), wager)
    return splits[wager]


# -- all folds before a community card is seen ----------------------------------------------------


def _is_folded_early(rules: Rules, wager: str) -> bool:
    """Return whether the wager is a table on cards without envy, and all folds come before a
    community card is seen."""
    book = rules.book
    late = any(each.otherwise == "fold" and each.sees_community for each in book.decisions)
    envied = book.envy is not None and book.envy.on == wager
    return not late and not envied and isinstance(book.wagers[wager].settles, VersusPaytable)


def _tally_folded_early(rules: Rules, settles: VersusPaytable) -> WagerTally:
    own = Hand(cards=("player",), ranking="cards", clause="")
    book = msgspec.structs.replace(rules.book, hands=rules.book.hands | {_OWN: own})
    tests = line_tests(rules, settles)
    known = len(tests.leaves)
    counted = count_deals((*tests.leaves, *_folded_hands(rules)), settles.hand, book)
    played: Counter[int] = Counter()
    for held, deals in counted.by_leaves.items():
        if not held >> known:
            played[held] += deals
    kept = sum(played.values())
    endings = tally_lines(tests, Counted(played, kept)).endings
    folded = (FOLDED, Loses(), counted.total - kept)
    return WagerTally((*endings, folded), counted.total)


def _folded_hands(rules: Rules) -> list[Leaf]:
    """Return the own cards that the best play folds, as conditions: of two suits, and of one."""
    solution = holdem_solution(rules)
    stage, game = solution.stages[0], solution.game
    (answers,) = stage.level.leaving
    folds = [path.folded for path in answers]
    actions, orbits = stage.actions(stage.level.arriving[0]), orbits_of(game.deck, 0)
    ranks = [RANKS.index(rank) for rank in rules.book.deck.ranks]
    folded: dict[bool, list[str]] = {False: [], True: []}
    for low, high in combinations_with_replacement(sorted(ranks), 2):
        for suited in (False, True) if low != high else (False,):
            first, second = (low, high) if suited else (low, 13 + high)
            number = orbits.number[second * (second - 1) // 2 + first]
            if folds[int(actions[number])]:
                folded[suited].append(RANKS[high] + RANKS[low])
    return [
        Leaf(_OWN, ranks=tuple(names), suited=suited) for suited, names in folded.items() if names
    ]


def tally_kept(rules: Rules, settles: HighestHand, hands: int) -> WagerTally:
    """Return the tally of `side_wagers.highest.tally_highest`, with the deals that the bettor folds
    separate."""
    if hands > MOST_OTHERS + 1:
        raise Unsolvable(f"{hands} hands are more than are counted where a fold loses the wager")
    tests, runs = paid_runs(rules, settles, hands)
    folded = rules.once(GivenHands, lambda rules: folded_hands(best_play(rules)))
    others = hands - 1

    def count(start: int, stop: int) -> int:
        return folded.below(stop, others) - folded.below(start, others)

    lost = tally_lines(tests, count_runs(runs, count, folded.total(others)))
    every = tally_highest(rules, settles, hands)
    times = comb(5, 3) * orders_of_board(holdem_game(rules))
    endings = tuple(
        (hand, pays, times * deals - gone)
        for (hand, pays, deals), (_, _, gone) in zip(every.endings, lost.endings, strict=True)
    )
    return WagerTally((*endings, (FOLDED, Loses(), lost.total)), times * every.total)


def folded_hands(strategy: Strategy) -> GivenHands:
    """Return the hands that a strategy folds; at the river it is the best response."""
    game = strategy.game
    pieces: list[tuple[I64, I64, I64]] = []

    def keep(arrived: Arrived, folds: NDArray[np.bool_]) -> None:
        board, hand = np.nonzero(folds & (arrived.deals > 0))
        number = board + arrived.start + (RANK_BOARDS if arrived.suited else 0)
        pieces.append((number, hand, arrived.deals[board, hand]))

    def at_river(path: Path, arrived: Arrived) -> None:
        *bets, fold = river_values(game, path, arrived)
        beaten = fold > np.max(bets, axis=0) if game.takes_first else fold >= np.max(bets, axis=0)
        keep(arrived, beaten.reshape(arrived.deals.shape))

    for path in strategy.origins:
        if path.folded:
            visit_river(strategy, path, lambda each: keep(each, each.deals > 0))
        elif any(answer.folded for answer in game.answers(5, path)):
            visit_river(strategy, path, partial(at_river, path))
    none = (np.zeros(0, np.int64),) * 3
    boards, hands, deals = (np.concatenate(parts) for parts in zip(none, *pieces, strict=True))
    return GivenHands(_kinds(), boards, *_types(boards >= RANK_BOARDS, hands), deals)


def _kinds() -> HandKinds:
    """Return one board for each kind at the river: by ranks first (five of a rank make no board),
    then by suit."""
    ranks = numbering().board_ranks.astype(np.uint64)
    suits = np.arange(5, dtype=np.uint64) % 4
    by_rank = np.bitwise_or.reduce(np.uint64(1) << ranks + 13 * suits, axis=1)
    listed = suit_boards()
    p, q = (np.uint64(1) << each.astype(np.uint64) for each in (listed.p, listed.q))
    held = np.bitwise_count(listed.mask)
    by_suit = listed.mask.astype(np.uint64)
    by_suit |= np.where(held < 5, p << np.uint64(13), np.uint64(0))
    by_suit |= np.where(held < 4, q << np.uint64(26), np.uint64(0))
    boards = np.concatenate([by_rank, by_suit])
    return kinds_of(boards, np.ones(boards.size, np.int64))


def _types(by_suit: NDArray[np.bool_], hands: I64) -> tuple[I64, I64]:
    """Return the two cards of a class as `highest.HandKinds` numbers them: those of the flush suit
    last."""
    shape = numbering()
    classes, pairs = np.where(by_suit, hands, 0), np.where(by_suit, 0, hands)
    return (
        np.where(by_suit, (shape.first[classes].astype(np.int64) + 13) % 26, shape.high[pairs]),
        np.where(by_suit, (shape.second[classes].astype(np.int64) + 13) % 26, shape.low[pairs]),
    )
