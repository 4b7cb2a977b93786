"""Records that several kernels take, each a set of arrays that go together.

A kernel takes its arrays out of them once, before its loops: within, plain arrays are faster.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.counters.boards.games import RiverGame
from croupier.mathematics.counters.boards.geometry import rank_pairs
from croupier.mathematics.counters.boards.numbering import Numbering, numbering, suit_classes
from croupier.mathematics.counters.boards.strengths import StrengthTables, strength_tables
from croupier.mathematics.kernels.arrays import I8, I16, I64, IntArray


class DeckTables(NamedTuple):
    """What a kernel looks up for every board of a deck."""

    deck: int  # the mask of the ranks in play
    strengths: StrengthTables
    numbering: Numbering


def deck_tables(game: RiverGame) -> DeckTables:
    return DeckTables(game.deck, game.tables, numbering())


class HandRows(NamedTuple):
    """Where a hand stands in the rows by rank (`pairs`) and by suit (`classes`) of a board."""

    strengths: StrengthTables
    classes: I16  # [suit, hand]
    pairs: I8  # [hand]


def hand_rows() -> HandRows:
    return HandRows(strength_tables(), suit_classes(), rank_pairs())


class RunoutSums(NamedTuple):
    """Sums over runouts: without flushes by ranks and pair, and the rest by view and class."""

    plain: I64
    suited: IntArray


class Showdowns(NamedTuple):
    """What a showdown pays: rows by result, columns by the player's strength."""

    deck: int
    required: I64
    decided: I64
    qualifier: int


def showdowns_of(game: RiverGame) -> Showdowns:
    return Showdowns(game.deck, game.required, game.decided, game.qualifier)
