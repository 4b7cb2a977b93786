"""Players' own randomness in a sealed deck: the dealing order from the house's secret and every
player's value.

The house seals its order and salt first. A player then commits to a random value, and reveals it
when nobody can commit any more. The deck is the sealed order, shuffled once more with bytes that
follow from all of this, so that nobody could choose it. docs/shuffle.md explains why.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from croupier.cards import Card
from croupier.randomness.shuffling import Source, shuffle

_NOT_REVEALED: Final = "-"


class Contribution(NamedTuple):
    """A seat's contribution: 32 bytes in hexadecimal, empty if they were not revealed."""

    seat: int
    commitment: str
    value: str


def commitment_to(value: str) -> str:
    """Return the SHA-256 of the 32 bytes."""
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def is_value_of(commitment: str, value: str) -> bool:
    return hmac.compare_digest(commitment_to(value), commitment)


def mixed_order(
    seal: str, salt: str, order: Sequence[Card], added: Iterable[Contribution]
) -> tuple[Card, ...]:
    """Return the order in which the deck is dealt."""
    return shuffle(_bytes_of(mixing_text(seal, salt, added)), order)


def mixing_text(seal: str, salt: str, added: Iterable[Contribution]) -> str:
    """Return the text that determines the bytes: the house's seal and salt, and a line for each
    player, in the order in which they committed. A commitment counts even if its value was not
    revealed, so the house gains no choice of deck when a value is missing."""
    lines = [f"{entry.seat} {entry.commitment} {entry.value or _NOT_REVEALED}\n" for entry in added]
    return f"croupier mix 1\n{seal}\n{salt}\n{''.join(lines)}"


def _bytes_of(text: str) -> Source:
    """Return a source of bytes: SHA-256 of the text and `0`, of the text and `1`, and so on."""
    rest, block = b"", 0

    def draw(count: int) -> bytes:
        nonlocal rest, block
        while len(rest) < count:
            rest += hashlib.sha256(f"{text}{block}\n".encode()).digest()
            block += 1
        drawn, rest = rest[:count], rest[count:]
        return drawn

    return draw
