"""The search for simple strategies, and the phrases that it tries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from threading import Lock
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import RANKS
from croupier.mathematics.kernels.arrays import I64, NEVER
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.compared_words import phrases_of_cuts, plain_phrases
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.decisions import Choose, Decisions, InformationSets
from croupier.mathematics.questions.strategies.text import phrase_test, read_text
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, HandTest

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def library(scene: CardsSeen, *, folds: bool = False) -> tuple[str, ...]:
    """Return phrases worth trying at a decision, whether or not it can fold; phrases that it does
    not allow are left out later."""
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
            for suit in ("", "s", "o"):
                yield f"{RANKS[high]}{RANKS[low]}{suit}+"
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
    """Yield hands that are weak, but too good to be folded on the flop."""
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
    """Yield the phrases for games of streets only, if the ranks are not all worth the same."""
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
        _counted(number, f"{rank_words} card")
        for number in range(1, seen + 1)
        for rank_words in (("high", "middle") if 1 in scene.points else ("high",))
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


Floats: TypeAlias = npt.NDArray[np.float64]

_CHUNK: Final = 1 << 16
"""The number of hands that are tested with all phrases at a time."""
_MOST_FOR_PAIRS: Final = 400
"""If there are more phrases than this, no pair is tried in place of a single one: it would take
minutes."""


def search_decisions(decisions: Decisions, word_price: float, say: Callable[[str], None]) -> str:
    """Return the text of a simple strategy; `say` is called with what each decision loses."""
    text = ""
    for place, choice in enumerate(decisions.choices):
        earlier = partial(answers_of, read_text(text, decisions.choices[:place]))
        lines, lost = _Search(decisions, place, earlier).lines(word_price)
        say(f"{choice.name}: loses {lost:.6f} with {'; '.join(lines)}")
        text += "\n    ".join([f"{choice.name.replace('_', ' ')}:", *lines]) + "\n"
    return text


class _Search:
    """The search for one decision; those before it are answered by `earlier`."""

    def __init__(self, decisions: Decisions, place: int, earlier: Choose) -> None:
        self._decisions, self._place, self._earlier = decisions, place, earlier
        self._choice = decisions.choices[place]
        self._order, self._otherwise = decisions.searched(place)
        self._total = float(decisions.unit(place).total)

    def lines(self, word_price: float) -> tuple[list[str], float]:
        """Return the lines of the text, and what they lose in units of one required wager."""
        scene, actions = self._choice.scene, self._choice.actions
        wanted = self._cut_phrases() if scene.ranked else library(scene, folds="fold" in actions)
        tests = {phrase: phrase_test(phrase, scene) for phrase in dict.fromkeys(wanted)}
        usable = {phrase: test for phrase, test in tests.items() if test is not None}
        counters = [_Counter(list(usable.values())) for _ in self._order]
        self._visit(lambda sets, weights: self._count(sets, weights, counters))
        lines: list[str] = []
        taken: list[str] = []
        lost = 0.0
        for answer, counter in zip(self._order, counters, strict=True):
            if counter.sums:
                cases = counter.cases().without([list(usable).index(phrase) for phrase in taken])
                phrases, loss = choose(cases, list(usable), word_price)
                lost += loss
                if phrases:
                    left_over = "otherwise " if lines else ""
                    lines.append(f"{actions[answer]} {left_over}with {', '.join(phrases)}")
                taken += phrases
        return [*lines, f"{actions[self._otherwise]} otherwise"], lost

    def _visit(self, look: Callable[[InformationSets, I64], None]) -> None:
        self._decisions.visit(self._place, self._earlier, look)

    def _gains(self, values: I64) -> list[Floats]:
        """Return the gain of each answer over the best of those that come after it, in units of one
        required wager, over all rounds."""
        gains = []
        for number, answer in enumerate(self._order):
            left = [*self._order[number + 1 :], self._otherwise]
            rest = np.maximum.reduce([values[later] for later in left])
            known = (values[answer] != NEVER) | (rest != NEVER)
            gain = np.where(values[answer] == NEVER, -1e18, (values[answer] - rest) / self._total)
            gains.append(np.where(known, gain, 0.0))
        return gains

    def _count(self, sets: InformationSets, weights: I64, counters: Sequence[_Counter]) -> None:
        features = sets.features
        gains = [gain * weights for gain in self._gains(sets.values)]
        for start in range(0, features.shape[1], _CHUNK):
            part = slice(start, start + _CHUNK)
            for counter, gain in zip(counters, gains, strict=True):
                counter.add(features[:, part], gain[part])

    # -- hands against the dealer's: where the best play changes ----------------------------------

    def _cut_phrases(self) -> list[str]:
        """Return phrases for the strengths from which an answer pays: for all of the dealer's cards
        together, for each card, and for cards that match one's own."""
        scene = self._choice.scene
        assert scene.ranked is not None
        ranked, lock = scene.ranked, Lock()
        sums = np.zeros((len(self._order), 14, 2, ranked.count))

        def look(sets: InformationSets, weights: I64) -> None:
            groups = _groups(sets.features, ranked)
            for number, gain in enumerate(self._gains(sets.values)):
                # A hand that does not allow the bet does not influence where the line is drawn.
                worth = np.where(gain > -1e17, gain, 0.0) * weights
                by_group = np.bincount(groups, worth, sums[number].size)
                with lock:
                    sums[number] += by_group.reshape(sums[number].shape)

        self._visit(look)
        cuts = set()
        for by_card in sums:
            each = [by_card.sum(axis=(0, 1)), by_card[:, 0].sum(axis=0), by_card[:, 1].sum(axis=0)]
            cuts |= {_cut(gains) for gains in (*each, *by_card.sum(axis=1)) if gains.any()}
        return [*plain_phrases(scene), *phrases_of_cuts(scene, cuts - {ranked.count})]


