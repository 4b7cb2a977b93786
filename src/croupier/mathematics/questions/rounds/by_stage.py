"""The rounds of a game of streets without a dealer's hand, under the best play or another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.solver import (
    Played,
    StreetsSolution,
    Told,
    played_out,
    solve_streets,
)
from croupier.mathematics.game.course import can_fold, led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Paid
from croupier.mathematics.game.payoffs import Case, Payoffs, wagers_with_bonuses
from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.questions.rounds.played import Betting, PlayedRounds
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, VersusPaytable


def streets_rounds(rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
    """Deals are told apart by what these side wagers look at too, and then played to the end."""
    solution = _together(rules, sides) if sides else solve_streets(rules)
    return streets_rounds_of(solution, played_out(solution, to_the_end=bool(sides)))


def streets_rounds_of(solution: StreetsSolution, played: Played) -> PlayedRounds:
    # The last case is a hand that was folded, with all wagers lost, before it was known.
    known = solution.cases
    folded = dict.fromkeys(known[0].folded, Paid(FOLDED, Loses()))
    cases = [*known, Case("", known[0].paid, folded)]
    found: dict[Told, list[tuple[int, int, int]]] = {}
    for (told, result), deals in played.deals.items():
        case = len(known) if result is None else result
        found.setdefault(told, []).append((case, 0, deals))
    wagers = solution.course.wagers
    bettings = [
        Betting(told.said, dict(zip(wagers, told.units, strict=True)), told.folded, cells)
        for told, cells in found.items()
    ]
    return PlayedRounds(solution.rules, cases, bettings)


# -- side wagers ----------------------------------------------------------------------------------


def _together(rules: Rules, sides: Sequence[str]) -> StreetsSolution:
    """The main game, its deals told apart by what these wagers look at too."""
    for name in sides:
        _check_side(rules, name)
    try:
        main = solve_streets(rules)
        names = wagers_with_bonuses(rules.book, (*main.course.wagers, *sides))
        # Where they look at nothing more, what can have been seen is the same.
        alike = Payoffs(rules, names).leaves == main.payoffs.leaves
        return StreetsSolution(rules, sides, stages=main.stages if alike else None)
    except Unsolvable as error:
        raise refused(f"{' and '.join(sides)} beside the main game", str(error)) from None


def _check_side(rules: Rules, name: str) -> None:
    """A side wager is told apart where it looks at own and community cards."""
    if isinstance(rules.book.wagers[name].settles, AllWon) and can_fold(rules.book):
        why = f"wagers.{name}.settles.by is 'all_won', in a game with a fold"
        raise refused(f"{name} beside the main game", why)
    for led in _looked_at(rules, name):
        settles = rules.book.wagers[led].settles
        places = set()
        if isinstance(settles, VersusPaytable):
            hands = [settles.hand, *(leaf.hand for leaf in line_tests(rules, settles).leaves)]
            texts = [text for hand in hands for text in rules.book.hands[hand].cards]
            places = {text.partition(":")[0] for text in texts}
        if not places or not places <= {"player", "community"}:
            raise refused(
                f"{name} beside the main game",
                f"wagers.{name}.settles looks at other cards than the seat's own and the board",
            )


def _looked_at(rules: Rules, name: str) -> Iterator[str]:
    settles = rules.book.wagers[name].settles
    names = settles.wagers if isinstance(settles, AllWon) else (name,)
    yield from (led_by(rules.book, each) for each in names)
