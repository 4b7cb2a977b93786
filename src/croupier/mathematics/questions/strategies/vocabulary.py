"""The words of the game that a strategy may use, each with its exact meaning.

A word becomes a `HandTest` on the features of a hand. `CardsSeen` says what is seen when a decision
is taken, so that a word that makes no sense there is refused: no range of two cards if three are
held, no board before a community card, no suits of own cards at the river (where hands are
distinguished only as far as they can differ in strength).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import RANK_WORDS, RANKS
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.compared_hands import RankedHands
from croupier.mathematics.questions.strategies.features import MOST_SEEN, Feature, SeenFeature
from croupier.ranking.hands import Category

Features: TypeAlias = npt.NDArray[np.integer[Any]]
"""Features as [feature, hand]."""
Flags: TypeAlias = npt.NDArray[np.bool_]
HandTest: TypeAlias = Callable[[Any], Flags]
"""Returns whether each hand of a table of `Features` passes."""


@dataclass(frozen=True)
class CardsSeen:
    """The cards seen at a decision: the numbers of own, community and dealer's cards.

    In a game of streets `points` has a number for each rank: 2 if its pair is paid, 1 if it brings
    the bet back, else 0. If the player's hand is compared with the dealer's, `ranked` has the
    game's names.
    """

    own: int
    community: int
    points: tuple[int, ...] = ()
    dealer: int = 0
    ranked: RankedHands | None = field(default=None, compare=False)

    @property
    def river(self) -> bool:
        return self.community == 5


class NotHere(Exception):
    """Raised if a word has a meaning, but not at this decision."""


Maker: TypeAlias = Callable[..., HandTest]
"""Makes a test from the cards seen and the groups of a word's pattern."""
F = Feature


def at_least(feature: Feature, least: int) -> HandTest:
    return lambda seen: seen[feature] >= least


def exactly(feature: Feature, value: int) -> HandTest:
    return lambda seen: seen[feature] == value


def both(first: HandTest, second: HandTest) -> HandTest:
    return lambda seen: first(seen) & second(seen)


def either(first: HandTest, second: HandTest) -> HandTest:
    return lambda seen: first(seen) | second(seen)


def inverted(test: HandTest) -> HandTest:
    return lambda seen: ~test(seen)


# -- pieces of patterns ---------------------------------------------------------------------------

_PLURALS: Final = {
    **{word: rank for rank, word in enumerate(RANK_WORDS)},
    **{word + "s": rank for rank, word in enumerate(RANK_WORDS)},
    **{"sixes": 4, "deuce": 0, "deuces": 0, "10": 8, "10s": 8},
    **{letter.lower(): rank for rank, letter in enumerate(RANKS)},
    **{letter.lower() + "s": rank for rank, letter in enumerate(RANKS)},
}
RANK: Final = "(" + "|".join(sorted(_PLURALS, key=len, reverse=True)) + r")(?!\w)"
_NUMBER_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "both": 2}
_CATEGORIES: Final = {
    "pair": Category.PAIR,
    "two pairs": Category.TWO_PAIR,
    "two pair": Category.TWO_PAIR,
    "three of a kind": Category.THREE_OF_A_KIND,
    "trips": Category.THREE_OF_A_KIND,
    "straight flush": Category.STRAIGHT_FLUSH,
    "straight": Category.STRAIGHT,
    "flush": Category.FLUSH,
    "full house": Category.FULL_HOUSE,
    "four of a kind": Category.FOUR_OF_A_KIND,
    "royal flush": Category.ROYAL_FLUSH,
}
_CATEGORY: Final = "(" + "|".join(sorted(_CATEGORIES, key=len, reverse=True)) + ")"
_A: Final = r"(?:an? |any |the )?"
_CARD: Final = "[2-9tjqka]"


def rank_of(word: str) -> int:
    return _PLURALS[word]


def _needs_board(scene: CardsSeen) -> None:
    if not scene.community:
        raise NotHere("no community card is seen yet")


def _needs_suits(scene: CardsSeen) -> None:
    if scene.river:
        raise NotHere(
            "at the river hands differ by what they can make, not by the suits of own cards"
        )


def _needs_draws(scene: CardsSeen) -> None:
    if scene.river:
        raise NotHere("nothing more comes after the river")


# -- own cards ------------------------------------------------------------------------------------


