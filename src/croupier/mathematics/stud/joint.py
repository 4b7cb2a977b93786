"""All wagers of a stud round together: the exact distribution of what they come to, in cents.

The wagers share their cards, so their sum is not the sum of independent ones; but every deal is
told by what is said and by how each hand ends, and `stud.StudSolution.joint` counts those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier.errors import BadRequest, suggest
from croupier.mathematics.model import Loses, Payment
from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits, WagerResult
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.sides.endings import WagerEnding
from croupier.mathematics.stakes import meters_for, stake_for
from croupier.mathematics.stud.solver import StudSolution, solve_stud
from croupier.money import Fixed, For, MeterShare, To, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon

__all__ = ["joint_distribution", "net_cents"]


def joint_distribution(
    rules: Rules,
    base_cents: int,
    sides: Mapping[str, int] | None = None,
    *,
    meters: Mapping[str, int] | None = None,
    main: bool = True,
    limits: Sequence[PayoutLimit] = (),
) -> dict[int, int]:
    """How many deals end in each net (in cents), under the best play of the main game.

    `base_cents` is the stake of each required wager, `sides` that of the others. Odds are rounded
    to the cent as a dealer rounds them, for the player; envy is left out.
    """
    solution = solve_stud(rules)
    shown = meters_for(rules, meters)
    placed_sides = {name: _side(rules, name, cents) for name, cents in (sides or {}).items()}
    if base_cents <= 0 and main:
        raise BadRequest("the base wagers must be more than 0")
    limited = SeatLimits(rules.book, limits)
    distribution: Counter[int] = Counter()
    for (said, two, three, five), count in solution.joint.items():
        found = solution.endings(two, three, five)
        units = solution.placed(said) if main else {}
        stakes = {name: number * base_cents for name, number in units.items()} | placed_sides
        nets = {name: _net(solution, name, stake, found, shown) for name, stake in stakes.items()}
        distribution[limited.net(WagerResult.of_net(*each) for each in nets.items())] += count
    return dict(sorted(distribution.items()))


def _side(rules: Rules, name: str, cents: int) -> int:
    wager = rules.book.wagers.get(name)
    if wager is None or wager.role != "optional":
        optional = [n for n, w in rules.book.wagers.items() if w.role == "optional"]
        raise suggest("optional wager", name, optional)
    by_all = isinstance(wager.settles, AllWon)
    if not by_all and not solve_stud(rules).table.knows(name):
        raise refused(
            f"{name} beside the main game",
            f"wagers.{name}.settles looks at other cards than the first two, all three or all five "
            "of the seat, or at another wager",
        )
    return stake_for(rules, name, cents)


def _net(
    solution: StudSolution,
    name: str,
    stake: int,
    found: dict[str, WagerEnding],
    meters: Mapping[str, int],
) -> int:
    wager = solution.rules.book.wagers[name]
    if isinstance(wager.settles, AllWon):
        won = all(solution.table.ending(led, found).wins for led in wager.settles.wagers)
        table = solution.rules.paytable(wager.settles.paytable)
        pays: Payment = parse_pays(table.lines[0].pays) if won else Loses()
    else:
        pays = solution.table.ending(name, found).pays
    return net_cents(pays, stake, meters, taken_before_deal=wager.taken_before_deal)


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
