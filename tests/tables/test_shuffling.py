"""The shuffle and its seal: every order reachable by one path, no byte folded over, no way back."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, Card, format_cards, parse_cards
from croupier.errors import BadCards, CroupierError
from croupier.randomness import shuffling
from croupier.randomness.shuffling import Seeded, matches_seal, seal, sealed_text, shuffle

CHOICES = st.tuples(*(st.integers(0, place) for place in range(51, 0, -1)))


def scripted(data: bytes) -> shuffling.Source:
    """These bytes, then zeros."""
    stream = iter(data + bytes(512))
    return lambda count: bytes(next(stream) for _ in range(count))


def dealt(choices: Sequence[int]) -> list[int]:
    """The textbook's Fisher-Yates: place after place takes one of the cards left."""
    left, deck = list(range(52)), []
    for choice in choices:
        left[choice], left[-1] = left[-1], left[choice]
        deck.append(left.pop())
    return [*left, *reversed(deck)]


def undone(order: Sequence[int]) -> list[int]:
    """The one list of choices that makes this order."""
    left, choices = list(range(52)), []
    for place in range(51, 0, -1):
        choices.append(left.index(order[place]))
        left[choices[-1]] = left[place]
        left.pop()
    return choices


@given(CHOICES)
def test_one_path_leads_to_each_order(choices: tuple[int, ...]) -> None:
    order = shuffle(scripted(bytes(choices)))
    assert list(order) == dealt(choices)
    assert undone(order) == list(choices)


def test_every_choice_is_made_by_equally_many_bytes() -> None:
    """With the test above: 51 independent uniform choices, so 52! equally likely orders."""
    for place in range(51, 0, -1):
        before = bytes(51 - place)
        made: Counter[int] = Counter()
        for byte in range(256):
            # Where this byte is thrown away, the next one speaks for the place instead.
            first, second = (
                undone(shuffle(scripted(before + bytes([byte, after]))))[51 - place]
                for after in (0, 1)
            )
            if first == second:
                made[first] += 1
            else:
                assert (first, second) == (0, 1)
        assert set(made) == set(range(place + 1))
        assert set(made.values()) == {256 // (place + 1)}


def test_a_byte_that_would_favor_a_card_is_thrown_away() -> None:
    assert shuffle(scripted(bytes([255, 210, 208, 7]))) == shuffle(scripted(bytes([7])))
    assert shuffle(scripted(bytes([207]))) == shuffle(scripted(bytes([51])))


def test_more_bytes_are_drawn_when_64_do_not_suffice() -> None:
    assert shuffle(scripted(bytes([255] * 200 + [5, 6]))) == shuffle(scripted(bytes([5, 6])))


def test_a_deck_has_every_card_once_and_decks_differ() -> None:
    decks = [shuffle() for _ in range(200)]
    assert all(sorted(deck) == list(DECK) for deck in decks)
    assert all(isinstance(card, Card) for card in decks[0])
    assert len(set(decks)) == 200


def test_the_live_source_is_the_operating_systems() -> None:
    assert shuffling.from_system is os.urandom
    assert (shuffle.__defaults__ or ())[0] is shuffling.from_system


def test_a_dry_source_is_told() -> None:
    with pytest.raises(CroupierError, match="gave no bytes"):
        shuffle(lambda _: b"")


def test_a_seed_repeats_its_decks() -> None:
    first, again, other = Seeded(7), Seeded(7), Seeded(8)
    decks = [shuffle(first) for _ in range(2000)]  # over a block's end
    assert decks == [shuffle(again) for _ in range(2000)]
    assert decks[0] != shuffle(other)
    assert format_cards(decks[0][:5]) == "Jh 2s 3c 9c 7s"


@given(st.lists(st.integers(0, 70_000), max_size=6))
def test_the_stream_is_as_documented_however_it_is_drawn(counts: list[int]) -> None:
    draw = Seeded("night shift")
    drawn = b"".join(draw(count) for count in counts)
    stream = b"".join(
        hashlib.shake_256(f"croupier stream 1\nnight shift\n{block}\n".encode()).digest(65536)
        for block in range(len(drawn) // 65536 + 1)
    )
    assert drawn == stream[: len(drawn)]
    assert len(drawn) == sum(counts)


def test_sha256sum_opens_a_seal() -> None:
    """What docs/shuffle.md tells people to type."""
    sealed = seal(shuffle())
    script = 'printf "croupier deck 1\\n%s\\n%s\\n" "$1" "$2" | sha256sum'
    words = ["sh", "-c", script, "sh", sealed.salt, format_cards(sealed.order)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == sealed.commitment
    assert len(bytes.fromhex(sealed.salt)) == 32


def test_the_sealed_text_is_fixed_for_ever() -> None:
    assert sealed_text("00ff", parse_cards("As Td 2c")) == "croupier deck 1\n00ff\nAs Td 2c\n"
    sealed = seal(DECK, lambda count: bytes(count))
    assert sealed.commitment == ("2c21354a2e5c3a9ea85285dc2d15ee31242f76cbd99810858dc774b50c397083")


@given(st.permutations(DECK), st.integers(0, 51), st.integers(0, 51))
def test_only_the_very_order_and_salt_open_it(order: list[Card], one: int, other: int) -> None:
    sealed = seal(order)
    assert matches_seal(sealed.commitment, sealed.salt, order)
    changed = list(order)
    changed[one], changed[other] = changed[other], changed[one]
    assert matches_seal(sealed.commitment, sealed.salt, changed) == (one == other)
    assert not matches_seal(sealed.commitment, seal(order).salt, order)


def test_the_same_deck_is_never_sealed_alike() -> None:
    assert len({seal(DECK).commitment for _ in range(50)}) == 50


@pytest.mark.parametrize("nonsense", ["", "zz", "é", "\udcff", "0" * 64])
def test_nonsense_opens_nothing(nonsense: str) -> None:
    sealed = seal(DECK)
    assert not matches_seal(nonsense, sealed.salt, DECK)
    assert not matches_seal(sealed.commitment, nonsense, DECK)


@pytest.mark.parametrize("cards", [DECK[:51], (*DECK, DECK[0]), (*DECK[:51], DECK[0])])
def test_a_seal_is_put_on_a_whole_deck(cards: tuple[Card, ...]) -> None:
    with pytest.raises(BadCards, match="52 cards"):
        seal(cards)
