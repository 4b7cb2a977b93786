"""Examine a shuffle: deal decks, count, cut their bits into sequences, test and judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from croupier.errors import BadRequest
from croupier.randomness.bits import BITS_A_DECK, Bits, Decks, bits_of
from croupier.randomness.decks import DeckCounts, DeckTest
from croupier.randomness.judgment import FALSE_ALARM, PartTally, tally
from croupier.randomness.nist.suite import LEAST_BITS, run_suite

Shuffler = Callable[[], Sequence[int]]
Tell = Callable[[str], None]

LEAST_DECKS: Final = 1_000
MOST_DECKS: Final = 100_000_000
MOST_SEQUENCES: Final = 1_000
"""The most sequences that are tested. With more, the error of the tests' approximations shows: at
5,000 sequences of 10,000 bits they call a perfect generator unfair. Further decks count only in the
tests on decks."""

_BATCH: Final = 5_000
_NIST_BITS: Final = 1_000_000
# 191·2^218 / 52! of the decks give bits, which is 0.9975 (`bits`).
_SHARE_KEPT: Final = 0.997


class SamplePlan(msgspec.Struct, frozen=True):
    """The number of decks that are shuffled, and the number of bits in one sequence."""

    decks: int
    bits: int

    @property
    def sequences(self) -> int:
        """The approximate number of sequences: a few decks, chosen by chance, give no bits."""
        return min(MOST_SEQUENCES, int(self.decks * _SHARE_KEPT) * BITS_A_DECK // self.bits)

    @property
    def steps(self) -> int:
        return -(-self.decks // _BATCH) + self.sequences


def plan_sample(decks: int, bits: int | None = None) -> SamplePlan:
    """Return a plan that can be carried out, or refuse with the reason."""
    if decks < LEAST_DECKS:
        raise BadRequest(f"{decks} decks show nothing: take at least {LEAST_DECKS:,} (--decks)")
    if decks > MOST_DECKS:
        raise BadRequest(f"more than {MOST_DECKS:,} decks would take hours (--decks)")
    if bits is not None and bits < LEAST_BITS:
        raise BadRequest(f"a sequence takes at least {LEAST_BITS:,} bits (--bits), not {bits:,}")
    chosen = SamplePlan(decks, bits or _fitting(decks))
    if not chosen.sequences:
        needed = int(chosen.bits / BITS_A_DECK / _SHARE_KEPT) + 2
        raise BadRequest(
            f"{decks:,} decks do not fill one sequence of {chosen.bits:,} bits: it takes "
            f"{needed:,} (--decks), or a shorter sequence (--bits)"
        )
    return chosen


def _fitting(decks: int) -> int:
    """Return NIST's million bits if that makes ten sequences, otherwise a tenth or a hundredth of
    it."""
    for bits in (_NIST_BITS, _NIST_BITS // 10):
        if SamplePlan(decks, bits).sequences >= 10:
            return bits
    return LEAST_BITS


class Examination(msgspec.Struct, frozen=True):
    """All results. `fair` is the verdict; `worst` is the smallest probability."""

    decks: int
    bits: int
    sequences: int
    deck_tests: list[DeckTest]
    parts: list[PartTally]

    @property
    def chances(self) -> list[float]:
        p_values = [test.p_value for test in self.deck_tests if test.p_value is not None]
        return p_values + [chance for part in self.parts for chance in part.chances]

    @property
    def limit(self) -> float:
        """The limit below which no probability may be: 0.001 divided by their number."""
        return FALSE_ALARM / len(self.chances)

    @property
    def worst(self) -> float:
        return min(self.chances)

    @property
    def fair(self) -> bool:
        return self.worst >= self.limit

    def fails(self, part: PartTally) -> bool:
        return any(chance < self.limit for chance in part.chances)


def examine(shuffler: Shuffler, chosen: SamplePlan, tell: Tell = lambda _: None) -> Examination:
    """Shuffle, count and judge; `tell` is called after each step."""
    counts = DeckCounts()
    p_values: dict[tuple[str, str], list[float]] = {}
    sequences = 0
    for bits in _sequences(shuffler, chosen, counts, tell):
        for part in run_suite(bits):
            values = p_values.setdefault((part.test, part.part), [])
            if part.outcome is not None:
                values.append(part.outcome.p_value)
        sequences += 1
        tell(f"NIST tests, sequence {sequences:,}")
    parts = [tally(*name, values) for name, values in p_values.items()]
    return Examination(counts.decks, chosen.bits, sequences, counts.tests(), parts)


def _sequences(
    shuffler: Shuffler, chosen: SamplePlan, counts: DeckCounts, tell: Tell
) -> Iterator[Bits]:
    """Count every deck, and yield sequences of their bits as they fill up."""
    left = np.empty(0, np.uint8)
    wanted = MOST_SEQUENCES
    for start in range(0, chosen.decks, _BATCH):
        decks = _shuffled(shuffler, min(_BATCH, chosen.decks - start))
        counts.add(decks)
        tell(f"shuffling, {counts.decks:,} decks")
        if wanted:
            left = np.concatenate((left, bits_of(decks)))
        while wanted and len(left) >= chosen.bits:
            yield left[: chosen.bits]
            left = left[chosen.bits :]
            wanted -= 1


def _shuffled(shuffler: Shuffler, count: int) -> Decks:
    # A card is an int below 256: bytes() is the quickest way from a deck to numpy.
    flat = b"".join([bytes(shuffler()) for _ in range(count)])
    return np.frombuffer(flat, np.uint8).reshape(count, 52)
