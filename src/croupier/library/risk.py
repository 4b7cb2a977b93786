"""Results over many rounds: sessions of a player with their risk of ruin, exposure of the house."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.library.figures import cents_of
from croupier.library.record import Progress, Record, check_count, quiet
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.library.settling import moneys
from croupier.mathematics.questions.round_nets import checked_stakes, net_distribution
from croupier.mathematics.questions.sessions.over_rounds import (
    PERCENTILES,
    SessionSums,
    mean_of,
    sums_over,
    variance_of,
)
from croupier.mathematics.questions.sessions.ruin import (
    LongRun,
    Ruin,
    ruin_for_ever,
    ruin_within,
)
from croupier.mathematics.stakes import PayoutLimit, largest_raises
from croupier.money import Amount, Money, format_cents, parse_cents
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.changed_pays import read_changes, with_changes

if TYPE_CHECKING:
    from croupier.reports.exposure import Exposed, Reached


def limits_object(
    limits: Iterable[PayoutLimit], wagers: Collection[str]
) -> list[dict[str, object]]:
    """Return the payout limits that cover one of these wagers."""
    return [
        {
            "clause": limit.clause,
            "limit": format_cents(limit.cents),
            "covers": sorted(limit.covers),
        }
        for limit in limits
        if limit.covers & {*wagers}
    ]


# -- sessions -------------------------------------------------------------------------------------


class RuinChance(NamedTuple):
    """The chance of ruin for a player who leaves if less than `needed` remains."""

    needed: Money
    """The least money with which the player stays."""
    within: Ruin
    """The chance over the rounds of the session."""
    ever: LongRun
    """The chance over all time."""

    def to_dict(self) -> dict[str, object]:
        """Return the chance as plain data."""
        return {
            "needed": self.needed.text,
            "chance": self.within.chance,
            "error": self.within.error,
            "ever_at_least": self.ever.at_least,
            "ever_at_most": self.ever.at_most,
        }


class Session(Record, frozen=True):
    """Wagers placed together over many rounds, under the best play."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    stakes: dict[str, Money]
    """The stakes placed before each deal."""
    nets: dict[int, int]
    """One round: the number of deals that end at each net, in cents."""
    sums: SessionSums
    """The sum of all rounds."""
    bankroll: Money | None
    """The player's bankroll; None if the risk of ruin was not requested."""
    ruin: tuple[RuinChance, ...]
    """The risk of ruin for the stakes of a round, and for those with the largest raises if both can
    be paid."""
    limits: tuple[PayoutLimit, ...]
    """The payout limits in force."""
    pays: dict[str, str]
    """Lines changed to pay otherwise than printed."""

    @property
    def expected_value(self) -> Fraction:
        """The expected value of one round, in dollars."""
        return mean_of(self.nets) / 100

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round, in dollars."""
        return sqrt(variance_of(self.nets)) / 100

    @property
    def payout_limits(self) -> list[dict[str, object]]:
        """The limits that cover these wagers, as plain data."""
        return limits_object(self.limits, self.stakes)

    def to_dict(self) -> dict[str, Any]:
        total, mean, sums = sum(self.nets.values()), self.expected_value, self.sums
        ahead = sums.exactly_ahead()
        answer: dict[str, Any] = {
            "rulebook": self.rulebook,
            "stakes": {name: money.text for name, money in self.stakes.items()},
            "round": {
                "expected_value": float(mean),
                "expected_value_exact": f"{mean.numerator}/{mean.denominator}",
                "standard_deviation": self.standard_deviation,
                "combinations": total,
                "outcomes": [
                    {"net": format_cents(net), "combinations": deals, "probability": deals / total}
                    for net, deals in self.nets.items()
                ],
            },
            "session": {
                "rounds": sums.rounds,
                "expected_value": float(sums.mean) / 100,
                "standard_deviation": sums.standard_deviation / 100,
                "ahead": sums.ahead(),
                "ahead_exact": None if ahead is None else f"{ahead.numerator}/{ahead.denominator}",
                "even": sums.even(),
                "behind": sums.behind(),
                "percentiles": {str(p): format_cents(sums.percentile(p)) for p in PERCENTILES},
                "error": sums.error,
            },
        }
        if self.bankroll is not None:
            first, *covering = [each.to_dict() for each in self.ruin]
            answer["ruin"] = {"bankroll": self.bankroll.text, **first}
            # A player who cannot make the largest raise even once is ruined from the start.
            answer["ruin_covering_raises"] = covering[0] if covering else None
        answer["payout_limits"] = self.payout_limits
        return answer | ({"pays": self.pays} if self.pays else {})


def _dollars(cents: Mapping[str, int]) -> dict[str, str]:
    return {name: format_cents(amount) for name, amount in cents.items()}


def session(
    rulebook: AnyRulebook,
    stakes: Mapping[str, Amount],
    *,
    rounds: int = 100,
    bankroll: Amount | None = None,
    meters: Mapping[str, Amount] | None = None,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    pays: Mapping[str, str | int] | None = None,
    progress: Progress = quiet,
) -> Session:
    """Return the results of wagers placed together over many rounds, under the best play: mean,
    deviation, percentiles and, with a `bankroll`, the risk of ruin. Amounts are dollars."""
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    texts = [f"{name}={odds}" for name, odds in (pays or {}).items()]
    rules = with_changes(book.rules, read_changes(book.rules, texts))
    main, sides = checked_stakes(rules, cents_of(stakes, "stake"))
    placed = main | sides
    money = None if bankroll is None else parse_cents(bankroll)
    limits = limits_in_force(rules) if stakes else ()
    progress("one round", 0, 3)
    nets = net_distribution(rules, placed, meters=cents_of(meters, "meter"), limits=limits)
    progress(f"{rounds:,} rounds", 1, 3)
    sums = sums_over(nets, rounds)
    progress("ruin", 2, 3)
    needed = sum(placed.values())
    ruin = _ruin(nets, money, needed, needed + largest_raises(rules.book, placed), rounds)
    return Session(
        *(book.id, book.title, moneys(placed), dict(nets), sums),
        *(None if money is None else Money.of_cents(money), ruin),
        *(tuple(limits), dict(rules.pays)),
    )


def _ruin(
    nets: Mapping[int, int], money: int | None, stakes: int, covering: int, rounds: int
) -> tuple[RuinChance, ...]:
    if money is None:
        return ()
    return tuple(
        [
            RuinChance(
                Money.of_cents(each),
                ruin_within(nets, money, each, rounds),
                ruin_for_ever(nets, money, each),
            )
            for each in (stakes, covering)
            if each == stakes or money >= covering
        ]
    )


# -- exposure -------------------------------------------------------------------------------------

MOST_ROUNDS: Final = 100_000
MOST_PACE: Final = 1000


class ExposedTable(Record, frozen=True):
    """The most that one seat and a whole table can cost the house in a round, an hour and a
    shift."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    result: Exposed
    """The figures of the exposure, as in the report."""
    limits: tuple[PayoutLimit, ...]
    """The payout limits in force."""

    @property
    def payout_limits(self) -> list[dict[str, object]]:
        """The limits that cover these wagers, as plain data."""
        return limits_object(self.limits, self.result.exposure.highest)

    def to_dict(self) -> dict[str, Any]:
        from croupier.mathematics.questions.exposure import BANKROLL_PERCENT

        result, exposure = self.result, self.result.exposure
        seat, hour, bankroll = exposure.seat, exposure.hour, exposure.bankroll
        return {
            "rulebook": self.rulebook,
            "stakes": _dollars(exposure.placed),
            "seats": result.seats,
            "rounds_per_hour": result.pace,
            "wagers": {
                name: {"at_most": format_cents(cents)} for name, cents in exposure.highest.items()
            },
            "seat": _bounds(result.seat)
            | {
                "best_play": None
                if seat is None
                else {
                    "largest_loss": format_cents(seat.cents),
                    "combinations": seat.deals,
                    "probability": float(seat.chance),
                    "probability_exact": str(seat.chance),
                }
            },
            "table": _bounds(result.table),
            "hour": None
            if hour is None
            else {
                "expected_win": float(hour.mean) / 100,
                "expected_win_exact": str(hour.mean / 100),
                "deviation_independent": hour.independent / 100,
                "deviation_together": hour.together / 100,
            },
            "bankroll": None
            if bankroll is None
            else {
                "percent": BANKROLL_PERCENT,
                "rounds": bankroll.rounds,
                "independent": format_cents(bankroll.independent),
                "together": format_cents(bankroll.together),
                "with_top_award": format_cents(bankroll.with_top_award),
            },
            "not_computed": exposure.not_joined,
            "payout_limits": self.payout_limits,
        }


