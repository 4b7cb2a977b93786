"""Chip drills: an amount in the fewest chips of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier.money import dollars, format_cents
from croupier.rulebooks.rules import Rules
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Choice, Correction, NoDrill, Option
from croupier.school.drills.payout import AskedLine, handed_over, line_drawn, payout_asked

DENOMINATIONS: Final = (50000, 10000, 2500, 500, 100, 50)
"""The chips of a table in cents, largest first. Each is a multiple of the next."""
_MOST_PAID: Final = 500_000
_LEAST_PAID: Final = 1_500


def chips(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which chips pay the wager?"""

    def is_payable(drawn_line: AskedLine) -> bool:
        cents = handed_over(drawn_line.line, rules)
        return _LEAST_PAID <= cents <= _MOST_PAID and cents % DENOMINATIONS[-1] == 0

    drawn_line = line_drawn(rules, draws, is_payable)
    cents = handed_over(drawn_line.line, rules)
    right = fewest_chips(cents)
    wrong = [_option(stack, cents, right) for stack in _others(right)]
    correction = Correction(f"{dollars(cents)} is {_told(right)}: {_count(right)}.")
    words = f"You pay {dollars(cents)}. Which chips? The fewest."
    return payout_asked(drawn_line, rules, words, _stack(right), wrong, correction)


def fewest_chips(cents: int) -> dict[int, int]:
    """Return the number of chips of each denomination, largest first. Since each chip is a multiple
    of the next, no other stack has fewer chips."""
    counts: dict[int, int] = {}
    for worth in DENOMINATIONS:
        count, cents = divmod(cents, worth)
        if count:
            counts[worth] = count
    if cents:
        raise NoDrill(f"no chips of this table are worth {format_cents(cents)}")
    return counts


def _others(right: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Return wrong stacks: a chip changed into smaller ones, one chip too many, too few, or of
    another denomination."""
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


def _option(stack: Mapping[int, int], cents: int, right: Mapping[int, int]) -> Option:
    worth = sum(value * count for value, count in stack.items())
    if worth != cents:
        return _stack(stack, f"That is {dollars(worth)}.")
    return _stack(stack, f"That is right, but takes {_count(stack)}, not {sum(right.values())}.")


def _stack(chips_: Mapping[int, int], wrong: str = "") -> Option:
    shown = {format_cents(worth): count for worth, count in _real(chips_).items()}
    return Option(Choice(_told(_real(chips_)), chips=shown), wrong)


def _told(chips_: Mapping[int, int]) -> str:
    return ", ".join(f"{count} × {dollars(worth)}" for worth, count in chips_.items())


def _count(chips_: Mapping[int, int]) -> str:
    count = sum(chips_.values())
    return f"{count} chip" if count == 1 else f"{count} chips"
