"""The mathematics of one wager: its outcomes with exact counts, and the figures derived from them.

Counts are integers and everything derived from them is a `Fraction`: probabilities, the expected
value, the variance. Only `standard_deviation` is a float, because a root is rarely a fraction.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import sqrt

import msgspec

from croupier.mathematics.game.payments import Loses, Payment
from croupier.money import MeterShare, Push


class WagerOutcome(msgspec.Struct, frozen=True):
    """One outcome of a wager: `net` is the change in the player's money per unit of stake."""

    hand: str
    pays: Payment
    net: Fraction
    combinations: int

    @property
    def wins(self) -> bool:
        """Whether the wager wins; a push is not a win."""
        return not isinstance(self.pays, Push | Loses)


class EnvyPayment(msgspec.Struct, frozen=True):
    """What one other player's hand pays the bettor; amounts in cents.

    Expectation is linear: each of the other players has the same chances as the bettor, whatever
    the rest hold, so their contributions add up although the hands are not independent.
    """

    hand: str
    cents: int
    combinations: int


class WagerAnalysis(msgspec.Struct, frozen=True, dict=True):
    """A wager under one set of rules.

    `outcomes` are those of the wager alone. `envy` adds payments for the hands of `others` other
    players; it counts in the expected value but not in the variance. For a progressive, `meters`
    has each meter's reading and `resets` its reset amount, in cents.
    """

    wager: str
    paytables: dict[str, str]
    stake_cents: int
    outcomes: tuple[WagerOutcome, ...]
    combinations_total: int
    meters: dict[str, int] = {}
    resets: dict[str, int] = {}
    taken_before_deal: bool = False
    others: int = 0
    envy: tuple[EnvyPayment, ...] = ()
    envy_total: int = 1

    def probability(self, outcome: WagerOutcome) -> Fraction:
        return Fraction(outcome.combinations, self.combinations_total)

    @cached_property
    def own_value(self) -> Fraction:
        """The expected net per unit of stake without envy payments."""
        total = sum(outcome.net * outcome.combinations for outcome in self.outcomes)
        return Fraction(total) / self.combinations_total

    @cached_property
    def envy_per_player(self) -> Fraction:
        """The expected envy payment for one other player's hand, per unit of stake."""
        cents = sum(envy.cents * envy.combinations for envy in self.envy)
        return Fraction(cents, self.envy_total * self.stake_cents)

    @cached_property
    def expected_value(self) -> Fraction:
        return self.own_value + self.others * self.envy_per_player

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net per unit of stake, without envy payments."""
        squares = sum(o.net * o.net * o.combinations for o in self.outcomes)
        return Fraction(squares) / self.combinations_total - self.own_value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @cached_property
    def hit_frequency(self) -> Fraction:
        won = sum(outcome.combinations for outcome in self.outcomes if outcome.wins)
        return Fraction(won, self.combinations_total)

    @property
    def is_progressive(self) -> bool:
        return bool(self.meters)

    @cached_property
    def return_without_meters(self) -> Fraction:
        """The expected return of one unit staked, meter payments left out."""
        back = sum(
            (outcome.net + 1) * outcome.combinations
            for outcome in self.outcomes
            if not isinstance(outcome.pays, MeterShare)
        )
        return Fraction(back) / self.combinations_total + self.others * self.envy_per_player

    @cached_property
    def meter_figures(self) -> dict[str, MeterFigures]:
        return {name: self._meter(name) for name in self.meters}

    def _meter(self, name: str) -> MeterFigures:
        shares = [
            (outcome.pays.percent, self.probability(outcome))
            for outcome in self.outcomes
            if isinstance(outcome.pays, MeterShare) and outcome.pays.meter == name
        ]
        mean_share = sum((Fraction(p, 100) * chance for p, chance in shares), Fraction(0))
        now = Fraction(self.meters[name], 100)
        # The value is linear in the meter's reading, except that an award is rounded down to whole
        # cents: this must not move the zero, so the line starts at an empty meter.
        slope = mean_share * 100 / self.stake_cents
        empty = self.expected_value - self._paid_from(name)
        return MeterFigures(
            name=name,
            reading=now,
            reset=Fraction(self.resets[name], 100),
            frequency=sum((chance for _, chance in shares), Fraction(0)),
            emptied=sum((chance for percent, chance in shares if percent == 100), Fraction(0)),
            mean_share=mean_share,
            break_even=-empty / slope if slope else None,
            stake=Fraction(self.stake_cents, 100),
        )

    def _paid_from(self, meter: str) -> Fraction:
        """Return what a meter pays on average at its reading, per unit of stake."""
        cents = sum(
            outcome.pays.award(self.meters[meter]) * self.probability(outcome)
            for outcome in self.outcomes
            if isinstance(outcome.pays, MeterShare) and outcome.pays.meter == meter
        )
        return Fraction(cents) / self.stake_cents

    def long_run_return(self, rates: dict[str, Fraction]) -> Fraction:
        """Return the long-run return of one unit, meters included, at these contribution rates. A
        meter pays out what is paid in, and the seed every time it is reset."""
        return self.return_without_meters + sum(
            (meter.long_run_return(rates[name]) for name, meter in self.meter_figures.items()),
            Fraction(0),
        )


class MeterFigures(msgspec.Struct, frozen=True):
    """A meter seen from one bet of the progressive; amounts in dollars.

    `frequency`: the chance that the bet is paid from it; `emptied`: that the bet takes all of it;
    `mean_share`: the average share of it that a bet takes; `break_even`: the reading at which the
    wager's expected value is zero, the other meters as they are (negative: the player is ahead even
    without this meter; None: no line pays from it).
    """

    name: str
    reading: Fraction
    reset: Fraction
    frequency: Fraction
    emptied: Fraction
    mean_share: Fraction
    break_even: Fraction | None
    stake: Fraction

    def long_run_return(self, rate: Fraction) -> Fraction:
        """Return what the meter returns per unit of stake: the contributions, and the seed at every
        reset."""
        return rate + self.emptied * self.reset / self.stake

    def mean_reading(self, rate: Fraction) -> Fraction | None:
        """Return the meter's average reading when a bet is settled, its own contribution included.

        With m this average, c the contribution of a bet, p the chance to empty the meter and s the
        mean share, the next bet sees c + m * (1 - s) + p * reset, and the average stays the same.
        """
        if not self.mean_share:
            return None
        return (rate * self.stake + self.emptied * self.reset) / self.mean_share


class MainFigures(msgspec.Struct, frozen=True):
    """A main game under the best play, in units of one required wager.

    `decisions` has the frequency of each action at each decision, as a share of all rounds;
    `outcomes` are the contract's objects, each with its `combinations`.
    """

    expected_value: Fraction
    standard_deviation: float
    hit_frequency: Fraction
    units_wagered: Fraction
    decisions: dict[str, dict[str, Fraction]]
    outcomes: tuple[dict[str, object], ...]

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit wagered."""
        return -self.expected_value / self.units_wagered
