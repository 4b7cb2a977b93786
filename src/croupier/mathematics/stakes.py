"""Stakes, meters and payments in cents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from croupier.errors import BadAmount, RuleBroken, suggest
from croupier.mathematics.payout_limits import PayoutLimit
from croupier.money import dollars
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook


def stake_for(rules: Rules, wager: str, stake_cents: int | None) -> int:
    """In cents: the smallest stake that the rulebook knows, else a dollar, unless one is asked for
    that the rulebook takes."""
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
    """What every meter shows in cents; those that are not given stand at their reset."""
    given = meters or {}
    for name, cents in given.items():
        if name not in rules.resets:
            raise suggest("meter", name, rules.resets)
        if cents < 0:
            raise BadAmount(f"meter {name!r}: a meter never shows less than 0.00")
    return {name: given.get(name, reset) for name, reset in rules.resets.items()}


def largest_bets(book: Rulebook, stakes: Mapping[str, int]) -> dict[str, int]:
    """The most that the decisions of a round can put down, by wager, in cents."""
    most: dict[str, int] = {}
    for decision in book.decisions:
        if decision.bets:
            cents = max(decision.bets.values()) * stakes[decision.multiple_of]
            most[decision.wager] = max(cents, most.get(decision.wager, 0))
    return most


def largest_raises(book: Rulebook, stakes: Mapping[str, int]) -> int:
    """The most that all decisions of a round can put on the table, in cents."""
    return sum(largest_bets(book, stakes).values())


def may_be_cut(
    book: Rulebook,
    placed: Mapping[str, int],
    largest_net: Fraction | int,
    limits: Sequence[PayoutLimit],
) -> bool:
    """Whether winnings can pass one of the limits. They lie above the largest net, in cents, by
    what is lost, which is no more than what is staked."""
    most = largest_net + sum(placed.values()) + largest_raises(book, placed)
    return any(most > limit.cents for limit in limits)
