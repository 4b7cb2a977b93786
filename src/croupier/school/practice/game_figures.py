"""What a game is worth to a player who makes no mistake: the line and the band of the curve.

The band holds 95 of 100 sessions of the best play. It is read from the exact distribution of the
sum of so many hands, not from a bell curve: games with large rare payments are far from one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from croupier.rounds.legality import smallest_wagers
from croupier.rulebooks.rules import Rules, rules_for
from croupier.school.practice.hands import SUBMISSION, checked_game

__all__ = ["MOST_HANDS", "GameFigures", "figures_of"]

POINTS: Final = (1, 2, 3, 5, 8, 12, 18, 25, 50, 100, 200)
MOST_HANDS: Final = POINTS[-1]


class GameFigures(NamedTuple):
    """`value` and `variance` of one hand in units of one required wager; `band` has the number of
    hands and the ends, in cents."""

    value: Fraction
    variance: Fraction
    unit_cents: int
    band: tuple[tuple[int, int, int], ...]


def figures_of(game: str) -> GameFigures:
    """Loads the mathematics and solves the game: for another process. Kept in the cache of the
    solvers."""
    from croupier.mathematics.cache import key_of, read_result, write_result

    rules = rules_for(checked_game(game), "", SUBMISSION)
    key = key_of(rules, "practice", POINTS)
    kept = read_result(key)
    if kept is not None:
        return msgspec.convert(kept["figures"], GameFigures, strict=False, dec_hook=_fraction)
    found = _solved(rules)
    write_result(key, {"figures": msgspec.to_builtins(found, enc_hook=str)})
    return found


def _solved(rules: Rules) -> GameFigures:
    from croupier.mathematics.questions.round_nets import net_distribution
    from croupier.mathematics.questions.sessions.over_rounds import mean_of, sums_over, variance_of

    least = smallest_wagers(rules)
    unit = least[rules.required[0]]
    nets = net_distribution(rules, {name: least[name] for name in rules.required})
    band = []
    for hands in POINTS:
        sums = sums_over(nets, hands)
        band.append((hands, sums.percentile(2.5), sums.percentile(97.5)))
    return GameFigures(mean_of(nets) / unit, variance_of(nets) / unit**2, unit, tuple(band))


def _fraction(_: type, text: object) -> Fraction:
    return Fraction(str(text))
