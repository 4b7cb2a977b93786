"""The net of the required wagers alone, from the outcomes that every solver lists.

An outcome has the net of the round in units of one required wager. At stakes that every payment of
the main game comes to whole cents of, that is the net of the settlement too, which rounds each
wager by itself. Where a solver cannot tell deals apart by what side wagers look at, this is what it
can say of a session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from croupier.errors import Unsolvable
from croupier.mathematics.model import MainFigures
from croupier.mathematics.payout_limits import PayoutLimit
from croupier.mathematics.shapes.fields import MAIN_ROLES
from croupier.mathematics.stakes import may_be_cut
from croupier.money import To, dollars, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.wager_families import families_of

__all__ = ["distribution_of_main"]


def distribution_of_main(
    rules: Rules,
    figures: MainFigures,
    main: Mapping[str, int],
    sides: Mapping[str, int],
    limits: Sequence[PayoutLimit] = (),
) -> dict[int, int]:
    if sides:
        raise Unsolvable(
            f"{' and '.join(sides)} together with the main game: what they come to is not worked "
            f"out for {rules.book.id}. Leave the side wagers out; `analyze` has their own figures"
        )
    unit, step = next(iter(main.values())), _whole_cents(rules)
    if unit % step:
        raise Unsolvable(
            f"at {dollars(unit)} some payments have odd cents, which are rounded wager by wager: "
            f"what that comes to is worked out for multiples of {dollars(step)}"
        )
    found: Counter[int] = Counter()
    for outcome in figures.outcomes:
        net = Fraction(outcome["pays"]["net"]) * unit  # type: ignore[index]
        assert net.denominator == 1
        found[int(net)] += int(outcome["combinations"])  # type: ignore[call-overload]
    for limit in limits:
        if may_be_cut(rules.book, main, max(found), [limit]):
            raise Unsolvable(
                f"the payout limit of {dollars(limit.cents)} [{limit.clause}] may cut these "
                f"stakes, and which wagers win together is not worked out for {rules.book.id}"
            )
    return dict(sorted(found.items()))


def _whole_cents(rules: Rules) -> int:
    """The least stake, in cents, that every payment of the main game is whole cents of."""
    book = rules.book
    families = {
        family
        for wager in book.wagers.values()
        if wager.role in MAIN_ROLES
        for family in families_of(wager.settles)
    } | {bonus.paytable for bonus in book.bonuses.values()}
    paid = [parse_pays(line.pays) for family in families for line in rules.paytable(family).lines]
    return lcm(1, *(pays.d for pays in paid if isinstance(pays, To)))
