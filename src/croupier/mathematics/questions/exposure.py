"""The exposure of the house: what one seat and one table can cost in a round, the standard
deviation of an hour's win, and the bankroll that covers it.

A seat's wagers are joined deal by deal, under the best play of the main game. However it is played,
a seat costs no more than the sum of the highest payments of its wagers, cut by the payout limits;
these need not happen together, so that sum is an upper bound.

The seats of one round share the dealer's cards and the board. Their covariance is not counted, so
an hour's deviation is given for independent seats and for seats that win and lose together; the
variance of the table's win is at most the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.game.payments import net_cents
from croupier.mathematics.game.payoffs import (
    payments_of,
    wager_with_stake,
    wagers_with_bonuses,
)
from croupier.mathematics.questions.round_nets import checked_stakes, net_distribution
from croupier.mathematics.questions.sessions.over_rounds import mean_of, variance_of
from croupier.mathematics.questions.sessions.ruin import running_loss
from croupier.mathematics.stakes import (
    PayoutLimit,
    SeatLimits,
    WagerResult,
    largest_bets,
    meters_for,
)
from croupier.money import Fixed, parse_pays
from croupier.rulebooks.rules import Rules

BANKROLL_PERCENT: Final = 99


@dataclass(frozen=True)
class SeatLoss:
    """The largest loss of the house on one seat under the best play, in cents, and the number of
    deals that lead there."""

    cents: int
    deals: int
    all_deals: int

    @property
    def chance(self) -> Fraction:
        return Fraction(self.deals, self.all_deals)


@dataclass(frozen=True)
class Hour:
    """The table's win of an hour in cents: its mean, and its deviation for independent seats and
    for seats that win and lose together."""

    mean: Fraction
    independent: float
    together: float


@dataclass(frozen=True)
class Bankroll:
    """The house's bankroll for the rounds, in cents, that pays every win on the way with a
    probability of at least 99 percent. `with_top_award`: also if one additional hand wins the
    maximum."""

    rounds: int
    independent: int
    together: int
    with_top_award: int


@dataclass(frozen=True)
class Exposure:
    """The exposure of a table. `placed` are the stakes before the deal, `highest` the most that
    each wager costs the house. `seat` is exact; `seat_at_most` and `table_at_most` hold however it
    is played. Envy payments, `envy_at_most`, are part of the table's maximum only. If the wagers
    cannot be joined, `not_joined` says why, and figures that need it are None."""

    placed: dict[str, int]
    highest: dict[str, int]
    seat: SeatLoss | None
    seat_at_most: int
    envy_at_most: int
    table_at_most: int
    hour: Hour | None
    bankroll: Bankroll | None
    not_joined: str = ""


def exposure_of(
    rules: Rules,
    stakes: Mapping[str, int],
    *,
    seats: int,
    pace: int,
    rounds: int,
    meters: Mapping[str, int] | None = None,
    limits: Sequence[PayoutLimit] = (),
) -> Exposure:
    """Return the exposure of `seats` players with the same wagers, at `pace` rounds an hour, with a
    bankroll for `rounds`."""
    most = rules.book.positions.most
    if not 1 <= seats <= most:
        raise BadRequest(f"seats is {seats}, but must be 1 to {most}")
    main, sides = checked_stakes(rules, stakes)
    placed = main | sides
    highest = list(highest_results(rules, placed, meters_for(rules, meters)))
    envy = _highest_envy(rules, placed, seats - 1)
    seat_at_most = SeatLimits(rules.book, limits).net(highest)
    not_joined, nets = "", dict[int, int]()
    try:
        nets = net_distribution(rules, placed, meters=meters, limits=limits)
    except Unsolvable as error:
        not_joined = error.message
    return Exposure(
        placed,
        {result.wager: result.net for result in highest},
        SeatLoss(max(nets), nets[max(nets)], sum(nets.values())) if nets else None,
        seat_at_most,
        envy,
        seats * (seat_at_most + envy),
        _hour(nets, seats, pace) if nets else None,
        _bankroll(nets, seats, rounds) if nets else None,
        not_joined,
    )


# -- the most there is to pay ---------------------------------------------------------------------


def highest_results(
    rules: Rules, placed: Mapping[str, int], meters: Mapping[str, int]
) -> Iterator[WagerResult]:
    """Return the result of each wager at its highest payment and its largest raise."""
    book = rules.book
    stakes = dict(placed) | largest_bets(book, placed)
    for name in dict.fromkeys((*stakes, *wagers_with_bonuses(book, stakes))):
        stake = stakes[wager_with_stake(book, name)]
        taken = name in book.wagers and book.wagers[name].taken_before_deal
        nets = [
            net_cents(pays, stake, meters, taken_before_deal=taken)
            for pays in payments_of(rules, name)
        ]
        yield WagerResult.of_net(name, max(nets, default=0))


def _highest_envy(rules: Rules, placed: Mapping[str, int], others: int) -> int:
    """Return the envy payments if everybody else at the table holds the best hand of the envy
    table."""
    envy = rules.book.envy
    if envy is None or envy.on not in placed or not others:
        return 0
    letter = rules.chosen[getattr(rules.book.wagers[envy.on].settles, "paytable", "")]
    tables = [rules.book.paytables[family] for family in envy.tables.values()]
    sums = [
        pays.cents
        for family in tables
        if letter in family
        for line in family[letter].lines
        if isinstance(pays := parse_pays(line.pays), Fixed)
    ]
    dollars = Fraction(placed[envy.on], 100) if envy.per_dollar else 1
    return int(max(sums, default=0) * dollars) * others


# -- an hour, and the bankroll --------------------------------------------------------------------


def _hour(nets: Mapping[int, int], seats: int, pace: int) -> Hour:
    """Return an hour's win from the distribution of one seat in one round."""
    mean, deviation = -mean_of(nets), sqrt(variance_of(nets))
    return Hour(
        mean * seats * pace,
        independent=deviation * sqrt(seats * pace),
        together=deviation * seats * sqrt(pace),
    )


def _bankroll(nets: Mapping[int, int], seats: int, rounds: int) -> Bankroll:
    """Return the bankroll. The top award is added to the cost of all hands at their worst moment:
    whenever it falls between them, both are paid."""
    as_one = {net * seats: deals for net, deals in nets.items()}
    apart = running_loss(nets, rounds * seats)
    together = running_loss(as_one, rounds)
    return Bankroll(
        rounds,
        independent=apart.covered(BANKROLL_PERCENT),
        together=together.covered(BANKROLL_PERCENT),
        with_top_award=max(*nets, 0) + apart.covered(BANKROLL_PERCENT),
    )
