"""`croupier design`: search pay combinations for paytables that hit a target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

import croupier
from croupier.commands.options import (
    AsJson,
    Clustered,
    Flag,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    documented,
    pairs,
    rulebook_with,
)
from croupier.commands.output import Progress, console, print_record, table

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.mathematics.questions.design.designs import Design, Designs

Signed = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A range that may begin below zero."""
SignedRanges = Annotated[list[str] | None, Parameter(negative=(), allow_leading_hyphen=True)]

_MOST_WARNINGS: Final = 5


@documented
def design(
    rulebook: Rulebook,
    *,
    wager: str | None = None,
    vary: Repeated = None,
    edge: SignedRanges = None,
    hold: Signed | None = None,
    stake: Repeated = None,
    table: str | None = None,
    hit_frequency: Signed | None = None,
    deviation: Signed | None = None,
    best: str = "edge",
    limit: int = 20,
    most: int | None = None,
    any_order: Flag = False,
    paytable: Paytables = None,
    reading: Readings = None,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """Search pay combinations for paytables that hit a target. A line is paid in units to 1. 0 is a
    push; on a bonus, which has no stake, 0 means that the line is not paid; on a side wager -1
    means that it is not paid and the stake is lost. A better hand never pays less than one below
    it. Ends with 1 if no table hits the target, and names the nearest.

        croupier design md-uth --wager trips --vary flush=5..9 --vary straight=3..6 --edge 2..4

    Several wagers at once, bet together at stated stakes:

        croupier design md-uth --vary blind.flush=1..2:1/2 --vary trips.flush=5..7 --stake main=10
        --stake trips=5 --hold 0..1

    Parameters
    ----------
    wager
        The wager that the table pays (`blind`, `trips`, …), or `main`. A table of the main game is
        judged by the edge of the main game, best play.
    vary
        HAND=LOW..HIGH or HAND=LOW..HIGH:STEP, or WAGER.HAND=… for a line of another wager.
        Repeatable.
    edge
        House edge in percent: LOW..HIGH, or one number for exactly that. With several wagers
        WAGER=LOW..HIGH, for each whose edge matters: per unit of the wager, of `main` per unit of
        one required wager.
    hold
        In percent, LOW..HIGH: the average win of the house divided by the average of all that is
        wagered, raises included; of all wagers bet.
    stake
        WAGER=DOLLARS, for wagers bet together; `main` is every required wager. Required wagers, and
        those with a line that varies, are bet in any case: the least stake, or $1. Repeatable.
    table
        The paytable to start from; by default the first. With several wagers use --paytable.
    hit_frequency
        In percent, LOW..HIGH: how often the wager is paid more than its stake; of the main game,
        and of several wagers together, how often the round ends ahead.
    deviation
        LOW..HIGH: the standard deviation in units of the wager; of several wagers together, of the
        round in dollars.
    best
        What the tables are sorted by: `edge`, `hold` or `deviation` (lowest first), or
        `hit-frequency` (highest first). With several wagers `edge` is the average win of the house.
    limit
        How many tables are printed.
    most
        How many tables may be searched, if that is more than usual.
    any_order
        Include tables in which a better hand pays less.
    """
    targets = {
        "edge": edge or [],
        "hold": [hold] if hold else [],
        "hit frequency": [hit_frequency] if hit_frequency else [],
        "deviation": [deviation] if deviation else [],
    }
    book = rulebook_with(rulebook, paytable, reading)
    with Progress(1) as progress:
        search = progress.step(
            "tables",
            lambda: croupier.design(
                book,
                vary or [],
                wager=wager or "",
                table=table or "",
                edge=edge or [],
                hold=hold or "",
                hit_frequency=hit_frequency or "",
                deviation=deviation or "",
                stakes=pairs(stake, "--stake"),
                best=best,
                limit=limit,
                most=most,
                any_order=any_order,
                cluster=cluster,
            ),
        )
    if json:
        print_record(search)
    else:
        _print_designs(search.designs, targets)
    return 0 if search.matches else 1


def _print_designs(designs: Designs, targets: Mapping[str, Sequence[str]]) -> None:
    from croupier.money import dollars

    out = console()
    tables = ", ".join(f"{family} {table}" for family, table in designs.paytables.items())
    if designs.wager:
        about = f"edge of {designs.wager}"
    else:
        bet = ", ".join(f"{name} {dollars(cents)}" for name, cents in designs.stakes.items())
        about = f"bet together: {bet}"
    out.print(
        f"{tables}, {about}: {designs.searched:,} tables searched, {designs.matches:,} found.",
        soft_wrap=True,
    )
    if designs.tables:
        out.print(_table(designs, designs.tables))
    elif not designs.matches:
        sought = " and ".join(f"{name} {text}" for name, each in targets.items() for text in each)
        nearest = " The nearest below and above:" if designs.nearest else ""
        out.print(f"No table has {sought}.{nearest}")
        if designs.nearest:
            out.print(_table(designs, designs.nearest))
    if designs.not_joined:
        out.print(
            f"Deviation and hit frequency of the round are not worked out: {designs.not_joined}",
            soft_wrap=True,
        )
    warnings = dict.fromkeys(warning for each in designs.tables for warning in each.warnings)
    for warning in list(warnings)[:_MOST_WARNINGS]:
        out.print(f"Warning: {warning}", soft_wrap=True)
    if designs.slopes is not None:
        slopes = designs.slopes.items()
        units = ", ".join(f"{hand} {float(slope):.4%}" for hand, slope in slopes if slope)
        out.print(f"One unit more on a line of the printed table takes off the edge: {units}.")
    if not designs.wager:
        out.print(
            "Of a round in dollars. The hold is what the house wins of each dollar wagered on "
            "average, raises included; a hit is a round that ends ahead. Exact figures: --json.",
            soft_wrap=True,
        )


def _table(designs: Designs, listed: Iterable[Design]) -> Table:
    rows = list(listed)
    drawn = table(framed=True)
    for name in rows[0].varied:
        title = name if designs.wager else name.replace(".", " ").replace("_", " ")
        drawn.add_column(title, justify="right", overflow="fold")
    if designs.wager:
        means = ["house edge", "hold", "exact expected value"]
    else:
        edges = [f"edge of {name.replace('_', ' ')}" for name in rows[0].values]
        means = [*edges, "average win", "hold"]
    for heading in (*means, "std deviation", "hit frequency"):
        drawn.add_column(heading, justify="right", overflow="fold")
    for row in rows:
        figures, hold = row.figures, f"{float(row.figures.hold):.4%}"
        edges = [f"{float(-value):.6%}" for value in row.values.values()]
        if designs.wager:
            means = [*edges, hold, str(figures.value)]
        else:
            means = [*edges, f"{float(-figures.value):.4f}", hold]
        drawn.add_row(
            *row.varied.values(),
            *means,
            f"{figures.standard_deviation:.4f}" if row.is_joined else "–",
            f"{float(figures.hits):.4%}" if row.is_joined else "–",
        )
    return drawn
