"""Every information set of a decision with what the player sees there: `Situations`.

The river is numbered as `holdem.outcomes.River` is: by ranks if no flush is possible, by the cards
of one suit and the rest if one is. What a strategy may look at there must not depend on more than
that, so suits of own cards and draws are not noted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from croupier.cards import Card
from croupier.mathematics.counters.boards.counted_boards import board_counts
from croupier.mathematics.counters.boards.geometry import (
    Turns,
    card_pairs,
    flops_of,
    orbits_of,
    turns_of,
)
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    SUITED_BOARDS,
    Numbering,
    numbering,
    others_of,
    ranks_of,
    suited_board_number,
    suited_counts,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.kernels.threads import ranges
from croupier.mathematics.questions.strategies.features import (
    FEATURES,
    MOST_SEEN,
    SeenFeature,
    made_of_board,
    made_parts,
    note_features,
    note_seen,
)
from croupier.ranking.fast import strength_of

CHUNK: Final = 128  # boards looked at together at turn and river: their features stay in the cache


class ExampleHand(NamedTuple):
    """Cards that stand for an information set."""

    own: tuple[Card, ...]
    community: tuple[Card, ...]
    dealer: tuple[Card, ...] = ()

    def __str__(self) -> str:
        own, community, dealer = (" ".join(map(str, cards)) for cards in self)
        words = f"{own} with {community}" if community else own
        return f"{words} against {dealer}" if dealer else words


@dataclass(frozen=True)
class Situations:
    """features[feature, situation], and cards that stand for each."""

    features: I8
    example: Callable[[int], ExampleHand]

    def __len__(self) -> int:
        return int(self.features.shape[1])


def _hand(own: I64, community: I64) -> ExampleHand:
    return ExampleHand(
        tuple(Card(card) for card in sorted(own.tolist(), key=lambda card: -(card % 13))),
        tuple(Card(card) for card in community.tolist()),
    )


# -- before the flop, and hands by their cards ----------------------------------------------------


@lru_cache(maxsize=4)
def early_situations(deck: int, seen: int) -> Situations:
    """Return hands with none, one or two community cards, by the numbers of
    `geometry.orbits_of`."""
    orbits = orbits_of(deck, seen)
    hands, shown = np.divmod(orbits.example, orbits.width)
    ends = card_pairs().astype(np.int64)
    own = ends[hands]
    boards = (np.zeros((len(hands), 0), np.int64), shown[:, None], ends[shown % 1326])[seen]
    return listed_situations(own, boards)


def listed_situations(own: I64, boards: I64) -> Situations:
    """Return hands by their cards, [situation, card]: two or three own ones."""
    features = np.zeros((FEATURES, len(own)), np.int8)
    _note_list(own, boards, made_parts(), features)
    return Situations(features, lambda situation: _hand(own[situation], boards[situation]))


def seen_situations(own: I64, boards: I64) -> Situations:
    """Return hands by their cards with the rows of `SeenFeature`, whose units are left 0, up to
    `MOST_SEEN` cards."""
    plain = listed_situations(own, boards)
    more = np.zeros((SeenFeature.END - FEATURES, len(plain)), np.int8)
    features = np.concatenate([plain.features, more])
    cards = np.concatenate([own, boards], axis=1)
    if cards.shape[1] <= MOST_SEEN:
        bits = np.uint64(1) << cards.astype(np.uint64)
        note_seen(np.bitwise_or.reduce(bits, axis=1), features)
    return Situations(features, plain.example)


@kernel
def _note_list(own: I64, boards: I64, made: I64, out: I8) -> None:
    noted = np.zeros(FEATURES, np.int8)
    for situation in range(len(own)):
        board = np.int64(0)
        for card in boards[situation]:
            board |= np.int64(1) << card
        cards = own.shape[1] + boards.shape[1]
        note_features(
            own[situation],
            board,
            made_of_board(board, boards.shape[1], made),
            cards,
            True,
            made,
            noted,
        )
        for feature in range(FEATURES):
            out[feature, situation] = noted[feature]


# -- the flop -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def flop_situations(deck: int) -> Situations:
    """Return canonical pairs of flop and hand, by the numbers of `geometry.flops_of`."""
    flops = flops_of(deck)
    number = np.repeat(np.arange(len(flops.cards)), np.diff(flops.start))
    own, cards = card_pairs().astype(np.int64), flops.cards.astype(np.int64)
    features = listed_situations(own[flops.hand], cards[number]).features

    def example(situation: int) -> ExampleHand:
        return _hand(own[flops.hand[situation]], cards[number[situation]])

    return Situations(features, example)


# -- the turn -------------------------------------------------------------------------------------


def turn_situations(deck: int, start: int, stop: int) -> Situations:
    """Return hands on the boards of four cards from `start` to `stop`, by the numbers of
    `geometry.turns_of`: too many for one array."""
    turns = turns_of(deck)
    first, end = int(turns.start[start]), int(turns.start[stop])
    features = np.zeros((FEATURES, end - first), np.int8)
    _note_turns(start, stop, deck, turns, card_pairs().astype(np.int64), made_parts(), features)

    def example(situation: int) -> ExampleHand:
        board = int(np.searchsorted(turns.start, first + situation, side="right")) - 1
        return _hand(card_pairs()[turns.hand[first + situation]], turns.cards[board])

    return Situations(features, example)


def turn_chunks(deck: int) -> list[tuple[int, int]]:
    """Return (first board, one past the last): the turn in pieces of convenient size."""
    return ranges(len(turns_of(deck).cards), CHUNK)


@kernel
def _note_turns(
    start: int, stop: int, deck: int, turns: Turns, ends: I64, made: I64, out: I8
) -> None:
    noted = np.zeros(FEATURES, np.int8)
    beats = np.zeros(52, np.int64)
    for number in range(start, stop):
        board = np.int64(0)
        for card in turns.cards[number]:
            board |= np.int64(1) << card
        own_made = made_of_board(board, 4, made)
        for card in range(52):
            with_it = board | np.int64(1) << card
            unseen = with_it != board and deck >> card % 13 & 1
            beats[card] = np.int64(strength_of(np.uint64(with_it))) if unseen else -1
        for situation in range(turns.start[number], turns.start[number + 1]):
            own = ends[turns.hand[situation]]
            strength = note_features(own, board, own_made, 6, True, made, noted)
            outs = 0
            for card in range(52):  # one's own cards cannot beat one's own hand
                outs += beats[card] > strength
            noted[20] = outs
            for feature in range(FEATURES):
                out[feature, situation - turns.start[start]] = noted[feature]


# -- the river ------------------------------------------------------------------------------------


class RiverSituations(NamedTuple):
    """features[feature, board, class] of some boards, and which hands can be held there."""

    features: I8
    possible: I8


class SuitBoards(NamedTuple):
    """Boards by `suited_board_number`: the mask of the f ranks, and the x ranks."""

    mask: I32
    p: I8
    q: I8


@lru_cache(maxsize=1)
def suit_boards() -> SuitBoards:
    boards = SuitBoards(
        np.zeros(SUITED_BOARDS, np.int32),
        np.zeros(SUITED_BOARDS, np.int8),
        np.zeros(SUITED_BOARDS, np.int8),
    )
    _fill_suit_boards(numbering(), boards)
    return boards


@kernel
def _fill_suit_boards(shape: Numbering, boards: SuitBoards) -> None:
    f = np.zeros(5, np.int8)
    bits = 0
    for mask in range(1 << 13):
        bits = 0
        for rank in range(13):
            bits += mask >> rank & 1
        if not 3 <= bits <= 5:
            continue
        count = ranks_of(mask, f)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, shape)
            number = suited_board_number(f, count, p, q)
            boards.mask[number], boards.p[number], boards.q[number] = mask, p, q


def river_chunks() -> list[tuple[bool, int, int]]:
    """Return (by suit, first board, one past the last): the river in pieces of convenient size."""
    pieces = []
    for suited, boards in ((False, RANK_BOARDS), (True, SUITED_BOARDS)):
        pieces += [(suited, at, min(at + CHUNK, boards)) for at in range(0, boards, CHUNK)]
    return pieces


def river_situations(deck: int, suited: bool, start: int, stop: int) -> RiverSituations:
    classes = CLASSES if suited else PAIRS
    situations = RiverSituations(
        np.zeros((FEATURES, stop - start, classes), np.int8),
        np.zeros((stop - start, classes), np.int8),
    )
    _note_rivers(suited, start, stop, deck, numbering(), suit_boards(), made_parts(), situations)
    return situations


@part
def _lay_board(
    suited: bool, number: int, deck: int, shape: Numbering, boards: SuitBoards, five: I64, left: I32
) -> bool:
    """Write example cards of a board into `five`, and the number left of each kind into `left`."""
    if not suited:
        # Suits in turn along ascending ranks: equal ranks differ and no suit comes three times.
        for place in range(5):
            five[place] = 13 * (place % 4) + shape.board_ranks[number, place]
        return board_counts(shape.board_ranks[number], deck, left)
    mask, p, q = boards.mask[number], np.int64(boards.p[number]), np.int64(boards.q[number])
    count = 0
    for rank in range(13):
        if mask >> rank & 1:
            five[count] = rank
            count += 1
    if count < 5:
        five[4] = 13 + p
    if count < 4:
        five[3] = (26 if p == q else 13) + q
    return suited_counts(mask, count, p, q, deck, left)


@part
def _free_card(card_kind: int, suited: bool, taken: int) -> int:
    """Return a card of this kind that is not taken. On a board by suit, f cards are of suit 0."""
    if suited and card_kind < 13:
        return card_kind
    for suit in range(1 if suited else 0, 4):
        card = 13 * suit + card_kind % 13
        if not taken >> card & 1:
            return card
    return -1


@part
def lay_river(suited: bool, hand: int, shape: Numbering, five: I64, own: I64) -> bool:
    """Write example cards of a class of hands on a board already laid; return whether there are
    any."""
    first = np.int64(shape.first[hand] if suited else shape.high[hand])
    second = np.int64(shape.second[hand] if suited else shape.low[hand])
    taken = np.int64(0)
    for card in five:
        taken |= np.int64(1) << card
    own[0] = _free_card(first, suited, taken)
    if own[0] < 0 or taken >> own[0] & 1:
        return False
    own[1] = _free_card(second, suited, taken | np.int64(1) << own[0])
    return bool(own[1] >= 0 and not taken >> own[1] & 1)


@kernel
def _note_rivers(
    suited: bool,
    start: int,
    stop: int,
    deck: int,
    shape: Numbering,
    boards: SuitBoards,
    made: I64,
    situations: RiverSituations,
) -> None:
    five, own = np.zeros(5, np.int64), np.zeros(2, np.int64)
    left, beats = np.zeros(26, np.int32), np.zeros(26, np.int64)
    noted = np.zeros(FEATURES, np.int8)
    classes = situations.possible.shape[1]
    for number in range(start, stop):
        if not _lay_board(suited, number, deck, shape, boards, five, left):
            continue
        board = np.int64(0)
        for card in five:
            board |= np.int64(1) << card
        own_made = made_of_board(board, 5, made)
        kinds = 26 if suited else 13
        for card_kind in range(kinds):
            if left[card_kind]:
                six = board | np.int64(1) << _free_card(card_kind, suited, board)
                beats[card_kind] = np.int64(strength_of(np.uint64(six)))
        for hand in range(classes):
            first = np.int64(shape.first[hand] if suited else shape.high[hand])
            second = np.int64(shape.second[hand] if suited else shape.low[hand])
            if left[second] < 1 or left[first] < (2 if first == second else 1):
                continue
            lay_river(suited, hand, shape, five, own)
            strength = note_features(own, board, own_made, 7, False, made, noted)
            outs = 0
            for card_kind in range(kinds):
                if left[card_kind] and beats[card_kind] > strength:
                    outs += left[card_kind] - (card_kind == first) - (card_kind == second)
            noted[20] = outs
            situations.possible[number - start, hand] = 1
            for feature in range(FEATURES):
                situations.features[feature, number - start, hand] = noted[feature]


def river_example(deck: int, suited: bool, board: int, hand: int) -> ExampleHand:
    five, own, left = np.zeros(5, np.int64), np.zeros(2, np.int64), np.zeros(26, np.int32)
    _lay_board(suited, board, deck, numbering(), suit_boards(), five, left)
    lay_river(suited, hand, numbering(), five, own)
    return _hand(own, five)
