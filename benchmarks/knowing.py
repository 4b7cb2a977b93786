"""A dealer's card seen in Ultimate Texas Hold'em: solved exactly, against dealing out every card.

*Plain enumeration* shows every own hand, dealer's card and board down against every second card of
the dealer's, at the rate of random showdowns with our own fast evaluator (an extrapolation: it
would take days).
"""

from __future__ import annotations

from math import comb
from time import perf_counter

from benchmarks.figures import Ratio, report
from benchmarks.solver import DEALS, naive_seconds
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.questions.information.holdem_knowing import solve_with_dealers_card
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

SHOWN = comb(52, 2) * 50 * comb(49, 3) * comb(46, 2) * 44


def main() -> None:
    game = holdem_game(put_in_force(load_rulebook("md-uth"), Submission()))
    solve_with_dealers_card(game)  # compiled
    start = perf_counter()
    found = solve_with_dealers_card(game)
    taken = perf_counter() - start
    start = perf_counter()
    solve_holdem(game)
    plain = perf_counter() - start
    naive = naive_seconds() / DEALS * SHOWN
    print(f"\nUltimate Texas Hold'em with a dealer's card seen: {found.value}")
    report(
        "knowing",
        ("", ""),
        (
            ("with a dealer's card seen, exact", f"{taken:.2f} s"),
            ("in solves of the game without", f"{taken / plain:.1f}"),
            ("plain enumeration of every deal, extrapolated", f"{naive / 3600:,.1f} h"),
            ("times faster", f"{naive / taken:,.0f}"),
        ),
        [
            Ratio("in solves of the game without", taken / plain, more_is_better=False),
            Ratio("times faster", naive / taken),
        ],
    )


if __name__ == "__main__":
    main()
