"""Ten thousand paytables of the Blind searched at once, against solving them one after the other.

Both run in this process, warm. A single solve is what `analyze` does for one paytable: the best
play, and every outcome under it; ten thousand of them are multiplied out.
"""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

from benchmarks.figures import Ratio, report
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.questions.design.search import Wishes, search
from croupier.mathematics.questions.open_lines.open_table import OpenTable, read_varied
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

LINES = ("straight=1..1.9:0.1", "flush=2..2.9:0.1", "full_house=3..7.5:1/2", "four_of_a_kind=8..17")
WISHES = Wishes((Fraction(-1, 100), Fraction(1, 100)))
SOLVES = 3


def main() -> None:
    rules = put_in_force(load_rulebook("md-uth"), Submission())
    table = OpenTable.of(rules, "blind", "A", [read_varied(text) for text in LINES])
    _solve_alone(table)  # compiled, and every board ranked
    start = perf_counter()
    for _ in range(SOLVES):
        _solve_alone(table)
    single = (perf_counter() - start) / SOLVES
    start = perf_counter()
    found = search(table, "main", WISHES)
    searched = perf_counter() - start
    times = found.searched * single / searched
    report(
        "design",
        ("", ""),
        (
            ("one table of the Blind solved", f"{single:.2f} s"),
            (
                f"{found.searched:,} tables searched, {found.matches:,} between two edges",
                f"{searched:.2f} s",
            ),
            ("times faster than one by one", f"{times:,.0f}"),
        ),
        [Ratio("times faster than one by one", times)],
    )


def _solve_alone(table: OpenTable) -> None:
    game = holdem_game(table.filled([line.high for line in table.lines]))
    outcome_table(optimal_strategy(solve_holdem(game)))


if __name__ == "__main__":
    main()