def _range(scene: CardsSeen, text: str) -> HandTest:
    """Return the test of a range: `33+`, `K5o+`, `JTs`, `A2`, `77-33`, `K9s-K5s`."""
    if scene.own != 2:
        raise NotHere(f"a range such as {text!r} names two cards, and three are held")
    first, _, last = text.rstrip("+").partition("-")
    high, low, suit = _two_cards(first)
    if suit:
        _needs_suits(scene)
    suits = {"s": exactly(F.SUITED, 1), "o": exactly(F.SUITED, 0)}.get(suit)
    ends = (low, low)
    if text.endswith("+"):
        ends = (low, 12 if high == low else high - 1)
    if last:
        other_high, other_low, other_kind = _two_cards(last)
        pairs = (high == low, other_high == other_low)
        if other_kind != suit or pairs[0] != pairs[1] or (not pairs[0] and high != other_high):
            raise NotHere(f"{text!r} is not a range: write '77-33' or 'K9s-K5s'")
        ends = (min(low, other_low), max(low, other_low))
    least, most = ends
    if high == low:
        test: HandTest = lambda seen: (  # noqa: E731
            (seen[F.HIGH] == seen[F.SECOND]) & (seen[F.HIGH] >= least) & (seen[F.HIGH] <= most)
        )
    else:
        test = lambda seen: (  # noqa: E731
            (seen[F.HIGH] == high) & (seen[F.SECOND] >= least) & (seen[F.SECOND] <= most)
        )
    return both(test, suits) if suits else test


def _two_cards(text: str) -> tuple[int, int, str]:
    ranks = sorted((RANKS.index(letter) for letter in text[:2].upper()), reverse=True)
    suit = text[2:3]
    if ranks[0] == ranks[1] and suit:
        raise NotHere(f"{text[:2].upper()} is a pair: it is neither suited nor offsuit")
    return ranks[0], ranks[1], suit


def _pocket(scene: CardsSeen, rank: str | None = None, direction: str | None = None) -> HandTest:
    if scene.own != 2:
        raise NotHere("three own cards: write 'a pair' or 'a pair or better'")
    least, most = _bounds(rank, direction)
    return lambda seen: (
        (seen[F.HIGH] == seen[F.SECOND]) & (seen[F.HIGH] >= least) & (seen[F.HIGH] <= most)
    )


def _any_pair(scene: CardsSeen) -> HandTest:
    if scene.community:
        raise NotHere("with community cards seen, write 'a pocket pair' or 'a pair or better'")
    return _pocket(scene)


def _holds_rank(_: CardsSeen, word: str) -> HandTest:
    rank = rank_of(word)
    return lambda seen: (seen[F.HIGH] == rank) | (seen[F.SECOND] == rank) | (seen[F.LOW] == rank)


def _bounds(word: str | None, direction: str | None) -> tuple[int, int]:
    """Return the lowest and the highest rank; all ranks if none is named."""
    if word is None:
        return 0, 12
    rank = rank_of(word)
    return (0 if direction == "lower" else rank, 12 if direction == "higher" else rank)


def _cards_at_least(scene: CardsSeen, number: str, rank: str) -> HandTest:
    count = _NUMBERS[number]
    if count > scene.own:
        raise NotHere(f"{count} own cards: {scene.own} are held")
    return at_least((F.HIGH, F.SECOND, F.LOW)[count - 1], rank_of(rank))


def _suited(scene: CardsSeen, value: int) -> HandTest:
    _needs_suits(scene)
    return exactly(F.SUITED, value)


# -- hands ----------------------------------------------------------------------------------------


def _category(_: CardsSeen, word: str, better: str | None) -> HandTest:
    test = at_least if better else exactly
    return test(F.CATEGORY, _CATEGORIES[word])


def _pair_of(_: CardsSeen, rank: str, direction: str) -> HandTest:
    pair = both(exactly(F.CATEGORY, Category.PAIR), at_least(F.MADE, rank_of(rank)))
    if direction == "higher":
        return pair
    return either(pair, at_least(F.CATEGORY, Category.TWO_PAIR))


def _hidden_pair(
    scene: CardsSeen, rank: str | None = None, direction: str | None = None
) -> HandTest:
    _needs_board(scene)
    least, most = _bounds(rank, direction)
    return lambda seen: (
        (seen[F.IMPROVED] == 1) & (seen[F.HIDDEN] >= least) & (seen[F.HIDDEN] <= most)
    )


def _hidden(scene: CardsSeen, word: str) -> HandTest:
    _needs_board(scene)
    return both(exactly(F.IMPROVED, 1), at_least(F.CATEGORY, _CATEGORIES[word]))


def _matched(scene: CardsSeen, rank: str | None = None, direction: str | None = None) -> HandTest:
    _needs_board(scene)
    least, most = _bounds(rank, direction)
    return lambda seen: (seen[F.MATCH] >= least) & (seen[F.MATCH] <= most)


def _on_board(scene: CardsSeen, test: HandTest) -> HandTest:
    _needs_board(scene)
    return test


def _board(scene: CardsSeen, word: str, better: str | None) -> HandTest:
    _needs_board(scene)
    category = _CATEGORIES[word]
    return at_least(F.BOARD, category) if better else exactly(F.BOARD, category)


