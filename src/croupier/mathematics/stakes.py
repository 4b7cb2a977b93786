"""Stakes, meters and payments in cents, and the payout limits that cut them.

A payout limit covers some wagers together. The settlement shortens single payments, the largest or
the last settled first; so does this module, in code of its own. Callers name the limits in force,
because a limit may be bound to the most that can be won at the table's minimum, which the round
engine computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, NamedTuple, Protocol

from croupier.errors import BadAmount, RuleBroken, suggest
from croupier.money import dollars
from croupier.rulebooks.rules import Rules
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
    """The result of one wager or bonus, in cents. `winnings` is the amount that a limit measures:
    the net of a win, not reduced by a stake that is collected although the odds are paid."""

    wager: str
    net: int
    winnings: int

    @classmethod
    def of_net(cls, wager: str, net: int) -> WagerResult:
        """Return the result of a wager whose stake comes back with a win."""
        return cls(wager, net, max(net, 0))


class SeatLimits:
    """The limits on one seat's wagers, applied one after another in the rulebook's order."""

    def __init__(self, book: Rulebook, limits: Sequence[PayoutLimit] = ()) -> None:
        self.limits: Final = tuple(limits)
        self._place = {name: place for place, name in enumerate((*book.wagers, *book.bonuses))}
        self._least = min((limit.cents for limit in limits), default=0)

    def net(self, results: Iterable[WagerResult]) -> int:
        """Return what the seat receives in all, in cents."""
        listed = list(results)
        net = sum([result.net for result in listed])
        if self.limits and sum([result.winnings for result in listed]) > self._least:
            net -= sum(self.cuts(listed).values())
        return net

    def cuts(self, results: Iterable[WagerResult]) -> dict[str, int]:
        """Return by how many cents each wager is cut; wagers that are paid in full are left out."""
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


def stake_for(rules: Rules, wager: str, stake_cents: int | None) -> int:
    """Return the stake in cents: `stake_cents` if the rulebook allows it, or else the rulebook's
    smallest stake, or a dollar."""
    known = rules.stakes.get(wager, ())
    if stake_cents is None:
        return min(known, default=100)
    if stake_cents <= 0:
        raise BadAmount(f"the stake of {wager!r} must be more than 0")
    if known and stake_cents not in known:
        raise RuleBroken(
            f"{wager!r} takes {' or '.join(map(dollars, known))}, not {dollars(stake_cents)}",
            clause=rules.book.wagers[wager].stakes_clause or None,
        )
    return stake_cents


def meters_for(rules: Rules, meters: Mapping[str, int] | None) -> dict[str, int]:
    """Return every meter's reading in cents; meters without a reading stand at their reset."""
    readings = meters or {}
    for name, cents in readings.items():
        if name not in rules.resets:
            raise suggest("meter", name, rules.resets)
        if cents < 0:
            raise BadAmount(f"meter {name!r}: a meter never shows less than 0.00")
    return {name: readings.get(name, reset) for name, reset in rules.resets.items()}


def largest_bets(book: Rulebook, stakes: Mapping[str, int]) -> dict[str, int]:
    """Return the most that the decisions of a round can bet on each wager, in cents."""
    most: dict[str, int] = {}
    for decision in book.decisions:
        if decision.bets:
            cents = max(decision.bets.values()) * stakes[decision.multiple_of]
            most[decision.wager] = max(cents, most.get(decision.wager, 0))
    return most


def largest_raises(book: Rulebook, stakes: Mapping[str, int]) -> int:
    """Return the most that all decisions of a round can bet together, in cents."""
    return sum(largest_bets(book, stakes).values())


def may_be_cut(
    book: Rulebook,
    placed: Mapping[str, int],
    largest_net: Fraction | int,
    limits: Sequence[PayoutLimit],
) -> bool:
    """Return whether winnings can exceed one of the limits. Winnings exceed the net by what is
    lost, which is at most what is staked."""
    most = largest_net + sum(placed.values()) + largest_raises(book, placed)
    return any(most > limit.cents for limit in limits)
