"""Exact solutions of Ultimate Texas Hold'em: one paytable, outcomes, advice.

Everything runs in this process on all its cores, warm unless it says cold, medians of `TURNS`. A
solve ranks and counts every board, as the first of a process does; a further one finds them
counted. Two lines are there to compare with. *Boards ranked and counted alone* is the part of a
solve that does not depend on what is paid. *Naive* is a showdown of seven cards against seven,
drawn at random and evaluated with our own fast evaluator on one core; at that rate all 2.8 million
million deals are multiplied out (an extrapolation, nobody waits for it).
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.figures import Ratio, report
from croupier.cards import parse_cards
from croupier.mathematics.counters.boards.counted_boards import boards_by_suit, forget_boards
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import free_game, solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.ranking.fast import strength_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

TURNS = 5
SOLVE = "solve, exact"
SHOWDOWNS = 200_000
DEALS = 1_326 * 2_118_760 * 990


Row: TypeAlias = tuple[str, Callable[[], object]]


def timed(rows: list[Row], turns: int = TURNS) -> dict[str, float]:
    """Seconds by label, after one run that does not count: medians of runs in turns, so that a busy
    moment of the machine hits all rows."""
    taken: dict[str, list[float]] = {}
    for turn in range(turns + 1):
        for label, work in rows:
            start = perf_counter()
            work()
            if turn:
                taken.setdefault(label, []).append(perf_counter() - start)
    return {label: median(seconds) for label, seconds in taken.items()}


# -- the floor and the naive way ------------------------------------------------------------------


def ranking_alone(game: HoldemGame) -> None:
    """Every board ranked and its hands counted against each other; nothing is priced."""
    forget_boards()
    boards_by_suit(free_game(game), cores())


@njit(nogil=True)
def showdowns(own: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> int:
    won = 0
    for i in range(own.size):
        if strength_of(own[i]) > strength_of(theirs[i]):
            won += 1
    return won


def naive_seconds() -> float:
    """All deals at the rate of random showdowns on one core, shared among the cores."""
    chance = np.random.default_rng(1)
    cards = np.argsort(chance.random((SHOWDOWNS, 52), np.float32), axis=1)[:, :9]
    bits = np.uint64(1) << cards.astype(np.uint64)
    board = np.bitwise_or.reduce(bits[:, :5], axis=1)
    own, theirs = (board | bits[:, at] | bits[:, at + 1] for at in (5, 7))
    return timed([("", lambda: showdowns(own, theirs))])[""] / SHOWDOWNS * DEALS / cores()


# -- the table ------------------------------------------------------------------------------------


def from_the_cards(work: Callable[[], object]) -> None:
    """As in a new process: nothing is ranked yet."""
    forget_boards()
    work()


def solving_rows(rules: Rules, game: HoldemGame) -> list[Row]:
    strategy = optimal_strategy(solve_holdem(game))
    rows: list[Row] = [
        (SOLVE, lambda: from_the_cards(lambda: solve_holdem(game))),
        ("a further solve, boards counted", lambda: solve_holdem(game)),
        ("  boards ranked and counted alone", lambda: ranking_alone(game)),
        ("outcome table of the optimal strategy", lambda: outcome_table(strategy)),
    ]
    placed = {"ante": 1000, "trips": 500}
    rows.append(("net of ante, blind, trips together", lambda: net_distribution(rules, placed)))
    return rows


def advice_rows(rules: Rules) -> list[Row]:
    hole, board = parse_cards("Kd 4h"), parse_cards("Ks 9d 2c 7h 7s")
    solved = (("before the flop", 0), ("at the flop", 3), ("at the river", 5))
    return [
        (f"advice {name}, solved", partial(advise, rules, Situation(hole, board[:seen])))
        for name, seen in solved
    ]


def main() -> None:
    rules = put_in_force(load_rulebook("md-uth"), Submission())
    game = holdem_game(rules)
    start = perf_counter()
    value = solve_holdem(game).value
    first = perf_counter() - start
    found = timed(solving_rows(rules, game)) | timed(advice_rows(rules), 101)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    if sys.platform == "darwin":
        peak /= 1024
    one, naive = found[SOLVE], naive_seconds()
    print(f"\nUltimate Texas Hold'em, Blind A: {value} a round; {cores()} cores, medians")
    measured = {"first solve of this process (compiles if never run)": first} | found
    rows = [
        (label.strip(), f"{seconds * 1e3:,.2f}", f"{seconds / one:.2f}")
        for label, seconds in measured.items()
    ]
    rows.append(
        ("every deal shown down, extrapolated", f"{naive * 1e3:,.0f}", f"{naive / one:,.0f}")
    )
    ratios = [
        Ratio(label.strip(), seconds / one, more_is_better=False)
        for label, seconds in found.items()
        if label != SOLVE and not label.startswith("advice")
    ]
    ratios.append(Ratio("every deal shown down", naive / one))
    report("solver", ("", "ms", "in solves"), rows, ratios)
    print(f"peak memory {peak:.2f} GiB; load of the machine {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
