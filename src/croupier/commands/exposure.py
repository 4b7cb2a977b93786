"""`croupier exposure`: what a seat and a table can cost the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rich.table import Table
from rich.text import Text

from croupier.commands.analyze import pairs
from croupier.commands.limit_lines import draw_limits, limits_object
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.errors import BadRequest, CroupierError
from croupier.mathematics.questions.exposure import BANKROLL_PERCENT
from croupier.money import dollars, format_cents, parse_cents
from croupier.reports.exposure import HOURS_OF_A_SHIFT, Exposed, Reached, exposed
from croupier.reports.mathematics_report.source import open_source
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.rules import Rules

__all__ = ["run"]

MOST_ROUNDS = 100_000
MOST_PACE = 1000


def run(
    subject: str,
    *,
    stakes: list[str],
    seats: int | None,
    pace: int,
    rounds: int | None,
    meters: list[str],
    paytables: list[str],
    readings: list[str],
    as_json: bool,
) -> int:
    source = open_source(
        subject, paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")
    )
    rules = source.rules
    _within(pace, "--pace", MOST_PACE)
    asked = rounds if rounds is not None else pace * HOURS_OF_A_SHIFT
    _within(asked, "--rounds", MOST_ROUNDS)
    limits = limits_in_force(rules)
    with Progress(1) as progress:
        work = partial(
            exposed,
            rules,
            _amounts(stakes, "--stake"),
            seats=rules.book.positions.most if seats is None else seats,
            pace=pace,
            rounds=asked,
            meters=_amounts(meters, "--meter"),
        )
        answer = progress.step("exposure", work)
    listed = limits_object(limits, answer.exposure.highest)
    if as_json:
        print_json(_object(rules, answer) | {"payout_limits": listed})
    else:
        _draw(rules, answer)
        draw_limits(limits, answer.exposure.highest)
    return 0


def _amounts(texts: list[str], flag: str) -> dict[str, int]:
    amounts = {}
    for name, value in pairs(texts, flag).items():
        try:
            amounts[name] = parse_cents(value)
        except CroupierError as error:
            raise error.within(f"{flag} {name}") from None
    return amounts


def _within(value: int, flag: str, most: int) -> None:
    if not 1 <= value <= most:
        raise BadRequest(f"{flag} is {value}, but must be 1 to {most}")


# -- JSON -----------------------------------------------------------------------------------------


def _object(rules: Rules, answer: Exposed) -> dict[str, Any]:
    found = answer.exposure
    seat, hour, bankroll = found.seat, found.hour, found.bankroll
    return {
        "rulebook": rules.book.id,
        "stakes": _money(found.placed),
        "seats": answer.seats,
        "rounds_per_hour": answer.pace,
        "wagers": {name: {"at_most": format_cents(c)} for name, c in found.highest.items()},
        "seat": _bounds(answer.seat)
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
        "table": _bounds(answer.table),
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
        "not_computed": found.not_joined,
    }


def _money(amounts: Mapping[str, int]) -> dict[str, str]:
    return {name: format_cents(cents) for name, cents in amounts.items()}


def _bounds(reached: Reached) -> dict[str, Any]:
    return {
        "at_least": format_cents(reached.at_least),
        "at_most": format_cents(reached.at_most),
        "exact": reached.is_exact,
        "deal": reached.deal,
    }


# -- for people -----------------------------------------------------------------------------------


def _draw(rules: Rules, answer: Exposed) -> None:
    found, out = answer.exposure, console()
    placed = ", ".join(f"{name.replace('_', ' ')} {dollars(c)}" for name, c in found.placed.items())
    out.print(Text(f"{rules.book.title} ({rules.book.id}): {placed}", "bold"))
    drawn = Table(title="largest loss of the house in a round", title_justify="left")
    for heading in ("", "at least", "at most", ""):
        drawn.add_column(heading, justify="right" if heading else "left")
    for name, cents in found.highest.items():
        drawn.add_row(name.replace("_", " "), "", dollars(cents), "by itself")
    for name, reached in (("one seat", answer.seat), (f"{answer.seats} seats", answer.table)):
        note = "exact" if reached.is_exact else "between a deal and an upper bound"
        drawn.add_row(name, dollars(reached.at_least), dollars(reached.at_most), note)
    out.print(drawn)
    for name, reached in (("One seat", answer.seat), ("The table", answer.table)):
        if reached.deal is not None:
            out.print(f"{name}, {dollars(reached.dealt)}: {reached.words}.", markup=False)
    if found.seat is not None:
        out.print(
            f"Under the best play of the main game one seat costs {dollars(found.seat.cents)} at "
            f"most, exactly, in {float(found.seat.chance):.3g} of all rounds."
        )
    _draw_hour(answer)


def _draw_hour(answer: Exposed) -> None:
    found, out = answer.exposure, console()
    hour, bankroll = found.hour, found.bankroll
    if hour is None or bankroll is None:
        out.print(f"Deviation and bankroll are not computed: {found.not_joined}.", markup=False)
        return
    out.print(
        f"{answer.pace} rounds an hour, {answer.seats} seats: the house wins "
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
    """A mean or a deviation, rounded to the cent."""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