def _groups(features: Features, ranked: RankedHands) -> I64:
    dealer = features[HeldFeature.DEALER].astype(np.int64) + 1
    matches = features[HeldFeature.MATCHES] > 0
    strengths = features[HeldFeature.STRENGTH]
    return np.asarray((dealer * 2 + matches) * ranked.count + strengths)


def _cut(gains: Floats) -> int:
    """Return the strength such that taking all hands from it upward gains most."""
    above = np.append(np.cumsum(gains[::-1])[::-1], 0.0)
    return int(above.argmax())


# -- choosing phrases -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cases:
    """Groups of hands on which all phrases agree: `holds[phrase, case]`, the gain of betting with
    every hand of a case, and with only those hands that gain."""

    holds: npt.NDArray[np.bool_]
    gain: Floats
    best: Floats

    def without(self, phrases: Sequence[int]) -> Cases:
        """Return the cases in which none of these phrases holds."""
        free = ~self.holds[phrases].any(axis=0)
        return Cases(self.holds[:, free], self.gain[free], self.best[free])


class _Counter:
    """Adds up gains by which phrases hold; a case is the packed row of their answers."""

    def __init__(self, tests: Sequence[HandTest]) -> None:
        self.tests = tests
        self.sums: dict[bytes, tuple[float, float]] = {}
        self._lock = Lock()

    def add(self, features: Features, gains: Floats) -> None:
        used = np.flatnonzero(gains)
        if not len(used):
            return
        features, gains = features[:, used], gains[used]
        bits = np.packbits(np.stack([test(features) for test in self.tests]), axis=0)
        rows = np.ascontiguousarray(bits.T)
        packed = rows.view([("", np.uint8)] * rows.shape[1]).ravel()
        kinds, where = np.unique(packed, return_inverse=True)
        sums, best = (
            np.bincount(where.ravel(), weights=each, minlength=len(kinds)).tolist()
            for each in (gains, np.maximum(gains, 0))
        )
        with self._lock:
            for number, gain, most in zip(kinds, sums, best, strict=True):
                key = number.tobytes()
                before = self.sums.get(key, (0.0, 0.0))
                self.sums[key] = (before[0] + gain, before[1] + most)

    def cases(self) -> Cases:
        packed = np.frombuffer(b"".join(self.sums), np.uint8).reshape(len(self.sums), -1)
        holds = np.unpackbits(packed, axis=1, count=len(self.tests)).T.astype(np.bool_)
        gain, best = np.array(list(self.sums.values())).T
        return Cases(holds, gain, best)


def choose(cases: Cases, phrases: Sequence[str], word_price: float) -> tuple[list[str], float]:
    """Return the phrases with the least sum of loss and price of words, as far as single steps find
    it, and their loss."""
    prices = [word_price * len(phrase.split()) for phrase in phrases]

    def worth(chosen: frozenset[int]) -> float:
        if not chosen:
            return 0.0
        taken = np.logical_or.reduce([cases.holds[i] for i in chosen])
        return float(cases.gain @ taken) - sum(prices[i] for i in chosen)

    chosen: frozenset[int] = frozenset()
    while (better := _step(chosen, worth, len(phrases))) is not None:
        chosen = better
    taken = cases.holds[sorted(chosen)].any(axis=0)
    lost = float(cases.best.sum()) - float(cases.gain[taken].sum())
    order = sorted(chosen, key=lambda i: -float(cases.gain[cases.holds[i]].sum()))
    return [phrases[i] for i in order], lost


def _step(
    chosen: frozenset[int], worth: Callable[[frozenset[int]], float], phrases: int
) -> frozenset[int] | None:
    """Return the best of adding, dropping or exchanging one phrase; failing that, of exchanging one
    for two others."""
    others = [i for i in range(phrases) if i not in chosen]
    single = [chosen | {i} for i in others]
    single += [chosen - {i} for i in chosen]
    single += [chosen - {i} | {j} for i in chosen for j in others]
    now = worth(chosen) + 1e-12
    best = max(single, key=worth)
    if worth(best) > now:
        return best
    if phrases > _MOST_FOR_PAIRS:
        return None
    double = (chosen - {i} | set(two) for i in chosen for two in combinations(others, 2))
    best = max(double, key=worth, default=chosen)
    return best if worth(best) > now else None