# -- draws ----------------------------------------------------------------------------------------

_DRAWS: Final = {
    "flush": F.FLUSH,
    "straight": F.STRAIGHT,
    "straight flush": F.STRAIGHT_FLUSH,
    "royal flush": F.ROYAL,
    "royal": F.ROYAL,
}


def _draw(scene: CardsSeen, number: str, word: str, rank: str | None) -> HandTest:
    _needs_draws(scene)
    test = at_least(_DRAWS[word], _NUMBERS[number])
    if rank is None:
        return test
    if word != "flush":
        raise NotHere("only 'to a flush' may say which hidden card")
    if _NUMBERS[number] < 3:
        raise NotHere("two cards to a flush may be of two suits: say three or four")
    return both(test, at_least(F.FLUSH_CARD, rank_of(rank)))


def _open_ended(scene: CardsSeen) -> HandTest:
    _needs_draws(scene)
    return exactly(F.OPEN, 1)


def _outs(scene: CardsSeen, how: str, number: str) -> HandTest:
    if scene.points:
        raise NotHere("there is no dealer's hand in this game")
    if scene.community < 4:
        raise NotHere("dealer outs are counted when four or five community cards are seen")
    n = int(number)
    if how in {"fewer than", "less than"}:
        return lambda seen: seen[F.OUTS] < min(n, 60)
    if how == "at most":
        return lambda seen: seen[F.OUTS] <= min(n, 60)
    least = min(n, 60) + (1 if how == "more than" else 0)
    return at_least(F.OUTS, least)


# -- games of streets: all cards seen, and what is bet --------------------------------------------

_SEEN: Final = SeenFeature.RANKS
_COUNTED: Final = {word: number for number, word in enumerate(_NUMBER_WORDS, 1)}
_COUNTED_WORD: Final = "(" + "|".join((*_NUMBER_WORDS, r"\d")) + ")"
_POINTS: Final = {"high": 2, "middle": 1, "low": 0}
_GAPS: Final = {"no gaps": 0, "at most one gap": 1, "at most two gaps": 2}
_GAPS_WORD: Final = "(" + "|".join(_GAPS) + ")"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTED[word]


def _needs_streets(scene: CardsSeen) -> None:
    if not scene.points:
        raise NotHere("this word is for games of streets, without a dealer's hand")


