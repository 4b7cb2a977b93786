"""Settling a full table: six seats, every side wager placed, beside pokerkit playing one hand.

Both run on one core in the same process, in turns, so that a busy moment of the machine hits both;
the table shows medians. Ours settles a completed round it has never seen (random cards; wagers
checked, hands evaluated, every line with its clause). pokerkit plays a six-handed no-limit hold'em
hand from the deal to the showdown with everything automated and every player checking or calling:
not the same work, but the nearest that a public library does.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median
from time import perf_counter

from benchmarks.figures import Ratio, report
from croupier.cards import DECK, Card
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

TURNS = 9
ROUNDS = 200
HANDS = 10


def full_table(rules: Rules, chance: random.Random) -> CompletedRound:
    """Six seats, all wagers down, the first bet of the first decision (both raises in 235)."""
    deck = chance.sample(DECK, 52)
    counts = rules.book.cards
    wagers = {
        name: rules.stakes[name][0] if name in rules.stakes else 1000
        for name, wager in rules.book.wagers.items()
        if wager.role != "decided"
    }
    said: dict[str, str] = {}
    for decision in rules.book.decisions:
        said.setdefault(decision.wager, next(iter(decision.bets)))

    def take(count: int) -> tuple[Card, ...]:
        taken, deck[:] = tuple(deck[:count]), deck[count:]
        return taken

    seats = tuple(
        PlayedSeat(number, str(number), take(counts.player), wagers, tuple(said.values()))
        for number in range(1, 7)
    )
    return CompletedRound(seats, take(counts.community), take(counts.dealer), take(counts.box))


def settling(rulebook: str) -> Callable[[], None]:
    rules = put_in_force(load_rulebook(rulebook), Submission())
    chance = random.Random(rulebook)
    rounds = [full_table(rules, chance) for _ in range(ROUNDS)]

    def run() -> None:
        for played in rounds:
            settle(played, rules)

    return run


def playing_pokerkit() -> Callable[[], None] | None:
    if find_spec("pokerkit") is None:
        return None
    peer = import_module("pokerkit")
    choosing = peer.Automation.RUNOUT_COUNT_SELECTION
    everything = tuple(automation for automation in peer.Automation if automation is not choosing)

    def run() -> None:
        for _ in range(HANDS):
            state = peer.NoLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 200, 6)
            while state.status:
                state.check_or_call()

    return run


def report_beside(benchmark: str, seconds: dict[str, float], peer: float | None) -> None:
    """Report what a round takes; `peer` is what a hand of pokerkit takes."""
    ratios = {label: peer / each for label, each in seconds.items()} if peer else {}
    rows = [
        (label, f"{each * 1e6:,.0f}", f"{ratios[label]:.1f}" if peer else "")
        for label, each in seconds.items()
    ]
    ours = [Ratio(label, value) for label, value in ratios.items() if "pokerkit" not in label]
    report(benchmark, ("", "µs a round", "rounds in one pokerkit hand"), rows, ours)


def main() -> None:
    rows: list[tuple[str, int, Callable[[], None]]] = [
        (f"croupier settles {rulebook}", ROUNDS, settling(rulebook)) for rulebook in DOCUMENTS
    ]
    peer = playing_pokerkit()
    if peer is not None:
        rows.append((f"pokerkit {version('pokerkit')} plays hold'em", HANDS, peer))
    times: dict[str, list[float]] = {label: [] for label, _, _ in rows}
    for _ in range(TURNS):
        for label, count, run in rows:
            start = perf_counter()
            run()
            times[label].append((perf_counter() - start) / count)
    base = median(times[rows[-1][0]]) if peer is not None else None
    print("\nA six-seat round, every side wager placed: one core, medians of", TURNS, "turns")
    report_beside("settlement", {label: median(times[label]) for label, _, _ in rows}, base)
    if peer is None:
        print("pokerkit is not installed: `make bench` installs it")


if __name__ == "__main__":
    main()
