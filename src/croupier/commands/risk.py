"""`croupier session` and `exposure`: results over many rounds, for a player and for the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

import croupier
from croupier.commands.analyze import print_limits, print_pays_note
from croupier.commands.options import (
    AsJson,
    Pays,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    Subject,
    documented,
    pairs,
)
from croupier.commands.output import Progress, console, print_record, styled, table

if TYPE_CHECKING:
    from croupier.library.risk import ExposedTable, Session
    from croupier.mathematics.questions.sessions.over_rounds import SessionSums
    from croupier.mathematics.questions.sessions.ruin import LongRun
    from croupier.reports.exposure import Exposed

Stakes = Annotated[list[str], Parameter(negative=())]

_BARS: Final = 16
_WIDEST: Final = 48


@documented
def session(
    rulebook: Rulebook,
    *,
    stake: Stakes,
    rounds: int = 100,
    bankroll: str | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    meter: Repeated = None,
    json: AsJson = False,
) -> int:
    """Results of many rounds in a row, and the risk of ruin. The wagers are placed together, by the
    best play; correlations between them are kept, and chances are exact to the error stated.

        croupier session md-uth --stake ante=10 --stake trips=5 --rounds 200 --bankroll 1000

    Parameters
    ----------
    stake
        WAGER=DOLLARS, for each wager placed. Repeatable.
    rounds
        How many rounds are played.
    bankroll
        Dollars: also the risk that they do not last.
    meter
        NAME=DOLLARS: what a progressive meter shows; by default its reset amount. Repeatable.
    """
    with Progress(3) as progress:
        result = croupier.session(
            rulebook,
            pairs(stake, "--stake"),
            rounds=rounds,
            bankroll=bankroll,
            meters=pairs(meter, "--meter"),
            paytables=pairs(paytable, "--paytable"),
            readings=pairs(reading, "--reading"),
            pays=pairs(pays, "--pays"),
            progress=progress.show,
        )
    if json:
        print_record(result)
        return 0
    _print_session(result)
    print_limits(result.payout_limits)
    print_pays_note(result.pays)
    return 0


def _print_session(result: Session) -> None:
    from croupier.mathematics.questions.sessions.over_rounds import PERCENTILES
    from croupier.money import dollars

    out, sums = console(), result.sums
    stakes = result.stakes.items()
    placed = ", ".join(f"{name.replace('_', ' ')} {money}" for name, money in stakes)
    out.print(f"{result.title}: {placed}", style="bold")
    out.print(
        f"One round: {float(result.expected_value):+.4f} dollars on average, standard deviation "
        f"{result.standard_deviation:.2f}, {len(result.nets)} different results."
    )
    out.print(
        f"{sums.rounds:,} rounds: {float(sums.mean) / 100:+,.2f} on average, standard deviation "
        f"{sums.standard_deviation / 100:,.2f}; ahead {sums.ahead():.4%}, even {sums.even():.4%}, "
        f"behind {sums.behind():.4%}."
    )
    drawn = table(title="percentiles", title_justify="left", framed=True)
    for percent in PERCENTILES:
        drawn.add_column(f"{percent}%", justify="right")
    drawn.add_row(*(dollars(sums.percentile(percent)) for percent in PERCENTILES))
    out.print(drawn)
    _print_bars(sums)
    for place, chance in enumerate(result.ruin):
        raises = "which cover every raise as well" if place else "every raise taken for affordable"
        out.print(
            f"With {result.bankroll}, leaving below "
            f"{chance.needed} ({raises}): ruined within {sums.rounds:,} rounds "
            f"{chance.within.chance:.4%}, ever {_between(chance.ever)}."
        )
    out.print(f"Every chance is right to {sums.error:.1e}.", style="dim")


def _between(ever: LongRun) -> str:
    if ever.at_least == ever.at_most:
        return f"{ever.at_most:.4%}"
    return f"{ever.at_least:.4%} to {ever.at_most:.4%}"


def _print_bars(sums: SessionSums) -> None:
    from rich.text import Text

    from croupier.mathematics.questions.sessions.over_rounds import histogram
    from croupier.money import dollars

    bars = histogram(sums, _BARS)
    highest = max(chance for _, _, chance in bars)
    left = [f"{dollars(low)} to {dollars(high)}" for low, high, _ in bars]
    left[0], left[-1] = f"up to {dollars(bars[0][1])}", f"from {dollars(bars[-1][0])}"
    wide = max(map(len, left))
    for label, (low, high, chance) in zip(left, bars, strict=True):
        style = "green" if low > 0 else "red" if high < 0 else "yellow"
        bar = Text("█" * round(_WIDEST * chance / highest), style)
        console().print(Text(f"{label:>{wide}} {chance:8.3%} ") + bar)


@documented
def exposure(
    subject: Subject,
    *,
    stake: Stakes,
    seats: int | None = None,
    pace: int = 30,
    rounds: int | None = None,
    meter: Repeated = None,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """What a seat and a table can cost the house. It prints the largest loss in a round with a deal
    that leads there, payout limits applied; the deviation of the win per hour; and the bankroll
    that pays every win with 99 percent, also after a top award.

        croupier exposure md-uth --stake ante=25 --stake trips=5 --seats 6 --pace 30

    Parameters
    ----------
    stake
        WAGER=DOLLARS, for each wager that every seat places. Repeatable.
    seats
        Players at the table; by default all positions.
    pace
        Rounds an hour.
    rounds
        Rounds that the bankroll is for; by default those of eight hours.
    meter
        NAME=DOLLARS: what a progressive meter shows; by default its reset amount. Repeatable.
    """
    with Progress(1) as progress:
        result = croupier.exposure(
            subject,
            pairs(stake, "--stake"),
            seats=seats,
            pace=pace,
            rounds=rounds,
            meters=pairs(meter, "--meter"),
            paytables=pairs(paytable, "--paytable"),
            readings=pairs(reading, "--reading"),
            progress=progress.show,
        )
    if json:
        print_record(result)
    else:
        _print_exposure(result)
        print_limits(result.payout_limits)
    return 0


def _print_exposure(table_exposed: ExposedTable) -> None:
    from croupier.money import dollars

    result, out = table_exposed.result, console()
    exposure = result.exposure
    stakes = exposure.placed.items()
    placed = ", ".join(f"{name.replace('_', ' ')} {money}" for name, money in stakes)
    title = f"{table_exposed.title} ({table_exposed.rulebook})"
    out.print(styled("[bold]{title}: {placed}[/]", title=title, placed=placed))
    drawn = table(title="largest loss of the house in a round", title_justify="left", framed=True)
    for heading in ("", "at least", "at most", ""):
        drawn.add_column(heading, justify="right" if heading else "left")
    for name, cents in exposure.highest.items():
        drawn.add_row(name.replace("_", " "), "", dollars(cents), "by itself")
    for name, reached in (("one seat", result.seat), (f"{result.seats} seats", result.table)):
        note = "exact" if reached.is_exact else "between a deal and an upper bound"
        drawn.add_row(name, dollars(reached.at_least), dollars(reached.at_most), note)
    out.print(drawn)
    for name, reached in (("One seat", result.seat), ("The table", result.table)):
        if reached.deal is not None:
            out.print(f"{name}, {dollars(reached.dealt)}: {reached.words}.")
    if exposure.seat is not None:
        out.print(
            f"Under the best play of the main game one seat costs {dollars(exposure.seat.cents)} "
            f"at most, exactly, in {float(exposure.seat.chance):.3g} of all rounds."
        )
    _print_hour(result)


def _print_hour(result: Exposed) -> None:
    from croupier.mathematics.questions.exposure import BANKROLL_PERCENT
    from croupier.money import dollars

    exposure, out = result.exposure, console()
    hour, bankroll = exposure.hour, exposure.bankroll
    if hour is None or bankroll is None:
        out.print(f"Deviation and bankroll are not computed: {exposure.not_joined}.")
        return
    out.print(
        f"{result.pace} rounds an hour, {result.seats} seats: the house wins "
        f"{_mean(float(hour.mean))} an hour on average, standard deviation "
        f"{_mean(hour.independent)} if seats are independent, and never more than "
        f"{_mean(hour.together)}, where all win and lose together. Seats of one round share "
        "cards, so they are not independent."
    )
    out.print(
        f"{bankroll.rounds:,} rounds are paid with {BANKROLL_PERCENT}% from a bankroll of "
        f"{dollars(bankroll.independent)} (independent seats) or {dollars(bankroll.together)} "
        f"(together), and from {dollars(bankroll.with_top_award)} if one hand more wins the top "
        "award."
    )


def _mean(cents: float) -> str:
    """Return a mean or a deviation, rounded to the cent."""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
