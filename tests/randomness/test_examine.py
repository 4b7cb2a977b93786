"""The examination: a fair shuffle passes, every wrong one of old is caught, and NIST's marks."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from croupier.errors import BadRequest
from croupier.randomness.examine import Examination, examine, plan_sample
from croupier.randomness.judgment import least_passing, tally, uniformity
from croupier.randomness.nist.suite import SECTIONS, run_suite
from croupier.randomness.shuffling import Seeded, shuffle

Shuffler = Callable[[random.Random], list[int]]


def examined(shuffler: Shuffler, decks: int) -> Examination:
    chance = random.Random(1)
    return examine(lambda: shuffler(chance), plan_sample(decks))


def modulo(chance: random.Random, values: int = 256) -> list[int]:
    """A byte folded over: the low remainders come up more often."""
    deck = list(range(52))
    for place in range(51, 0, -1):
        other = chance.randrange(values) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def modulo_of_six_bits(chance: random.Random) -> list[int]:
    return modulo(chance, 64)


def swap_with_any(chance: random.Random) -> list[int]:
    """52^52 paths cannot be shared out evenly among 52! orders."""
    deck = list(range(52))
    for place in range(52):
        other = chance.randrange(52)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def sattolo(chance: random.Random) -> list[int]:
    """One off: no card can stay, and every order is one cycle."""
    deck = list(range(52))
    for place in range(51, 0, -1):
        other = chance.randrange(place)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def bottom_card_stays(chance: random.Random) -> list[int]:
    deck = list(range(51))
    chance.shuffle(deck)
    return [*deck, 51]


def cut_only(chance: random.Random) -> list[int]:
    at = chance.randrange(52)
    return [*range(at, 52), *range(at)]


def riffle(chance: random.Random) -> list[int]:
    """Seven riffle shuffles, as of a good dealer's hands; the classical "enough"."""
    deck = list(range(52))
    for _ in range(7):
        sides = [chance.random() < 0.5 for _ in deck]
        deck = [c for c, s in zip(deck, sides, strict=True) if s] + [
            c for c, s in zip(deck, sides, strict=True) if not s
        ]
    return deck


def every_tenth_deck_again() -> Shuffler:
    last: list[list[int]] = [list(range(52))]

    def shuffler(chance: random.Random) -> list[int]:
        if chance.random() > 0.1:
            last[0] = list(range(52))
            chance.shuffle(last[0])
        return last[0]

    return shuffler


@pytest.mark.parametrize(
    ("shuffler", "decks"),
    [
        (modulo, 10_000),
        (modulo_of_six_bits, 1_000),
        (swap_with_any, 1_000),
        (sattolo, 1_000),
        (bottom_card_stays, 1_000),
        (cut_only, 1_000),
        (riffle, 5_000),
    ],
)
def test_a_wrong_shuffle_is_caught(shuffler: Shuffler, decks: int) -> None:
    found = examined(shuffler, decks)
    assert not found.fair
    assert found.worst < 1e-12


def test_a_deck_dealt_twice_is_caught() -> None:
    found = examined(every_tenth_deck_again(), 2_000)
    by_name = {test.test: test.p_value for test in found.deck_tests}
    assert not found.fair
    assert (by_name["carried over"] or 0.0) < 1e-12


def test_a_source_with_a_weak_bit_is_caught() -> None:
    """The right shuffle on wrong bytes: one bit in eight is 1 with chance 0.75."""
    chance = random.Random(2)

    def draw(count: int) -> bytes:
        return bytes(byte | (1 if chance.random() < 0.5 else 0) for byte in chance.randbytes(count))

    assert not examine(lambda: shuffle(draw), plan_sample(5_000)).fair


@pytest.mark.parametrize("seed", range(3))
def test_the_shuffle_passes(seed: int) -> None:
    draw = Seeded(seed)
    found = examine(lambda: shuffle(draw), plan_sample(10_000))
    assert found.fair
    assert (found.decks, found.bits, found.sequences) == (10_000, 100_000, 21)
    assert len(found.parts) == 159


@pytest.mark.full
@pytest.mark.parametrize("bits", [10_000, 100_000, 1_000_000])
def test_the_shuffle_passes_at_length(bits: int) -> None:
    """Also that the tests' own approximations hold for as many sequences as a report takes."""
    draw = Seeded(f"at length, {bits}")
    found = examine(lambda: shuffle(draw), plan_sample(470_000, bits))
    assert found.fair
    assert found.sequences == min(1_000, 102_000_000 // bits)
    assert all(test.p_value is not None for test in found.deck_tests)
    if bits == 1_000_000:
        assert {part.test for part in found.parts} == set(SECTIONS)
        assert len(found.parts) == 188


def test_progress_is_told() -> None:
    told: list[str] = []
    draw = Seeded(5)
    chosen = plan_sample(6_000, 500_000)
    examine(lambda: shuffle(draw), chosen, told.append)
    assert len(told) == chosen.steps == 4
    assert told[0] == "shuffling, 5,000 decks"


@pytest.mark.parametrize(
    ("decks", "bits", "says"),
    [
        (0, None, "at least 1,000"),
        (-5, None, "at least 1,000"),
        (10**12, None, "would take hours"),
        (5_000, 10, "at least 10,000 bits"),
        (1_000, 1_000_000, "it takes 4,6"),
    ],
)
def test_a_plan_that_shows_nothing_is_refused(decks: int, bits: int | None, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        plan_sample(decks, bits)


def test_sequences_are_as_long_as_the_decks_allow() -> None:
    assert [plan_sample(decks).bits for decks in (1_000, 5_000, 46_100, 260_000)] == [
        *(10_000, 100_000, 1_000_000, 1_000_000)
    ]
    assert plan_sample(260_000).sequences == 56


def test_the_suite_leaves_out_what_a_short_sequence_cannot_carry() -> None:
    bits = np.random.default_rng(1).integers(0, 2, 20_000, np.uint8)
    assert {part.test for part in run_suite(bits)} == {
        *("frequency", "block frequency", "runs", "longest run of ones"),
        *("serial", "approximate entropy", "cumulative sums"),
    }


def test_4_2_1_least_passing() -> None:
    """The document's example: of 1000 sequences 980.56 must pass."""
    assert least_passing(1000) == 981
    assert least_passing(100) == 97
    assert least_passing(0) == 0


def test_4_2_2_uniformity() -> None:
    assert uniformity([(k + 0.5) / 100 for k in range(100)]) == 1.0
    assert uniformity([0.5] * 100) < 1e-9
    assert uniformity([1.0] * 5 + [0.0] * 5) == pytest.approx(uniformity([0.95] * 5 + [0.05] * 5))


def test_a_part_is_judged_by_its_marks() -> None:
    assert tally("runs", "", [0.5] * 20).uniformity is None
    even = [(k + 0.5) / 100 for k in range(100)]
    assert not tally("runs", "", even).misses_mark
    assert tally("runs", "", [0.001] * 4 + even[4:]).misses_mark
    assert tally("runs", "", [0.35] * 100).misses_mark
    assert tally("runs", "", []).chances == []
