"""The figures of a wager at a stake at which payout limits cut what it wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import TYPE_CHECKING

from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits, WagerResult
from croupier.mathematics.stakes import may_be_cut
from croupier.money import format_cents
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from croupier.mathematics.model import WagerAnalysis

__all__ = ["limited_main", "limited_side"]


def limited_side(
    rules: Rules, analysis: WagerAnalysis, limits: Sequence[PayoutLimit]
) -> dict[str, object] | None:
    """Of a side wager by itself. None if no limit cuts it at this stake."""
    seat, stake = SeatLimits(rules.book, limits), analysis.stake_cents
    nets: list[tuple[Fraction, int]] = []
    cut: list[dict[str, object]] = []
    for outcome in analysis.outcomes:
        cents = ceil(outcome.net * stake)
        forgone = seat.cuts([WagerResult.of_net(analysis.wager, cents)]).get(analysis.wager, 0)
        net = Fraction(cents - forgone) if forgone else outcome.net * stake
        nets.append((net, outcome.combinations))
        if forgone and outcome.combinations:
            cut.append(
                {
                    "hand": outcome.hand,
                    "combinations": outcome.combinations,
                    "net": format_cents(cents - forgone),
                    "forgone": format_cents(forgone),
                }
            )
    if not cut:
        return None
    return _figures(stake, nets, [each for each in limits if analysis.wager in each.covers]) | {
        "outcomes": cut
    }


def limited_main(
    rules: Rules, stake: int, main: Mapping[str, object], limits: Sequence[PayoutLimit]
) -> dict[str, object] | None:
    """Of the main game, played as if there were no limit; `main` is its object of the contract."""
    from croupier.mathematics.questions.round_nets import net_distribution

    placed = dict.fromkeys(rules.required, stake)
    outcomes = main["outcomes"]
    assert isinstance(outcomes, list)
    largest = max(Fraction(outcome["pays"]["net"]) for outcome in outcomes) * stake
    if not may_be_cut(rules.book, placed, largest, limits):
        return None
    nets = net_distribution(rules, placed, limits=limits)
    if nets == net_distribution(rules, placed):
        return None
    decided = {name for name, wager in rules.book.wagers.items() if wager.role == "decided"}
    covering = [each for each in limits if each.covers & {*rules.required, *decided}]
    return _figures(stake, [(Fraction(net), count) for net, count in nets.items()], covering)


def _figures(
    stake: int, nets: Sequence[tuple[Fraction, int]], limits: Sequence[PayoutLimit]
) -> dict[str, object]:
    total = sum(count for _, count in nets)
    value = sum((net * count for net, count in nets), Fraction(0)) / (total * stake)
    square = sum((net * net * count for net, count in nets), Fraction(0)) / (total * stake**2)
    return {
        "stake": format_cents(stake),
        "limits": [{"clause": each.clause, "limit": format_cents(each.cents)} for each in limits],
        "expected_value": float(value),
        "expected_value_exact": str(value),
        "house_edge": float(-value),
        "standard_deviation": sqrt(square - value**2),
    }