def _bounds(reached: Reached) -> dict[str, Any]:
    return {
        "at_least": format_cents(reached.at_least),
        "at_most": format_cents(reached.at_most),
        "exact": reached.is_exact,
        "deal": reached.deal,
    }


def exposure(
    subject: AnyRulebook,
    stakes: Mapping[str, Amount],
    *,
    seats: int | None = None,
    pace: int = 30,
    rounds: int | None = None,
    meters: Mapping[str, Amount] | None = None,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    progress: Progress = quiet,
) -> ExposedTable:
    """Return the largest loss of the house, the deviation of its win per hour, and the bankroll
    that pays every win with 99 percent. `subject` is a rulebook or the file of a submission;
    `seats` place the `stakes`, in dollars, `pace` rounds an hour."""
    from croupier.reports.exposure import HOURS_OF_A_SHIFT, exposed
    from croupier.reports.mathematics_report.source import open_source

    if isinstance(subject, Rulebook) or submission is not None:
        rules = load_rulebook(subject, submission, paytables=paytables, readings=readings).rules
    else:
        rules = open_source(str(subject), paytables=paytables or {}, readings=readings or {}).rules
    check_count("pace", pace, MOST_PACE)
    count = pace * HOURS_OF_A_SHIFT if rounds is None else rounds
    check_count("rounds", count, MOST_ROUNDS)
    progress("exposure", 0, 1)
    work = partial(exposed, rules, cents_of(stakes, "stake"), pace=pace, rounds=count)
    places = rules.book.positions.most if seats is None else seats
    result = work(seats=places, meters=cents_of(meters, "meter"))
    return ExposedTable(rules.book.id, rules.book.title, result, tuple(limits_in_force(rules)))
