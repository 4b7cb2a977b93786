"""Payout limits in figures: what a seat's wagers come to once a limit has cut its winnings.

A limit covers some wagers together. The settlement shortens single lines, the largest or the last
settled first; so does this, in code of its own. Callers name the limits in force, because a limit
may be bound to the most that can be won at the table's minimum, which the round engine finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from croupier.rulebooks.schema import Rulebook


class PayoutLimit(Protocol):
    """The most, in cents, that the wagers it covers may win together in a round."""

    @property
    def clause(self) -> str: ...
    @property
    def covers(self) -> frozenset[str]: ...
    @property
    def cents(self) -> int: ...
    @property
    def shortens(self) -> Literal["largest", "last"]: ...


class WagerResult(NamedTuple):
    """What one wager or bonus comes to, in cents. `winnings` are what a limit measures: the net of
    a win, without a stake that is collected although the odds are paid."""

    wager: str
    net: int
    winnings: int

    @classmethod
    def of_net(cls, wager: str, net: int) -> WagerResult:
        """Of a wager whose stake comes back with a win."""
        return cls(wager, net, max(net, 0))


class SeatLimits:
    """The limits on one seat's wagers, applied one after the other as the rulebook lists them."""

    def __init__(self, book: Rulebook, limits: Sequence[PayoutLimit] = ()) -> None:
        self.limits: Final = tuple(limits)
        self._place = {name: place for place, name in enumerate((*book.wagers, *book.bonuses))}
        self._least = min((limit.cents for limit in limits), default=0)

    def net(self, results: Iterable[WagerResult]) -> int:
        """What the seat receives in all, in cents."""
        listed = list(results)
        net = sum([result.net for result in listed])
        if self.limits and sum([result.winnings for result in listed]) > self._least:
            net -= sum(self.cuts(listed).values())
        return net

    def cuts(self, results: Iterable[WagerResult]) -> dict[str, int]:
        """By how many cents each wager is cut; wagers that are paid in full are left out."""
        ordered = sorted(results, key=lambda result: self._place[result.wager])
        left = {result.wager: result.winnings for result in ordered if result.winnings > 0}
        before = dict(left)
        for limit in self.limits:
            _shorten(left, limit)
        return {name: before[name] - cents for name, cents in left.items() if cents < before[name]}


def _shorten(winnings: dict[str, int], limit: PayoutLimit) -> None:
    covered = [name for name, cents in winnings.items() if cents and name in limit.covers]
    excess = sum(winnings[name] for name in covered) - limit.cents
    if limit.shortens == "largest":
        covered.sort(key=lambda name: -winnings[name])
    else:
        covered.reverse()
    for name in covered:
        cut = min(max(excess, 0), winnings[name])
        winnings[name] -= cut
        excess -= cut
