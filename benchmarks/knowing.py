"""A dealer's card seen in Ultimate Texas Hold'em: solved exactly, against dealing out every card.

*Plain enumeration* shows every own hand, dealer's card and board down against every second card of
the dealer's, at the rate of random showdowns with our own fast evaluator (an extrapolation: it
would take days).
"""

from __future__ import annotations

from math import comb
from time import perf_counter

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
    print(f"solved                                {taken:>12.2f} s")
    print(f"in solves of the game without         {taken / plain:>12.1f}")
    print(f"plain enumeration (extrapolated)      {naive / 3600:>12,.1f} h")
    print(f"times faster than plain enumeration   {naive / taken:>12,.0f}")


if __name__ == "__main__":
    main()
