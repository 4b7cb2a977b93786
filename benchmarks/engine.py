"""The engine alone: six-seat rounds by strategy, beside pokerkit playing six-handed hold'em.

Ours is a whole round in memory, no store: a deck shuffled and sealed, six players who bet, are
asked and answer by the exact optimal strategy, every command checked (role, turn, money, clause),
every event applied, all wagers settled line by line with their clauses, the money moved, the
progressive's meters fed. Once with the required wagers only, which is the game itself, and once
with every side wager as well. pokerkit plays a hand of no-limit hold'em from the blinds to the
showdown, dealing and pots automated, every player checking or calling; it has no side wagers, no
strategies and no clauses, we have no betting rounds among players: not the same work, but the
nearest that a public library does. One hand of theirs stands against one round of ours.

Both run on one core in the same process, in turns, so that a busy moment of the machine hits both;
the table shows medians.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import process_time

from benchmarks.settlement import HANDS, playing_pokerkit, report_beside
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.runtime.automation import Automation, StrategyPlayer, play_round
from croupier.runtime.session import TableSession
from croupier.simulation.playing import prepare
from croupier.simulation.run_setting import setting_for
from croupier.tables.commands import OpenTable, TakeSeat

TURNS = 9
ROUNDS = 40
SEATS = 6


def playing(rulebook: str, *, sides: bool) -> Callable[[], None]:
    setting, rules = setting_for(rulebook)
    wagers = {n: c for n, c in setting.wagers.items() if sides or n in rules.required}
    opening = OpenTable(
        table="bench", rulebook=rulebook, submission=setting.submission, inventory=10**12
    )
    operator = Actor("operator", SOFTWARE)
    running = TableSession.opened(opening, operator, draw=Seeded("bench"))
    names = [f"player {seat}" for seat in range(1, SEATS + 1)]
    for seat, name in enumerate(names, 1):
        running.do(TakeSeat(name, seat), Actor("player", name))
    strategy = prepare(setting)
    automation = Automation(
        players={name: StrategyPlayer(strategy, wagers, 10_000_000) for name in names}
    )

    def run() -> None:
        for _ in range(ROUNDS):
            play_round(running, automation)

    return run


def main() -> None:
    rows: list[tuple[str, int, Callable[[], None]]] = []
    for rulebook in DOCUMENTS:
        for sides in (False, True):
            label = f"croupier plays {rulebook}{', every side wager' if sides else ''}"
            rows.append((label, ROUNDS, playing(rulebook, sides=sides)))
    peer = playing_pokerkit()
    if peer is not None:
        rows.append((f"pokerkit {version('pokerkit')} plays hold'em", HANDS, peer))
    times: dict[str, list[float]] = {label: [] for label, _, _ in rows}
    for _, _, run in rows:
        run()
    for _ in range(TURNS):
        for label, count, run in rows:
            gc.collect()
            start = process_time()
            run()
            times[label].append((process_time() - start) / count)
    base = median(times[rows[-1][0]]) if peer is not None else None
    print("\nA six-seat round through the engine: one core, medians of", TURNS, "turns")
    report_beside("engine", {label: median(times[label]) for label, _, _ in rows}, base)
    if peer is None:
        print("pokerkit is not installed: `make bench` installs it")


if __name__ == "__main__":
    main()
