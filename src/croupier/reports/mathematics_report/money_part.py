"""In dollars: what the house wins by the hour, what it may have to pay, what limits change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.reports.mathematics_report.record import (
    Assumptions,
    Exact,
    LimitEffect,
    Moments,
    WagerFigures,
    Winnings,
)
from croupier.rounds.payout_limits import LimitInForce, limits_in_force
from croupier.rulebooks.rules import Rules

__all__ = ["limit_effects", "stake_of", "winnings_of"]


def stake_of(rules: Rules, wager: str, assumed: Assumptions, figures: WagerFigures) -> int:
    """What is bet on a wager, in cents: the assumed bet on the main game, else the least stake."""
    if wager == "main":
        return assumed.bet_cents
    low, _ = rules.limits.get(wager, (None, None))
    return low or figures.stake_cents


def winnings_of(
    rules: Rules, assumed: Assumptions, wagers: Sequence[WagerFigures]
) -> Iterator[Winnings]:
    """Each wager by itself; expectations add up however the wagers depend on each other."""
    for one in wagers:
        if one.moments is None:
            continue
        stake = stake_of(rules, one.wager, assumed, one)
        per_hour = one.moments.house_edge.fraction * stake * assumed.rounds_per_hour
        most = _largest_stake(rules, one.wager) or stake
        yield Winnings(
            wager=one.wager,
            title=one.title,
            stake_cents=stake,
            per_hour_cents=Exact.of(per_hour),
            per_table_hour_cents=Exact.of(per_hour * assumed.seats),
            hold=Exact.of(per_hour * assumed.hours / assumed.buy_in_cents),
            largest_win_cents=Exact.of(one.moments.largest_win.fraction * most),
            largest_stake_cents=most,
        )


def _largest_stake(rules: Rules, wager: str) -> int | None:
    if wager in rules.stakes:
        return max(rules.stakes[wager])
    named = rules.required[0] if wager == "main" else wager
    return rules.limits.get(named, (None, None))[1]


def limit_effects(
    rules: Rules, assumed: Assumptions, wagers: Sequence[WagerFigures]
) -> Iterator[LimitEffect]:
    """Each payout limit on each wager that it covers, taken alone."""
    main = set(rules.required) | {
        name for name, wager in rules.book.wagers.items() if wager.role == "decided"
    }
    for limit in limits_in_force(rules):
        for one in wagers:
            names = main if one.wager == "main" else {one.wager}
            covered = bool(names & limit.covers)
            if covered and one.moments is not None:
                stake = _largest_stake(rules, one.wager) or stake_of(rules, one.wager, assumed, one)
                yield _effect(limit, one, one.moments, stake)


def _effect(limit: LimitInForce, one: WagerFigures, moments: Moments, stake: int) -> LimitEffect:
    highest = moments.largest_win.fraction
    binds = Fraction(limit.cents) / highest if highest > 0 else Fraction(0)
    edge, reason = moments.house_edge.fraction, ""
    shortened: Fraction | None = edge
    if stake > binds:
        if one.wager == "main":
            shortened = None
            reason = (
                "the limit is on several wagers that win together, and which of them is shortened "
                "is not part of the table of outcomes"
            )
        else:
            most = Fraction(limit.cents, stake)
            shortened = -sum(
                (min(row.net.fraction, most) * row.probability.fraction for row in one.outcomes),
                Fraction(0),
            )
    return LimitEffect(
        clause=limit.clause,
        limit_cents=limit.cents,
        wager=one.title,
        highest_pay=moments.largest_win,
        binds_from_cents=Exact.of(binds),
        stake_cents=stake,
        edge_with_limit=None if shortened is None else Exact.of(shortened),
        edge_without=moments.house_edge,
        not_computed=reason,
    )
