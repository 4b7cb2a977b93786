"""`croupier simulate`: rounds through the real engine, compared with the exact values."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

import croupier
from croupier.commands.options import (
    AsJson,
    Clustered,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    documented,
    pairs,
)
from croupier.commands.output import Progress, console, print_record, table
from croupier.errors import BadRequest

if TYPE_CHECKING:
    from croupier.library.simulating import Simulation
    from croupier.simulation.comparing import Comparison
    from croupier.simulation.playing import RunTotals


@documented
def simulate(
    rulebook: Rulebook,
    *,
    rounds: int = 10_000,
    seats: int = 6,
    strategy: str = "optimal",
    wager: Repeated = None,
    paytable: Paytables = None,
    reading: Readings = None,
    seed: str = "1",
    dealing: str | None = None,
    journal: str | None = None,
    jobs: int = 1,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """Play rounds by the engine and compare with the exact values. Every command of every round
    goes the way it goes at a table; the same seed gives the same cents anywhere. Ends with 1 if a
    wager is more than five standard errors off its exact value.

        croupier simulate md-uth --rounds 20000 --wager ante=10 --wager trips=5

    Parameters
    ----------
    rounds
        How many rounds are played.
    seats
        How many seats play in each.
    strategy
        `optimal`, `random`, `first` (always the first bet offered), a shipped strategy
        (`croupier strategy compare`), or the path of a text or of a saved strategy.
    wager
        WAGER or WAGER=AMOUNT: the required wagers and only these; by default every wager at the
        least it takes. Repeatable.
    seed
        Any text: the same one deals the same cards again.
    dealing
        How the cards are dealt: `hand`, or `automated_shoe/dealer_last` with an order.
    journal
        Write every round into this journal: a file, or postgresql://… for a server.
    jobs
        Processes to play in; the result does not depend on it.
    """
    began = perf_counter()
    with Progress(1) as progress:
        run = croupier.simulate(
            rulebook,
            rounds=rounds,
            seats=seats,
            strategy=strategy,
            wagers=_wagers(wager or []),
            paytables=pairs(paytable, "--paytable"),
            readings=pairs(reading, "--reading"),
            seed=seed,
            dealing=dealing,
            journal=journal,
            jobs=jobs,
            cluster=cluster,
            progress=progress.show,
        )
    if json:
        print_record(run)
    else:
        _print_run(run, perf_counter() - began)
    return 1 if run.too_far else 0


def _wagers(texts: list[str]) -> dict[str, str | int | None]:
    """Return the wagers of the options, each `trips`, or `ante=25` with an amount."""
    wagers: dict[str, str | int | None] = {}
    for text in texts:
        name, equals, amount = text.partition("=")
        if name in wagers:
            raise BadRequest(f"--wager {name} is given twice")
        wagers[name] = amount if equals else None
    return wagers


def _print_run(run: Simulation, seconds: float) -> None:
    from croupier.money import dollars

    out, totals, setting = console(), run.totals, run.setting
    drawn = table(title=f"{run.title} ({run.rulebook})", title_justify="left", framed=True)
    drawn.add_column("wager")
    for heading in ("stake", "net", "mean", "std error", "exact", "z"):
        drawn.add_column(heading, justify="right")
    for wager in run.wagers:
        drawn.add_row(
            wager.wager,
            dollars(wager.stake),
            dollars(wager.net),
            f"{wager.mean:+.5f}",
            f"{wager.error:.5f}",
            "" if wager.exact is None else f"{wager.exact:+.5f}",
            _score(wager),
            style="bold" if wager.wager == "main" else "",
        )
    out.print(drawn)
    out.print(
        "Mean and exact value per unit of the stake (main: of one required wager). z is their "
        "distance in standard errors: between -2 and 2 in nineteen of twenty cases, beyond -5 or 5 "
        "hardly ever by chance.",
        style="dim",
    )
    if any(wager.hangs_on_few for wager in run.wagers):
        out.print(
            "~ depends on hands too rare for this many rounds: this z is not judged.", style="dim"
        )
    for wager in run.wagers:
        if wager.reason and wager.reason != "part of main":
            out.print(f"{wager.wager}: no exact value ({wager.reason}).")
        if wager.forgone:
            kept_back = dollars(wager.forgone)
            out.print(f"{wager.wager}: payout limits kept back {kept_back}, not counted.")
    for line in _money_lines(totals):
        out.print(line)
    out.print(
        f"{totals.rounds:,} rounds of {setting.seats} seats, strategy {setting.strategy}, dealt by "
        f"{run.dealing}, seed {setting.seed}: {totals.commands:,} commands, {totals.events:,} "
        f"events in {seconds:.1f} s ({totals.rounds / seconds:,.0f} rounds a second)."
    )
    for wager in run.too_far:
        out.print(
            f"{wager.wager.upper()} IS {abs(wager.z or 0):.1f} STANDARD ERRORS OFF ITS EXACT "
            "VALUE: the engine, the strategy or the mathematics is wrong.",
            style="bold red",
        )


def _score(wager: Comparison) -> str:
    if wager.z is None:
        return ""
    return f"~{wager.z:+.2f}" if wager.hangs_on_few else f"{wager.z:+.2f}"


def _money_lines(totals: RunTotals) -> Iterator[str]:
    """Yield where every cent of the meters and of the players went."""
    from croupier.money import dollars
    from croupier.progressives import MICRO

    for name, columns in totals.meters.items():
        seeded, contributed, awarded, reset, reading = (
            columns[column] / MICRO / 100
            for column in ("seeded", "contributed", "awarded", "reset", "reading")
        )
        yield (
            f"Meter {name}: {seeded:,.2f} seeded + {contributed:,.2f} contributed + {reset:,.2f} "
            f"reset - {awarded:,.2f} awarded = {reading:,.2f}, to the cent."
        )
    bought, net = sum(totals.bought.values()), sum(totals.players.values())
    ahead = f"{dollars(abs(net))} {'ahead' if net >= 0 else 'behind'}"
    yield f"Players bought in for {dollars(bought)} and are {ahead}; no cent is missing."
