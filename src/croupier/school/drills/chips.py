"""Chip drills: an amount in the fewest chips that a table has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier.money import dollars, format_cents
from croupier.rulebooks.rules import Rules
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Choice, Correction, NoDrill, Option
from croupier.school.drills.payout import AskedLine, handed_over, line_drawn, payout_asked

__all__ = ["DENOMINATIONS", "chips", "fewest_chips"]

DENOMINATIONS: Final = (50000, 10000, 2500, 500, 100, 50)
"""The chips of a table, in cents, the dearest first. Each is a whole number of the next."""
_MOST_PAID: Final = 500_000
_LEAST_PAID: Final = 1_500


def chips(rules: Rules, draws: Draws) -> Asked:
    """Which chips pay the wager?"""

    def is_payable(asked: AskedLine) -> bool:
        cents = handed_over(asked.line, rules)
        return _LEAST_PAID <= cents <= _MOST_PAID and cents % DENOMINATIONS[-1] == 0

    asked = line_drawn(rules, draws, is_payable)
    cents = handed_over(asked.line, rules)
    right = fewest_chips(cents)
    wrong = [_option(other, cents, right) for other in _others(right)]
    correction = Correction(f"{dollars(cents)} is {_told(right)}: {_count(right)}.")
    words = f"You pay {dollars(cents)}. Which chips? The fewest."
    return payout_asked(asked, rules, words, _stack(right), wrong, correction)


def fewest_chips(cents: int) -> dict[int, int]:
    """The dearest first. Since each chip is a whole number of the next, no
    other way takes fewer."""
    found: dict[int, int] = {}
    for worth in DENOMINATIONS:
        count, cents = divmod(cents, worth)
        if count:
            found[worth] = count
    if cents:
        raise NoDrill(f"no chips of this table are worth {format_cents(cents)}")
    return found


def _others(right: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Chips changed into smaller ones, one chip too many, one too few, one of another worth."""
    for worth, count in right.items():
        place = DENOMINATIONS.index(worth)
        if place + 1 < len(DENOMINATIONS):
            smaller = DENOMINATIONS[place + 1]
            changed = {**right, worth: count - 1}
            changed[smaller] = changed.get(smaller, 0) + worth // smaller
            yield _real(changed)
            yield _real({**right, worth: count - 1, smaller: right.get(smaller, 0) + 1})
        yield {**right, worth: count + 1}
        if sum(right.values()) > 1:
            yield _real({**right, worth: count - 1})


def _real(chips_: Mapping[int, int]) -> dict[int, int]:
    return {worth: chips_[worth] for worth in DENOMINATIONS if chips_.get(worth)}


def _option(other: Mapping[int, int], cents: int, right: Mapping[int, int]) -> Option:
    worth = sum(value * count for value, count in other.items())
    if worth != cents:
        return _stack(other, f"That is {dollars(worth)}.")
    return _stack(other, f"That is right, but takes {_count(other)}, not {sum(right.values())}.")


def _stack(chips_: Mapping[int, int], wrong: str = "") -> Option:
    shown = {format_cents(worth): count for worth, count in _real(chips_).items()}
    return Option(Choice(_told(_real(chips_)), chips=shown), wrong)


def _told(chips_: Mapping[int, int]) -> str:
    return ", ".join(f"{count} × {dollars(worth)}" for worth, count in chips_.items())


def _count(chips_: Mapping[int, int]) -> str:
    count = sum(chips_.values())
    return f"{count} chip" if count == 1 else f"{count} chips"
