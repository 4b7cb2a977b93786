"""The wagers of a seat placed together: their nets in one round, deal by deal, and the figures of a
wager at a stake at which payout limits cut what it wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, sqrt

from croupier.errors import BadRequest, RuleBroken, Unsolvable, suggest
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.registry import ReportProgress, solver_for
from croupier.mathematics.stakes import PayoutLimit, SeatLimits, WagerResult, may_be_cut, stake_for
from croupier.money import dollars, format_cents
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.wager_families import families_of


def net_distribution(
    rules: Rules,
    stakes: Mapping[str, int],
    *,
    meters: Mapping[str, int] | None = None,
    limits: Sequence[PayoutLimit] = (),
    progress: ReportProgress = lambda _done, _all: None,
) -> dict[int, int]:
    """Return the number of deals at each net (in cents) of the wagers placed (in cents).

    Required wagers that must equal another may be left out of `stakes`. `limits` cut what the seat
    wins, as the settlement cuts it.
    """
    solver = solver_for(rules)
    main, sides = checked_stakes(rules, stakes)
    _one_meter(rules, sides)
    try:
        return solver.distribution(main, sides, meters, limits, progress)
    except OverflowError:
        raise Unsolvable("these stakes lead to sums that are too large to be exact") from None


def _one_meter(rules: Rules, sides: Mapping[str, int]) -> None:
    """Refuse two wagers on one meter: the second would be paid from what the first has left, which
    is not modeled."""
    fed = [
        name
        for name in sides
        for family in families_of(rules.book.wagers[name].settles)
        if family in rules.chosen and rules.paytable(family).meters
    ]
    if len(set(fed)) > 1:
        names = " and ".join(dict.fromkeys(fed))
        raise Unsolvable(f"{names} are paid from the same meters: place one of them")


def checked_stakes(
    rules: Rules, stakes: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the stakes before the deal: the required wagers, at one stake, and the others."""
    book = rules.book
    for name in stakes:
        if name not in book.wagers:
            raise suggest("wager", name, book.wagers)
        if book.wagers[name].role == "decided":
            raise BadRequest(f"{name!r} is decided in play: its stake follows from the cards")
    placed = dict(stakes)
    for name in rules.required:
        led = book.wagers[name].equals
        if name not in placed and led in placed:
            placed[name] = placed[led]
        if name not in placed:
            raise RuleBroken(
                f"{name!r} must be placed: every round begins with {' and '.join(rules.required)}",
                clause=book.required_clause,
            )
    main = {name: stake_for(rules, name, placed[name]) for name in rules.required}
    if len(set(main.values())) > 1:
        stated = ", ".join(f"{name} {dollars(cents)}" for name, cents in main.items())
        raise BadRequest(f"the required wagers are solved at one stake, not {stated}")
    sides = {name: cents for name, cents in placed.items() if name not in main}
    for name, cents in sides.items():
        stake_for(rules, name, cents)
        missing = [needed for needed in book.wagers[name].needs if needed not in placed]
        if missing:
            raise RuleBroken(
                f"{name!r} needs {' and '.join(missing)}", clause=book.wagers[name].needs_clause
            )
    return main, sides


# -- figures under payout limits -----------------------------------------------------------------


def limited_side(
    rules: Rules, analysis: WagerAnalysis, limits: Sequence[PayoutLimit]
) -> dict[str, object] | None:
    """Return the figures of a side wager by itself; None if no limit cuts it at this stake."""
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
    """Return the figures of the main game, played as if there were no limit; `main` is its object
    of the contract."""
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
