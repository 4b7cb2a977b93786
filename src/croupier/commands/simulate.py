"""`croupier simulate`: rounds through the real engine, held against the exact values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from rich.table import Table
from rich.text import Text

from croupier.commands.analyze import pairs
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.commands.strategy import working
from croupier.errors import BadRequest, CroupierError
from croupier.ledger.journal import open_journal
from croupier.money import dollars, parse_cents
from croupier.progressives import MICRO
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules
from croupier.runtime.signing import signing
from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import RunTotals, Stretch, play_stretch, prepare, stretches
from croupier.simulation.run_setting import Setting, setting_for
from croupier.workers import Processes, Workers, using

__all__ = ["run"]


def run(
    rulebook: str,
    *,
    rounds: int,
    seats: int,
    strategy: str,
    wagers: list[str],
    paytables: list[str],
    readings: list[str],
    seed: str,
    dealing: str | None,
    journal: str | None,
    jobs: int,
    cluster: str | None = None,
    as_json: bool,
) -> int:
    _within(rounds, "--rounds", 2, 100_000_000)
    _within(jobs, "--jobs", 1, 64)
    if journal is not None and (jobs > 1 or cluster is not None):
        flag = "--jobs" if jobs > 1 else "--cluster"
        raise BadRequest(f"--journal writes from one process: leave {flag} out")
    if jobs > 1 and cluster is not None:
        raise BadRequest("--jobs or --cluster: processes of this machine, or those of a cluster")
    setting, rules = setting_for(
        rulebook,
        paytables=pairs(paytables, "--paytable"),
        readings=pairs(readings, "--reading"),
        dealing=dealing,
        bets=_bets(wagers),
        seats=seats,
        strategy=strategy,
        seed=seed,
    )
    _within(seats, "--seats", 1, rules.book.positions.most)
    with working(f"preparing the strategy {strategy}"):
        prepare(setting)
    began = perf_counter()
    with using(cluster) as chosen:
        crew = Processes(jobs) if jobs > 1 else chosen
        tally = _play(setting, rounds, journal, crew)
    seconds = perf_counter() - began
    with working("working out the exact values"):
        found = compare(tally, setting, rules)
    if as_json:
        print_json(_object(setting, rules, tally, found))
    else:
        _draw(setting, rules, tally, found, seconds)
    return 1 if any(one.is_too_far for one in found) else 0


def _within(value: int, flag: str, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadRequest(f"{flag} is {value}, but must be {least} to {most}")


def _bets(texts: list[str]) -> dict[str, int | None]:
    """`trips`, or `ante=25` with an amount."""
    bets: dict[str, int | None] = {}
    for text in texts:
        name, equals, amount = text.partition("=")
        if name in bets:
            raise BadRequest(f"--wager {name} is given twice")
        try:
            bets[name] = parse_cents(amount) if equals else None
        except CroupierError as error:
            raise error.within(f"--wager {name}") from None
    return bets


def _play(setting: Setting, rounds: int, journal: str | None, crew: Workers) -> RunTotals:
    tally, planned = RunTotals(), stretches(rounds)
    with Progress(len(planned)) as progress:
        played = _played(setting, planned, journal, crew)
        for stretch in planned:
            label = f"{setting.rulebook}, stretch {stretch.number}"
            tally.add(progress.step(label, partial(next, played)))
    return tally


def _played(
    setting: Setting, planned: list[Stretch], journal: str | None, crew: Workers
) -> Iterator[RunTotals]:
    """The stretches in their order."""
    if journal is None:
        yield from crew.map(partial(play_stretch, setting), planned)
        return
    where = journal if "://" in journal else Path(journal)
    with open_journal(where) as store, signing(store):
        for stretch in planned:
            yield play_stretch(setting, stretch, store)


# -- for people -----------------------------------------------------------------------------------


def _draw(
    setting: Setting,
    rules: Rules,
    tally: RunTotals,
    found: tuple[Comparison, ...],
    seconds: float,
) -> None:
    out = console()
    drawn = Table(title=f"{rules.book.title} ({rules.book.id})", title_justify="left")
    drawn.add_column("wager")
    for heading in ("stake", "net", "mean", "std error", "exact", "z"):
        drawn.add_column(heading, justify="right")
    for one in found:
        drawn.add_row(
            one.wager,
            dollars(one.stake),
            dollars(one.net),
            f"{one.mean:+.5f}",
            f"{one.error:.5f}",
            "" if one.exact is None else f"{one.exact:+.5f}",
            _score(one),
            style="bold" if one.wager == "main" else "",
        )
    out.print(drawn)
    out.print(
        Text(
            "Mean and exact value per unit of the stake (main: of one required wager). z is their "
            "distance in standard errors: between -2 and 2 in nineteen of twenty cases, beyond "
            "-5 or 5 hardly ever by chance.",
            "dim",
        )
    )
    if any(one.hangs_on_few for one in found):
        out.print(Text("~ rests on hands too rare for so few rounds: this z is not judged.", "dim"))
    for one in found:
        if one.reason and one.reason != "part of main":
            out.print(f"{one.wager}: no exact value ({one.reason}).")
        if one.forgone:
            out.print(f"{one.wager}: payout limits kept back {dollars(one.forgone)}, not counted.")
    for line in _books(tally):
        out.print(line)
    out.print(
        f"{tally.rounds:,} rounds of {setting.seats} seats, strategy {setting.strategy}, dealt by "
        f"{_dealing(rules)}, seed {setting.seed}: {tally.commands:,} commands, {tally.events:,} "
        f"events in {seconds:.1f} s ({tally.rounds / seconds:,.0f} rounds a second)."
    )
    for one in found:
        if one.is_too_far:
            out.print(
                Text(
                    f"{one.wager.upper()} IS {abs(one.z or 0):.1f} STANDARD ERRORS OFF ITS EXACT "
                    "VALUE: the engine, the strategy or the mathematics is wrong.",
                    "bold red",
                )
            )


def _score(one: Comparison) -> str:
    if one.z is None:
        return ""
    return f"~{one.z:+.2f}" if one.hangs_on_few else f"{one.z:+.2f}"


def _books(tally: RunTotals) -> Iterator[str]:
    for name, columns in tally.meters.items():
        seeded, given, awarded, reset, reading = (
            columns[column] / MICRO / 100
            for column in ("seeded", "contributed", "awarded", "reset", "reading")
        )
        yield (
            f"Meter {name}: {seeded:,.2f} seeded + {given:,.2f} contributed + {reset:,.2f} reset "
            f"- {awarded:,.2f} awarded = {reading:,.2f}, to the cent."
        )
    bought = sum(tally.bought.values())
    yield (
        f"Players bought in for {dollars(bought)} and are "
        f"{_ahead(sum(tally.players.values()))}; no cent is missing."
    )


def _ahead(cents: int) -> str:
    return f"{dollars(abs(cents))} {'ahead' if cents >= 0 else 'behind'}"


def _dealing(rules: Rules) -> str:
    chosen = dealing_in_force(rules)
    method = next(name for name, way in rules.book.dealing.items() if way is chosen)
    order = rules.options.get("deal_order")
    return f"{method}/{order}" if order else method


# -- for programs ---------------------------------------------------------------------------------


def _object(
    setting: Setting, rules: Rules, tally: RunTotals, found: tuple[Comparison, ...]
) -> dict[str, object]:
    return {
        "rulebook": rules.book.id,
        "rounds": tally.rounds,
        "seats": setting.seats,
        "strategy": setting.strategy,
        "seed": setting.seed,
        "dealing": _dealing(rules),
        "wagers": {
            one.wager: {
                "stake_cents": one.stake,
                "hands": one.hands,
                "net_cents": one.net,
                "mean": one.mean,
                "standard_error": one.error,
                "exact": one.exact,
                "z": one.z,
                "hangs_on_few": one.hangs_on_few,
                "forgone_cents": one.forgone,
                "reason": one.reason,
            }
            for one in found
        },
        "meters_in_microcents": tally.meters,
        "players": {
            "bought_cents": sum(tally.bought.values()),
            "net_cents": sum(tally.players.values()),
        },
        "commands": tally.commands,
        "events": tally.events,
    }