def _sums_of_ranks(seen: I8, by_rank: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return for every hand the sum of a number for each card seen."""
    numbers = np.array([*by_rank, 0])  # the last for no card
    return np.asarray(numbers[seen[_SEEN : SeenFeature.RUNS]].sum(axis=0))


def _has_points(scene: CardsSeen, number: str) -> HandTest:
    _needs_streets(scene)
    return lambda seen: _sums_of_ranks(seen, scene.points) >= _number(number)


def _cards_worth(scene: CardsSeen, number: str, points: str) -> HandTest:
    _needs_streets(scene)
    by_rank = [int(each == _POINTS[points]) for each in scene.points]
    return lambda seen: _sums_of_ranks(seen, by_rank) >= _number(number)


def _seen_at_least(scene: CardsSeen, number: str, rank: str) -> HandTest:
    _needs_streets(scene)
    count, least = _number(number), rank_of(rank)
    if count > MOST_SEEN:
        raise NotHere(f"at most {MOST_SEEN} cards are seen")
    return lambda seen: seen[_SEEN + count - 1] >= least


def _with_gaps(scene: CardsSeen, number: str, word: str, words: str) -> HandTest:
    _needs_streets(scene)
    count, gaps = _NUMBERS[number], _GAPS[words]
    width = count + gaps
    if width > 5:
        raise NotHere(f"{count} cards with {gaps} gaps between them are not one straight")
    row = (SeenFeature.RUNS if word == "straight" else SeenFeature.SUITED_RUNS) + width - 2
    return lambda seen: seen[row] >= count


def _units_down(scene: CardsSeen, number: str) -> HandTest:
    _needs_streets(scene)
    return lambda seen: seen[SeenFeature.UNITS] >= _number(number)


_STREET_WORDS: Final[list[tuple[str, Maker]]] = [
    (rf"at least {_COUNTED_WORD} points?", _has_points),
    (rf"{_COUNTED_WORD} (high|middle|low) cards?", _cards_worth),
    (rf"{_COUNTED_WORD} seen cards? {RANK} or higher", _seen_at_least),
    (rf"(two|three|four) to an? (straight flush|straight) with {_GAPS_WORD}", _with_gaps),
    (rf"at least {_COUNTED_WORD} units down", _units_down),
]

# -- all words ------------------------------------------------------------------------------------

_KICKERS: Final = {"best": 1, "second best": 2, "third best": 3, "fourth best": 4}

_OR: Final = r"(?: or (higher|lower))?"
_TWO_RANKS: Final = rf"{_CARD}{_CARD}[so]?"

_WORDS: Final[list[tuple[str, Maker]]] = [
    (rf"(?:{_A}pairs? )?({_TWO_RANKS}(?:\+|-{_TWO_RANKS})?)(?![\w+])", _range),
    (r"any pair", _any_pair),
    (rf"{_A}pocket pairs?", _pocket),
    (rf"{_A}pocket pair of {RANK}{_OR}", _pocket),
    (rf"pocket {RANK}{_OR}", _pocket),
    (rf"(?:an?|any) {RANK}", _holds_rank),
    (
        rf"an? (?:card )?{RANK} or higher",
        lambda scene, rank: _cards_at_least(scene, "one", rank),
    ),
    (rf"(one|two|both|three) cards? {RANK} or higher", _cards_at_least),
    (r"suited(?: cards)?", lambda scene: _suited(scene, 1)),
    (r"offsuit(?: cards)?", lambda scene: _suited(scene, 0)),
    (r"connected(?: cards)?", lambda _: exactly(F.CONNECTED, 1)),
    (rf"{_A}{_CATEGORY}( or better)?", _category),
    (rf"{_A}pair of {RANK} or (higher|better)", _pair_of),
    (rf"{_A}hidden pair", _hidden_pair),
    (rf"{_A}hidden pair of {RANK}{_OR}", _hidden_pair),
    (rf"{_A}hidden {_CATEGORY} or better", _hidden),
    (rf"{_A}pair with the board", _matched),
    (rf"{_A}pair of {RANK}{_OR} with the board", _matched),
    (rf"{_A}top pair", lambda scene: _on_board(scene, exactly(F.TOP, 1))),
    (
        r"(one|two|three) overcards?",
        lambda scene, number: _on_board(scene, at_least(F.OVER, _NUMBERS[number])),
    ),
    (
        r"the (best|second best|third best|fourth best) kicker(?: or better)?",
        lambda scene, place: _on_board(scene, lambda seen: seen[F.KICKER] < _KICKERS[place]),
    ),
    (
        r"(two|three|four) to an? (straight flush|royal flush|royal|straight|flush)"
        rf"(?: with an? hidden (?:card )?{RANK} or higher)?",
        _draw,
    ),
    (rf"{_A}open-ended straight draw", _open_ended),
    (r"(fewer than|less than|at most|more than|at least) (\d+) dealer outs?", _outs),
    (r"a paired board", lambda scene: _on_board(scene, at_least(F.BOARD, 1))),
    (r"an unpaired board", lambda scene: _on_board(scene, exactly(F.BOARD, 0))),
    (rf"a board with {_A}{_CATEGORY}( or better)?", _board),
    (r"any hand", lambda _: lambda seen: seen[F.HIGH] >= 0),
]

_COMPILED: Final = [
    (re.compile(pattern + r"(?![\w+])"), make) for pattern, make in (*_WORDS, *_STREET_WORDS)
]

PHRASES: Final = (
    *("any pair", "pocket pair", "pocket twos", "any ace", "a king or higher", "two cards ten or "),
    *("suited", "offsuit", "connected", "a pair", "a pair or better", "two pair or better"),
    *("three of a kind or better", "a straight or better", "a flush or better"),
    *("a full house or better", "a pair of tens or better", "a hidden pair"),
    *("a hidden pair or better", "a hidden pair of tens or higher", "a pair with the board"),
    *("top pair", "one overcard", "two overcards", "the best kicker", "four to a flush"),
    *("four to a flush with a hidden card ten or higher", "three to a straight"),
    *("three to a royal flush", "an open-ended straight draw", "fewer than 21 dealer outs"),
    *("at least three points", "two high cards", "three middle cards", "at least five units down"),
    *("three to a straight flush with no gaps", "four to a straight with at most one gap"),
    *("two seen cards ten or higher",),
    *("a paired board", "an unpaired board", "a board with two pair or better", "any hand"),
)


def read_word(text: str, at: int, scene: CardsSeen) -> tuple[int, HandTest] | None:
    """Read the longest word of the game that begins at a position; return its end and its test."""
    return longest_word(_COMPILED, text, at, scene)


def longest_word(
    words: Sequence[tuple[re.Pattern[str], Maker]], text: str, at: int, scene: CardsSeen
) -> tuple[int, HandTest] | None:
    matches = [(match, make) for pattern, make in words if (match := pattern.match(text, at))]
    if not matches:
        return None
    longest, make = max(matches, key=lambda each: each[0].end())
    return longest.end(), make(scene, *longest.groups())
