"""Payout limits: the most one hand may win in a round, returned stakes apart."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from croupier.rounds.best_win import most_winnable
from croupier.rounds.state import LineRecord
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import PayoutLimit

__all__ = ["LimitInForce", "bound_of", "limits_in_force", "shorten"]


class LimitInForce(NamedTuple):
    clause: str
    covers: frozenset[str]
    cents: int
    shortens: Literal["largest", "last"]


def limits_in_force(rules: Rules) -> tuple[LimitInForce, ...]:
    """The operator's limit where the document leaves it to them, the document's own elsewhere."""
    return tuple(
        [
            LimitInForce(limit.clause, frozenset(limit.covers), cents, limit.shortens)
            for limit in rules.book.payout_limits
            if (cents := _cents_in_force(limit, rules)) is not None
        ]
    )


def _cents_in_force(limit: PayoutLimit, rules: Rules) -> int | None:
    option = rules.options.get("payout_limit")
    stated = option if isinstance(option, int) else None
    if limit.set_by == "document":
        return bound_of(limit, rules)
    if not limit.unless_stated:
        return stated
    # 12.K of 235 Stud (C14): with nothing stated the bound itself, and never on its wrong side.
    bound = bound_of(limit, rules)
    if stated is None:
        return bound
    return min(stated, bound) if limit.set_by == "at_most" else max(stated, bound)


def bound_of(limit: PayoutLimit, rules: Rules) -> int:
    """The sum the document names or, if greater, the most winnable at the minimum wager.

    It never exceeds a later limit of the document that covers the same wagers and more (MA-13).
    """
    bound = limit.amount * 100
    if limit.or_best_win and rules.minimum_wager is not None:
        bound = max(bound, most_winnable(rules, limit.covers))
    for later in rules.book.payout_limits[rules.book.payout_limits.index(limit) + 1 :]:
        if later.set_by == "document" and set(limit.covers) <= set(later.covers):
            bound = min(bound, bound_of(later, rules))
    return bound


def shorten(lines: list[LineRecord], limit: LimitInForce) -> list[LineRecord]:
    """Cut the winnings down to the limit: the largest first (MD-36) or the last settled (A29)."""
    won = [
        place
        for place, line in enumerate(lines)
        if line.result == "win" and line.winnings > 0 and line.wager in limit.covers
    ]
    excess = sum(lines[place].winnings for place in won) - limit.cents
    if excess <= 0:
        return lines
    order = (
        sorted(won, key=lambda place: -lines[place].winnings)
        if limit.shortens == "largest"
        else won[::-1]
    )
    shortened = list(lines)
    for place in order:
        line = shortened[place]
        cut = min(excess, line.winnings)
        if cut == 0:
            break
        excess -= cut
        shortened[place] = msgspec.structs.replace(
            line, net=line.net - cut, limited_by=limit.clause, forgone=line.forgone + cut
        )
    return shortened
