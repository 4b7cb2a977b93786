"""Stakes, meters and payments in cents."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.errors import BadAmount, RuleBroken, suggest
from croupier.mathematics.model import Loses, Payment
from croupier.money import Fixed, For, MeterShare, To, dollars
from croupier.rulebooks.rules import Rules

__all__ = ["meters_for", "net_cents", "stake_for"]


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


def net_cents(
    pays: Payment, stake: int, meters: Mapping[str, int], *, taken_before_deal: bool
) -> int:
    """What a payment changes in the player's money, to the cent."""
    gone = stake if taken_before_deal else 0
    match pays:
        case To() | For():
            return pays.winnings(stake)
        case Fixed():
            return pays.cents - gone
        case MeterShare():
            return pays.award(meters[pays.meter]) - gone
        case Loses():
            return -stake
    return 0
