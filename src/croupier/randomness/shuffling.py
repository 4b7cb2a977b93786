"""The virtual deck: an unbiased shuffle, and a seal that proves the order was fixed before the
bets.

The source of random bytes is an argument, so that a rehearsal with a seed and a live table with the
operating system's generator run the same code.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from croupier.cards import DECK, Card, format_cards
from croupier.errors import BadCards, CroupierError

Source = Callable[[int], bytes]
"""A source of bytes: `draw(n)` gives n bytes, each of the 256 values equally likely, all
independent."""

from_system: Final[Source] = os.urandom
"""The operating system's cryptographic generator, from which a live table draws."""

# A shuffle takes 53.6 bytes on average, and 999 in a thousand take at most 60.
_BYTES_AT_ONCE: Final = 64

# Bytes from this limit up are rejected: below it every remainder is equally likely.
_LIMITS: Final = tuple(256 - 256 % (place + 1) for place in range(256))


def shuffle(draw: Source = from_system, whole: Sequence[Card] = DECK) -> tuple[Card, ...]:
    """Return the deck in a random order, each order equally likely (52! of a usual deck); the first
    card is the top of the deck.

    Fisher-Yates: from the bottom up, each place takes one of the cards not yet placed. A byte that
    would favor some of them is rejected (rejection sampling).
    """
    deck = list(whole)
    place = len(deck) - 1
    if place > 255:
        place = _shuffle_the_bottom(deck, draw)
    if place < 1:
        return tuple(deck)
    while drawn := draw(_BYTES_AT_ONCE):
        for byte in drawn:
            if byte < _LIMITS[place]:
                target = byte % (place + 1)
                deck[place], deck[target] = deck[target], deck[place]
                place -= 1
                if not place:
                    return tuple(deck)
    raise CroupierError("the source of randomness gave no bytes", code="no_randomness")


def _shuffle_the_bottom(deck: list[Card], draw: Source) -> int:
    """Fill the places from 256 up, which only several decks have, with two bytes for each; return
    the next place."""
    place = len(deck) - 1
    while place > 255 and (drawn := draw(2)):
        number = int.from_bytes(drawn, "big")
        if number < 65536 - 65536 % (place + 1):
            target = number % (place + 1)
            deck[place], deck[target] = deck[target], deck[place]
            place -= 1
    return place


class Seeded:
    """A source that gives the same bytes for the same seed: for simulations and rehearsals, never
    for real money.

    The stream is block 0, block 1, … of 65,536 bytes each, and block i is SHAKE-256 of the text
    `croupier stream 1`, the seed and i, each ended by a newline. `shuffle` takes 64 bytes at a time
    and leaves the rest of the last 64 unused.
    """

    BLOCK: Final = 65536

    def __init__(self, seed: int | str) -> None:
        self._seed = seed
        self._next_block = 0
        self._bytes = b""
        self._used = 0

    def __call__(self, count: int) -> bytes:
        end = self._used + count
        if end > len(self._bytes):
            self._refill(count)
            end = count
        drawn = self._bytes[self._used : end]
        self._used = end
        return drawn

    def _refill(self, count: int) -> None:
        parts = [self._bytes[self._used :]]
        length = len(parts[0])
        while length < count:
            text = f"croupier stream 1\n{self._seed}\n{self._next_block}\n"
            parts.append(hashlib.shake_256(text.encode()).digest(self.BLOCK))
            self._next_block += 1
            length += self.BLOCK
        self._bytes, self._used = b"".join(parts), 0


class Sealed(msgspec.Struct, frozen=True):
    """A deck and its seal: the commitment is shown before the bets, salt and order after."""

    commitment: str
    salt: str
    order: tuple[Card, ...]


_IN_ORDER: Final = list(DECK)


def seal(order: Iterable[Card], draw: Source = from_system, whole: Sequence[Card] = DECK) -> Sealed:
    """Commit to the order of a whole deck, with 256 bits of salt from `draw`."""
    cards = tuple(order)
    if sorted(cards) != (_IN_ORDER if whole is DECK else sorted(whole)):
        once = ", each of them once" if len(set(whole)) == len(whole) else ""
        raise BadCards(f"a seal is put on a whole deck: {len(whole)} cards{once}")
    salt = draw(32).hex()
    return Sealed(_digest(salt, cards), salt, cards)


def matches_seal(commitment: str, salt: str, order: Iterable[Card]) -> bool:
    """Return whether this salt and this order are the ones that were committed to."""
    digest = _digest(salt, order).encode()
    return hmac.compare_digest(digest, commitment.encode("utf-8", "replace"))


def sealed_text(salt: str, order: Iterable[Card]) -> str:
    """Return the three lines that are hashed: anybody can check them with `sha256sum`."""
    return f"croupier deck 1\n{salt}\n{format_cards(order)}\n"


def _digest(salt: str, order: Iterable[Card]) -> str:
    return hashlib.sha256(sealed_text(salt, order).encode("utf-8", "replace")).hexdigest()
