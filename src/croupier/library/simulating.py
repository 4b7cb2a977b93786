"""Rounds by the thousand through the real engine, compared with the exact values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from croupier.errors import BadRequest, CroupierError
from croupier.ledger.journal import open_journal
from croupier.library.record import Progress, Record, check_count, quiet
from croupier.money import Amount, parse_cents
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules
from croupier.runtime.signing import signing
from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import RunTotals, Stretch, play_stretch, prepare, stretches
from croupier.simulation.run_setting import Setting, setting_for
from croupier.workers import Processes, Workers, using


class Simulation(Record, frozen=True):
    """The result of a run: its parameters, its totals, and every wager beside its exact value."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    dealing: str
    """How the cards were dealt."""
    setting: Setting
    """The parameters of the run."""
    totals: RunTotals
    """The totals of the run."""
    wagers: tuple[Comparison, ...]
    """Each wager beside its exact value."""

    @property
    def too_far(self) -> tuple[Comparison, ...]:
        """The wagers more than five standard errors off their exact value."""
        return tuple([wager for wager in self.wagers if wager.is_too_far])

    def to_dict(self) -> dict[str, Any]:
        setting, totals = self.setting, self.totals
        return {
            "rulebook": self.rulebook,
            "rounds": totals.rounds,
            "seats": setting.seats,
            "strategy": setting.strategy,
            "seed": setting.seed,
            "dealing": self.dealing,
            "wagers": {
                wager.wager: {
                    "stake_cents": wager.stake,
                    "hands": wager.hands,
                    "net_cents": wager.net,
                    "mean": wager.mean,
                    "standard_error": wager.error,
                    "exact": wager.exact,
                    "z": wager.z,
                    "hangs_on_few": wager.hangs_on_few,
                    "forgone_cents": wager.forgone,
                    "reason": wager.reason,
                }
                for wager in self.wagers
            },
            "meters_in_microcents": totals.meters,
            "players": {
                "bought_cents": sum(totals.bought.values()),
                "net_cents": sum(totals.players.values()),
            },
            "commands": totals.commands,
            "events": totals.events,
        }

    def __repr__(self) -> str:
        return f"<Simulation {self.rulebook}: {self.totals.rounds:,} rounds>"


def simulate(
    rulebook: str | Path,
    *,
    rounds: int = 10_000,
    seats: int = 6,
    strategy: str = "optimal",
    wagers: Mapping[str, Amount | None] | Sequence[str] = (),
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    seed: str = "1",
    dealing: str | None = None,
    journal: str | Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = quiet,
) -> Simulation:
    """Play rounds through the engine, and compare every wager with its exact value.

    `strategy` is `optimal`, `random`, `first`, a shipped strategy, or the path of a text or of a
    saved one. `wagers` are placed besides the required ones, with an amount in dollars or None for
    the minimum; without any, every wager is placed. The same seed gives the same cents, whatever
    the number of `jobs` (processes) or the `cluster`. `journal` is written from this process.
    """
    check_count("rounds", rounds, 100_000_000, 2)
    check_count("jobs", jobs, 64)
    if journal is not None and (jobs > 1 or cluster is not None):
        option = "jobs" if jobs > 1 else "cluster"
        raise BadRequest(f"a journal is written from one process: leave {option} out")
    if jobs > 1 and cluster is not None:
        raise BadRequest("jobs or cluster: processes of this machine, or those of a cluster")
    setting, rules = setting_for(
        str(rulebook),
        paytables=paytables,
        readings=readings,
        dealing=dealing,
        bets=_bets(wagers),
        seats=seats,
        strategy=strategy,
        seed=seed,
    )
    check_count("seats", seats, rules.book.positions.most)
    planned = stretches(rounds)
    progress(f"preparing the strategy {strategy}", 0, len(planned))
    prepare(setting)
    totals = RunTotals()
    with using(cluster) as chosen:
        played = _played(setting, planned, journal, Processes(jobs) if jobs > 1 else chosen)
        for done, part in enumerate(played, start=1):
            totals.add(part)
            progress(f"{rulebook}, {totals.rounds:,} rounds", done, len(planned))
    progress("working out the exact values", len(planned), len(planned))
    compared = compare(totals, setting, rules)
    book = rules.book
    return Simulation(book.id, book.title, _dealing(rules), setting, totals, compared)


def _bets(wagers: Mapping[str, Amount | None] | Sequence[str]) -> dict[str, int | None]:
    amounts = wagers if isinstance(wagers, Mapping) else dict.fromkeys(wagers)
    bets: dict[str, int | None] = {}
    for name, amount in amounts.items():
        try:
            bets[name] = None if amount is None else parse_cents(amount)
        except CroupierError as error:
            raise error.within(f"wager {name}") from None
    return bets


def _played(
    setting: Setting, planned: Sequence[Stretch], journal: str | Path | None, crew: Workers
) -> Iterator[RunTotals]:
    """Yield the stretches in their order."""
    if journal is None:
        yield from crew.map(partial(play_stretch, setting), planned)
        return
    where = journal if "://" in str(journal) else Path(journal)
    with open_journal(where) as store, signing(store):
        for stretch in planned:
            yield play_stretch(setting, stretch, store)


def _dealing(rules: Rules) -> str:
    """Return the way of dealing, written like the option `dealing`."""
    chosen = dealing_in_force(rules)
    method = next(name for name, way in rules.book.dealing.items() if way is chosen)
    order = rules.options.get("deal_order")
    return f"{method}/{order}" if order else method
