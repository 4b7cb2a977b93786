"""`croupier design`: the paytables whose exact figures lie where they are wished."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.commands.rules_asked import choices, pairs
from croupier.errors import CroupierError
from croupier.mathematics.questions.design.designs import (
    Design,
    DesignRequest,
    Designs,
    designs_for,
)
from croupier.money import dollars, parse_cents
from croupier.rulebooks.loader import open_rulebook
from croupier.workers import using

__all__ = ["run"]

_MOST_WARNINGS: Final = 5


def run(
    rulebook: str,
    *,
    wager: str | None,
    table: str | None,
    vary: list[str],
    stakes: list[str],
    edge: list[str],
    hold: str | None,
    hit_frequency: str | None,
    deviation: str | None,
    best: str,
    limit: int,
    most: int | None,
    any_order: bool,
    paytables: list[str],
    readings: list[str],
    cluster: str | None = None,
    as_json: bool,
) -> int:
    request = DesignRequest(
        vary=vary,
        wager=wager or "",
        table=table or "",
        stakes=_cents(stakes),
        edge=edge,
        hold=hold or "",
        hit_frequency=hit_frequency or "",
        deviation=deviation or "",
        best=best,
        limit=limit,
        most=most,
        any_order=any_order,
    )
    file, chosen = open_rulebook(rulebook), choices(paytables, readings)
    with Progress(1) as progress, using(cluster):
        found = progress.step("tables", lambda: designs_for(file, chosen, request))
    if as_json:
        print_json(found.to_dict())
    else:
        _draw(found, request)
    return 0 if found.matches else 1


def _cents(texts: Iterable[str]) -> dict[str, int]:
    amounts = {}
    for name, value in pairs(texts, "--stake").items():
        try:
            amounts[name] = parse_cents(value)
        except CroupierError as error:
            raise error.within(f"--stake {name}") from None
    return amounts


def _draw(found: Designs, request: DesignRequest) -> None:
    out = console()
    tables = ", ".join(f"{family} {table}" for family, table in found.paytables.items())
    if found.wager:
        about = f"edge of {found.wager}"
    else:
        bet = ", ".join(f"{name} {dollars(cents)}" for name, cents in found.stakes.items())
        about = f"bet together: {bet}"
    out.print(
        f"{tables}, {about}: {found.searched:,} tables searched, {found.matches:,} found.",
        markup=False,
        soft_wrap=True,
    )
    if found.tables:
        out.print(_table(found, found.tables))
    elif not found.matches:
        out.print(_none_found(found, request))
        if found.nearest:
            out.print(_table(found, found.nearest))
    if found.not_joined:
        out.print(
            f"Deviation and hit frequency of the round are not worked out: {found.not_joined}",
            markup=False,
            soft_wrap=True,
        )
    warned = [warning for one in found.tables for warning in one.warnings]
    for warning in list(dict.fromkeys(warned))[:_MOST_WARNINGS]:
        out.print(f"Warning: {warning}", soft_wrap=True, markup=False)
    if found.slopes is not None:
        units = ", ".join(f"{hand} {float(one):.4%}" for hand, one in found.slopes.items() if one)
        out.print(
            Text(f"One unit more on a line of the printed table takes off the edge: {units}.")
        )
    if not found.wager:
        out.print(
            "Of a round in dollars. The hold is what the house wins of each dollar wagered on "
            "average, raises included; a hit is a round that ends ahead. Exact figures: --json.",
            soft_wrap=True,
        )


def _none_found(found: Designs, request: DesignRequest) -> str:
    wished = " and ".join(
        f"{name} {text}"
        for name, texts in (
            ("edge", request.edge),
            ("hold", [request.hold]),
            ("hit frequency", [request.hit_frequency]),
            ("deviation", [request.deviation]),
        )
        for text in texts
        if text
    )
    nearest = " The nearest below and above:" if found.nearest else ""
    return f"No table has {wished}.{nearest}"


def _table(found: Designs, listed: Iterable[Design]) -> Table:
    rows = list(listed)
    drawn = Table()
    for name in rows[0].varied:
        title = name if found.wager else name.replace(".", " ").replace("_", " ")
        drawn.add_column(title, justify="right", overflow="fold")
    if found.wager:
        means = ["house edge", "hold", "exact expected value"]
    else:
        edges = [f"edge of {name.replace('_', ' ')}" for name in rows[0].values]
        means = [*edges, "mean win", "hold"]
    for heading in (*means, "std deviation", "hit frequency"):
        drawn.add_column(heading, justify="right", overflow="fold")
    for one in rows:
        figures, hold = one.figures, f"{float(one.figures.hold):.4%}"
        edges = [f"{float(-value):.6%}" for value in one.values.values()]
        if found.wager:
            means = [*edges, hold, str(figures.value)]
        else:
            means = [*edges, f"{float(-figures.value):.4f}", hold]
        drawn.add_row(
            *one.varied.values(),
            *means,
            f"{figures.standard_deviation:.4f}" if one.is_joined else "–",
            f"{float(figures.hits):.4%}" if one.is_joined else "–",
        )
    return drawn
