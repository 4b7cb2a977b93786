"""Phrases that the search for simple strategies tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from croupier.cards import RANKS
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def library(scene: CardsSeen, *, folds: bool = False) -> tuple[str, ...]:
    """Phrases worth trying at a decision, one that folds or not; those that it does not allow are
    left out later."""
    if folds and scene.community == 3 and not scene.points:
        return (*_flop_phrases(), *_calls())
    if scene.points:
        return (*_plain_library(scene), *_stage_phrases(scene))
    return _plain_library(scene)


def _plain_library(scene: CardsSeen) -> tuple[str, ...]:
    if scene.own == 3:
        return tuple(_stud_phrases())
    if scene.community == 0:
        return tuple(_ranges())
    if scene.community == 1:
        return (*_ranges(), *_first_card_phrases())
    if scene.community == 4:
        return (*_flop_phrases(), *_outs(range(4, 26, 2)))
    return tuple(_river_phrases() if scene.river else _flop_phrases())


def _ranges() -> Iterable[str]:
    yield from ("any pair", "any ace", "suited", "connected", "suited and connected")
    yield from ("connected except any ace", "connected except (AK, A2, 32)")
    for pair in range(1, 9):
        yield f"{RANKS[pair]}{RANKS[pair]}+"
    for high in range(12, 7, -1):
        for low in range(high):
            for kind in ("", "s", "o"):
                yield f"{RANKS[high]}{RANKS[low]}{kind}+"
    for rank in ("nine", "ten", "jack", "queen"):
        yield f"two cards {rank} or higher"
        yield f"suited and two cards {rank} or higher"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"suited and a {rank} or higher"
        yield f"a {rank} or higher"


def _first_card_phrases() -> Iterable[str]:
    yield from ("a pair with the board", "three of a kind", "a pair or better")
    for rank in ("fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks"):
        yield f"a pair of {rank} or better"
    yield from ("three to a straight flush", "three to a royal flush", "three to a flush")
    for rank in ("ten", "jack", "queen"):
        yield f"three to a straight and a {rank} or higher"
        yield f"three to a straight and two cards {rank} or higher"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"three to a flush with a hidden card {rank} or higher"
        yield f"three to a straight flush and a {rank} or higher"


def _flop_phrases() -> Iterable[str]:
    yield from ("two pair or better", "a hidden pair", "a hidden pair or better")
    yield from ("a hidden two pair or better", "a pair with the board", "top pair")
    yield from ("a hidden pair except pocket twos", "three of a kind or better")
    yield from ("a hidden pair of threes or higher", "a hidden pair of fours or higher")
    yield from ("a pocket pair and a hidden pair", "a straight or better")
    for rank in ("eight", "nine", "ten", "jack", "queen", "king", "ace"):
        yield f"four to a flush with a hidden card {rank} or higher"
    yield from ("four to a flush", "four to a straight flush", "an open-ended straight draw")
    for rank in ("ten", "jack", "queen", "king"):
        yield f"an open-ended straight draw and a {rank} or higher"
        yield f"a {rank} or higher on a board with three of a kind"
        yield f"four to a straight and two cards {rank} or higher"
        yield f"a {rank} or higher on a paired board"
    yield from ("an ace on a paired board", "the best kicker on a paired board")
    yield from ("an open-ended straight draw and two overcards", "four to a royal flush")
    yield "an open-ended straight draw and one overcard"


def _calls() -> Iterable[str]:
    """Hands that are weak, but too good to be folded on the flop."""
    yield from ("any ace", "two overcards", "one overcard", "a pair or better", "suited")
    yield from ("three to a straight", "three to a flush", "four to a straight", "connected")
    for rank in ("nine", "ten", "jack", "queen", "king"):
        yield f"a {rank} or higher"
        yield f"a {rank} or higher on an unpaired board"
        yield f"one overcard and a {rank} or higher"
        yield f"three to a flush and a {rank} or higher"
        yield f"three to a straight and a {rank} or higher"
        yield f"two cards {rank} or higher"


def _outs(numbers: Iterable[int]) -> Iterable[str]:
    return (f"fewer than {outs} dealer outs" for outs in numbers)


def _river_phrases() -> Iterable[str]:
    yield "a hidden pair or better"
    yield from _outs(range(15, 26))
    yield from ("the best kicker", "the second best kicker", "the third best kicker")
    for place in ("best", "second best", "third best"):
        yield f"the {place} kicker on a paired board"
        yield f"the {place} kicker on a board with two pair or better"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"a {rank} or higher on a paired board"
        yield f"a {rank} or higher on a board with two pair or better"
        yield f"the second best kicker and a {rank} or higher"
    yield from ("an ace", "a king or higher", "a board with three of a kind or better")
    yield "a board with a straight or better"


def _stud_phrases() -> Iterable[str]:
    yield from ("a pair", "a pair or better", "three of a kind", "suited", "connected")
    yield from ("three to a flush", "three to a straight", "three to a straight flush")
    yield from ("three to a royal flush", "suited and connected", "an ace")
    for rank in ("fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens"):
        yield f"a pair of {rank} or better"
    for rank in ("eight", "nine", "ten", "jack", "queen", "king"):
        yield f"three cards {rank} or higher"
        yield f"two cards {rank} or higher"
        yield f"three to a straight and two cards {rank} or higher"
        yield f"connected and a {rank} or higher"
        yield f"suited and a {rank} or higher"


def _stage_phrases(scene: CardsSeen) -> Iterator[str]:
    """What only games of streets have words for, where the ranks are not all worth the same."""
    if len(set(scene.points)) < 2:
        return
    seen = scene.own + scene.community
    points = [_counted(number, "point") for number in range(1, min(2 * seen, 9) + 1)]
    for each in points:
        yield f"at least {each}"
        yield f"suited and at least {each}"
    yield from ("a pair", "a pair or better", "three of a kind or better", "two pair or better")
    for rank in ("fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens"):
        yield f"a pair of {rank} or better"
    draws = [f"{_NUMBERS[seen]} to a flush", f"{_NUMBERS[seen]} to a royal flush"]
    for word in ("straight", "straight flush"):
        draws += [f"{_NUMBERS[seen]} to a {word} with no gaps", f"{_NUMBERS[seen]} to a {word}"]
        draws += [f"{_NUMBERS[seen]} to a {word} with at most one gap"]
    counts = [
        _counted(number, f"{kind} card")
        for number in range(1, seen + 1)
        for kind in (("high", "middle") if 1 in scene.points else ("high",))
    ]
    for draw in draws:
        yield draw
        yield from (f"{draw} and {count}" for count in counts)
        yield from (f"{draw} and at least {each}" for each in points)
    for count in counts:
        yield count
        yield from (
            f"{count} and at least {_counted(units, 'unit')} down" for units in (4, 5, 6, 7)
        )


def _counted(number: int, word: str) -> str:
    return f"{_NUMBERS[number]} {word}{'s' if number > 1 else ''}"
