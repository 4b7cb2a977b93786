"""What the sweep is to tell apart for the wagers placed, and what its labels then stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.sessions.line_facts import (
    HandPlace,
    Images,
    board_bits,
    deal_images,
)
from croupier.mathematics.questions.sessions.payoffs import (
    LineWager,
    TwoHandWager,
    cuts_of,
    hands_at,
)
from croupier.mathematics.questions.sessions.sweep import Marks
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Hand

__all__ = ["Marked", "marked"]


class Marked(NamedTuple):
    """The sweep's marks; what the leaves of each line wager find on the cards of a label, and on a
    kind of board."""

    marks: Marks
    images: tuple[Images, ...]
    boards: list[tuple[int, ...]]


def marked(
    rules: Rules,
    game: HoldemGame,
    lines: Sequence[LineWager],
    pairs: Sequence[TwoHandWager],
    edges: Sequence[I64] = (),
) -> Marked:
    """Marks for wagers on own cards (`lines`) and on two hands (`pairs`); `edges` are further cuts
    of the player's own strength."""
    hands = hands_at(rules)
    _check_suits(lines, hands)
    leaves = [wager.tests.leaves for wager in lines]
    labels, images = deal_images(game.deck, leaves, hands)
    both = [board_bits(own, hands) for own in leaves]
    by_rank, by_mask = (
        np.array([bits[which] for bits in both], np.int64).reshape(len(both), size)
        for which, size in enumerate((RANK_BOARDS, 1 << 13))
    )
    kinds, boards = _numbered(np.hstack([by_rank, by_mask]))
    cuts = [np.zeros(1, np.int64), *edges]
    cuts += [wager.cuts() for wager in pairs]
    cuts += [cuts_of(wager.strengths) for wager in lines]
    bins = [np.array([game.qualifier]), *(wager.cuts()[1:] for wager in pairs)]
    marks = Marks(
        labels.astype(np.int16),
        kinds[:RANK_BOARDS].astype(np.int8),
        kinds[RANK_BOARDS:].astype(np.int8),
        np.unique(np.concatenate(cuts)),
        np.unique(np.concatenate(bins)).astype(np.int64),
    )
    return Marked(marks, images, boards)


def _check_suits(lines: Sequence[LineWager], hands: Mapping[str, tuple[HandPlace, Hand]]) -> None:
    """A suit named in two places would need the places' suits together."""
    places = {
        "final" if hands[leaf.hand][0] == "final" else "deal"
        for wager in lines
        for leaf in wager.tests.leaves
        if leaf.suits
    }
    if len(places) > 1:
        raise Unsolvable("lines that name suits both on the flop and on all seven cards")


def _numbered(columns: I64) -> tuple[I64, list[tuple[int, ...]]]:
    """A number for each column, and the different columns."""
    if not len(columns):
        return np.zeros(columns.shape[1], np.int64), [()]
    found, where = np.unique(columns, axis=1, return_inverse=True)
    return where.reshape(-1).astype(np.int64), [tuple(column) for column in found.T.tolist()]
