"""The expected result and the 95% band of a player who makes no mistake.

The band comes from the exact distribution of the sum of n hands, not from a normal approximation:
games with large rare payments are far from normal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from croupier.rounds.legality import smallest_wagers
from croupier.rulebooks.rules import Rules, rules_for
from croupier.school.practice.hands import SUBMISSION, checked_game

POINTS: Final = (1, 2, 3, 5, 8, 12, 18, 25, 50, 100, 200)
MOST_HANDS: Final = POINTS[-1]


class GameFigures(NamedTuple):
    """`value` and `variance` of one hand in units of one required wager; `band` has triples of
    hands, low end, and high end in cents."""

    value: Fraction
    variance: Fraction
    unit_cents: int
    band: tuple[tuple[int, int, int], ...]


def figures_of(game: str) -> GameFigures:
    """Return the figures of a game, solving it if the cache has none. Loads the mathematics: call
    it in another process."""
    from croupier.mathematics.cache import key_of, read_result, write_result

    rules = rules_for(checked_game(game), "", SUBMISSION)
    key = key_of(rules, "practice", POINTS)
    kept = read_result(key)
    if kept is not None:
        return msgspec.convert(kept["figures"], GameFigures, strict=False, dec_hook=_fraction)
    figures = _solved(rules)
    write_result(key, {"figures": msgspec.to_builtins(figures, enc_hook=str)})
    return figures


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
