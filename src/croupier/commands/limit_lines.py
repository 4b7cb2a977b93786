"""What `analyze` and `session` print of payout limits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from croupier.commands.output import console
from croupier.mathematics.stakes import PayoutLimit
from croupier.money import dollars, format_cents, parse_cents
from croupier.rulebooks.rules import Rules

__all__ = ["draw_limited", "draw_limits", "limits_for", "limits_object"]


def limits_for(rules: Rules, stakes: Collection[str]) -> tuple[PayoutLimit, ...]:
    """The limits in force. A payment in dollars follows from a stake: without any there is none to
    cut."""
    if not stakes:
        return ()
    from croupier.rounds.payout_limits import limits_in_force

    return limits_in_force(rules)


def limits_object(limits: Iterable[PayoutLimit], placed: Collection[str]) -> list[dict[str, Any]]:
    """The limits that cover a wager placed."""
    return [
        {
            "clause": limit.clause,
            "limit": format_cents(limit.cents),
            "covers": sorted(limit.covers),
        }
        for limit in limits
        if limit.covers & {*placed}
    ]


def draw_limits(limits: Iterable[PayoutLimit], placed: Collection[str]) -> None:
    for each in limits_object(limits, placed):
        covered = ", ".join(name.replace("_", " ") for name in each["covers"])
        console().print(
            f"Winnings are cut at {dollars(parse_cents(each['limit']))} a round [{each['clause']}] "
            f"on {covered} together.",
            markup=False,
        )


def draw_limited(answers: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """By wager and table, each that is cut at the stake stated."""
    for wager, tables in answers.items():
        for table, figures in tables.items():
            limited = figures.get("limited")
            if limited is None:
                continue
            named = " ".join((wager, table)).strip()
            limits = " and ".join(
                f"{dollars(parse_cents(each['limit']))} [{each['clause']}]"
                for each in limited["limits"]
            )
            console().print(
                f"{named} at {dollars(parse_cents(limited['stake']))}, its winnings cut at "
                f"{limits}: house edge {limited['house_edge']:.6%}, exactly "
                f"{limited['expected_value_exact']}, std deviation "
                f"{limited['standard_deviation']:.4f}.",
                markup=False,
            )
