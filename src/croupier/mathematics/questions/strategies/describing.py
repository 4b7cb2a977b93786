"""A hand in a few words, for the lists of errors: hands that read alike are one entry."""

from __future__ import annotations

import numpy as np

from croupier.cards import RANK_WORDS, RANKS
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.features import Feature
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, Flags
from croupier.ranking.hands import CATEGORY_NAMES, Category

__all__ = ["hand_codes", "hand_words"]

F = Feature


def _parts(scene: CardsSeen, seen: Features) -> list[I64]:
    """What tells two entries apart, each part at least 0 and less than 64."""
    wide = seen.astype(np.int64)
    if scene.community == 0 and scene.own == 2:
        return [wide[F.HIGH], wide[F.SECOND], wide[F.SUITED]]
    category = wide[F.CATEGORY]
    grouped = (category >= Category.PAIR) & (category != Category.FLUSH)
    rank = np.where(grouped & (wide[F.IMPROVED] == 1), wide[F.MADE], wide[F.HIGH])
    parts = [category, wide[F.IMPROVED], rank + 1]
    if scene.river:
        return [*parts, np.minimum(wide[F.OUTS], 60)]
    return [*parts, *(flag.astype(np.int64) for flag in _draws(scene, seen))]


def _draws(scene: CardsSeen, seen: Features) -> tuple[Flags, Flags, Flags]:
    """Whether the words tell of a flush draw, an open-ended one, another straight draw."""
    drawn = min(scene.own + scene.community, 4)
    unmade = seen[F.CATEGORY] < Category.STRAIGHT
    open_ended = unmade & (seen[F.OPEN] == 1)
    straight = unmade & (seen[F.STRAIGHT] == drawn) & ~open_ended
    return unmade & (seen[F.FLUSH] == drawn), open_ended, straight


def hand_codes(scene: CardsSeen, seen: Features) -> I64:
    """A number per hand; hands with the same number have the same words."""
    if scene.ranked is not None:
        return _compared_codes(scene.ranked, seen)
    code = np.zeros(seen.shape[1], np.int64)
    for part in _parts(scene, seen):
        code = code * 64 + part
    return code


def _compared_codes(ranked: RankedHands, seen: Features) -> I64:
    """By the words of the hand and the highest of the dealer's cards."""
    kinds = [ranked.kind(strength) for strength in range(ranked.count)]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    of_strength = np.array([numbers[kind] for kind in kinds], np.int64)
    strengths, dealer = seen[HeldFeature.STRENGTH], seen[HeldFeature.DEALER].astype(np.int64)
    return np.asarray(of_strength[strengths] * 14 + dealer + 1)


def _article(rank: str) -> str:
    return f"an {rank}" if rank[0] in "ae" else f"a {rank}"


def hand_words(scene: CardsSeen, seen: Features) -> str:
    """Of one hand: `seen` has one column."""
    if scene.ranked is not None:
        hand = scene.ranked.kind(int(seen[HeldFeature.STRENGTH, 0]))
        dealer = int(seen[HeldFeature.DEALER, 0])
        return f"{hand} against {_article(RANK_WORDS[dealer])}" if dealer >= 0 else hand
    one = [int(value) for value in seen[:, 0]]
    if scene.community == 0 and scene.own == 2:
        suited = "" if one[F.HIGH] == one[F.SECOND] else "s" if one[F.SUITED] else "o"
        return RANKS[one[F.HIGH]] + RANKS[one[F.SECOND]] + suited
    words = [_made(scene, one)]
    if scene.river:
        words.append(f"{one[F.OUTS]} dealer outs")
        return ", ".join(words)
    flush, open_ended, straight = (bool(flag[0]) for flag in _draws(scene, seen))
    many = "three" if scene.own + scene.community == 3 else "four"
    if flush:
        words.append(f"{many} to a flush")
    if open_ended:
        words.append("open-ended")
    if straight:
        words.append(f"{many} to a straight")
    return ", ".join(words)


def _made(scene: CardsSeen, one: list[int]) -> str:
    category = Category(one[F.CATEGORY])
    if category == Category.HIGH_CARD:
        return f"{RANK_WORDS[one[F.HIGH]]} high"
    name = CATEGORY_NAMES[category].replace("_", " ")
    if scene.community and not one[F.IMPROVED]:
        return f"the board's {name}, own {RANK_WORDS[one[F.HIGH]]} high"
    if category == Category.FLUSH:
        return f"{name}, own {RANK_WORDS[one[F.HIGH]]} high"
    rank = RANK_WORDS[one[F.MADE]]
    if category in {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}:
        return f"{name}, {rank} high"
    return f"{name}, {rank}{'es' if rank.endswith('x') else 's'}"
