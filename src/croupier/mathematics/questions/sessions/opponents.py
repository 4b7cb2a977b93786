"""All wagers of a round together: the exact distribution of what they come to, in cents.

Side wagers on the player's own cards only tell more cases apart; the deals of each case are counted
as ever, and played as if the side wagers were not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from croupier.mathematics.counters.opponents.game import Case, VersusGame, game_with, is_decided
from croupier.mathematics.counters.opponents.shape import BESIDE
from croupier.mathematics.counters.opponents.solver import solution_of, solve
from croupier.mathematics.model import Loses
from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits, WagerResult
from croupier.mathematics.shapes.course import is_lost_with_fold
from croupier.mathematics.shapes.fields import side_fields
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.stakes import meters_for, net_cents
from croupier.rulebooks.rules import Rules

__all__ = ["game_beside", "versus_distribution"]


def game_beside(rules: Rules, sides: Mapping[str, object]) -> VersusGame:
    """The main game with these side wagers; refused where one looks at other cards."""
    for name in sides:
        misfit = next(BESIDE.misfits(rules, side_fields(rules, name)), None)
        if misfit is not None:
            raise refused(f"{name} beside the main game", str(misfit), BESIDE.solves)
    return game_with(rules, sides)


def versus_distribution(
    rules: Rules,
    main: Mapping[str, int],
    sides: Mapping[str, int],
    meters: Mapping[str, int] | None,
    limits: Sequence[PayoutLimit] = (),
) -> dict[int, int]:
    """In how many deals the wagers placed (in cents) come to each net (in cents)."""
    solution = solve(game_beside(rules, sides)) if sides else solution_of(rules)
    game, shown = solution.game, meters_for(rules, meters)
    limited = SeatLimits(rules.book, limits)
    found: Counter[int] = Counter()
    for action, by_case in enumerate(solution.deals.tolist()):
        multiple = game.bets[action] if action < len(game.bets) else None
        for case, deals in zip(game.cases, by_case, strict=True):
            if any(deals):
                folded = multiple is None and game.folds
                beside = list(_sides(rules, case, sides, shown, folded=folded))
                by_outcome = _main(rules, game, case, main, multiple)
                for results, count in zip(by_outcome, deals, strict=True):
                    found[limited.net(results + beside)] += count
    return {net: count for net, count in sorted(found.items()) if count}


def _main(
    rules: Rules, game: VersusGame, case: Case, main: Mapping[str, int], multiple: int | None
) -> Iterator[list[WagerResult]]:
    """The main game's wagers in each outcome; `multiple` is None where nothing was bet in play."""
    stakes = dict(main)
    decision = rules.book.decisions[0]
    if multiple is not None:
        stakes[decision.wager] = multiple * main[decision.multiple_of]
    elif game.folds:
        folded = [paid.result(name, stakes[name]) for name, paid in case.folded]
        yield from [folded] * 6
        return
    for outcome in range(6):
        yield [
            row[outcome].result(name, stakes[_on(rules, name)])
            for name, row in case.paid
            if multiple is not None or not is_decided(rules.book, name)
        ]


def _on(rules: Rules, name: str) -> str:
    """The wager whose stake counts."""
    return rules.book.bonuses[name].on if name in rules.book.bonuses else name


def _sides(
    rules: Rules,
    case: Case,
    sides: Mapping[str, int],
    meters: Mapping[str, int],
    *,
    folded: bool,
) -> Iterator[WagerResult]:
    for name, ending in case.sides:
        wager = rules.book.wagers[name]
        lost = folded and is_lost_with_fold(rules.book, wager)
        paid = Loses() if lost else ending.pays
        taken = wager.taken_before_deal
        net = net_cents(paid, sides[name], meters, taken_before_deal=taken)
        yield WagerResult.of_net(name, net)
