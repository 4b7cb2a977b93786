"""The words of a strategy for games in which the player's hand is compared with the dealer's, each
with its exact meaning.

Hands are named as the game ranks them: `a flush or better` may include straights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from croupier.cards import RANK_WORDS, RANKS
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.vocabulary import (
    RANK,
    CardsSeen,
    HandTest,
    Maker,
    NotHere,
    longest_word,
    rank_of,
)
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.ranking import SUIT_NAMES

_H: Final = HeldFeature
_NUMBERS: Final = {
    word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six", "seven"), 1)
}
_NUMBER: Final = "(" + "|".join(_NUMBERS) + ")"
_ORDINALS: Final = {"highest": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "lowest": 0}
_ORDINAL: Final = "(" + "|".join(_ORDINALS) + ")"
_ALIASES: Final = {"two pairs": "two_pair", "trips": "three_of_a_kind"}
_NAMES: Final = {
    **{name.replace("_", " "): name for name in (*CATEGORIES, *SUIT_NAMES)},
    **{name.replace("_", "-", 1).replace("_", " "): name for name in SUIT_NAMES},
    **_ALIASES,
}
_NAME: Final = "(" + "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True)) + ")"
_CARD: Final = "[2-9tjqka]"
_TOGETHER: Final = rf"({_CARD}(?:-?{_CARD}){{0,6}})(?!\w)"
"""Ranks in one word: `Q64`, `Q-6-4`."""
_SEVERAL: Final = rf"({_CARD}(?:-?{_CARD}){{1,6}})(?!\w)"
_SPOKEN: Final = rf"((?:{'|'.join(RANK_WORDS)})(?:-(?:{'|'.join(RANK_WORDS)})){{1,6}})(?!\w)"
"""The same in words: `ace-king`."""
_OR: Final = r"( or better)?"


def _ranked(scene: CardsSeen) -> RankedHands:
    assert scene.ranked is not None
    return scene.ranked


def _ranks(text: str) -> str:
    """Return the letters of ranks, highest first as they are written."""
    if re.fullmatch(rf"(?:{_CARD}-?)+", text):
        return text.replace("-", "").upper()
    return "".join(RANKS[rank_of(part)] for part in text.split("-"))


def _between(low: int, high: int) -> HandTest:
    return lambda seen: (seen[_H.STRENGTH] >= low) & (seen[_H.STRENGTH] < high)


def _category(scene: CardsSeen, word: str) -> int:
    hands, name = _ranked(scene), _NAMES[word]
    if name not in hands.names:
        known = ", ".join(known.replace("_", " ") for known in hands.names)
        raise NotHere(f"hands of this game are {known}")
    return hands.names.index(name)


def _made(scene: CardsSeen, word: str, of: str, better: str | None) -> HandTest:
    """Read a category, with its first ranks or without, alone or with everything better."""
    hands, category = _ranked(scene), _category(scene, word)
    if better:
        return _between(hands.least(category, of), hands.count)
    return _between(*hands.beginning_with(category, of))


def _named(scene: CardsSeen, word: str, ranks: str, better: str | None) -> HandTest:
    return _made(scene, word, _ranks(ranks), better)


def _of(scene: CardsSeen, word: str, rank: str, how: str | None) -> HandTest:
    """Read `a pair of tens`, `… or better`, `… or higher`: only pairs then."""
    of = RANKS[rank_of(rank)]
    if how == "higher":
        hands, category = _ranked(scene), _category(scene, word)
        return _between(hands.least(category, of), hands.end(category))
    return _made(scene, word, of, how)


def _high(scene: CardsSeen, ranks: str, better: str | None) -> HandTest:
    """Read `Q-6-4 or better`, `ace-king`: a hand of the lowest category, named by its ranks."""
    hands, of = _ranked(scene), _ranks(ranks)
    if hands.by_suit:
        raise NotHere("say of how many cards: 'a three-card flush 9-7-4 or better'")
    if sorted(of, key=RANKS.index, reverse=True) != list(dict.fromkeys(of)):
        raise NotHere(f"{ranks.upper()!r} names different ranks, the highest first")
    if better:
        return _between(hands.least(0, of), hands.count)
    return _between(*hands.beginning_with(0, of))


def _holds(_: CardsSeen, word: str) -> HandTest:
    rank = rank_of(word)
    return lambda seen: (seen[_H.RANKS : _H.FLUSH] == rank).any(axis=0)


def _at_least(scene: CardsSeen, number: str, rank: str) -> HandTest:
    count, least = _NUMBERS[number], rank_of(rank)
    if count > scene.own:
        raise NotHere(f"{count} own cards: {scene.own} are held")
    return lambda seen: seen[_H.RANKS + count - 1] >= least


def _needs_dealer(scene: CardsSeen) -> None:
    if not scene.dealer:
        raise NotHere("no card of the dealer's is seen in this game")


def _dealers(scene: CardsSeen, word: str, how: str | None) -> HandTest:
    _needs_dealer(scene)
    rank = rank_of(word)
    if how == "higher":
        return lambda seen: seen[_H.DEALER] >= rank
    if how == "lower":
        return lambda seen: seen[_H.DEALER] <= rank
    return lambda seen: (seen[_H.DEALER : _H.MATCHES] == rank).any(axis=0)


def _matches(scene: CardsSeen) -> HandTest:
    _needs_dealer(scene)
    return lambda seen: seen[_H.MATCHES] > 0


def _beside(scene: CardsSeen, how: str, place: str) -> HandTest:
    """Compare the dealer's card with one of the player's own cards."""
    _needs_dealer(scene)
    number = _ORDINALS[place] or scene.own
    if number > scene.own:
        raise NotHere(f"there is no {place} own card: {scene.own} are held")
    row = _H.RANKS + number - 1
    if how == "lower":
        return lambda seen: seen[_H.DEALER] < seen[row]
    return lambda seen: seen[_H.DEALER] > seen[row]


def _suited(number: int) -> HandTest:
    return lambda seen: seen[_H.FLUSH] >= number


_WORDS: Final[list[tuple[str, Maker]]] = [
    (rf"{_SEVERAL}(?: high)?{_OR}", _high),
    (rf"{_SPOKEN}(?: high)?{_OR}", _high),
    (rf"{RANK} high{_OR}", _high),
    (rf"(?:an? )?{_NAME}{_OR}", lambda scene, word, better: _made(scene, word, "", better)),
    (rf"(?:an? )?{_NAME}(?: of)? {_TOGETHER}{_OR}", _named),
    (rf"(?:an? )?{_NAME}(?: of)? {RANK}(?: or (better|higher))?", _of),
    (rf"(?:an?|any) {RANK}", _holds),
    (rf"an? {RANK} or higher", lambda scene, rank: _at_least(scene, "one", rank)),
    (rf"{_NUMBER} cards? {RANK} or higher", _at_least),
    (r"suited(?: cards)?", lambda scene: _suited(scene.own)),
    (rf"{_NUMBER} cards of one suit", lambda _, number: _suited(_NUMBERS[number])),
    (rf"the dealer's card is an? {RANK}(?: or (higher|lower))?", _dealers),
    (r"the dealer's card matches one of yours", _matches),
    (rf"the dealer's card is (higher|lower) than your {_ORDINAL} card", _beside),
    (r"any hand", lambda _: lambda seen: seen[_H.STRENGTH] >= 0),
]
_COMPILED: Final = [(re.compile(pattern + r"(?![\w+])"), make) for pattern, make in _WORDS]

COMPARED_PHRASES: Final = (
    *("Q-6-4 or better", "ace-king", "a pair or better", "a pair of tens or better", "any ace"),
    *("a three-card flush 9-7-4 or better", "a king or higher", "two cards ten or higher"),
    *("three cards of one suit", "the dealer's card is a queen or lower", "any hand"),
    *("the dealer's card matches one of yours", "the dealer's card is lower than your fourth card"),
)


def read_compared_word(text: str, at: int, scene: CardsSeen) -> tuple[int, HandTest] | None:
    """Read the longest word of the game that begins at a position; return its end and its test."""
    return longest_word(_COMPILED, text, at, scene)


# -- phrases for the search -----------------------------------------------------------------------


def plain_phrases(scene: CardsSeen) -> Iterator[str]:
    """Yield the phrases worth trying in any such game."""
    hands = _ranked(scene)
    for name in hands.names[1:]:
        yield f"a {name.replace('_', ' ')} or better"
    if "pair" in hands.names:
        least = hands.names.index("pair")
        yield from (hands.cut(hands.least(least, letter)) for letter in RANKS[1:])
    yield from (f"{letter}-{kicker} or better" for letter in "AKQJ" for kicker in RANKS)
    yield from (f"{letter} high or better" for letter in RANKS)


def phrases_of_cuts(scene: CardsSeen, strengths: set[int]) -> Iterator[str]:
    """Yield phrases for these hands or better, with all ranks named and with fewer; if a card of
    the dealer's is seen, alone and with conditions on that card."""
    hands = _ranked(scene)
    for ranks in range(8):
        yield from (hands.cut(strength, ranks) for strength in sorted(strengths))
    for cut in (hands.cut(strength) for strength in sorted(strengths) if scene.dealer):
        yield f"{cut} and the dealer's card matches one of yours"
        for word in RANK_WORDS:
            article = "an" if word[0] in "ae" else "a"
            yield f"{cut} and the dealer's card is {article} {word} or lower"
            yield f"{cut} and the dealer's card is {article} {word} or higher"
